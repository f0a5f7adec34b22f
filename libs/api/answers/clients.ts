/** A Client: the registration, the whole book, and what is asked of the book beside it. */
import { facilityDrawn } from '#libs/api/answers/credit.ts';
import { amount, anomaly, cursor } from '#libs/api/answers/figures.ts';
import { loanOptions, schedule } from '#libs/api/answers/loan-days.ts';
import { loan } from '#libs/api/answers/loans.ts';
import {
  always,
  count,
  list,
  moment,
  object,
  type Part,
  sometimes,
  whole,
  word,
  yesOrNo,
} from '#libs/api/answers/part.ts';
import { receiptRow } from '#libs/api/answers/receipts.ts';
import { detailsPart, retryPart } from '#libs/api/answers/refusal.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { civilDay, context, currency, identifier, oneOf, reference, text, uuid } from '#libs/schema/form.ts';
import type { Json } from '#libs/schema/json.ts';

export const client = object({
  client_id: always(identifier),
  tenant_id: always(identifier),
  created_at: always(moment),
  actor: always(identifier),
  basis: always(text()),
  context: sometimes(context),
});
export const clientPage = object({ clients: always(list(client), 'Newest first.'), cursor });

export const bookVersion = object({
  client_id: always(identifier),
  version: sometimes(moment, 'When the newest fact about the Client was recorded; absent where there is none.'),
  facts: always(count, 'How many facts are recorded.'),
});

const references = list(reference);

export const obligations = object({
  client_id: always(identifier),
  amount: always(amount, 'The whole standing balance.'),
  receipts: always(references, 'Oldest first; the only member that is paged.'),
  returns: sometimes(references, 'Acts, oldest first.'),
  returned: sometimes(
    list(
      object({
        act: always(reference),
        loan_id: always(uuid),
        on: always(civilDay),
        principal: always(amount),
        interest: always(amount),
        amount: always(amount, 'The sum of the two.'),
      }),
    ),
    'In the order of `returns`.',
  ),
  rollovers: sometimes(references, 'Acts, oldest first.'),
  undone: sometimes(
    list(
      object({
        kind: always(oneOf(enumerations.undoing_kind)),
        on: always(civilDay),
        act: always(reference),
        loan_id: always(uuid),
        receipt: always(reference),
        amount: always(amount),
      }),
    ),
    'Each Receipt that reached an undone Loan before the act, oldest first.',
  ),
  settlements: sometimes(references, 'Settlements for less whose Receipts exceeded the agreed figure, oldest first.'),
  currencies: sometimes(
    list(object({ currency: always(currency), amount: always(amount) })),
    'Where balances stand in several.',
  ),
  cursor,
});

export const bar = object({
  barred: always(yesOrNo),
  lifts_on: sometimes(civilDay, 'The first day on which nothing bars.'),
  decision: sometimes(uuid, 'The refusal whose moratorium lifts last.'),
});

export const book = object(
  {
    client_id: always(identifier),
    on: always(civilDay),
    book_version: always(bookVersion),
    loans: always(
      list(object({ loan: always(loan), payment_options: always(loanOptions), schedule: always(schedule) })),
      'Oldest first.',
    ),
    receipts: always(list(receiptRow), 'All of them, newest first.'),
    obligations: always(obligations, 'Whole.'),
    facilities: always(list(facilityDrawn), 'Newest first.'),
    bar: always(bar, 'On the day.'),
    anomalies: always(list(anomaly)),
  },
  "One consistent moment of a Client's book.",
);

const figure: Part<Json> = { jsonSchema: { description: 'The figure; absent where there was none.' } };

export const changes = object({
  client_id: always(identifier),
  on: always(civilDay),
  from_facts: always(count),
  to_facts: always(count),
  changes: always(
    list(
      object({
        figure: always(word, 'Where it stands: a JSON pointer in which members of a list go by their name.'),
        from: sometimes(figure),
        to: sometimes(figure),
        facts: always(
          list(
            object({
              type: always(oneOf(enumerations.fact_type)),
              id: always(word),
              facts: always(count, 'Its place among the facts that are counted.'),
              recorded_at: always(moment),
            }),
          ),
          'Those that moved the figure.',
        ),
      }),
    ),
  ),
});

export const simulation = object({
  client_id: always(identifier),
  tenant_id: always(identifier),
  on: always(civilDay),
  outcomes: always(
    list(
      object({
        status: always(whole, 'What the real route would have answered.'),
        error: sometimes(word),
        code: sometimes(word),
        retry: sometimes(retryPart),
        retry_after: sometimes(count),
        details: sometimes(detailsPart),
      }),
    ),
    'One for each supposed fact, in their order.',
  ),
  is: always(book),
  would_be: always(book),
});
