/** Proof that can be checked without us: each fact with the signed submission that caused it. */
import { always, count, list, moment, object, type Part, sometimes, word } from '#libs/api/answers/part.ts';
import { identifier, reference, uuid } from '#libs/schema/form.ts';
import type { Json } from '#libs/schema/json.ts';

const kept: Part<Json> = { jsonSchema: { type: 'object', additionalProperties: true } };

export const provenFact = object({
  sequence: always(count, "Its place in the Client's book."),
  kind: always(word),
  recorded_at: always(moment),
  body: always(kept, 'The fact as it is kept and published.'),
  log: always(
    object({ topic: always(word), partition: always(count), offset: always(count), item: always(count) }),
    'Where the submission stands in the log.',
  ),
  event: always(
    object({ topic: always(word), partition: always(count), sequence: always(count) }),
    'Where the fact was published.',
  ),
  submission: always(
    object({
      request_id: always(uuid),
      taken_in_at: always(moment),
      canonical: always(word, 'What was signed.'),
      fp: always(word, 'The fingerprint of the key.'),
      public_key: always(word, 'Base64url.'),
      key_created_at: always(moment),
      key_revoked_at: sometimes(moment),
      signature: always(word, 'Base64url.'),
      body: always(word, 'The bytes as sent, in base64.'),
    }),
  ),
});

const facts = always(list(provenFact), 'Oldest first.');

export const loanEvidence = object({ loan_id: always(uuid), client_id: always(identifier), facts });
export const receiptEvidence = object({ receipt: always(reference), client_id: always(identifier), facts });
