/** What is sent and answered. Generated from the service's own document: npm run generate:sdk. */

export type Refusal = {
  /** A sentence for a person; reworded without notice. */
  readonly error: string;
  /** Stable: branch on it. */
  readonly code: 'invalid_query' | 'invalid_contract_version' | 'invalid_body' | 'unauthenticated' | 'not_permitted_tenant' | 'not_permitted_scope' | 'not_permitted_agent' | 'not_found' | 'no_route' | 'no_receipt' | 'no_configuration' | 'no_quote' | 'method_not_allowed' | 'contract_version_required' | 'contended' | 'reference_reused' | 'client_registered' | 'lookup_key_taken' | 'client_barred' | 'already_resolved' | 'already_published' | 'not_referred' | 'decision_not_approving' | 'loan_held' | 'loan_closed' | 'loan_voided' | 'loan_cancelled' | 'loan_undone' | 'loan_has_receipts' | 'not_held' | 'hold_expired' | 'cession_in_force' | 'already_ceded' | 'already_written_off' | 'already_suspended' | 'already_retracted' | 'already_reversed' | 'fact_depended_on' | 'withdrawal_window_closed' | 'waiver_exceeds_charge' | 'return_exceeds_principal' | 'rollovers_exhausted' | 'rollover_unpaid' | 'acceleration_forbidden' | 'acceleration_unearned' | 'notice_too_short' | 'body_too_large' | 'unsupported_media_type' | 'unknown_field' | 'missing_field' | 'invalid_field' | 'invalid_identifier' | 'amount_out_of_range' | 'field_locked' | 'inconsistent_values' | 'idempotency_mismatch' | 'unknown_client' | 'unknown_loan' | 'outside_loan' | 'invalid_application' | 'invalid_event' | 'return_not_provided' | 'withdrawal_not_provided' | 'rollover_not_provided' | 'charge_not_waivable' | 'settlement_not_less' | 'not_retractable' | 'payoff_needs_designation' | 'currency_mismatch' | 'principal_outside_range' | 'term_not_offered' | 'schedule_not_offered' | 'rate_outside_corridor' | 'penalty_rate_outside_corridor' | 'down_payment_outside_range' | 'tax_not_provided' | 'penalty_rate_above_cap' | 'late_fee_beside_penalty' | 'outside_market' | 'beyond_horizon' | 'hold_outside_range' | 'plan_not_amortising' | 'figure_out_of_range' | 'client_open_loans' | 'client_exposure' | 'client_overdue' | 'facility_other_client' | 'facility_other_configuration' | 'outside_facility_window' | 'facility_exhausted' | 'facility_superseded' | 'cannot_supersede' | 'amount_above_decision' | 'outside_window_bound' | 'no_policy' | 'invalid_policy' | 'rate_without_decimal' | 'too_many_concurrent' | 'rate_exceeded' | 'internal_error' | 'unavailable' | (string & {});
  /** What may be done next. */
  readonly retry: Retry;
  /** Seconds; equals the `Retry-After` header. */
  readonly retry_after?: number;
  readonly details?: RefusalDetails;
  /** The service's own identifier for the request. */
  readonly request_id: string;
};

/** Which of them a code carries is in the catalogue; new keys may come. */
export type RefusalDetails = {
  /** A JSON pointer into the body, or the bare name of a parameter. */
  readonly field?: string;
  readonly recorded_id?: string;
  readonly recorded_value?: unknown;
  readonly stated_value?: unknown;
  /** What would have been taken. */
  readonly bound?: unknown;
  /** What was stated or found. */
  readonly observed?: unknown;
};

export type Retry = 'as_is' | 'after_record' | 'after_change' | 'never' | (string & {});

export type Money = {
  readonly minor_units: number;
  readonly currency: string;
};

/** A sum owed, by charge. */
export type Owed = {
  readonly total: Money;
  /** The charges with something in them, in a fixed order. */
  readonly charges: readonly ChargeLine[];
};

export type ChargeLine = {
  readonly charge: 'principal' | 'interest' | 'fee' | 'penalty' | 'late_fee' | (string & {});
  /** Before tax. */
  readonly amount: Money;
  readonly tax: Money;
  readonly total: Money;
};

/** The configuration version a record was made under. */
export type ConfigurationPin = {
  readonly id: string;
  readonly version: number;
};

export type ActAccount = {
  readonly reference: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why. */
  readonly basis: string;
  /** As stated. */
  readonly context?: { readonly [name: string]: unknown };
};

export type FactName = {
  readonly type: 'event' | 'receipt' | 'reversal' | (string & {});
  /** The identifier of an event; the reference of a Receipt or a reversal. */
  readonly id: string;
};

/** A contradiction the fold resolved instead of refusing; or, as book_not_derivable, that what is recorded of the Client amounts to no book, so that figures are absent. */
export type Anomaly = {
  /** Where an act stands only as far as it fits, the refusal code that says why; else reversal_after_cession, reversal_after_write_off, payoff_short or book_not_derivable. More may come. */
  readonly kind: string;
  /** The fact, and the one whose recording made it so; none of book_not_derivable. */
  readonly facts: readonly FactName[];
  /** A sentence for a person; reworded without notice. */
  readonly detail: string;
};

export type Loan = {
  readonly id: string;
  readonly tenant_id: string;
  /** Folded from the facts on every read. */
  readonly state: 'active' | 'closed' | 'cancelled' | 'written_off' | 'ceded' | 'held' | 'expired' | 'voided' | 'rescinded' | 'withdrawn' | 'restructured';
  /** Rollovers in force. */
  readonly rolled_over: number;
  /** Empty where all is well. */
  readonly anomalies: readonly Anomaly[];
  /** What Receipts have settled; absent where the Client's allocation cannot be derived. */
  readonly paid?: Money;
  readonly totals: {
    /** What the plan collects, payment at purchase included. */
    readonly payments: Money;
  };
  /** Periods settled entire; absent exactly where `paid` is. */
  readonly settled_periods?: number;
  /** Periods still charged and not settled; absent exactly where `paid` is. */
  readonly remaining_periods?: number;
  readonly owes: boolean;
  /** Absent where the Loan owes nothing. */
  readonly owed_to?: 'tenant' | 'assignee' | (string & {});
  /** Exactly on a `closed` Loan. */
  readonly closed_on?: string;
  /** On a `ceded` Loan: the cut-off. */
  readonly ceded_on?: string;
  /** RFC 3339 in UTC, six decimals. */
  readonly created_at: string;
  /** Every recorded fact, withdrawn ones included, in the order of recording. */
  readonly events: readonly LoanEvent[];
  /** Fixed at issuance. */
  readonly configuration: ConfigurationPin;
  readonly terms: LoanTerms;
  /** The plan as issued, frozen. */
  readonly periods: readonly IssuedPeriod[];
  readonly disclosure: Disclosure;
  readonly regime: Regime;
  /** The returns in force, oldest first. */
  readonly returns?: readonly Return[];
  /** Where a write-off stands. */
  readonly write_off?: {
    readonly on: string;
    /** The debt at the judgement. */
    readonly cost: Owed;
    readonly recovered: Money;
  };
};

/** The terms as they were stated. */
export type LoanTerms = {
  readonly client_id: string;
  readonly principal: Money;
  readonly term_periods: number;
  /** As stated; what a facility or a single-point corridor gives is filled in. */
  readonly rate: string;
  /** As stated; what a single-point corridor gives is filled in. */
  readonly penalty_rate: string;
  readonly anchor: string;
  readonly jurisdiction: string;
  readonly tax: {
    /** Per cent a year. */
    readonly rate: string;
    readonly on: readonly ('interest' | 'fee' | 'penalty' | 'late_fee' | (string & {}))[];
  };
  readonly down_payment?: Money;
  readonly schedule?: Schedule;
  readonly merchant_ref?: string;
  readonly context?: { readonly [name: string]: unknown };
  readonly facility_id?: string;
  readonly hold_until?: string;
  readonly reference: string;
};

export type LoanPreview = {
  readonly configuration: ConfigurationPin;
  /** The terms as they were stated. */
  readonly terms: {
    readonly client_id: string;
    readonly principal: Money;
    readonly term_periods: number;
    /** As stated; what a facility or a single-point corridor gives is filled in. */
    readonly rate: string;
    /** As stated; what a single-point corridor gives is filled in. */
    readonly penalty_rate: string;
    readonly anchor: string;
    readonly jurisdiction: string;
    readonly tax: {
      /** Per cent a year. */
      readonly rate: string;
      readonly on: readonly ('interest' | 'fee' | 'penalty' | 'late_fee' | (string & {}))[];
    };
    readonly down_payment?: Money;
    readonly schedule?: Schedule;
    readonly merchant_ref?: string;
    readonly context?: { readonly [name: string]: unknown };
    readonly facility_id?: string;
    readonly hold_until?: string;
  };
  readonly periods: readonly IssuedPeriod[];
  /** What issuance would freeze. */
  readonly disclosure: Disclosure;
  readonly regime: Regime;
};

