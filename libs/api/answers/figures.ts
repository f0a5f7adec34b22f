/** The figures every answer is made of. */
import { always, anyOf, list, object, sometimes, whole, word, yesOrNo } from '#libs/api/answers/part.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { context, currency, identifier, integer, oneOf, reference, text } from '#libs/schema/form.ts';

export const amount = object({ minor_units: always(whole), currency: always(currency) });

export const pin = object(
  { id: always(word), version: always(integer(1)) },
  'The configuration version a record was made under.',
);

export const charged = {
  charge: always(oneOf(enumerations.charge)),
  amount: always(amount, 'Before tax.'),
  tax: always(amount),
  total: always(amount),
};
export const chargeLine = object(charged);

export const owed = object(
  { total: always(amount), charges: always(list(chargeLine), 'The charges with something in them, in a fixed order.') },
  'A sum owed, by charge.',
);

/** Who did it, why, and the word by which it is done once. */
export const account = {
  reference: always(reference),
  actor: always(identifier, "The caller's own word for who acts."),
  basis: always(text(), 'Why.'),
  context: sometimes(context, 'As stated.'),
};

export const actAccount = object(account);

export const factName = object({
  type: always(oneOf(enumerations.fact_type)),
  id: always(word, 'The identifier of an event; the reference of a Receipt or a reversal.'),
});

export const anomaly = object(
  {
    kind: always(
      word,
      'Where an act stands only as far as it fits, the refusal code that says why; else reversal_after_cession, reversal_after_write_off, payoff_short or book_not_derivable. More may come.',
    ),
    facts: always(list(factName), 'The fact, and the one whose recording made it so; none of book_not_derivable.'),
    detail: always(word, 'A sentence for a person; reworded without notice.'),
  },
  'A contradiction the fold resolved instead of refusing; or, as book_not_derivable, that what is recorded of the Client amounts to no book, so that figures are absent.',
);

/** On a page over many Clients, of one whose book cannot be derived. */
export const whyUnknown = sometimes(
  list(anomaly),
  "Only where the Client's book cannot be derived from what is recorded: what it would say is unknown.",
);

export const anomalies = always(list(anomaly), 'Empty where all is well.');

export const cursor = sometimes(word, 'Where the next page begins. Without it this was the last.');

export const pageTotals = always(yesOrNo, 'That the totals are of this page alone.');

/** An integer, or a decimal as text: compared exactly. */
export const exactNumber = anyOf<number | string>(
  { jsonSchema: { type: 'integer' } },
  { jsonSchema: { type: 'string', pattern: '^-?(0|[1-9][0-9]*)(\\.[0-9]{1,8})?$' } },
);
