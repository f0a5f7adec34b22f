/**
 * The frame of a product configuration: every field, its schema, and what each archetype makes of it. The checks, the
 * defaults and the OpenAPI document derive from this table. Faults are reported in the order of its rows.
 */
import { DAY_COUNT_BASES } from '#libs/calendar/day-count.ts';
import {
  acceleration,
  ascendingIntegers,
  maxTermPeriods,
  openIdentifier,
  permutation,
  schedule,
  scheduleMenu,
} from '#libs/product/field-schemas.ts';
import {
  type Amortisation,
  type Archetype,
  CHARGES,
  type Charge,
  type EarlyMoneyTreatment,
  type PenaltyBase,
} from '#libs/product/terms.ts';
import type { Json } from '#libs/schema/json.ts';
import { money, moneyOrZero } from '#libs/schema/objects.ts';
import { boolean, integer, oneOf, rate } from '#libs/schema/scalars.ts';
import type { Infer, JsonSchema, Schema } from '#libs/schema/schema.ts';

export const ARCHETYPES = ['instalment', 'bnpl', 'payday'] as const satisfies readonly Archetype[];

const AMORTISATIONS = [
  'level_payment',
  'level_principal_and_interest',
  'equal_principal',
] as const satisfies readonly Amortisation[];
const TREATMENTS = [
  'reduces_principal',
  'shortens_term',
  'settles_next',
] as const satisfies readonly EarlyMoneyTreatment[];
const PENALTY_BASES = ['overdue_principal', 'overdue_instalment'] as const satisfies readonly PenaltyBase[];
const DEFAULT_CHARGE_ORDER: readonly Charge[] = ['penalty', 'late_fee', 'fee', 'interest', 'principal'];

/** What a field takes if it is not stated. */
export type DefaultValue =
  | { readonly kind: 'value'; readonly value: Json }
  /** Zero in the currency of the principal. */
  | { readonly kind: 'zero_money' }
  | { readonly kind: 'absent' }
  /** The market's own rule of the same name. */
  | { readonly kind: 'market' };

export type FieldRule =
  | { readonly kind: 'required' }
  /** The archetype fixes the value; stating the field is refused. */
  | { readonly kind: 'locked'; readonly value: DefaultValue }
  | { readonly kind: 'optional'; readonly defaultValue: DefaultValue };

export interface FrameField<Name extends string = string, T = unknown> {
  readonly field: Name;
  readonly schema: Schema<T>;
  readonly byArchetype: { readonly [archetype in Archetype]: FieldRule };
  readonly description: string;
}

const required: FieldRule = { kind: 'required' };
const zeroMoney: DefaultValue = { kind: 'zero_money' };
const absent: DefaultValue = { kind: 'absent' };
const market: DefaultValue = { kind: 'market' };
const value = (json: Json): DefaultValue => ({ kind: 'value', value: json });
const locked = (fixed: DefaultValue): FieldRule => ({ kind: 'locked', value: fixed });
const optional = (defaultValue: DefaultValue): FieldRule => ({ kind: 'optional', defaultValue });

const choice = <const Member extends string>(members: readonly Member[]): Schema<Member> =>
  oneOf({ open: true, members });

const every = (rule: FieldRule): FrameField['byArchetype'] => ({ instalment: rule, bnpl: rule, payday: rule });
const each = (instalment: FieldRule, bnpl: FieldRule, payday: FieldRule): FrameField['byArchetype'] => ({
  instalment,
  bnpl,
  payday,
});

function row<const Name extends string, T>(
  field: Name,
  schema: Schema<T>,
  byArchetype: FrameField['byArchetype'],
  description: string,
): FrameField<Name, T> {
  return { field, schema, byArchetype, description };
}

const monthly = { kind: 'anchored_monthly' };
const everyDays = (days: number): Json => ({ kind: 'anchored_every_n_days', interval_days: days });

