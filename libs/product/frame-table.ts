/**
 * The frame of a product configuration: every field, its form and what each archetype makes of it. One table, from
 * which the check, the defaults, the documentation and the OpenAPI document are made. The order of the rows is the
 * order in which several faults are told. Pure.
 */

import { DAY_COUNT_BASES } from '#libs/calendar/day-count.ts';
import { acceleration, ascending, MOST_PERIODS, menu, permutation, word } from '#libs/product/forms.ts';
import { schedule } from '#libs/product/schedule-schema.ts';
import {
  type Amortisation,
  type Archetype,
  CHARGES,
  type Charge,
  type EarlyMoneyTreatment,
  type PenaltyBase,
} from '#libs/product/terms.ts';
import { boolean, integer, oneOf, rate, type Schema } from '#libs/schema/form.ts';
import type { Json } from '#libs/schema/json.ts';
import { money, moneyOrNothing } from '#libs/schema/shape.ts';

export const ARCHETYPES = ['instalment', 'bnpl', 'payday'] as const satisfies readonly Archetype[];

const AMORTISATIONS = ['level_payment', 'level_principal_and_interest', 'equal_principal'] satisfies Amortisation[];
const TREATMENTS = ['reduces_principal', 'shortens_term', 'settles_next'] satisfies EarlyMoneyTreatment[];
const PENALTY_BASES = ['overdue_principal', 'overdue_instalment'] satisfies PenaltyBase[];
const DEFAULT_CHARGE_ORDER: readonly Charge[] = ['penalty', 'late_fee', 'fee', 'interest', 'principal'];

/** What a field is where nothing was stated. */
export type Unstated =
  | { readonly takes: 'value'; readonly value: Json }
  /** No money, in the currency of the principal. */
  | { readonly takes: 'no_money' }
  | { readonly takes: 'absence' }
  /** What the market says under the same name. */
  | { readonly takes: 'market' };

export type Rule =
  | { readonly is: 'required' }
  | { readonly is: 'locked'; readonly to: Unstated }
  | { readonly is: 'optional'; readonly otherwise: Unstated };

export interface FrameField<Name extends string = string> {
  readonly field: Name;
  readonly form: Schema<unknown>;
  readonly on: { readonly [archetype in Archetype]: Rule };
  readonly says: string;
}

const required: Rule = { is: 'required' };
const noMoney: Unstated = { takes: 'no_money' };
const absence: Unstated = { takes: 'absence' };
const market: Unstated = { takes: 'market' };
const value = (json: Json): Unstated => ({ takes: 'value', value: json });
const locked = (to: Unstated): Rule => ({ is: 'locked', to });
const otherwise = (unstated: Unstated): Rule => ({ is: 'optional', otherwise: unstated });

const choice = (members: readonly string[]): Schema<string> => oneOf({ open: true, members });

const every = (rule: Rule): FrameField['on'] => ({ instalment: rule, bnpl: rule, payday: rule });
const each = (instalment: Rule, bnpl: Rule, payday: Rule): FrameField['on'] => ({ instalment, bnpl, payday });

function row<const Name extends string>(
  field: Name,
  form: Schema<unknown>,
  on: FrameField['on'],
  says: string,
): FrameField<Name> {
  return { field, form, on, says };
}

const monthly = { kind: 'anchored_monthly' };
const everyDays = (days: number): Json => ({ kind: 'anchored_every_n_days', interval_days: days });

