import { newUuid } from '#libs/runtime/uuid.ts';
import type { SubmissionRequest } from '#libs/submission/submitter.ts';
import type { WriteRequest } from './write-routes.ts';

/** What of the request goes with it whatever it asks. */
export function submissionEnvelope(asked: WriteRequest): Omit<SubmissionRequest, 'operation' | 'params' | 'items'> {
  const { method, target, ts, fp, signature, idempotencyKey, body } = asked.evidence;
  return {
    requestId: asked.requestId,
    tenantId: asked.tenancy.id,
    receivedAt: asked.receivedAt,
    admittedAt: asked.admittedAt,
    callerRequestId: asked.callerRequestId,
    evidence: {
      method,
      target,
      ts: Number(ts),
      fp,
      signature: Buffer.from(signature.buffer, signature.byteOffset, signature.byteLength),
      idempotency_key: idempotencyKey ?? null,
      body,
    },
  };
}

export function newUuids(many: number): string[] {
  return Array.from({ length: many }, newUuid);
}