export type LoanRow = {
  readonly id: string;
  readonly reference: string;
  readonly tenant_id: string;
  readonly client_id: string;
  readonly merchant_ref?: string;
  readonly configuration: ConfigurationPin;
  readonly principal: Money;
  readonly term_periods: number;
  /** The contract rate as issued. */
  readonly rate: string;
  /** The origination fee as issued. */
  readonly fee: Money;
  /** Per cent a year. */
  readonly penalty_rate: string;
  readonly anchor: string;
  /** RFC 3339 in UTC, six decimals. */
  readonly created_at: string;
  /** Folded from the facts on every read. */
  readonly state: 'active' | 'closed' | 'cancelled' | 'written_off' | 'ceded' | 'held' | 'expired' | 'voided' | 'rescinded' | 'withdrawn' | 'restructured';
  /** Rollovers in force. */
  readonly rolled_over: number;
  /** Empty where all is well. */
  readonly anomalies: readonly Anomaly[];
  /** What Receipts have settled; absent where the Client's allocation cannot be derived. */
  readonly paid?: Money;
  readonly totals: {
    /** What the plan collects, payment at purchase included. */
    readonly payments: Money;
  };
  /** Periods settled entire; absent exactly where `paid` is. */
  readonly settled_periods?: number;
  /** Periods still charged and not settled; absent exactly where `paid` is. */
  readonly remaining_periods?: number;
  readonly owes: boolean;
  /** Absent where the Loan owes nothing. */
  readonly owed_to?: 'tenant' | 'assignee' | (string & {});
  /** Exactly on a `closed` Loan. */
  readonly closed_on?: string;
  /** On a `ceded` Loan: the cut-off. */
  readonly ceded_on?: string;
  /** On a `written_off` row. */
  readonly written_off_on?: string;
};

/** The row of a Loan whose Client's book cannot be derived: what is recorded of the Loan by itself. */
export type RecordedLoanRow = {
  readonly id: string;
  readonly reference: string;
  readonly tenant_id: string;
  readonly client_id: string;
  readonly merchant_ref?: string;
  readonly configuration: ConfigurationPin;
  /** Absent where the issuance cannot be read either. */
  readonly principal?: Money;
  /** Absent where the issuance cannot be read either. */
  readonly term_periods?: number;
  /** Absent where the issuance cannot be read either. */
  readonly rate?: string;
  /** Absent where the issuance cannot be read either. */
  readonly fee?: Money;
  /** Absent where the issuance cannot be read either. */
  readonly penalty_rate?: string;
  /** Absent where the issuance cannot be read either. */
  readonly anchor?: string;
  /** Absent where the issuance cannot be read either. */
  readonly created_at?: string;
  /** Absent where the issuance cannot be read either. */
  readonly totals?: {
    readonly payments: Money;
  };
  /** As it was when the last fact was recorded. */
  readonly state: 'active' | 'closed' | 'cancelled' | 'written_off' | 'ceded' | 'held' | 'expired' | 'voided' | 'rescinded' | 'withdrawn' | 'restructured';
  /** Where the state alone says it. */
  readonly owes?: boolean;
  readonly owed_to?: 'tenant' | 'assignee' | (string & {});
  /** Holds book_not_derivable. */
  readonly anomalies: readonly Anomaly[];
};

export type LoanPage = {
  /** Newest first. */
  readonly loans: readonly (LoanRow | RecordedLoanRow)[];
  /** Where the next page begins. Without it this was the last. */
  readonly cursor?: string;
};

export type LoanEvent = {
  /** What a retraction names. The derived `settled` has none. */
  readonly id?: string;
  readonly kind: 'issued' | 'cancelled' | 'accelerated' | 'written_off' | 'rolled_over' | 'returned' | 'ceded' | 'suspended' | 'suspension_ended' | 'confirmed' | 'voided' | 'rescinded' | 'withdrawn' | 'waived' | 'restructured' | 'settled_for_less' | 'settled' | (string & {});
  /** The day the fact is about. */
  readonly occurred_on: string;
  /** When it was recorded; the derived `settled` was not. */
  readonly recorded_at?: string;
  /** Absent on `issued` and on the derived `settled`. */
  readonly act?: ActAccount;
  /** The act's own members, as they were stated. */
  readonly stated?: { readonly [name: string]: unknown };
  /** On `suspended`: the last day of the window. */
  readonly to?: string;
  /** On `suspended`: where an early end restarted the clock. */
  readonly ended_on?: string;
  /** On `suspension_ended`: the suspension it ended. */
  readonly suspension_id?: string;
  /** On `returned`. */
  readonly amount?: Money;
  /** On a withdrawn fact: it contributes to nothing and stays readable. */
  readonly retraction?: {
    readonly on: string;
    /** RFC 3339 in UTC, six decimals. */
    readonly recorded_at: string;
    readonly reference: string;
    /** The caller's own word for who acts. */
    readonly actor: string;
    /** Why. */
    readonly basis: string;
    /** As stated. */
    readonly context?: { readonly [name: string]: unknown };
  };
};

export type IssuedPeriod = {
  /** From 1. */
  readonly index: number;
  readonly scheduled_on: string;
  /** The scheduled day, moved off days on which no bank is open. */
  readonly due_on: string;
  readonly principal: Money;
  readonly interest: Money;
  readonly fee: Money;
  readonly tax: Money;
  /** The sum of the four. */
  readonly payment: Money;
};

/** Frozen at issuance and never restated. */
export type Disclosure = {
  readonly jurisdiction: string;
  /** The borrower's yearly figure in per cent, computed once. */
  readonly figure: string;
  readonly convention: string;
  readonly convention_version: number;
  readonly provisional: boolean;
};

/** The jurisdiction's law, frozen as values at issuance. */
export type Regime = {
  /** Per cent a year. */
  readonly penalty_rate: string;
  readonly late_fee: Money;
  readonly tolerance_days: number;
  readonly penalty_base: 'overdue_principal' | 'overdue_instalment' | (string & {});
  readonly capitalises: boolean;
  readonly acceleration: Acceleration;
  /** Where the contract states a tolerance band. */
  readonly tolerance?: Money;
  /** Where a ceiling for each period is in force. */
  readonly penalty_ceiling_days?: number;
  /** Where a ceiling for the whole Loan is in force. */
  readonly penalty_ceiling_bps?: number;
};

export type Acceleration = {
  readonly forbidden: boolean;
  readonly missed_periods: number;
  readonly notice_days: number;
};

export type Return = {
  readonly act: string;
  readonly on: string;
  /** What the goods were worth, as stated. */
  readonly amount: Money;
  /** Principal taken off what the Loan owed. */
  readonly unwound_principal: Money;
  /** Principal the Loan had received that goes back to the Client. */
  readonly principal_owed_back: Money;
  /** What the repricing left settled above what the plan then charged. */
  readonly interest_owed_back: Money;
  /** What discharging the Loan on that day takes after the return. */
  readonly still_owed: Owed;
  /** The caller's own refund, outside the book. */
  readonly beyond_the_loan: Money;
  /** Whether the return covered all principal still owed. */
  readonly returned_whole: boolean;
};

export type PayoffQuote = {
  readonly id: string;
  readonly loan_id: string;
  readonly on: string;
  /** What would have discharged the Loan on that day, as the book then was. */
  readonly owed: Owed;
  readonly reference: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why. */
  readonly basis: string;
  /** As stated. */
  readonly context?: { readonly [name: string]: unknown };
  /** RFC 3339 in UTC, six decimals. */
  readonly quoted_at: string;
};

export type PayoffQuotePage = {
  /** Oldest first. */
  readonly quotes: readonly PayoffQuote[];
  /** Where the next page begins. Without it this was the last. */
  readonly cursor?: string;
};

export type PaymentOptions = {
  readonly client_id: string;
  readonly on: string;
  /** Every Loan of the Client, oldest first. */
  readonly loans: readonly LoanPaymentOptions[];
};

export type LoanPaymentOptions = {
  readonly loan_id: string;
  readonly reference: string;
  /** All that periods fallen due still owe; absent only where no figure could be produced. */
  readonly overdue?: Owed;
  /** Exactly where the Loan is late. */
  readonly late?: Late;
  /** The one in force on the day. */
  readonly suspension?: Suspension;
  /** Released by the day; every figure nets them already. */
  readonly waivers?: readonly Waiver[];
  /** The next one; absent once every period has fallen due or the debt is fixed. */
  readonly instalment?: Instalment;
  /** What discharges the Loan: complete in itself. */
  readonly payoff: {
    readonly owed: Owed;
    readonly actionable_on: string;
    readonly requires_payoff_intent: true;
    /** Where the Client holds another open Loan in the currency. */
    readonly requires_designation: boolean;
  };
  readonly any_other_amount: {
    readonly treatment: 'reduces_principal' | 'shortens_term' | 'settles_next' | (string & {});
    /** A sentence for the borrower. */
    readonly description: string;
  };
  /** Empty where all is well. */
  readonly anomalies: readonly Anomaly[];
};

export type Late = {
  /** What the late periods still owe; on a Loan whose debt is fixed, everything. */
  readonly owed: Owed;
  readonly worst_days_past_due: number;
  /** How many are late. */
  readonly periods: number;
};

export type Suspension = {
  readonly event_id: string;
  readonly reference: string;
  readonly from: string;
  readonly to: string;
  /** Where it was ended early. */
  readonly ended_on?: string;
};

export type Waiver = {
  readonly reference: string;
  readonly on: string;
  readonly period: number;
  readonly charge: 'principal' | 'interest' | 'fee' | 'penalty' | 'late_fee' | (string & {});
  readonly amount: Money;
};

export type Instalment = {
  readonly period: number;
  readonly scheduled_on: string;
  readonly due_on: string;
  readonly owed: Owed;
  readonly actionable_from: string;
  readonly requires_overdue_settled: boolean;
  /** `overdue` on its own due date, when `overdue` holds it already; `instalment` before. */
  readonly settled_by: 'overdue' | 'instalment' | (string & {});
};

