/** Answers about a Client: the registration, the book, its changes and simulations. */

import { answerObject, anyString, count, list, timestamp, wholeNumber } from '#libs/api/answers/answer-schema.ts';
import { amount, anomaly, cursor, refusalDetails, retry } from '#libs/api/answers/common.ts';
import { facilityWithBalance } from '#libs/api/answers/credit.ts';
import { loanOptions, schedule } from '#libs/api/answers/loan-figures.ts';
import { loan } from '#libs/api/answers/loans.ts';
import { receiptRow } from '#libs/api/answers/receipts.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import type { Json } from '#libs/schema/json.ts';
import { optional, required } from '#libs/schema/objects.ts';
import {
  boolean,
  civilDay,
  context,
  currency,
  identifier,
  oneOf,
  reference,
  text,
  uuid,
} from '#libs/schema/scalars.ts';
import type { TypedJsonSchema } from '#libs/schema/schema.ts';

export const client = answerObject({
  client_id: required(identifier),
  tenant_id: required(identifier),
  created_at: required(timestamp),
  actor: required(identifier, 'Who registered the Client.'),
  basis: required(text(), 'Why.'),
  context: optional(context),
});
export const clientPage = answerObject({ clients: required(list(client), 'Newest first.'), cursor });

export const bookVersion = answerObject({
  client_id: required(identifier),
  version: optional(timestamp, 'The moment of the last recorded fact about the Client; absent if there is none.'),
  facts: required(count, 'The number of recorded facts.'),
});

const references = list(reference);

export const obligations = answerObject({
  client_id: required(identifier),
  amount: required(amount, 'The whole balance owed to the Client.'),
  receipts: required(references, 'Oldest first; the only member that is paged.'),
  returns: optional(references, 'Acts, oldest first.'),
  returned: optional(
    list(
      answerObject({
        act: required(reference),
        loan_id: required(uuid),
        on: required(civilDay),
        principal: required(amount),
        interest: required(amount),
        amount: required(amount, 'The sum of principal and interest.'),
      }),
    ),
    'In the order of `returns`.',
  ),
  rollovers: optional(references, 'Acts, oldest first.'),
  undone: optional(
    list(
      answerObject({
        kind: required(oneOf(enumerations.undoing_kind)),
        on: required(civilDay),
        act: required(reference),
        loan_id: required(uuid),
        receipt: required(reference),
        amount: required(amount),
      }),
    ),
    'The Receipts that were allocated to an undone Loan before the act, oldest first.',
  ),
  settlements: optional(references, 'Settlements for less whose Receipts exceeded the agreed amount, oldest first.'),
  currencies: optional(
    list(answerObject({ currency: required(currency), amount: required(amount) })),
    'Only if there are balances in several currencies.',
  ),
  cursor,
});

export const bar = answerObject({
  barred: required(boolean, 'Whether applications are refused under a policy that enforces bars.'),
  lifts_on: optional(civilDay, 'The first day without a bar.'),
  decision: optional(uuid, 'The refusal whose moratorium ends last.'),
});

export const book = answerObject(
  {
    client_id: required(identifier),
    on: required(civilDay),
    book_version: required(bookVersion),
    loans: required(
      list(
        answerObject({ loan: required(loan), payment_options: required(loanOptions), schedule: required(schedule) }),
      ),
      'Oldest first.',
    ),
    receipts: required(list(receiptRow), 'All Receipts, newest first.'),
    obligations: required(obligations, 'Complete, not paged.'),
    facilities: required(list(facilityWithBalance), 'Newest first.'),
    bar: required(bar, 'The bar on the day.'),
    anomalies: required(list(anomaly)),
  },
  "A Client's book as of one moment.",
);

const figureValue: TypedJsonSchema<Json> = { jsonSchema: { description: 'The value; absent if there was none.' } };

export const changes = answerObject({
  client_id: required(identifier),
  on: required(civilDay),
  from_facts: required(count, 'The number of facts in the earlier version.'),
  to_facts: required(count, 'The number of facts in the later version.'),
  changes: required(
    list(
      answerObject({
        figure: required(
          anyString,
          'The path of the figure: a JSON pointer in which items of a list are identified by name.',
        ),
        from: optional(figureValue),
        to: optional(figureValue),
        facts: required(
          list(
            answerObject({
              type: required(oneOf(enumerations.fact_type)),
              id: required(anyString),
              facts: required(count, 'The number of the fact in the book version.'),
              recorded_at: required(timestamp),
            }),
          ),
          'The facts that changed the figure.',
        ),
      }),
    ),
  ),
});

export const simulation = answerObject({
  client_id: required(identifier),
  tenant_id: required(identifier),
  on: required(civilDay),
  outcomes: required(
    list(
      answerObject({
        status: required(wholeNumber, 'The status that the route would have answered.'),
        error: optional(anyString),
        code: optional(anyString),
        retry: optional(retry),
        retry_after: optional(count),
        details: optional(refusalDetails),
      }),
    ),
    'One for each supposed fact, in the order sent.',
  ),
  is: required(book),
  would_be: required(book),
});
