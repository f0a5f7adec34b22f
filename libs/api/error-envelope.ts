import { sentenceOf } from '#libs/schema/refusal-json.ts';
import type { Details, Refusal, Retry } from '#libs/schema/refusals.ts';

/** The one form in which every refusal is answered. */
export interface Envelope {
  readonly error: string;
  readonly code: Refusal['code'];
  readonly retry: Retry;
  readonly retry_after?: number;
  readonly details?: Details;
  readonly request_id: string;
}

export function envelope(refusal: Refusal, requestId: string): Envelope {
  const { code, retry, retryAfter, details } = refusal;
  return {
    error: sentenceOf(refusal),
    code,
    retry,
    ...(retryAfter === undefined ? {} : { retry_after: retryAfter }),
    ...(details === undefined ? {} : { details }),
    request_id: requestId,
  };
}