export type LoanSchedule = {
  readonly loan_id: string;
  readonly on: string;
  /** The level payment of the plan. */
  readonly level: Money;
  readonly periods: readonly ScheduledPeriod[];
  /** Of what a period charged that has ended, only what was met of it. */
  readonly totals: {
    readonly charged: Owed;
    readonly settled: Owed;
    readonly waived: Owed;
    readonly owed: Owed;
  };
  /** Empty where all is well. */
  readonly anomalies: readonly Anomaly[];
};

export type ScheduledPeriod = {
  /** 0 is the payment at purchase. */
  readonly index: number;
  readonly scheduled_on: string;
  readonly due_on: string;
  readonly actionable_from: string;
  readonly charged: Owed;
  readonly settled: Owed;
  readonly waived: Owed;
  readonly owed: Owed;
  readonly fallen_due: boolean;
  readonly late: boolean;
  readonly settled_on?: string;
  /** What made the period. */
  readonly origin: 'issued' | 'recalculated' | 'rolled_over' | 'restructured' | 'called' | 'purchase' | (string & {});
  /** False for a period that an act, early money, a payoff or a return ended. */
  readonly alive: boolean;
};

export type Delinquency = {
  readonly loan_id: string;
  readonly on: string;
  /** The worst of all periods. */
  readonly days_past_due: number;
  /** Exactly where the Loan is late. */
  readonly late?: Late;
  /** The one in force on the day. */
  readonly suspension?: Suspension;
  /** Those fallen due and unpaid. */
  readonly periods: readonly {
    readonly index: number;
    readonly due_on: string;
    readonly days_past_due: number;
    readonly owed: Owed;
  }[];
  /** Empty where all is well. */
  readonly anomalies: readonly Anomaly[];
};

export type Statement = {
  readonly client_id: string;
  readonly from: string;
  readonly to: string;
  /** Every Loan of the Client, oldest first. */
  readonly loans: readonly LoanStatement[];
  /** Nothing is summed across currencies. */
  readonly currencies: readonly {
    readonly currency: string;
    readonly loans: number;
    /** Owed on the day before `from`. */
    readonly opening: Money;
    /** Arisen inside the period, tax included. */
    readonly charged: Money;
    readonly received: Money;
    /** Waived, forgiven or given back. */
    readonly released: Money;
    readonly ceded_away: Money;
    /** Owed on `to`. */
    readonly closing: Money;
    readonly interest_charged: Money;
    readonly commissions_charged: Money;
    readonly penalties_charged: Money;
    /** Empty where all is well. */
    readonly anomalies: readonly Anomaly[];
  }[];
};

export type LoanStatement = {
  readonly id: string;
  readonly reference: string;
  readonly currency: string;
  readonly from: string;
  readonly to: string;
  /** Owed on the day before `from`. */
  readonly opening: Money;
  /** Arisen inside the period, tax included. */
  readonly charged: Money;
  readonly received: Money;
  /** Waived, forgiven or given back. */
  readonly released: Money;
  readonly ceded_away: Money;
  /** Owed on `to`. */
  readonly closing: Money;
  readonly interest_charged: Money;
  readonly commissions_charged: Money;
  readonly penalties_charged: Money;
  readonly lines: readonly StatementLine[];
  /** Empty where all is well. */
  readonly anomalies: readonly Anomaly[];
};

export type StatementLine = {
  readonly on: string;
  readonly kind: 'charged' | 'moved' | 'received' | 'released' | 'ceded' | (string & {});
  readonly charge: 'principal' | 'interest' | 'fee' | 'penalty' | 'late_fee' | (string & {});
  /** Before tax. */
  readonly amount: Money;
  readonly tax: Money;
  readonly total: Money;
  /** On interest and penalty charged: one line a period. */
  readonly period?: number;
  /** The fact that moved it; absent where it was the passing of time. */
  readonly fact?: FactName;
};

export type DuesPage = {
  readonly on: string;
  /** By `client_id`; a page may be short or empty and still have a cursor. */
  readonly clients: readonly ClientDues[];
  readonly totals: readonly {
    readonly currency: string;
    readonly clients: number;
    readonly overdue: Money;
    readonly late: Money;
  }[];
  /** That the totals are of this page alone. */
  readonly page_totals: boolean;
  /** Where the next page begins. Without it this was the last. */
  readonly cursor?: string;
};

export type ClientDues = {
  readonly client_id: string;
  readonly loans: readonly DueLoan[];
  readonly totals: readonly {
    readonly currency: string;
    readonly overdue: Money;
    readonly late: Money;
  }[];
  /** Only where the Client's book cannot be derived from what is recorded: what it would say is unknown. */
  readonly anomalies?: readonly Anomaly[];
};

export type DueLoan = {
  readonly loan_id: string;
  readonly reference: string;
  readonly overdue: Owed;
  /** Exactly where the Loan is late. */
  readonly late?: Late;
  /** The next one; absent once every period has fallen due or the debt is fixed. */
  readonly instalment?: Instalment;
};

export type Client = {
  readonly client_id: string;
  readonly tenant_id: string;
  /** RFC 3339 in UTC, six decimals. */
  readonly created_at: string;
  readonly actor: string;
  readonly basis: string;
  readonly context?: { readonly [name: string]: unknown };
};

export type ClientPage = {
  /** Newest first. */
  readonly clients: readonly Client[];
  /** Where the next page begins. Without it this was the last. */
  readonly cursor?: string;
};

export type BookVersion = {
  readonly client_id: string;
  /** When the newest fact about the Client was recorded; absent where there is none. */
  readonly version?: string;
  /** How many facts are recorded. */
  readonly facts: number;
};

export type Obligations = {
  readonly client_id: string;
  /** The whole standing balance. */
  readonly amount: Money;
  /** Oldest first; the only member that is paged. */
  readonly receipts: readonly string[];
  /** Acts, oldest first. */
  readonly returns?: readonly string[];
  /** In the order of `returns`. */
  readonly returned?: readonly {
    readonly act: string;
    readonly loan_id: string;
    readonly on: string;
    readonly principal: Money;
    readonly interest: Money;
    /** The sum of the two. */
    readonly amount: Money;
  }[];
  /** Acts, oldest first. */
  readonly rollovers?: readonly string[];
  /** Each Receipt that reached an undone Loan before the act, oldest first. */
  readonly undone?: readonly {
    readonly kind: 'rescinded' | 'voided' | 'withdrawn';
    readonly on: string;
    readonly act: string;
    readonly loan_id: string;
    readonly receipt: string;
    readonly amount: Money;
  }[];
  /** Settlements for less whose Receipts exceeded the agreed figure, oldest first. */
  readonly settlements?: readonly string[];
  /** Where balances stand in several. */
  readonly currencies?: readonly {
    readonly currency: string;
    readonly amount: Money;
  }[];
  /** Where the next page begins. Without it this was the last. */
  readonly cursor?: string;
};

/** One consistent moment of a Client's book. */
export type ClientBook = {
  readonly client_id: string;
  readonly on: string;
  readonly book_version: BookVersion;
  /** Oldest first. */
  readonly loans: readonly {
    readonly loan: Loan;
    readonly payment_options: LoanPaymentOptions;
    readonly schedule: LoanSchedule;
  }[];
  /** All of them, newest first. */
  readonly receipts: readonly ReceiptRow[];
  /** Whole. */
  readonly obligations: Obligations;
  /** Newest first. */
  readonly facilities: readonly FacilityDrawn[];
  /** On the day. */
  readonly bar: Bar;
  readonly anomalies: readonly Anomaly[];
};

export type BookChanges = {
  readonly client_id: string;
  readonly on: string;
  readonly from_facts: number;
  readonly to_facts: number;
  readonly changes: readonly {
    /** Where it stands: a JSON pointer in which members of a list go by their name. */
    readonly figure: string;
    /** The figure; absent where there was none. */
    readonly from?: unknown;
    /** The figure; absent where there was none. */
    readonly to?: unknown;
    /** Those that moved the figure. */
    readonly facts: readonly {
      readonly type: 'event' | 'receipt' | 'reversal' | (string & {});
      readonly id: string;
      /** Its place among the facts that are counted. */
      readonly facts: number;
      /** RFC 3339 in UTC, six decimals. */
      readonly recorded_at: string;
    }[];
  }[];
};

export type Simulation = {
  readonly client_id: string;
  readonly tenant_id: string;
  readonly on: string;
  /** One for each supposed fact, in their order. */
  readonly outcomes: readonly {
    /** What the real route would have answered. */
    readonly status: number;
    readonly error?: string;
    readonly code?: string;
    readonly retry?: Retry;
    readonly retry_after?: number;
    readonly details?: RefusalDetails;
  }[];
  readonly is: ClientBook;
  readonly would_be: ClientBook;
};

export type Bar = {
  readonly barred: boolean;
  /** The first day on which nothing bars. */
  readonly lifts_on?: string;
  /** The refusal whose moratorium lifts last. */
  readonly decision?: string;
};

