/** What kind of value each field of a product has: how it is shown, and what a form needs to state it. */
import { type FieldName, FRAME } from '#libs/product/frame-table.ts';
import type { Archetype } from '#libs/product/terms.ts';

export type FieldKind =
  | 'money'
  | 'rate'
  | 'integer'
  | 'tenThousandths'
  | 'choice'
  | 'word'
  | 'boolean'
  | 'integers'
  | 'order'
  | 'schedule'
  | 'schedules'
  | 'acceleration';

export const fieldKinds: { readonly [Name in FieldName]: FieldKind } = {
  unit: 'word',
  principal_min: 'money',
  principal_max: 'money',
  rate_min: 'rate',
  rate_max: 'rate',
  penalty_rate_min: 'rate',
  penalty_rate_max: 'rate',
  day_count_basis: 'choice',
  amortisation: 'choice',
  terms: 'integers',
  schedule: 'schedule',
  schedules: 'schedules',
  origination_fee: 'money',
  late_fee: 'money',
  rollover_fee: 'money',
  down_payment_min_bps: 'tenThousandths',
  down_payment_max_bps: 'tenThousandths',
  early_money_treatment: 'choice',
  charge_order: 'order',
  tolerance_days: 'integer',
  tolerance: 'money',
  penalty_base: 'choice',
  penalty_ceiling_days: 'integer',
  penalty_ceiling_bps: 'tenThousandths',
  acceleration: 'acceleration',
  max_rollovers: 'integer',
  withdrawal_days: 'integer',
  hold_days: 'integer',
  max_open_loans_per_client: 'integer',
  max_outstanding_per_client: 'money',
  refuse_while_any_loan_overdue: 'boolean',
};

/** The fields that a product of the archetype may state. */
export function statableFields(archetype: string): readonly FieldName[] {
  return FRAME.filter(({ byArchetype }) => byArchetype[archetype as Archetype]?.kind !== 'locked').map(
    ({ field }) => field,
  );
}

/** The members of a choice. */
export function choicesOf(name: FieldName): readonly string[] {
  const members = FRAME.find(({ field }) => field === name)?.schema.jsonSchema['enum'];
  return Array.isArray(members) ? members.map(String) : [];
}