export const FRAME = [
  row('unit', openIdentifier(['loans']), every(optional(value('loans'))), 'What one sale of the product is called.'),
  row('principal_min', money, every(required), 'The smallest principal.'),
  row('principal_max', money, every(required), 'The largest principal.'),
  row('rate_min', rate, each(required, optional(value('0')), required), 'The lowest contract rate.'),
  row('rate_max', rate, each(required, optional(value('0')), required), 'The highest contract rate.'),
  row('penalty_rate_min', rate, every(optional(value('0'))), 'The lowest penalty rate.'),
  row('penalty_rate_max', rate, every(optional(value('0'))), 'The highest penalty rate.'),
  row(
    'day_count_basis',
    choice(DAY_COUNT_BASES),
    every(optional(value('actual_360'))),
    'How days are converted to years.',
  ),
  row(
    'amortisation',
    choice(AMORTISATIONS),
    each(optional(value('level_payment')), optional(value('equal_principal')), locked(value('level_payment'))),
    'How the plan spreads the principal over the periods.',
  ),
  row(
    'terms',
    ascendingIntegers(1, maxTermPeriods),
    each(required, required, locked(value([1]))),
    'The numbers of periods offered.',
  ),
  row(
    'schedule',
    schedule,
    each(optional(value(monthly)), optional(value(everyDays(14))), optional(value(everyDays(30)))),
    'The schedule of every Loan.',
  ),
  row('schedules', scheduleMenu, every(optional(absent)), 'A menu of schedules, of which a Loan must state one.'),
  row('origination_fee', moneyOrZero, every(optional(zeroMoney)), 'Charged with the first period.'),
  row('late_fee', moneyOrZero, every(optional(zeroMoney)), 'Charged once for each period that becomes late.'),
  row(
    'rollover_fee',
    moneyOrZero,
    each(locked(zeroMoney), locked(zeroMoney), optional(zeroMoney)),
    'Charged with the period that a rollover opens.',
  ),
  row(
    'down_payment_min_bps',
    integer(0, 9_999),
    each(locked(value(0)), optional(value(0)), locked(value(0))),
    'The smallest payment at purchase, in ten-thousandths of the principal.',
  ),
  row(
    'down_payment_max_bps',
    integer(0, 9_999),
    each(locked(value(0)), optional(value(0)), locked(value(0))),
    'The largest payment at purchase, in ten-thousandths of the principal.',
  ),
  row(
    'early_money_treatment',
    choice(TREATMENTS),
    each(optional(value('reduces_principal')), optional(value('settles_next')), optional(value('reduces_principal'))),
    'What money does that arrives before it is due.',
  ),
  row(
    'charge_order',
    permutation(CHARGES),
    every(optional(value(DEFAULT_CHARGE_ORDER))),
    'The order in which money settles the charges of a period.',
  ),
  row('tolerance_days', integer(0, 90), every(optional(value(0))), 'Days past due before a period becomes late.'),
  row(
    'tolerance',
    moneyOrZero,
    every(optional(absent)),
    'A remainder up to this amount makes no period late. Zero is no tolerance.',
  ),
  row('penalty_base', choice(PENALTY_BASES), every(optional(market)), 'The amount on which a penalty accrues.'),
  row(
    'penalty_ceiling_days',
    integer(1),
    every(optional(market)),
    'The number of days after which a period bears no more penalty.',
  ),
  row(
    'penalty_ceiling_bps',
    integer(1),
    every(optional(market)),
    'The highest penalty of a Loan, in ten-thousandths of its principal.',
  ),
  row('acceleration', acceleration, every(optional(market)), 'When the whole balance may be called.'),
  row(
    'max_rollovers',
    integer(0, 12),
    each(locked(value(0)), locked(value(0)), optional(value(0))),
    'How often a Loan may be rolled over.',
  ),
  row('withdrawal_days', integer(0, 60), every(optional(market)), 'The days in which the borrower may withdraw.'),
  row('hold_days', integer(0, 90), every(optional(value(30))), 'The longest hold.'),
  row('max_open_loans_per_client', integer(1), every(optional(absent)), 'How many open Loans a Client may have.'),
  row('max_outstanding_per_client', money, every(optional(absent)), 'How much principal a Client may owe.'),
  row(
    'refuse_while_any_loan_overdue',
    boolean,
    every(optional(absent)),
    'Whether a new Loan is refused while any Loan of the Client is overdue.',
  ),
] as const;

type FrameRow = (typeof FRAME)[number];

export type FieldName = FrameRow['field'];

/** The type of a field's value, by the field's name. */
export type FieldValues = {
  readonly [Name in FieldName]: Infer<Extract<FrameRow, { readonly field: Name }>['schema']>;
};

export const FIELD_NAMES: readonly FieldName[] = FRAME.map(({ field }) => field);

export function isFieldName(name: string): name is FieldName {
  return (FIELD_NAMES as readonly string[]).includes(name);
}

/** The `values` of an archetype as the OpenAPI document describes them. A locked field is no property. */
export function valuesSchema(archetype: Archetype): JsonSchema {
  const rows = FRAME.filter(({ byArchetype }) => byArchetype[archetype].kind !== 'locked');
  return {
    type: 'object',
    properties: Object.fromEntries(
      rows.map(({ field, schema, byArchetype, description }) => [
        field,
        { ...schema.jsonSchema, ...describeField(description, schema.jsonSchema, byArchetype[archetype]) },
      ]),
    ),
    required: rows.filter(({ byArchetype }) => byArchetype[archetype].kind === 'required').map(({ field }) => field),
    additionalProperties: false,
  };
}

function describeField(ofField: string, { description: ofSchema }: JsonSchema, rule: FieldRule): JsonSchema {
  const defaultValue = rule.kind === 'optional' ? rule.defaultValue : undefined;
  const sentences = [ofField, ofSchema as string | undefined, defaultValue && describeDefault(defaultValue)];
  const description = sentences.filter((sentence) => sentence !== undefined && sentence !== '').join(' ');
  return { description, ...(defaultValue?.kind === 'value' ? { default: defaultValue.value } : {}) };
}

function describeDefault(defaultValue: DefaultValue): string {
  switch (defaultValue.kind) {
    case 'value':
      return '';
    case 'zero_money':
      return 'Zero by default.';
    case 'absent':
      return 'None by default.';
    case 'market':
      return "The market's rule by default.";
  }
}
