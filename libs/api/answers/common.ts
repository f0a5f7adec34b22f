/** Schemas that several answers share: amounts, anomalies, paging, and refusals. */

import { answerObject, anyOf, anyString, count, list, wholeNumber } from '#libs/api/answers/answer-schema.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { optional, required } from '#libs/schema/objects.ts';
import { catalogue, type DetailValue, type RefusalCode } from '#libs/schema/refusals.ts';
import { boolean, context, currency, identifier, integer, oneOf, reference, text } from '#libs/schema/scalars.ts';
import type { TypedJsonSchema } from '#libs/schema/schema.ts';

export const amount = answerObject({ minor_units: required(wholeNumber), currency: required(currency) });

export const pin = answerObject(
  { id: required(anyString), version: required(integer(1)) },
  'The configuration version of the record.',
);

export const charged = {
  charge: required(oneOf(enumerations.charge)),
  amount: required(amount, 'Before tax.'),
  tax: required(amount),
  total: required(amount),
};
export const chargeLine = answerObject(charged);

export const owed = answerObject(
  {
    total: required(amount),
    charges: required(list(chargeLine), 'The charges that are not zero, in a fixed order.'),
  },
  'An amount owed, by charge.',
);

/** Who recorded a fact, why, and under which reference. */
export const account = {
  reference: required(reference),
  actor: required(identifier, "The caller's identifier of the person or system that acts."),
  basis: required(text(), 'The reason.'),
  context: optional(context, 'As sent.'),
};

export const actAccount = answerObject(account);

export const factName = answerObject({
  type: required(oneOf(enumerations.fact_type)),
  id: required(
    anyString,
    'Of an event its `id`; of a Receipt or a reversal its `reference`, not the `id` of the Receipt.',
  ),
});

export const anomaly = answerObject(
  {
    kind: required(
      anyString,
      'For an act that no longer has its full effect, the refusal code of its rule; otherwise reversal_after_cession, reversal_after_write_off, payoff_short, book_not_derivable or, in a rehearsal, book_too_large. More kinds may be added.',
    ),
    facts: required(
      list(factName),
      'The fact, and the fact recorded later that caused the anomaly. Empty for book_not_derivable and book_too_large.',
    ),
    detail: required(anyString, 'A sentence for people. Its wording may change at any time.'),
  },
  'A contradiction between facts, which the service resolved; or book_not_derivable: the book of the Client cannot be computed from the recorded facts, so figures are absent.',
);

/** For listings over many Clients. */
export const unknownBookAnomalies = optional(
  list(anomaly),
  "Only if the Client's book cannot be computed from the recorded facts. Its figures are then unknown.",
);

export const anomalies = required(list(anomaly), 'Empty if there are none.');

export const cursor = optional(anyString, 'The cursor of the next page. Absent on the last page.');

export const pageTotals = required(boolean, 'Whether the totals are of this page only.');

/** An integer, or a decimal as text: compared exactly. */
export const exactNumber = anyOf<number | string>(
  { jsonSchema: { type: 'integer' } },
  { jsonSchema: { type: 'string', pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]{1,8})?$' } },
);

const anyJsonValue: TypedJsonSchema<DetailValue> = { jsonSchema: {} };

export const refusalCodes = Object.keys(catalogue) as readonly RefusalCode[];

const fieldCodes = refusalCodes.filter((code) => catalogue[code].details.some((key) => key === 'fields'));

const fieldFault = answerObject({
  field: required(anyString, 'A JSON pointer into the body.'),
  code: required(oneOf({ open: true, members: fieldCodes }), 'The code of a refusal for this field alone.'),
  bound: optional(anyJsonValue, 'The value or limit that is accepted.'),
  observed: optional(anyJsonValue, 'The value that was sent.'),
});

export const refusalDetails = answerObject(
  {
    field: optional(anyString, 'A JSON pointer into the body, or the bare name of a parameter.'),
    fields: optional(
      list(fieldFault),
      'Where several fields of the body are at fault: all of them, at most 20. The first one is `field`, and `code` is its code.',
    ),
    recorded_id: optional(
      anyString,
      'What the request conflicts with. The page Errors of the reference says for each code which identifier of what it is.',
    ),
    recorded_value: optional(anyJsonValue, 'What is recorded.'),
    stated_value: optional(anyJsonValue, 'What the request states instead.'),
    bound: optional(anyJsonValue, 'The value or limit that is accepted.'),
    observed: optional(anyJsonValue, 'The value that was sent or found.'),
  },
  'The catalogue lists the members of each code. More may be added.',
);

export const retry = oneOf({ open: true, members: ['as_is', 'after_record', 'after_change', 'never'] });

export function refusalSchema(codes: readonly RefusalCode[]) {
  return answerObject({
    error: required(anyString, 'A sentence for people. Its wording may change at any time.'),
    code: required(oneOf({ open: true, members: codes }), 'Stable. Branch on it.'),
    retry: required(retry, 'What the caller may do next.'),
    retry_after: optional(count, 'Seconds; equals the `Retry-After` header.'),
    details: optional(refusalDetails),
    request_id: required(anyString, "The service's identifier of the request."),
  });
}
