/** A pasted request with what its check found: what the result page shows. */
import type { LoggedRequest } from '#libs/sdk/src/contract/shapes.ts';
import type { Diagnosis } from './diagnosis.ts';
import type { StatedRequest } from './request-form.ts';

export interface CheckedRequest {
  readonly diagnosis: Diagnosis;
  readonly request: StatedRequest;
  readonly tenantId: string;
  /** The request in the log, where its `Request-Id` was stated and it is there. */
  readonly logged: LoggedRequest | undefined;
}
