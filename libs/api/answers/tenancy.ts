/** What is asked of the whole Tenancy: its merchants, its events, its market, its bounds, itself. */
import { amount, cursor, pageTotals } from '#libs/api/answers/figures.ts';
import { acceleration, row, rowOr } from '#libs/api/answers/loans.ts';
import {
  always,
  anyOf,
  count,
  list,
  type Member,
  moment,
  object,
  only,
  type Part,
  sometimes,
  whole,
  word,
  yesOrNo,
} from '#libs/api/answers/part.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { anyObject, civilDay, currency, identifier, oneOf, rate, text, uuid } from '#libs/schema/form.ts';
import type { JsonObject } from '#libs/schema/json.ts';

export const merchantRow = object({ ...row, outstanding: always(amount, 'The principal still unpaid on the day.') });

export const merchantBook = object({
  merchant_ref: always(identifier),
  on: always(civilDay),
  loans: always(list(rowOr(merchantRow)), 'Newest first.'),
  currencies: always(
    list(
      object({
        currency: always(currency),
        loans: always(count),
        sold: always(amount),
        returned: always(amount),
        outstanding: always(amount),
        overdue: always(amount),
      }),
    ),
    'Of the Loans listed whose figures are known.',
  ),
  page_totals: pageTotals,
  cursor,
});

export const feedEvent = object({
  id: always(uuid),
  loan_id: always(uuid),
  kind: always(oneOf(enumerations.event_kind)),
  occurred_on: always(civilDay),
  recorded_at: always(moment),
  merchant_ref: sometimes(identifier, 'Where the Loan names a merchant.'),
});
export const feed = object({
  events: always(list(feedEvent), 'Oldest first by recording order.'),
  cursor: always(word, 'Always answered: unchanged with no events means caught up.'),
});

const rowAsText: Part<string> = {
  jsonSchema: { type: 'string', contentMediaType: 'application/json', contentSchema: feedEvent.jsonSchema },
};

/** One event of the stream, field by field. */
export const streamedEvent = object({
  id: always(word, 'The cursor behind the event.'),
  event: always(oneOf(enumerations.event_kind), 'The kind of the row.'),
  data: always(rowAsText, 'The row of the feed, as JSON.'),
});

export const bounds = object({
  concurrent: always(count),
  patience_ms: always(count),
  per_second: always(count),
  burst: always(count),
  source: always(oneOf(enumerations.bounds_source)),
});

const told = { source: always(word, 'The law or rule it comes from.'), provisional: always(yesOrNo) };

/** A rule of the law; without a value where the market has none. */
function rule<T>(value: Part<T>): Member<unknown, true> {
  return always(object({ value: always(value), ...told }));
}

function ruleIfAny<T>(value: Part<T>): Member<unknown, true> {
  return always(object({ value: sometimes(value, 'Absent where the market has no such rule.'), ...told }));
}

const taxable = oneOf({ open: true, members: ['interest', 'fee', 'penalty', 'late_fee'] });

export const market = object({
  jurisdiction: always(word),
  currencies: rule(list(currency)),
  penalty_cap: rule(
    object({
      form: always(oneOf(enumerations.penalty_cap_form)),
      value: sometimes(rate, 'So many times the contract rate, or a rate.'),
    }),
  ),
  penalty_base: rule(list(oneOf(enumerations.penalty_base))),
  penalty_ceiling_days: ruleIfAny(count),
  penalty_ceiling_bps: ruleIfAny(count),
  capitalises: rule(yesOrNo),
  late_fee_beside_penalty: rule(yesOrNo),
  acceleration: rule(acceleration),
  withdrawal_days: ruleIfAny(count),
  tax: rule(
    object({
      rates: always(list(rate)),
      ends: always(
        list(object({ rate: always(rate), on: always(civilDay) })),
        'The last day on which a Loan may be anchored under the rate.',
      ),
      on: always(list(taxable)),
    }),
  ),
  disclosure: rule(object({ convention: always(word), version: always(whole) })),
  calendar: always(object({ covers_to: always(civilDay), ...told })),
  facility_window: ruleIfAny(count),
});

const saidOrShaped = anyOf<string | JsonObject>(text(), anyObject);

export const companyProfile = object({
  legal_name: always(text()),
  trade_name: sometimes(text()),
  tax_id: sometimes(text()),
  address: sometimes(saidOrShaped),
  contact: sometimes(saidOrShaped),
});

export const alive = object({ status: always(only('alive')) });
export const readiness = object({
  status: always(oneOf({ open: true, members: ['ready', 'not_ready'] })),
  not_ready: always(list(object({ name: always(word), reason: always(word) }))),
});