export const FRAME = [
  row('unit', word(['loans']), every(otherwise(value('loans'))), 'What one sale of the product is.'),
  row('principal_min', money, every(required), 'The least principal lent.'),
  row('principal_max', money, every(required), 'The most principal lent.'),
  row('rate_min', rate, each(required, otherwise(value('0')), required), 'The lowest contract rate.'),
  row('rate_max', rate, each(required, otherwise(value('0')), required), 'The highest contract rate.'),
  row('penalty_rate_min', rate, every(otherwise(value('0'))), 'The lowest penalty rate.'),
  row('penalty_rate_max', rate, every(otherwise(value('0'))), 'The highest penalty rate.'),
  row('day_count_basis', choice(DAY_COUNT_BASES), every(otherwise(value('actual_360'))), 'How days become years.'),
  row(
    'amortisation',
    choice(AMORTISATIONS),
    each(otherwise(value('level_payment')), otherwise(value('equal_principal')), locked(value('level_payment'))),
    'How the plan spreads the principal.',
  ),
  row(
    'terms',
    ascending(1, MOST_PERIODS),
    each(required, required, locked(value([1]))),
    'The numbers of periods offered.',
  ),
  row(
    'schedule',
    schedule,
    each(otherwise(value(monthly)), otherwise(value(everyDays(14))), otherwise(value(everyDays(30)))),
    'The one schedule of every Loan.',
  ),
  row('schedules', menu, every(otherwise(absence)), 'A menu of schedules, of which a Loan must state one.'),
  row('origination_fee', moneyOrNothing, every(otherwise(noMoney)), 'Charged with the first period.'),
  row('late_fee', moneyOrNothing, every(otherwise(noMoney)), 'Charged once for each period that becomes late.'),
  row(
    'rollover_fee',
    moneyOrNothing,
    each(locked(noMoney), locked(noMoney), otherwise(noMoney)),
    'Charged with the period a rollover opens.',
  ),
  row(
    'down_payment_min_bps',
    integer(0, 9_999),
    each(locked(value(0)), otherwise(value(0)), locked(value(0))),
    'The least payment at purchase, in ten-thousandths of the principal.',
  ),
  row(
    'down_payment_max_bps',
    integer(0, 9_999),
    each(locked(value(0)), otherwise(value(0)), locked(value(0))),
    'The most that can be paid at purchase, in ten-thousandths of the principal.',
  ),
  row(
    'early_money_treatment',
    choice(TREATMENTS),
    each(
      otherwise(value('reduces_principal')),
      otherwise(value('settles_next')),
      otherwise(value('reduces_principal')),
    ),
    'What money does that comes before it is due.',
  ),
  row(
    'charge_order',
    permutation(CHARGES),
    every(otherwise(value(DEFAULT_CHARGE_ORDER))),
    'In which order money meets the charges of a period.',
  ),
  row('tolerance_days', integer(0, 90), every(otherwise(value(0))), 'Days past due before a period becomes late.'),
  row(
    'tolerance',
    moneyOrNothing,
    every(otherwise(absence)),
    'A remainder that makes nothing late; nothing is no band.',
  ),
  row('penalty_base', choice(PENALTY_BASES), every(otherwise(market)), 'What a penalty is counted on.'),
  row('penalty_ceiling_days', integer(1), every(otherwise(market)), 'Days after which a period bears no more penalty.'),
  row(
    'penalty_ceiling_bps',
    integer(1),
    every(otherwise(market)),
    'The most penalty of a Loan, in ten-thousandths of its principal.',
  ),
  row('acceleration', acceleration, every(otherwise(market)), 'When the whole balance may be called.'),
  row(
    'max_rollovers',
    integer(0, 12),
    each(locked(value(0)), locked(value(0)), otherwise(value(0))),
    'Rollovers of a Loan.',
  ),
  row('withdrawal_days', integer(0, 60), every(otherwise(market)), 'Days in which the borrower may withdraw.'),
  row('hold_days', integer(0, 90), every(otherwise(value(30))), 'The longest hold.'),
  row('max_open_loans_per_client', integer(1), every(otherwise(absence)), 'Loans a Client may have open at once.'),
  row('max_outstanding_per_client', money, every(otherwise(absence)), 'Principal a Client may owe at once.'),
  row(
    'refuse_while_any_loan_overdue',
    boolean,
    every(otherwise(absence)),
    'Whether a Client who is late on any Loan gets another.',
  ),
] as const;

export type FieldName = (typeof FRAME)[number]['field'];

export const FIELD_NAMES: readonly FieldName[] = FRAME.map(({ field }) => field);

export function isFieldName(name: string): name is FieldName {
  return (FIELD_NAMES as readonly string[]).includes(name);
}
