/** Refusals as errors of a command. */
import { refusalBody } from '#libs/schema/refusal-json.ts';
import type { Refusal } from '#libs/schema/refusals.ts';

/** The body of a refusal. */
export type RefusalEnvelope = {
  readonly error: string;
  readonly code: string;
  readonly retry: string;
  readonly retry_after?: number;
  readonly details?: Readonly<Record<string, unknown>>;
  readonly request_id?: string;
};

/** By the service, as an answer over HTTP. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
  readonly status: number;
  readonly envelope: RefusalEnvelope;

  constructor(status: number, envelope: RefusalEnvelope) {
    super(`${envelope.error} (${status} ${envelope.code})`);
    this.status = status;
    this.envelope = envelope;
  }
}

/** By the processor, of an act of an operator. */
export class AdministrationRefusedError extends RefusedError {
  constructor(refusal: Refusal) {
    // Its request has no answer that could be looked up.
    const { request_id: _, ...envelope } = refusalBody(refusal, '');
    super(refusal.status, envelope);
  }
}
