/** Answers about the whole Tenancy: merchants, bounds, logged requests, the market, the company profile. */

import { answerObject, anyString, count, list, timestamp, wholeNumber } from '#libs/api/answers/answer-schema.ts';
import { amount, cursor, pageTotals } from '#libs/api/answers/common.ts';
import { acceleration, row, rowOrRecorded } from '#libs/api/answers/loans.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { type ObjectField, optional, required } from '#libs/schema/objects.ts';
import { boolean, civilDay, currency, identifier, oneOf, rate, text } from '#libs/schema/scalars.ts';
import type { TypedJsonSchema } from '#libs/schema/schema.ts';
import { textOrObject } from '#libs/tenant/company-profile.ts';

export const merchantRow = answerObject({
  ...row,
  outstanding: required(amount, 'The principal outstanding on the day.'),
});

export const merchantBook = answerObject({
  merchant_ref: required(identifier),
  on: required(civilDay),
  loans: required(list(rowOrRecorded(merchantRow)), 'Newest first.'),
  currencies: required(
    list(
      answerObject({
        currency: required(currency),
        loans: required(count),
        sold: required(amount),
        returned: required(amount),
        outstanding: required(amount),
        overdue: required(amount),
      }),
    ),
    'Of the listed Loans with known figures.',
  ),
  page_totals: pageTotals,
  cursor,
});

export const bounds = answerObject({
  concurrent: required(count, 'Requests at the same time, for each instance of the service.'),
  patience_ms: required(count, 'How long a request waits for a free place, in milliseconds.'),
  per_second: required(count, 'Requests per second, for all instances of the service together.'),
  burst: required(count, 'Requests at once after a quiet time, for all instances together.'),
  source: required(oneOf(enumerations.bounds_source), 'Whether they are the default, or set for this Tenancy.'),
});

export const loggedRequest = answerObject({
  request_id: required(anyString, 'The `Request-Id` of the answer.'),
  caller_request_id: optional(anyString, "The caller's own `Request-Id`."),
  received_at: required(timestamp),
  duration_us: required(count, 'Until the answer was sent, in microseconds.'),
  fp: required(anyString, 'The fingerprint of the key.'),
  method: required(anyString),
  route: optional(anyString, 'The operation of this document; absent where no route matched the path.'),
  status: required(count),
  code: optional(anyString, 'The refusal code.'),
  field: optional(anyString, 'The member of the request that the refusal is about, at most 100 characters.'),
  target: optional(anyString, 'Path and query, at most 500 characters.'),
  contract_version: optional(anyString, 'The contract version of the answer.'),
  timing: optional(
    answerObject({
      queue_us: required(count, 'Waiting for a permit.'),
      conn_us: required(count, 'Waiting for a database connection.'),
      db_us: required(count),
      derive_us: required(count, 'Computing figures.'),
      submit_us: required(count, 'From handing a write to Kafka to its verdict.'),
    }),
    'Parts of the duration in microseconds, as in `Server-Timing`.',
  ),
});

export const requestPage = answerObject({
  requests: required(list(loggedRequest), 'Newest first. A page may be short or empty and still have a cursor.'),
  cursor,
});

const sourceMembers = {
  source: required(anyString, 'The law or rule that it follows.'),
  provisional: required(boolean),
};

function rule<T>(value: TypedJsonSchema<T>): ObjectField<TypedJsonSchema<unknown>, true> {
  return required(answerObject({ value: required(value), ...sourceMembers }));
}

function optionalRule<T>(value: TypedJsonSchema<T>): ObjectField<TypedJsonSchema<unknown>, true> {
  return required(answerObject({ value: optional(value, 'Absent if the market has no such rule.'), ...sourceMembers }));
}

const taxable = oneOf({ open: true, members: ['interest', 'fee', 'penalty', 'late_fee'] });

export const market = answerObject({
  jurisdiction: required(anyString),
  currencies: rule(list(currency)),
  penalty_cap: rule(
    answerObject({
      form: required(oneOf(enumerations.penalty_cap_form)),
      value: optional(rate, 'A multiple of the contract rate, or a rate.'),
    }),
  ),
  penalty_base: rule(list(oneOf(enumerations.penalty_base))),
  penalty_ceiling_days: optionalRule(count),
  penalty_ceiling_bps: optionalRule(count),
  capitalises: rule(boolean),
  late_fee_beside_penalty: rule(boolean),
  acceleration: rule(acceleration),
  withdrawal_days: optionalRule(count),
  tax: rule(
    answerObject({
      rates: required(list(rate)),
      ends: required(
        list(answerObject({ rate: required(rate), on: required(civilDay) })),
        'The last day on which a Loan may be anchored under the rate.',
      ),
      on: required(list(taxable)),
    }),
  ),
  disclosure: rule(answerObject({ convention: required(anyString), version: required(wholeNumber) })),
  calendar: required(answerObject({ covers_to: required(civilDay), ...sourceMembers })),
  facility_window: optionalRule(count),
});

export const companyProfile = answerObject({
  legal_name: required(text()),
  trade_name: optional(text()),
  tax_id: optional(text()),
  address: optional(textOrObject),
  contact: optional(textOrObject),
});
