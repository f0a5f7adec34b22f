/** The members of an enumeration. The contract may add a member to an open one at any time. */
export interface Enumeration<Member extends string> {
  readonly open: boolean;
  readonly members: readonly Member[];
}

function closed<const Member extends string>(members: readonly Member[]): Enumeration<Member> {
  return { open: false, members };
}

function open<const Member extends string>(members: readonly Member[]): Enumeration<Member> {
  return { open: true, members };
}

/** Every enumeration of the contract. Callers see a new member of a closed one only under the version that added it. */
export const enumerations = {
  loan_state: closed([
    'active',
    'closed',
    'cancelled',
    'written_off',
    'ceded',
    'held',
    'expired',
    'voided',
    'rescinded',
    'withdrawn',
    'restructured',
  ]),
  /** The contract names it and lists no member: no answer shows one until a version adds it. */
  election: closed([]),
  rail: closed(['bank_transfer', 'card', 'cash', 'direct_debit', 'wallet', 'payroll', 'internal']),
  schedule_kind: closed(['anchored_monthly', 'anchored_every_n_days']),
  decision_outcome: closed(['approve', 'refuse', 'refer', 'not_offered']),
  undoing_kind: closed(['rescinded', 'voided', 'withdrawn']),

  charge: open(['principal', 'interest', 'fee', 'penalty', 'late_fee']),
  archetype: open(['instalment', 'bnpl', 'payday']),
  reversal_reason: open(['returned_by_bank', 'chargeback', 'reported_in_error', 'other']),
  resolution_outcome: open(['approve', 'refuse']),
  attribute_state: open(['known', 'unknown']),
  quotation: open(['nominal_annual']),
  dues_only: open(['late']),

  owed_to: open(['tenant', 'assignee']),
  fact_type: open(['event', 'receipt', 'reversal']),
  period_origin: open(['issued', 'recalculated', 'rolled_over', 'restructured', 'called', 'purchase']),
  movement: open(['charged', 'moved', 'received', 'released', 'ceded']),
  instalment_settled_by: open(['overdue', 'instalment']),
  early_money_treatment: open(['reduces_principal', 'shortens_term', 'settles_next']),
  penalty_base: open(['overdue_principal', 'overdue_instalment']),
  penalty_cap_form: open(['none', 'multiple_of_rate', 'rate']),
  value_source: open(['stated', 'default']),
  bounds_source: open(['default', 'tenancy']),
  comparison: open(['at_least', 'at_most', 'above', 'below', 'equals']),
  when_unknown: open(['fires', 'passes']),
} as const;

export type EnumerationName = keyof typeof enumerations;
