/** Evidence: each fact with the signed submission that caused it. Callers can verify it without the service. */

import { answerObject, anyString, count, list, timestamp } from '#libs/api/answers/answer-schema.ts';
import type { Json } from '#libs/schema/json.ts';
import { optional, required } from '#libs/schema/objects.ts';
import { identifier, reference, uuid } from '#libs/schema/scalars.ts';
import type { TypedJsonSchema } from '#libs/schema/schema.ts';

const storedFact: TypedJsonSchema<Json> = { jsonSchema: { type: 'object', additionalProperties: true } };

export const provenFact = answerObject({
  sequence: required(count, "The number of the fact in the Client's book."),
  kind: required(anyString),
  recorded_at: required(timestamp),
  body: required(storedFact, 'The fact as it is stored and published.'),
  log: required(
    answerObject({
      topic: required(anyString),
      partition: required(count),
      offset: required(count),
      item: required(count),
    }),
    'The log entry of the submission.',
  ),
  event: required(
    answerObject({ topic: required(anyString), partition: required(count), sequence: required(count) }),
    'The published event of the fact.',
  ),
  submission: required(
    answerObject({
      request_id: required(uuid),
      taken_in_at: required(timestamp),
      canonical: required(anyString, 'The signed text.'),
      fp: required(anyString, 'The fingerprint of the key.'),
      public_key: required(anyString, 'Base64url.'),
      key_created_at: required(timestamp),
      key_revoked_at: optional(timestamp),
      signature: required(anyString, 'Base64url.'),
      body: required(anyString, 'The bytes as sent, in base64.'),
    }),
  ),
});

const facts = required(list(provenFact), 'Oldest first.');

export const loanEvidence = answerObject({ loan_id: required(uuid), client_id: required(identifier), facts });
export const receiptEvidence = answerObject({ receipt: required(reference), client_id: required(identifier), facts });