export type Receipt = {
  readonly receipt: ReceiptRow;
  /** Zero on a reversed one. */
  readonly settled: Money;
  /** Empty on a reversed one. */
  readonly loans: readonly ReceiptLoan[];
  /** What no Loan took. */
  readonly surplus: Money;
  /** What came above the figure of a settlement for less. */
  readonly excess?: Money;
  /** Where the report named a payoff quote. */
  readonly quote_id?: string;
  /** Whether the quote's total was what discharged the Loan as this Receipt met it. */
  readonly quoted_figure_agrees?: boolean;
  /** Empty where all is well. */
  readonly anomalies: readonly Anomaly[];
};

export type ReceiptRow = {
  readonly id: string;
  readonly reference: string;
  readonly client_id: string;
  readonly amount: Money;
  readonly value_date: string;
  /** Where designated. */
  readonly designated_loan_id?: string;
  readonly payoff_intent: boolean;
  /** As stated. */
  readonly rail?: 'bank_transfer' | 'card' | 'cash' | 'direct_debit' | 'wallet' | 'payroll' | 'internal';
  /** As stated. */
  readonly provider_reference?: string;
  /** As stated. */
  readonly context?: { readonly [name: string]: unknown };
  /** RFC 3339 in UTC, six decimals. */
  readonly reported_at: string;
  readonly reversed: boolean;
  /** RFC 3339 in UTC, six decimals. */
  readonly reversed_at?: string;
  /** On a reversed one. */
  readonly reversal?: {
    readonly reference: string;
    /** The caller's own word for who acts. */
    readonly actor: string;
    /** Why. */
    readonly basis: string;
    /** As stated. */
    readonly context?: { readonly [name: string]: unknown };
    readonly reason: string;
  };
};

export type ReceiptLoan = {
  readonly loan_id: string;
  readonly reference: string;
  readonly settled: Owed;
  readonly lines: readonly {
    readonly period: number;
    readonly charge: 'principal' | 'interest' | 'fee' | 'penalty' | 'late_fee' | (string & {});
    /** Before tax. */
    readonly amount: Money;
    readonly tax: Money;
    readonly total: Money;
  }[];
  /** What lowered the principal before it was due. */
  readonly early_principal?: Money;
  /** Whether the Loan owed nothing after it. */
  readonly discharged: boolean;
};

export type ReceiptPage = {
  /** Newest first, reversed ones included. */
  readonly receipts: readonly ReceiptRow[];
  /** Where the next page begins. Without it this was the last. */
  readonly cursor?: string;
};

export type ReceiptBatchOutcomes = {
  /** In the order of the batch. */
  readonly outcomes: readonly ReceiptBatchOutcome[];
};

export type ReceiptBatchOutcome = {
  /** As the item states it; absent where it states no text. */
  readonly reference?: string;
  /** What `POST /receipts` would have answered. */
  readonly status: number;
  /** Of a receipt that was taken. */
  readonly receipt?: Receipt;
  /** Of one that was refused. */
  readonly code?: string;
  readonly error?: string;
  readonly retry?: Retry;
  readonly retry_after?: number;
  readonly details?: RefusalDetails;
};

export type InstalmentValues = {
  /** What one sale of the product is. */
  readonly unit?: 'loans' | (string & {});
  /** The least principal lent. */
  readonly principal_min: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** The most principal lent. */
  readonly principal_max: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** The lowest contract rate. Per cent a year. */
  readonly rate_min: string;
  /** The highest contract rate. Per cent a year. */
  readonly rate_max: string;
  /** The lowest penalty rate. Per cent a year. */
  readonly penalty_rate_min?: string;
  /** The highest penalty rate. Per cent a year. */
  readonly penalty_rate_max?: string;
  /** How days become years. */
  readonly day_count_basis?: 'actual_360' | 'actual_365' | 'thirty_360' | 'actual_actual' | (string & {});
  /** How the plan spreads the principal. */
  readonly amortisation?: 'level_payment' | 'level_principal_and_interest' | 'equal_principal' | (string & {});
  /** The numbers of periods offered. Ascending. */
  readonly terms: readonly number[];
  /** The one schedule of every Loan. */
  readonly schedule?: {
    readonly kind: 'anchored_monthly' | 'anchored_every_n_days';
    readonly interval_days?: number;
    readonly day_of_month?: number;
    readonly first_after_days?: number;
  };
  /** A menu of schedules, of which a Loan must state one. None where not stated. */
  readonly schedules?: readonly Schedule[];
  /** Charged with the first period. Nothing where not stated. */
  readonly origination_fee?: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** Charged once for each period that becomes late. Nothing where not stated. */
  readonly late_fee?: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** What money does that comes before it is due. */
  readonly early_money_treatment?: 'reduces_principal' | 'shortens_term' | 'settles_next' | (string & {});
  /** In which order money meets the charges of a period. */
  readonly charge_order?: readonly ('principal' | 'interest' | 'fee' | 'penalty' | 'late_fee' | (string & {}))[];
  /** Days past due before a period becomes late. */
  readonly tolerance_days?: number;
  /** A remainder that makes nothing late; nothing is no band. None where not stated. */
  readonly tolerance?: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** What a penalty is counted on. The market's where not stated. */
  readonly penalty_base?: 'overdue_principal' | 'overdue_instalment' | (string & {});
  /** Days after which a period bears no more penalty. The market's where not stated. */
  readonly penalty_ceiling_days?: number;
  /** The most penalty of a Loan, in ten-thousandths of its principal. The market's where not stated. */
  readonly penalty_ceiling_bps?: number;
  /** When the whole balance may be called. The market's where not stated. */
  readonly acceleration?: {
    readonly forbidden: boolean;
    readonly missed_periods: number;
    readonly notice_days: number;
  };
  /** Days in which the borrower may withdraw. The market's where not stated. */
  readonly withdrawal_days?: number;
  /** The longest hold. */
  readonly hold_days?: number;
  /** Loans a Client may have open at once. None where not stated. */
  readonly max_open_loans_per_client?: number;
  /** Principal a Client may owe at once. None where not stated. */
  readonly max_outstanding_per_client?: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** Whether a Client who is late on any Loan gets another. None where not stated. */
  readonly refuse_while_any_loan_overdue?: boolean;
};

export type BnplValues = {
  /** What one sale of the product is. */
  readonly unit?: 'loans' | (string & {});
  /** The least principal lent. */
  readonly principal_min: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** The most principal lent. */
  readonly principal_max: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** The lowest contract rate. Per cent a year. */
  readonly rate_min?: string;
  /** The highest contract rate. Per cent a year. */
  readonly rate_max?: string;
  /** The lowest penalty rate. Per cent a year. */
  readonly penalty_rate_min?: string;
  /** The highest penalty rate. Per cent a year. */
  readonly penalty_rate_max?: string;
  /** How days become years. */
  readonly day_count_basis?: 'actual_360' | 'actual_365' | 'thirty_360' | 'actual_actual' | (string & {});
  /** How the plan spreads the principal. */
  readonly amortisation?: 'level_payment' | 'level_principal_and_interest' | 'equal_principal' | (string & {});
  /** The numbers of periods offered. Ascending. */
  readonly terms: readonly number[];
  /** The one schedule of every Loan. */
  readonly schedule?: {
    readonly kind: 'anchored_monthly' | 'anchored_every_n_days';
    readonly interval_days?: number;
    readonly day_of_month?: number;
    readonly first_after_days?: number;
  };
  /** A menu of schedules, of which a Loan must state one. None where not stated. */
  readonly schedules?: readonly Schedule[];
  /** Charged with the first period. Nothing where not stated. */
  readonly origination_fee?: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** Charged once for each period that becomes late. Nothing where not stated. */
  readonly late_fee?: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** The least payment at purchase, in ten-thousandths of the principal. */
  readonly down_payment_min_bps?: number;
  /** The most that can be paid at purchase, in ten-thousandths of the principal. */
  readonly down_payment_max_bps?: number;
  /** What money does that comes before it is due. */
  readonly early_money_treatment?: 'reduces_principal' | 'shortens_term' | 'settles_next' | (string & {});
  /** In which order money meets the charges of a period. */
  readonly charge_order?: readonly ('principal' | 'interest' | 'fee' | 'penalty' | 'late_fee' | (string & {}))[];
  /** Days past due before a period becomes late. */
  readonly tolerance_days?: number;
  /** A remainder that makes nothing late; nothing is no band. None where not stated. */
  readonly tolerance?: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** What a penalty is counted on. The market's where not stated. */
  readonly penalty_base?: 'overdue_principal' | 'overdue_instalment' | (string & {});
  /** Days after which a period bears no more penalty. The market's where not stated. */
  readonly penalty_ceiling_days?: number;
  /** The most penalty of a Loan, in ten-thousandths of its principal. The market's where not stated. */
  readonly penalty_ceiling_bps?: number;
  /** When the whole balance may be called. The market's where not stated. */
  readonly acceleration?: {
    readonly forbidden: boolean;
    readonly missed_periods: number;
    readonly notice_days: number;
  };
  /** Days in which the borrower may withdraw. The market's where not stated. */
  readonly withdrawal_days?: number;
  /** The longest hold. */
  readonly hold_days?: number;
  /** Loans a Client may have open at once. None where not stated. */
  readonly max_open_loans_per_client?: number;
  /** Principal a Client may owe at once. None where not stated. */
  readonly max_outstanding_per_client?: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** Whether a Client who is late on any Loan gets another. None where not stated. */
  readonly refuse_while_any_loan_overdue?: boolean;
};

