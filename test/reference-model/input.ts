/** Types of the JSON in test/vectors/books. */
import type { Acceleration, Basis, Market } from './days.ts';

export type Charge = 'principal' | 'interest' | 'fee' | 'penalty' | 'late_fee';
export const CHARGES: readonly Charge[] = ['principal', 'interest', 'fee', 'penalty', 'late_fee'];

export type Amortisation = 'level_payment' | 'level_principal_and_interest' | 'equal_principal';
export type Treatment = 'reduces_principal' | 'shortens_term' | 'settles_next';

export interface Schedule {
  kind: 'anchored_monthly' | 'anchored_every_n_days';
  interval_days?: number;
  day_of_month?: number;
  first_after_days?: number;
}

export interface Values {
  currency?: string;
  principal_min?: number;
  principal_max?: number;
  rate_min?: string;
  rate_max?: string;
  penalty_rate_min?: string;
  penalty_rate_max?: string;
  day_count_basis?: Basis;
  amortisation?: Amortisation;
  terms?: number[];
  schedule?: Schedule;
  origination_fee?: number;
  late_fee?: number;
  rollover_fee?: number;
  down_payment_min_bps?: number;
  down_payment_max_bps?: number;
  early_money_treatment?: Treatment;
  charge_order?: Charge[];
  tolerance_days?: number;
  tolerance?: number;
  penalty_base?: 'overdue_principal' | 'overdue_instalment';
  penalty_ceiling_days?: number;
  penalty_ceiling_bps?: number;
  acceleration?: Acceleration;
  capitalises?: boolean;
  max_rollovers?: number;
  withdrawal_days?: number;
  hold_days?: number;
}

export interface Configuration {
  archetype: 'instalment' | 'bnpl' | 'payday';
  values: Values;
}

export interface IssuanceFact {
  type: 'issuance';
  id: string;
  /** The event `issued` of the Loan; the worked books name both alike. */
  event_id?: string;
  reference: string;
  client_id: string;
  configuration: string;
  principal: number;
  term_periods: number;
  rate: string;
  penalty_rate?: string;
  anchor: string;
  tax: { rate: string; on: string[] };
  down_payment?: number;
  schedule?: Schedule;
  currency?: string;
  hold_until?: string;
}

export interface ReceiptFact {
  type: 'receipt';
  reference: string;
  client_id: string;
  amount: number;
  value_date: string;
  currency?: string;
  designated_loan_id?: string;
  payoff_intent?: boolean;
}

export interface ReversalFact {
  type: 'reversal';
  reference: string;
  receipt: string;
  client_id: string;
}

export type ActKind =
  | 'confirm'
  | 'void'
  | 'cancel'
  | 'rescind'
  | 'withdraw'
  | 'suspension'
  | 'suspension-end'
  | 'waiver'
  | 'return'
  | 'rollover'
  | 'restructure'
  | 'acceleration'
  | 'settlement'
  | 'write-off'
  | 'cession'
  | 'retraction';

export interface ActFact {
  type: 'act';
  kind: ActKind;
  id: string;
  reference: string;
  loan: string;
  client_id: string;
  on: string;
  to?: string;
  suspension_id?: string;
  period?: number;
  charge?: Charge;
  amount?: number;
  term_periods?: number;
  rate?: string;
  schedule?: Schedule;
  penalty_rate?: string;
  notified_on?: string;
  agreed?: number;
  until?: string;
  event_id?: string;
}

export type Fact = IssuanceFact | ReceiptFact | ReversalFact | ActFact;

export type Question =
  | { kind: 'loan'; loan: string }
  | { kind: 'schedule'; loan: string; on: string }
  | { kind: 'delinquency'; loan: string; on: string }
  | { kind: 'payment_options'; client_id: string; on: string }
  | { kind: 'statement'; client_id: string; from: string; to: string }
  | { kind: 'receipt'; receipt: string }
  | { kind: 'obligations'; client_id: string };

export interface BookInput {
  market: Market;
  configurations: Record<string, Configuration>;
  facts: Fact[];
  questions: Question[];
}

export type FactOutcome =
  | { admitted: true }
  | { admitted: false; code: string; status: number; details: Record<string, unknown> };

export interface BookOutcome {
  facts: FactOutcome[];
  answers: unknown[];
}