export type PaydayValues = {
  /** What one sale of the product is. */
  readonly unit?: 'loans' | (string & {});
  /** The least principal lent. */
  readonly principal_min: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** The most principal lent. */
  readonly principal_max: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** The lowest contract rate. Per cent a year. */
  readonly rate_min: string;
  /** The highest contract rate. Per cent a year. */
  readonly rate_max: string;
  /** The lowest penalty rate. Per cent a year. */
  readonly penalty_rate_min?: string;
  /** The highest penalty rate. Per cent a year. */
  readonly penalty_rate_max?: string;
  /** How days become years. */
  readonly day_count_basis?: 'actual_360' | 'actual_365' | 'thirty_360' | 'actual_actual' | (string & {});
  /** The one schedule of every Loan. */
  readonly schedule?: {
    readonly kind: 'anchored_monthly' | 'anchored_every_n_days';
    readonly interval_days?: number;
    readonly day_of_month?: number;
    readonly first_after_days?: number;
  };
  /** A menu of schedules, of which a Loan must state one. None where not stated. */
  readonly schedules?: readonly Schedule[];
  /** Charged with the first period. Nothing where not stated. */
  readonly origination_fee?: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** Charged once for each period that becomes late. Nothing where not stated. */
  readonly late_fee?: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** Charged with the period a rollover opens. Nothing where not stated. */
  readonly rollover_fee?: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** What money does that comes before it is due. */
  readonly early_money_treatment?: 'reduces_principal' | 'shortens_term' | 'settles_next' | (string & {});
  /** In which order money meets the charges of a period. */
  readonly charge_order?: readonly ('principal' | 'interest' | 'fee' | 'penalty' | 'late_fee' | (string & {}))[];
  /** Days past due before a period becomes late. */
  readonly tolerance_days?: number;
  /** A remainder that makes nothing late; nothing is no band. None where not stated. */
  readonly tolerance?: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** What a penalty is counted on. The market's where not stated. */
  readonly penalty_base?: 'overdue_principal' | 'overdue_instalment' | (string & {});
  /** Days after which a period bears no more penalty. The market's where not stated. */
  readonly penalty_ceiling_days?: number;
  /** The most penalty of a Loan, in ten-thousandths of its principal. The market's where not stated. */
  readonly penalty_ceiling_bps?: number;
  /** When the whole balance may be called. The market's where not stated. */
  readonly acceleration?: {
    readonly forbidden: boolean;
    readonly missed_periods: number;
    readonly notice_days: number;
  };
  /** Rollovers of a Loan. */
  readonly max_rollovers?: number;
  /** Days in which the borrower may withdraw. The market's where not stated. */
  readonly withdrawal_days?: number;
  /** The longest hold. */
  readonly hold_days?: number;
  /** Loans a Client may have open at once. None where not stated. */
  readonly max_open_loans_per_client?: number;
  /** Principal a Client may owe at once. None where not stated. */
  readonly max_outstanding_per_client?: {
    readonly minor_units: number;
    readonly currency: string;
  };
  /** Whether a Client who is late on any Loan gets another. None where not stated. */
  readonly refuse_while_any_loan_overdue?: boolean;
};

export type ProductValues = InstalmentValues | BnplValues | PaydayValues;

/** What every field of the frame takes; a field whose default is absence has no value. */
export type EffectiveValues = {
  readonly unit: {
    readonly value?: 'loans' | (string & {});
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly principal_min: {
    readonly value?: StatedMoney;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly principal_max: {
    readonly value?: StatedMoney;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly rate_min: {
    /** Per cent a year. */
    readonly value?: string;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly rate_max: {
    /** Per cent a year. */
    readonly value?: string;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly penalty_rate_min: {
    /** Per cent a year. */
    readonly value?: string;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly penalty_rate_max: {
    /** Per cent a year. */
    readonly value?: string;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly day_count_basis: {
    readonly value?: 'actual_360' | 'actual_365' | 'thirty_360' | 'actual_actual' | (string & {});
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly amortisation: {
    readonly value?: 'level_payment' | 'level_principal_and_interest' | 'equal_principal' | (string & {});
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly terms: {
    /** Ascending. */
    readonly value?: readonly number[];
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly schedule: {
    readonly value?: Schedule;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly schedules: {
    readonly value?: readonly Schedule[];
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly origination_fee: {
    readonly value?: StatedMoneyOrNothing;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly late_fee: {
    readonly value?: StatedMoneyOrNothing;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly rollover_fee: {
    readonly value?: StatedMoneyOrNothing;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly down_payment_min_bps: {
    readonly value?: number;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly down_payment_max_bps: {
    readonly value?: number;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly early_money_treatment: {
    readonly value?: 'reduces_principal' | 'shortens_term' | 'settles_next' | (string & {});
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly charge_order: {
    readonly value?: readonly ('principal' | 'interest' | 'fee' | 'penalty' | 'late_fee' | (string & {}))[];
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly tolerance_days: {
    readonly value?: number;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly tolerance: {
    readonly value?: StatedMoneyOrNothing;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly penalty_base: {
    readonly value?: 'overdue_principal' | 'overdue_instalment' | (string & {});
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly penalty_ceiling_days: {
    readonly value?: number;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly penalty_ceiling_bps: {
    readonly value?: number;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly acceleration: {
    readonly value?: {
      readonly forbidden: boolean;
      readonly missed_periods: number;
      readonly notice_days: number;
    };
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly max_rollovers: {
    readonly value?: number;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly withdrawal_days: {
    readonly value?: number;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly hold_days: {
    readonly value?: number;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly max_open_loans_per_client: {
    readonly value?: number;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly max_outstanding_per_client: {
    readonly value?: StatedMoney;
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly refuse_while_any_loan_overdue: {
    readonly value?: boolean;
    readonly source: 'stated' | 'default' | (string & {});
  };
};

/** What a lender may want to look at again. They refuse nothing. */
export type Advisories = readonly {
  readonly code: 'first_period_may_fall_next_day' | 'no_tolerance' | 'zero_rate' | 'penalty_without_ceiling' | 'single_term' | 'guard_without_amount' | (string & {});
  /** Where it would be changed: a JSON pointer. */
  readonly field: string;
  /** A sentence for a person; reworded without notice. */
  readonly says: string;
}[];

export type Configuration = {
  readonly id: string;
  readonly tenant_id: string;
  /** When this version was recorded. */
  readonly created_at: string;
  readonly version: number;
  readonly archetype: 'instalment' | 'bnpl' | 'payday' | (string & {});
  /** As stated. */
  readonly values: ProductValues;
  readonly effective: EffectiveValues;
  readonly advisories: Advisories;
};

export type ConfigurationVersion = {
  readonly id: string;
  readonly tenant_id: string;
  /** When this version was recorded. */
  readonly created_at: string;
  readonly version: number;
  readonly archetype: 'instalment' | 'bnpl' | 'payday' | (string & {});
  /** As stated. */
  readonly values: ProductValues;
};

export type ConfigurationPreview = {
  /** What creation would compose; not reserved. */
  readonly id: string;
  readonly archetype: 'instalment' | 'bnpl' | 'payday' | (string & {});
  /** As stated. */
  readonly values: ProductValues;
  readonly effective: EffectiveValues;
  readonly advisories: Advisories;
};

export type ConfigurationPage = {
  /** The latest version of each, newest first. */
  readonly configurations: readonly Configuration[];
  /** Where the next page begins. Without it this was the last. */
  readonly cursor?: string;
};

export type ConfigurationVersionPage = {
  /** Oldest first. */
  readonly versions: readonly Configuration[];
  /** Where the next page begins. Without it this was the last. */
  readonly cursor?: string;
};

export type LookupKey = {
  readonly lookup_key: string;
  readonly configuration_id: string;
  readonly configuration_version: number;
  /** RFC 3339 in UTC, six decimals. */
  readonly pointed_at: string;
  /** The latest version of that configuration. */
  readonly latest_version: number;
  readonly version: ConfigurationVersion;
};

export type LookupKeyList = {
  /** By key; not paged. */
  readonly lookup_keys: readonly {
    readonly lookup_key: string;
    readonly configuration_id: string;
    readonly configuration_version: number;
    /** RFC 3339 in UTC, six decimals. */
    readonly pointed_at: string;
    /** The latest version of that configuration. */
    readonly latest_version: number;
    /** Where keys were named. */
    readonly version?: ConfigurationVersion;
  }[];
};

export type Rehearsal = {
  readonly configuration_id: string;
  readonly on: string;
  /** Loans of the product looked at for this page. */
  readonly examined: number;
  /** Those that would change, or of which that is unknown, newest first; a page may be short or empty and still have a cursor. */
  readonly loans: readonly {
    readonly loan_id: string;
    readonly client_id: string;
    readonly reference: string;
    /** Where the product would not have offered the Loan; it is left as it was issued. */
    readonly refused?: {
      readonly code: string;
      readonly details?: RefusalDetails;
    };
    readonly changes: readonly {
      readonly figure: string;
      readonly is: string | number | Money;
      readonly would_be: string | number | Money;
      /** Of money. */
      readonly difference?: Money;
    }[];
    /** Only where the Client's book cannot be derived from what is recorded: what it would say is unknown. */
    readonly anomalies?: readonly Anomaly[];
  }[];
  /** Where the next page begins. Without it this was the last. */
  readonly cursor?: string;
};

export type Decision = {
  readonly id: string;
  readonly reference: string;
  readonly client_id: string;
  readonly policy: string;
  readonly policy_version: number;
  /** SHA-256 of the canonical form of the deciding content. */
  readonly policy_digest: string;
  readonly configuration_id: string;
  readonly configuration_version: number;
  readonly principal: Money;
  readonly submitted_on: string;
  readonly score: number;
  readonly outcome: 'approve' | 'refuse' | 'refer' | 'not_offered';
  /** Absent where a knockout settled it first. */
  readonly band?: string;
  /** On an approval: the numbers of periods offered. */
  readonly terms?: readonly number[];
  /** On an approval. */
  readonly rate?: QuotedRate;
  /** On an approval. */
  readonly principal_max?: Money;
  /** On a limit decision. */
  readonly ceiling?: Money;
  /** On a limit decision: whether the principal asked is above it. */
  readonly over_ceiling?: boolean;
  readonly moratorium_days?: number;
  readonly trace: DecisionTrace;
  readonly sources: readonly string[];
  /** Whether the adopted version decided; a trial binds nobody. */
  readonly binding: boolean;
  readonly self_confirmed_version: boolean;
  readonly time_zone: string;
  /** The first day a bar of this Decision counts from. */
  readonly bound_from: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why. */
  readonly basis: string;
  /** As stated. */
  readonly context?: { readonly [name: string]: unknown };
  /** RFC 3339 in UTC, six decimals. */
  readonly decided_at: string;
};

export type DecisionPage = {
  /** Newest first. */
  readonly decisions: readonly Decision[];
  /** Where the next page begins. Without it this was the last. */
  readonly cursor?: string;
};

export type DecisionTrace = {
  /** In the order of the policy. The first that fired settled the outcome. */
  readonly knockouts: readonly {
    readonly id: string;
    readonly text: string;
    readonly attribute: string;
    readonly comparison: 'at_least' | 'at_most' | 'above' | 'below' | 'equals' | (string & {});
    readonly bound: number | string;
    readonly observed: {
      readonly state: 'known' | 'unknown' | (string & {});
      /** Exactly where it is known, as stated. */
      readonly number?: number | string;
      readonly as_of?: string;
    };
    readonly fired: boolean;
    readonly outcome: 'approve' | 'refuse' | 'refer' | 'not_offered';
  }[];
  readonly scorecard: readonly {
    readonly id: string;
    readonly attribute: string;
    readonly observed: {
      readonly state: 'known' | 'unknown' | (string & {});
      /** Exactly where it is known, as stated. */
      readonly number?: number | string;
      readonly as_of?: string;
    };
    /** Its place among the bins, from 0; absent where none holds what was observed. */
    readonly bin?: number;
    readonly points: number;
  }[];
};

/** The fraction of one a year. */
export type QuotedRate = {
  readonly numerator: number;
  readonly denominator: number;
  readonly quotation: 'nominal_annual';
  /** Its exact decimal; only a draft on trial may lack one. */
  readonly percent?: string;
};

export type Resolution = {
  readonly decision_id: string;
  readonly outcome: 'approve' | 'refuse' | (string & {});
  /** On an approval: the numbers of periods offered. */
  readonly terms?: readonly number[];
  /** On an approval. */
  readonly rate?: QuotedRate;
  /** On an approval. */
  readonly principal_max?: Money;
  readonly moratorium_days?: number;
  readonly reference: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why. */
  readonly basis: string;
  /** As stated. */
  readonly context?: { readonly [name: string]: unknown };
  /** RFC 3339 in UTC, six decimals. */
  readonly recorded_at: string;
};

export type Facility = {
  readonly id: string;
  readonly reference: string;
  readonly client_id: string;
  readonly configuration_id: string;
  readonly decided_version: number;
  readonly decision_id: string;
  readonly amount: Money;
  readonly rate: QuotedRate;
  /** The numbers of periods that may be issued under it. */
  readonly terms: readonly number[];
  readonly opens_on: string;
  readonly expires_on: string;
  /** Drawn by every purchase and refilled by repayment. */
  readonly line: boolean;
  readonly supersedes?: string;
  readonly superseded_by?: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why. */
  readonly basis: string;
  /** As stated. */
  readonly context?: { readonly [name: string]: unknown };
  /** RFC 3339 in UTC, six decimals. */
  readonly created_at: string;
};

export type FacilityDrawn = {
  readonly id: string;
  readonly reference: string;
  readonly client_id: string;
  readonly configuration_id: string;
  readonly decided_version: number;
  readonly decision_id: string;
  readonly amount: Money;
  readonly rate: QuotedRate;
  /** The numbers of periods that may be issued under it. */
  readonly terms: readonly number[];
  readonly opens_on: string;
  readonly expires_on: string;
  /** Drawn by every purchase and refilled by repayment. */
  readonly line: boolean;
  readonly supersedes?: string;
  readonly superseded_by?: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why. */
  readonly basis: string;
  /** As stated. */
  readonly context?: { readonly [name: string]: unknown };
  /** RFC 3339 in UTC, six decimals. */
  readonly created_at: string;
  readonly drawn: Money;
  /** Below zero where more is out than the amount. */
  readonly headroom: Money;
};

export type FacilityList = {
  /** Newest first; not paged. */
  readonly facilities: readonly Facility[];
};

export type Policy = {
  readonly policy: string;
  readonly latest_version: number;
  /** Absent until a version is published. */
  readonly latest_published?: number;
  /** The products it decides for, by identifier. */
  readonly adoptions: readonly PolicyAdoption[];
  /** Oldest first. */
  readonly versions: readonly PolicyVersion[];
  /** Where the next page begins. Without it this was the last. */
  readonly cursor?: string;
};

export type PolicyPage = {
  /** Newest first, by when a policy was first drafted. */
  readonly policies: readonly {
    readonly policy: string;
    readonly latest_version: number;
    /** Absent until a version is published. */
    readonly latest_published?: number;
  }[];
  /** Where the next page begins. Without it this was the last. */
  readonly cursor?: string;
};

export type PolicyVersion = {
  readonly policy: string;
  readonly version: number;
  /** SHA-256 of the canonical form of the content. */
  readonly digest: string;
  readonly drafted_by: string;
  /** RFC 3339 in UTC, six decimals. */
  readonly created_at: string;
  readonly published: boolean;
  readonly published_by?: string;
  /** RFC 3339 in UTC, six decimals. */
  readonly published_at?: string;
  /** Whether the one who published it drafted it too. */
  readonly self_confirmed?: boolean;
};

export type PolicyVersionWhole = {
  readonly policy: string;
  readonly version: number;
  /** SHA-256 of the canonical form of the content. */
  readonly digest: string;
  readonly drafted_by: string;
  /** RFC 3339 in UTC, six decimals. */
  readonly created_at: string;
  readonly published: boolean;
  readonly published_by?: string;
  /** RFC 3339 in UTC, six decimals. */
  readonly published_at?: string;
  /** Whether the one who published it drafted it too. */
  readonly self_confirmed?: boolean;
  /** As drafted. */
  readonly content: PolicyContent;
};

export type PolicyContent = {
  readonly attributes: readonly {
    readonly name: string;
    readonly unit?: string;
  }[];
  readonly knockouts: readonly {
    readonly id: string;
    readonly text: string;
    readonly attribute: string;
    readonly comparison: 'at_least' | 'at_most' | 'above' | 'below' | 'equals' | (string & {});
    readonly bound: number | string;
    readonly outcome: 'refuse' | 'refer' | 'not_offered';
    readonly moratorium_days?: number;
    readonly when_unknown: 'fires' | 'passes' | (string & {});
  }[];
  readonly base_points: number;
  readonly scorecard: readonly {
    readonly id: string;
    readonly attribute: string;
    readonly bins: readonly {
      readonly from?: number | string;
      readonly to?: number | string;
      readonly points: number;
    }[];
    readonly when_unknown: number;
  }[];
  readonly bands: readonly {
    readonly id: string;
    readonly from?: number | string;
    readonly to?: number | string;
    readonly outcome: 'approve' | 'refuse' | 'refer' | 'not_offered';
    readonly rate?: Ratio;
    readonly terms?: readonly number[];
    readonly principal_max?: StatedMoney;
    readonly moratorium_days?: number;
  }[];
  readonly time_zone?: string;
};

export type PolicyValidation = {
  readonly digest: string;
  /** Remarks on a content that decides every application all the same. */
  readonly findings: readonly {
    /** Open: more may come. */
    readonly code: string;
    /** A JSON pointer. */
    readonly field: string;
  }[];
};

export type PolicyAdoption = {
  readonly configuration_id: string;
  readonly policy: string;
  readonly version: number;
  readonly enforce_bar: boolean;
  /** RFC 3339 in UTC, six decimals. */
  readonly adopted_at: string;
};

export type MerchantBook = {
  readonly merchant_ref: string;
  readonly on: string;
  /** Newest first. */
  readonly loans: readonly (MerchantRow | RecordedLoanRow)[];
  /** Of the Loans listed whose figures are known. */
  readonly currencies: readonly {
    readonly currency: string;
    readonly loans: number;
    readonly sold: Money;
    readonly returned: Money;
    readonly outstanding: Money;
    readonly overdue: Money;
  }[];
  /** That the totals are of this page alone. */
  readonly page_totals: boolean;
  /** Where the next page begins. Without it this was the last. */
  readonly cursor?: string;
};

export type MerchantRow = {
  readonly id: string;
  readonly reference: string;
  readonly tenant_id: string;
  readonly client_id: string;
  readonly merchant_ref?: string;
  readonly configuration: ConfigurationPin;
  readonly principal: Money;
  readonly term_periods: number;
  /** The contract rate as issued. */
  readonly rate: string;
  /** The origination fee as issued. */
  readonly fee: Money;
  /** Per cent a year. */
  readonly penalty_rate: string;
  readonly anchor: string;
  /** RFC 3339 in UTC, six decimals. */
  readonly created_at: string;
  /** Folded from the facts on every read. */
  readonly state: 'active' | 'closed' | 'cancelled' | 'written_off' | 'ceded' | 'held' | 'expired' | 'voided' | 'rescinded' | 'withdrawn' | 'restructured';
  /** Rollovers in force. */
  readonly rolled_over: number;
  /** Empty where all is well. */
  readonly anomalies: readonly Anomaly[];
  /** What Receipts have settled; absent where the Client's allocation cannot be derived. */
  readonly paid?: Money;
  readonly totals: {
    /** What the plan collects, payment at purchase included. */
    readonly payments: Money;
  };
  /** Periods settled entire; absent exactly where `paid` is. */
  readonly settled_periods?: number;
  /** Periods still charged and not settled; absent exactly where `paid` is. */
  readonly remaining_periods?: number;
  readonly owes: boolean;
  /** Absent where the Loan owes nothing. */
  readonly owed_to?: 'tenant' | 'assignee' | (string & {});
  /** Exactly on a `closed` Loan. */
  readonly closed_on?: string;
  /** On a `ceded` Loan: the cut-off. */
  readonly ceded_on?: string;
  /** On a `written_off` row. */
  readonly written_off_on?: string;
  /** The principal still unpaid on the day. */
  readonly outstanding: Money;
};

export type FeedEvent = {
  readonly id: string;
  readonly loan_id: string;
  readonly kind: 'issued' | 'cancelled' | 'accelerated' | 'written_off' | 'rolled_over' | 'returned' | 'ceded' | 'suspended' | 'suspension_ended' | 'confirmed' | 'voided' | 'rescinded' | 'withdrawn' | 'waived' | 'restructured' | 'settled_for_less' | 'settled' | (string & {});
  readonly occurred_on: string;
  /** RFC 3339 in UTC, six decimals. */
  readonly recorded_at: string;
  /** Where the Loan names a merchant. */
  readonly merchant_ref?: string;
};

export type Feed = {
  /** Oldest first by recording order. */
  readonly events: readonly FeedEvent[];
  /** Always answered: unchanged with no events means caught up. */
  readonly cursor: string;
};

export type StreamedEvent = {
  /** The cursor behind the event. */
  readonly id: string;
  /** The kind of the row. */
  readonly event: 'issued' | 'cancelled' | 'accelerated' | 'written_off' | 'rolled_over' | 'returned' | 'ceded' | 'suspended' | 'suspension_ended' | 'confirmed' | 'voided' | 'rescinded' | 'withdrawn' | 'waived' | 'restructured' | 'settled_for_less' | 'settled' | (string & {});
  /** The row of the feed, as JSON. */
  readonly data: string;
};

export type Bounds = {
  readonly concurrent: number;
  readonly patience_ms: number;
  readonly per_second: number;
  readonly burst: number;
  readonly source: 'default' | 'tenancy' | (string & {});
};

export type Market = {
  readonly jurisdiction: string;
  readonly currencies: {
    readonly value: readonly string[];
    /** The law or rule it comes from. */
    readonly source: string;
    readonly provisional: boolean;
  };
  readonly penalty_cap: {
    readonly value: {
      readonly form: 'none' | 'multiple_of_rate' | 'rate' | (string & {});
      /** So many times the contract rate, or a rate. */
      readonly value?: string;
    };
    /** The law or rule it comes from. */
    readonly source: string;
    readonly provisional: boolean;
  };
  readonly penalty_base: {
    readonly value: readonly ('overdue_principal' | 'overdue_instalment' | (string & {}))[];
    /** The law or rule it comes from. */
    readonly source: string;
    readonly provisional: boolean;
  };
  readonly penalty_ceiling_days: {
    /** Absent where the market has no such rule. */
    readonly value?: number;
    /** The law or rule it comes from. */
    readonly source: string;
    readonly provisional: boolean;
  };
  readonly penalty_ceiling_bps: {
    /** Absent where the market has no such rule. */
    readonly value?: number;
    /** The law or rule it comes from. */
    readonly source: string;
    readonly provisional: boolean;
  };
  readonly capitalises: {
    readonly value: boolean;
    /** The law or rule it comes from. */
    readonly source: string;
    readonly provisional: boolean;
  };
  readonly late_fee_beside_penalty: {
    readonly value: boolean;
    /** The law or rule it comes from. */
    readonly source: string;
    readonly provisional: boolean;
  };
  readonly acceleration: {
    readonly value: Acceleration;
    /** The law or rule it comes from. */
    readonly source: string;
    readonly provisional: boolean;
  };
  readonly withdrawal_days: {
    /** Absent where the market has no such rule. */
    readonly value?: number;
    /** The law or rule it comes from. */
    readonly source: string;
    readonly provisional: boolean;
  };
  readonly tax: {
    readonly value: {
      readonly rates: readonly string[];
      /** The last day on which a Loan may be anchored under the rate. */
      readonly ends: readonly {
        /** Per cent a year. */
        readonly rate: string;
        readonly on: string;
      }[];
      readonly on: readonly ('interest' | 'fee' | 'penalty' | 'late_fee' | (string & {}))[];
    };
    /** The law or rule it comes from. */
    readonly source: string;
    readonly provisional: boolean;
  };
  readonly disclosure: {
    readonly value: {
      readonly convention: string;
      readonly version: number;
    };
    /** The law or rule it comes from. */
    readonly source: string;
    readonly provisional: boolean;
  };
  readonly calendar: {
    readonly covers_to: string;
    /** The law or rule it comes from. */
    readonly source: string;
    readonly provisional: boolean;
  };
  readonly facility_window: {
    /** Absent where the market has no such rule. */
    readonly value?: number;
    /** The law or rule it comes from. */
    readonly source: string;
    readonly provisional: boolean;
  };
};

export type CompanyProfile = {
  readonly legal_name: string;
  readonly trade_name?: string;
  readonly tax_id?: string;
  readonly address?: string | { readonly [name: string]: unknown };
  readonly contact?: string | { readonly [name: string]: unknown };
};

export type Readiness = {
  readonly status: 'ready' | 'not_ready' | (string & {});
  readonly not_ready: readonly {
    readonly name: string;
    readonly reason: string;
  }[];
};

export type LoanEvidence = {
  readonly loan_id: string;
  readonly client_id: string;
  /** Oldest first. */
  readonly facts: readonly ProvenFact[];
};

export type ReceiptEvidence = {
  readonly receipt: string;
  readonly client_id: string;
  /** Oldest first. */
  readonly facts: readonly ProvenFact[];
};

export type ProvenFact = {
  /** Its place in the Client's book. */
  readonly sequence: number;
  readonly kind: string;
  /** RFC 3339 in UTC, six decimals. */
  readonly recorded_at: string;
  /** The fact as it is kept and published. */
  readonly body: { readonly [name: string]: unknown };
  /** Where the submission stands in the log. */
  readonly log: {
    readonly topic: string;
    readonly partition: number;
    readonly offset: number;
    readonly item: number;
  };
  /** Where the fact was published. */
  readonly event: {
    readonly topic: string;
    readonly partition: number;
    readonly sequence: number;
  };
  readonly submission: {
    readonly request_id: string;
    /** RFC 3339 in UTC, six decimals. */
    readonly taken_in_at: string;
    /** What was signed. */
    readonly canonical: string;
    /** The fingerprint of the key. */
    readonly fp: string;
    /** Base64url. */
    readonly public_key: string;
    /** RFC 3339 in UTC, six decimals. */
    readonly key_created_at: string;
    /** RFC 3339 in UTC, six decimals. */
    readonly key_revoked_at?: string;
    /** Base64url. */
    readonly signature: string;
    /** The bytes as sent, in base64. */
    readonly body: string;
  };
};

export type StatedMoney = {
  /** Whole units of the smallest coin. */
  readonly minor_units: number;
  /** Three upper-case letters. */
  readonly currency: string;
};

export type StatedMoneyOrNothing = {
  /** Whole units of the smallest coin. */
  readonly minor_units: number;
  /** Three upper-case letters. */
  readonly currency: string;
};

export type Schedule = {
  readonly kind: 'anchored_monthly' | 'anchored_every_n_days';
  readonly interval_days?: number;
  readonly day_of_month?: number;
  readonly first_after_days?: number;
};

export type Ratio = {
  /** Of the fraction of one a year. */
  readonly numerator: number;
  /** Of the fraction of one a year. */
  readonly denominator: number;
  readonly quotation: 'nominal_annual';
};

export type ActOnADay = {
  /** The civil day the fact is about, or that is asked about. */
  readonly on: string;
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why, for whoever reads the book later. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
};

export type SuspensionAct = {
  /** The civil day the fact is about, or that is asked about. */
  readonly on: string;
  /** The last day of the window. */
  readonly to: string;
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why, for whoever reads the book later. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
};

export type SuspensionEndAct = {
  /** The civil day the fact is about, or that is asked about. */
  readonly on: string;
  /** The suspension that is ended. */
  readonly suspension_id: string;
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why, for whoever reads the book later. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
};

export type WaiverAct = {
  /** The civil day the fact is about, or that is asked about. */
  readonly on: string;
  /** The index of a period, from 1. */
  readonly period: number;
  /** Which charge of the period. */
  readonly charge: 'principal' | 'interest' | 'fee' | 'penalty' | 'late_fee' | (string & {});
  /** How much. */
  readonly amount: StatedMoney;
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why, for whoever reads the book later. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
};

export type ReturnAct = {
  /** The civil day the fact is about, or that is asked about. */
  readonly on: string;
  /** How much. */
  readonly amount: StatedMoney;
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why, for whoever reads the book later. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
};

export type RestructureAct = {
  /** The civil day the fact is about, or that is asked about. */
  readonly on: string;
  /** In how many periods it is paid back. */
  readonly term_periods: number;
  /** Per cent a year. */
  readonly rate: string;
  /** On which days periods end; required where the product offers a menu. */
  readonly schedule?: Schedule;
  /** Per cent a year. */
  readonly penalty_rate?: string;
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why, for whoever reads the book later. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
};

export type AccelerationAct = {
  /** The civil day the fact is about, or that is asked about. */
  readonly on: string;
  /** The day on which the borrower was told. */
  readonly notified_on: string;
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why, for whoever reads the book later. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
};

export type SettlementAct = {
  /** The civil day the fact is about, or that is asked about. */
  readonly on: string;
  /** The sum that is taken for the whole debt. */
  readonly agreed: StatedMoney;
  /** The last day on which the agreed sum settles. */
  readonly until?: string;
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why, for whoever reads the book later. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
};

export type RetractionAct = {
  /** The civil day the fact is about, or that is asked about. */
  readonly on: string;
  /** The event that is withdrawn. */
  readonly event_id: string;
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why, for whoever reads the book later. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
};

export type LoanToIssue = {
  /** The caller's own word for the Client. */
  readonly client_id: string;
  /** The product. */
  readonly configuration_id: string;
  /** The version of the product that is sold. */
  readonly configuration_version: number;
  /** What is lent, a payment at purchase included. */
  readonly principal: StatedMoney;
  /** In how many periods it is paid back. */
  readonly term_periods: number;
  /** Per cent a year. */
  readonly rate?: string;
  /** Per cent a year. */
  readonly penalty_rate?: string;
  /** The day the Loan begins. */
  readonly anchor: string;
  /** The market whose law holds, in upper case. */
  readonly jurisdiction: string;
  /** The rate of the tax, and the charges it is on. */
  readonly tax: {
    /** Per cent a year. */
    readonly rate: string;
    readonly on: readonly ('interest' | 'fee' | 'penalty' | 'late_fee' | (string & {}))[];
  };
  /** What is paid at purchase. */
  readonly down_payment?: StatedMoney;
  /** On which days periods end; required where the product offers a menu. */
  readonly schedule?: Schedule;
  /** The caller's own word for the merchant of the sale. */
  readonly merchant_ref?: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference: string;
  /** The facility it is issued under, which then gives the rate. */
  readonly facility_id?: string;
  /** The last day on which the hold may be confirmed. */
  readonly hold_until?: string;
};

export type LoanToPreview = {
  /** The caller's own word for the Client. */
  readonly client_id: string;
  /** The product. */
  readonly configuration_id: string;
  /** The version of the product that is sold. */
  readonly configuration_version: number;
  /** What is lent, a payment at purchase included. */
  readonly principal: StatedMoney;
  /** In how many periods it is paid back. */
  readonly term_periods: number;
  /** Per cent a year. */
  readonly rate?: string;
  /** Per cent a year. */
  readonly penalty_rate?: string;
  /** The day the Loan begins. */
  readonly anchor: string;
  /** The market whose law holds, in upper case. */
  readonly jurisdiction: string;
  /** The rate of the tax, and the charges it is on. */
  readonly tax: {
    /** Per cent a year. */
    readonly rate: string;
    readonly on: readonly ('interest' | 'fee' | 'penalty' | 'late_fee' | (string & {}))[];
  };
  /** What is paid at purchase. */
  readonly down_payment?: StatedMoney;
  /** On which days periods end; required where the product offers a menu. */
  readonly schedule?: Schedule;
  /** The caller's own word for the merchant of the sale. */
  readonly merchant_ref?: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference?: unknown;
  /** The facility it is issued under, which then gives the rate. */
  readonly facility_id?: string;
  /** The last day on which the hold may be confirmed. */
  readonly hold_until?: string;
};

export type ClientToRegister = {
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why, for whoever reads the book later. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
};

export type SimulationToRun = {
  /** The civil day the fact is about, or that is asked about. */
  readonly on: string;
  /** What is supposed, in this order. */
  readonly facts: readonly {
    readonly act: 'issue' | 'receipt' | 'reversal' | 'confirm' | 'void' | 'cancel' | 'rescind' | 'withdraw' | 'suspension' | 'suspension-end' | 'waiver' | 'return' | 'rollover' | 'restructure' | 'acceleration' | 'settlement' | 'write-off' | 'cession' | 'retraction' | (string & {});
    readonly loan_id?: string;
    readonly reference?: string;
    readonly body: { readonly [name: string]: unknown };
  }[];
};

export type CompanyProfileToPut = {
  /** As it is registered. */
  readonly legal_name: string;
  readonly trade_name?: string;
  readonly tax_id?: string;
  readonly address?: string | { readonly [name: string]: unknown };
  readonly contact?: string | { readonly [name: string]: unknown };
  /**
   * Accepted and ignored until 2027-01-15, then refused.
   * @deprecated
   */
  readonly vat_rate_bps?: unknown;
};

export type ReceiptToReport = {
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference: string;
  /** The caller's own word for the Client. */
  readonly client_id: string;
  /** How much. */
  readonly amount: StatedMoney;
  /** The civil day on which the money counts. */
  readonly value_date: string;
  /** The one Loan it is for. */
  readonly designated_loan_id?: string;
  /** Whether it is meant to discharge the designated Loan; false where not stated. */
  readonly payoff_intent?: boolean;
  /** The payoff quote the money follows. */
  readonly quote_id?: string;
  /** How the money came. */
  readonly rail?: 'bank_transfer' | 'card' | 'cash' | 'direct_debit' | 'wallet' | 'payroll' | 'internal';
  /** The provider's own word for the payment. */
  readonly provider_reference?: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
};

export type ReceiptBatch = {
  /** Each stands or falls by itself. */
  readonly receipts: readonly ReceiptToReport[];
};

export type ReversalAct = {
  /** Why it went back. */
  readonly reason: 'returned_by_bank' | 'chargeback' | 'reported_in_error' | 'other' | (string & {});
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why, for whoever reads the book later. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
};

export type PolicyAdoptionAct = {
  /** The policy. */
  readonly policy: string;
  /** The number of a published version. */
  readonly version: number;
  /** Whether an application of a barred Client is refused. */
  readonly enforce_bar: boolean;
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why, for whoever reads the book later. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
};

export type PublicationAct = {
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why, for whoever reads the book later. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
};

export type LookupKeyPointing = {
  /** The product. */
  readonly configuration_id: string;
  /** The version of the product that is sold. */
  readonly configuration_version: number;
  /** Whether a key that names another version is moved. */
  readonly transfer?: boolean;
};

export type Application = {
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference: string;
  /** The caller's own word for the Client. */
  readonly client_id: string;
  /** The product. */
  readonly configuration_id: string;
  /** The version of the product that is sold. */
  readonly configuration_version: number;
  /** What is lent, a payment at purchase included. */
  readonly principal: StatedMoney;
  /** The day of the application. */
  readonly submitted_on: string;
  /** What was observed, by the names the policy reads. */
  readonly attributes: { readonly [name: string]: {
    readonly state: 'known' | 'unknown' | (string & {});
    readonly number?: number | string;
    readonly as_of?: string;
  } };
  /** Where it was observed. */
  readonly sources: readonly string[];
  /** Whether a ceiling for a line is asked for. */
  readonly limit?: boolean;
  /** The policy. */
  readonly policy?: string;
  /** With `policy`: the version tried, which then binds nobody. */
  readonly policy_version?: number;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why, for whoever reads the book later. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
};

export type ResolutionAct = {
  /** What the person decided. */
  readonly outcome: 'approve' | 'refuse' | (string & {});
  /** The contract rate. */
  readonly rate?: Ratio | string;
  /** The most that may be lent. */
  readonly principal_max?: StatedMoney;
  /** For how many days a refusal bars. */
  readonly moratorium_days?: number;
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why, for whoever reads the book later. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
};

export type FacilityToOpen = {
  /** The caller's own word for it. Sent again with the same body it answers what is recorded. */
  readonly reference: string;
  /** The caller's own word for the Client. */
  readonly client_id: string;
  /** The approving Decision. */
  readonly decision_id: string;
  /** How much. */
  readonly amount: StatedMoney;
  /** The first day on which it may be drawn. */
  readonly opens_on: string;
  /** The last day on which it may be drawn. */
  readonly expires_on: string;
  /** Whether repayment refills it. */
  readonly line?: boolean;
  /** The line it takes over from. */
  readonly supersedes?: string;
  /** The caller's own word for who acts. */
  readonly actor: string;
  /** Why, for whoever reads the book later. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep; stored, echoed and read by nothing. */
  readonly context?: { readonly [name: string]: unknown };
};
