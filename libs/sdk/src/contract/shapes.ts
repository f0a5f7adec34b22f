/** Bodies and answers. Generated from schemas/openapi.json: npm run schemas:sdk. */

export type RecordAccount = {
  /** The caller's name for this record. The same reference with the same body answers what is recorded. */
  readonly reference: string;
  /** The caller's identifier of the person or system that acts. */
  readonly actor: string;
  /** The reason, for later readers of the book. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
  readonly context?: { readonly [name: string]: unknown };
};

export type CommonProductValues = {
  /** What one sale of the product is called. */
  readonly unit?: 'loans' | (string & {});
  /** The smallest principal. */
  readonly principal_min: Money;
  /** The largest principal. */
  readonly principal_max: Money;
  /** The lowest penalty rate. Per cent a year. */
  readonly penalty_rate_min?: string;
  /** The highest penalty rate. Per cent a year. */
  readonly penalty_rate_max?: string;
  /** How days are converted to years. */
  readonly day_count_basis?: 'actual_360' | 'actual_365' | 'thirty_360' | 'actual_actual' | (string & {});
  /** The schedule of every Loan. */
  readonly schedule?: Schedule;
  /** A menu of schedules, of which a Loan must state one. None by default. */
  readonly schedules?: readonly Schedule[];
  /** Charged with the first period. Zero by default. */
  readonly origination_fee?: Money;
  /** Charged once for each period that becomes late. Zero by default. */
  readonly late_fee?: Money;
  /** What money does that arrives before it is due. */
  readonly early_money_treatment?: 'reduces_principal' | 'shortens_term' | 'settles_next' | (string & {});
  /** The order in which money settles the charges of a period. */
  readonly charge_order?: readonly ('principal' | 'interest' | 'fee' | 'penalty' | 'late_fee' | (string & {}))[];
  /** Days past due before a period becomes late. */
  readonly tolerance_days?: number;
  /** A remainder up to this amount makes no period late. Zero is no tolerance. None by default. */
  readonly tolerance?: Money;
  /** The amount on which a penalty accrues. The market's rule by default. */
  readonly penalty_base?: 'overdue_principal' | 'overdue_instalment' | (string & {});
  /** The number of days after which a period bears no more penalty. The market's rule by default. */
  readonly penalty_ceiling_days?: number;
  /** The highest penalty of a Loan, in ten-thousandths of its principal. The market's rule by default. */
  readonly penalty_ceiling_bps?: number;
  /** When the whole balance may be called. The market's rule by default. */
  readonly acceleration?: Acceleration;
  /** The days in which the borrower may withdraw. The market's rule by default. */
  readonly withdrawal_days?: number;
  /** The longest hold. */
  readonly hold_days?: number;
  /** How many open Loans a Client may have. None by default. */
  readonly max_open_loans_per_client?: number;
  /** How much principal a Client may owe. None by default. */
  readonly max_outstanding_per_client?: Money;
  /** Whether a new Loan is refused while any Loan of the Client is overdue. None by default. */
  readonly refuse_while_any_loan_overdue?: boolean;
};

export type CommonLoanTerms = {
  /** The caller's identifier of the Client. */
  readonly client_id: string;
  /** The product configuration. */
  readonly configuration_id: string;
  /** The version of the product configuration. */
  readonly configuration_version: number;
  /** The amount lent, including a payment at purchase. */
  readonly principal: StatedMoney;
  /** The number of periods. */
  readonly term_periods: number;
  /** Per cent a year. */
  readonly rate?: string;
  /** Per cent a year. */
  readonly penalty_rate?: string;
  /** The first day of the Loan. */
  readonly anchor: string;
  /** The market whose law applies, in upper case. */
  readonly jurisdiction: string;
  /** The rate of the tax and the taxed charges. */
  readonly tax: {
    /** Per cent a year. */
    readonly rate: string;
    readonly on: readonly ('interest' | 'fee' | 'penalty' | 'late_fee' | (string & {}))[];
  };
  /** The payment at purchase. */
  readonly down_payment?: StatedMoney;
  /** The days on which periods end. Required if the product offers a menu. */
  readonly schedule?: StatedSchedule;
  /** The caller's identifier of the merchant of the sale. */
  readonly merchant_ref?: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
  readonly context?: { readonly [name: string]: unknown };
  /** The facility under which the Loan is issued. It then gives the rate. */
  readonly facility_id?: string;
  /** The last day on which the hold may be confirmed. */
  readonly hold_until?: string;
};

export type LoanCondition = {
  readonly id: string;
  readonly tenant_id: string;
  /** Computed from the facts on every read. */
  readonly state: 'active' | 'closed' | 'cancelled' | 'written_off' | 'ceded' | 'held' | 'expired' | 'voided' | 'rescinded' | 'withdrawn' | 'restructured';
  /** Rollovers in force. */
  readonly rolled_over: number;
  /** Empty if there are none. */
  readonly anomalies: readonly Anomaly[];
  /** What Receipts have settled; absent if the allocation of the Client's money cannot be computed. */
  readonly paid?: Money;
  readonly totals: {
    /** The sum of the payments of the plan, including the payment at purchase. */
    readonly payments: Money;
  };
  /** The number of fully settled periods; absent if `paid` is absent. */
  readonly settled_periods?: number;
  /** The number of periods that are not settled; absent if `paid` is absent. */
  readonly remaining_periods?: number;
  readonly owes: boolean;
  /** Absent if the Loan owes nothing. */
  readonly owed_to?: 'tenant' | 'assignee' | (string & {});
  /** Present on a `closed` Loan. */
  readonly closed_on?: string;
  /** On a `ceded` Loan: the cut-off. */
  readonly ceded_on?: string;
  /** RFC 3339 in UTC with six decimals. */
  readonly created_at: string;
};

export type StatedTerms = {
  readonly client_id: string;
  readonly principal: Money;
  readonly term_periods: number;
  /** As sent, or from the facility or a single-point corridor. */
  readonly rate: string;
  /** As sent, or from a single-point corridor. */
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

export type StatementTotals = {
  readonly currency: string;
  /** Owed on the day before `from`. */
  readonly opening: Money;
  /** Charged from `from` to `to`, tax included. */
  readonly charged: Money;
  readonly received: Money;
  /** Waived, forgiven or returned. */
  readonly released: Money;
  readonly ceded_away: Money;
  /** Owed on `to`. */
  readonly closing: Money;
  readonly interest_charged: Money;
  readonly commissions_charged: Money;
  readonly penalties_charged: Money;
  /** Empty if there are none. */
  readonly anomalies: readonly Anomaly[];
};

export type PolicyObservation = {
  readonly state: 'known' | 'unknown' | (string & {});
  /** Present if the attribute is known, as sent. */
  readonly number?: number | string;
  readonly as_of?: string;
};

export type MarketSource = {
  /** The law or rule that it follows. */
  readonly source: string;
  readonly provisional: boolean;
};

export type MarketLimit = MarketSource & {
  /** Absent if the market has no such rule. */
  readonly value?: number;
};

export type EffectiveRate = {
  /** Per cent a year. */
  readonly value?: string;
  readonly source: 'stated' | 'default' | (string & {});
};

export type Page = {
  /** The cursor of the next page. Absent on the last page. */
  readonly cursor?: string;
};

export type Refusal = {
  /** A sentence for people. Its wording may change at any time. */
  readonly error: string;
  /** Stable. Branch on it. */
  readonly code: 'invalid_query' | 'invalid_contract_version' | 'invalid_body' | 'unauthenticated' | 'not_permitted_tenant' | 'not_permitted_scope' | 'not_permitted_agent' | 'not_found' | 'no_route' | 'no_receipt' | 'no_configuration' | 'no_quote' | 'method_not_allowed' | 'contract_version_required' | 'contended' | 'reference_reused' | 'client_registered' | 'lookup_key_taken' | 'client_barred' | 'already_resolved' | 'already_published' | 'not_referred' | 'decision_not_approving' | 'loan_held' | 'loan_closed' | 'loan_voided' | 'loan_cancelled' | 'loan_undone' | 'loan_has_receipts' | 'not_held' | 'hold_expired' | 'cession_in_force' | 'already_ceded' | 'already_written_off' | 'already_suspended' | 'already_retracted' | 'already_reversed' | 'fact_depended_on' | 'withdrawal_window_closed' | 'waiver_exceeds_charge' | 'return_exceeds_principal' | 'rollovers_exhausted' | 'rollover_unpaid' | 'acceleration_forbidden' | 'acceleration_unearned' | 'notice_too_short' | 'body_too_large' | 'unsupported_media_type' | 'unknown_field' | 'missing_field' | 'invalid_field' | 'invalid_identifier' | 'amount_out_of_range' | 'field_locked' | 'inconsistent_values' | 'idempotency_mismatch' | 'unknown_client' | 'unknown_loan' | 'outside_loan' | 'invalid_application' | 'invalid_event' | 'return_not_provided' | 'withdrawal_not_provided' | 'rollover_not_provided' | 'charge_not_waivable' | 'settlement_not_less' | 'not_retractable' | 'payoff_needs_designation' | 'currency_mismatch' | 'principal_outside_range' | 'term_not_offered' | 'schedule_not_offered' | 'rate_outside_corridor' | 'penalty_rate_outside_corridor' | 'down_payment_outside_range' | 'tax_not_provided' | 'penalty_rate_above_cap' | 'late_fee_beside_penalty' | 'outside_market' | 'beyond_horizon' | 'hold_outside_range' | 'plan_not_amortising' | 'figure_out_of_range' | 'client_open_loans' | 'client_exposure' | 'client_overdue' | 'facility_other_client' | 'facility_other_configuration' | 'outside_facility_window' | 'facility_exhausted' | 'facility_superseded' | 'cannot_supersede' | 'amount_above_decision' | 'outside_window_bound' | 'no_policy' | 'invalid_policy' | 'rate_without_decimal' | 'too_many_concurrent' | 'rate_exceeded' | 'internal_error' | 'unavailable' | (string & {});
  /** What the caller may do next. */
  readonly retry: Retry;
  /** Seconds; equals the `Retry-After` header. */
  readonly retry_after?: number;
  readonly details?: RefusalDetails;
  /** The service's identifier of the request. */
  readonly request_id: string;
};

/** The catalogue lists the members of each code. More may be added. */
export type RefusalDetails = {
  /** A JSON pointer into the body, or the bare name of a parameter. */
  readonly field?: string;
  /** Where several fields of the body are at fault: all of them, at most 20. The first one is `field`, and `code` is its code. */
  readonly fields?: readonly {
    /** A JSON pointer into the body. */
    readonly field: string;
    /** The code of a refusal for this field alone. */
    readonly code: 'unknown_field' | 'missing_field' | 'invalid_field' | 'invalid_identifier' | 'amount_out_of_range' | 'field_locked' | 'payoff_needs_designation' | 'invalid_policy' | (string & {});
    /** The value or limit that is accepted. */
    readonly bound?: unknown;
    /** The value that was sent. */
    readonly observed?: unknown;
  }[];
  /** The identifier of the recorded fact that the request conflicts with. */
  readonly recorded_id?: string;
  /** What is recorded. */
  readonly recorded_value?: unknown;
  /** What the request states instead. */
  readonly stated_value?: unknown;
  /** The value or limit that is accepted. */
  readonly bound?: unknown;
  /** The value that was sent or found. */
  readonly observed?: unknown;
};

export type Retry = 'as_is' | 'after_record' | 'after_change' | 'never' | (string & {});

export type Money = { readonly minor_units: number; readonly currency: string };

/** An amount owed, by charge. */
export type Owed = {
  readonly total: Money;
  /** The charges that are not zero, in a fixed order. */
  readonly charges: readonly ChargeLine[];
};

export type ChargeLine = {
  readonly charge: 'principal' | 'interest' | 'fee' | 'penalty' | 'late_fee' | (string & {});
  /** Before tax. */
  readonly amount: Money;
  readonly tax: Money;
  readonly total: Money;
};

/** The configuration version of the record. */
export type ConfigurationPin = { readonly id: string; readonly version: number };

export type ActAccount = {
  readonly reference: string;
  /** The caller's identifier of the person or system that acts. */
  readonly actor: string;
  /** The reason. */
  readonly basis: string;
  /** As sent. */
  readonly context?: { readonly [name: string]: unknown };
};

export type FactName = {
  readonly type: 'event' | 'receipt' | 'reversal' | (string & {});
  /** The identifier of an event; the reference of a Receipt or a reversal. */
  readonly id: string;
};

/** A contradiction between facts, which the service resolved; or book_not_derivable: the book of the Client cannot be computed from the recorded facts, so figures are absent. */
export type Anomaly = {
  /** For an act that no longer has its full effect, the refusal code of its rule; otherwise reversal_after_cession, reversal_after_write_off, payoff_short, book_not_derivable or, in a rehearsal, book_too_large. More kinds may be added. */
  readonly kind: string;
  /** The fact, and the fact recorded later that caused the anomaly. Empty for book_not_derivable and book_too_large. */
  readonly facts: readonly FactName[];
  /** A sentence for people. Its wording may change at any time. */
  readonly detail: string;
};

export type Loan = LoanCondition & {
  /** All recorded facts in the order of recording, including withdrawn ones. */
  readonly events: readonly LoanEvent[];
  /** Fixed at issuance. */
  readonly configuration: ConfigurationPin;
  readonly terms: LoanTerms;
  /** The plan as issued. It never changes. */
  readonly periods: readonly IssuedPeriod[];
  readonly disclosure: Disclosure;
  readonly regime: Regime;
  /** The returns in force, oldest first. */
  readonly returns?: readonly Return[];
  /** Only if a write-off is in force. */
  readonly write_off?: {
    readonly on: string;
    /** The debt on the day of the write-off. */
    readonly cost: Owed;
    readonly recovered: Money;
  };
};

/** The terms as sent. */
export type LoanTerms = StatedTerms & { readonly reference: string };

export type LoanPreview = {
  readonly configuration: ConfigurationPin;
  /** The terms as sent. */
  readonly terms: StatedTerms;
  readonly periods: readonly IssuedPeriod[];
  /** What issuance would record. */
  readonly disclosure: Disclosure;
  readonly regime: Regime;
};

export type LoanRow = LoanCondition & {
  readonly reference: string;
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
  /** On a `written_off` row. */
  readonly written_off_on?: string;
};

/** The row of a Loan whose Client's book cannot be computed: only the recorded facts of the Loan itself. */
export type RecordedLoanRow = {
  readonly id: string;
  readonly reference: string;
  readonly tenant_id: string;
  readonly client_id: string;
  readonly merchant_ref?: string;
  readonly configuration: ConfigurationPin;
  /** Absent if the issuance cannot be read either. */
  readonly principal?: Money;
  /** Absent if the issuance cannot be read either. */
  readonly term_periods?: number;
  /** Absent if the issuance cannot be read either. */
  readonly rate?: string;
  /** Absent if the issuance cannot be read either. */
  readonly fee?: Money;
  /** Absent if the issuance cannot be read either. */
  readonly penalty_rate?: string;
  /** Absent if the issuance cannot be read either. */
  readonly anchor?: string;
  /** Absent if the issuance cannot be read either. */
  readonly created_at?: string;
  /** Absent if the issuance cannot be read either. */
  readonly totals?: { readonly payments: Money };
  /** The state when the last fact was recorded. */
  readonly state: 'active' | 'closed' | 'cancelled' | 'written_off' | 'ceded' | 'held' | 'expired' | 'voided' | 'rescinded' | 'withdrawn' | 'restructured';
  /** Only if it follows from the state alone. */
  readonly owes?: boolean;
  readonly owed_to?: 'tenant' | 'assignee' | (string & {});
  /** Contains book_not_derivable. */
  readonly anomalies: readonly Anomaly[];
};

export type LoanPage = Page & {
  /** Newest first. */
  readonly loans: readonly (LoanRow | RecordedLoanRow)[];
};

export type LoanEvent = {
  /** The identifier that a retraction names. `settled`, which is derived, has none. */
  readonly id?: string;
  readonly kind: 'issued' | 'confirmed' | 'voided' | 'cancelled' | 'rescinded' | 'withdrawn' | 'suspended' | 'suspension_ended' | 'waived' | 'returned' | 'rolled_over' | 'restructured' | 'accelerated' | 'settled_for_less' | 'written_off' | 'ceded' | 'settled' | (string & {});
  /** The day of the fact. */
  readonly occurred_on: string;
  /** Absent on `settled`, which is derived and not recorded. */
  readonly recorded_at?: string;
  /** Absent on `issued` and `settled`. */
  readonly act?: ActAccount;
  /** The members of the act, as sent. */
  readonly stated?: { readonly [name: string]: unknown };
  /** On `suspended`: the last day of the suspension. */
  readonly to?: string;
  /** On `suspended`: the day on which it was ended early. */
  readonly ended_on?: string;
  /** On `suspension_ended`: the suspension it ended. */
  readonly suspension_id?: string;
  /** On `returned`. */
  readonly amount?: Money;
  /** On a withdrawn fact, which has no effect and stays readable. */
  readonly retraction?: ActAccount & {
    readonly on: string;
    /** RFC 3339 in UTC with six decimals. */
    readonly recorded_at: string;
  };
};

export type IssuedPeriod = {
  /** From 1. */
  readonly index: number;
  readonly scheduled_on: string;
  /** The scheduled day, or the next day on which banks are open. */
  readonly due_on: string;
  readonly principal: Money;
  readonly interest: Money;
  readonly fee: Money;
  readonly tax: Money;
  /** The sum of principal, interest, fee and tax. */
  readonly payment: Money;
};

/** Computed at issuance. It never changes. */
export type Disclosure = {
  readonly jurisdiction: string;
  /** The borrower's yearly figure in per cent. */
  readonly figure: string;
  /** The rule by which the figure is computed. */
  readonly convention: string;
  /** The version of that rule. */
  readonly convention_version: number;
  /** Whether the rule is not final. */
  readonly provisional: boolean;
};

/** The values of the market's law at issuance. They never change. */
export type Regime = {
  /** Per cent a year. */
  readonly penalty_rate: string;
  readonly late_fee: Money;
  readonly tolerance_days: number;
  readonly penalty_base: 'overdue_principal' | 'overdue_instalment' | (string & {});
  /** Whether unpaid interest bears interest. */
  readonly capitalises: boolean;
  readonly acceleration: Acceleration;
  /** Only if the product has a tolerance. */
  readonly tolerance?: Money;
  /** Only if there is a ceiling for each period. */
  readonly penalty_ceiling_days?: number;
  /** Only if there is a ceiling for the whole Loan. */
  readonly penalty_ceiling_bps?: number;
};

export type Acceleration = {
  /** Whether the whole balance may never be called. */
  readonly forbidden: boolean;
  /** How many periods must be late before it may be called. */
  readonly missed_periods: number;
  /** The days between the notice to the borrower and the call. */
  readonly notice_days: number;
};

export type Return = {
  readonly act: string;
  readonly on: string;
  /** The value of the returned goods, as sent. */
  readonly amount: Money;
  /** The principal by which the debt was reduced. */
  readonly unwound_principal: Money;
  /** Principal that was paid and is owed back to the Client. */
  readonly principal_owed_back: Money;
  /** Interest that was paid above what the repriced plan charges, owed back to the Client. */
  readonly interest_owed_back: Money;
  /** What discharges the Loan on that day, after the return. */
  readonly still_owed: Owed;
  /** The part that the caller refunds outside the book. */
  readonly beyond_the_loan: Money;
  /** Whether the return covered all outstanding principal. */
  readonly returned_whole: boolean;
};

export type PayoffQuote = ActAccount & {
  readonly id: string;
  readonly loan_id: string;
  readonly on: string;
  /** What discharges the Loan on that day, as the book was at the quote. */
  readonly owed: Owed;
  /** RFC 3339 in UTC with six decimals. */
  readonly quoted_at: string;
};

export type PayoffQuotePage = Page & {
  /** Oldest first. */
  readonly quotes: readonly PayoffQuote[];
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
  /** Everything still owed by periods that have fallen due; absent only if it cannot be computed. */
  readonly overdue?: Owed;
  /** Present if the Loan is late. */
  readonly late?: Late;
  /** The one in force on the day. */
  readonly suspension?: Suspension;
  /** The waivers up to the day. All figures already include them. */
  readonly waivers?: readonly Waiver[];
  /** The next one; absent after every period has fallen due or if the debt is fixed. */
  readonly instalment?: Instalment;
  /** The whole amount that discharges the Loan. */
  readonly payoff: {
    readonly owed: Owed;
    readonly actionable_on: string;
    /** Always true. */
    readonly requires_payoff_intent: boolean;
    /** True if the Client has another open Loan in the currency. */
    readonly requires_designation: boolean;
  };
  readonly any_other_amount: {
    readonly treatment: 'reduces_principal' | 'shortens_term' | 'settles_next' | (string & {});
    /** A sentence for the borrower. */
    readonly description: string;
  };
  /** Empty if there are none. */
  readonly anomalies: readonly Anomaly[];
};

export type Late = {
  /** What the late periods still owe; everything, if the debt of the Loan is fixed. */
  readonly owed: Owed;
  readonly worst_days_past_due: number;
  /** The number of late periods. */
  readonly periods: number;
};

export type Suspension = {
  readonly event_id: string;
  readonly reference: string;
  /** The first day that does not count for lateness and penalty. */
  readonly from: string;
  /** The last such day, unless it was ended early. */
  readonly to: string;
  /** Only if it was ended early: days count again from this one. */
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
  /** The index of the period. */
  readonly period: number;
  /** The last day of the period. Interest runs to it. */
  readonly scheduled_on: string;
  /** The scheduled day, or the next day on which banks are open. What is unpaid then is overdue. */
  readonly due_on: string;
  readonly owed: Owed;
  /** The first day on which money that covers all of it pays it before it is due. */
  readonly actionable_from: string;
  /** Whether something older is owed, which money pays first. */
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
  /** Of an ended period, only the part that was settled. */
  readonly totals: { readonly charged: Owed; readonly settled: Owed; readonly waived: Owed; readonly owed: Owed };
  /** Empty if there are none. */
  readonly anomalies: readonly Anomaly[];
};

export type ScheduledPeriod = {
  /** 0 is the payment at purchase. */
  readonly index: number;
  /** The last day of the period. Interest runs to it. */
  readonly scheduled_on: string;
  /** The scheduled day, or the next day on which banks are open. What is unpaid then is overdue. */
  readonly due_on: string;
  /** The first day on which money that covers all of it pays it before it is due. */
  readonly actionable_from: string;
  readonly charged: Owed;
  readonly settled: Owed;
  readonly waived: Owed;
  readonly owed: Owed;
  /** Whether `due_on` has come. */
  readonly fallen_due: boolean;
  /** Whether it is unpaid and past its tolerance, and no suspension covers the day. */
  readonly late: boolean;
  /** The day since which nothing of it is owed. */
  readonly settled_on?: string;
  /** The fact that created the period. */
  readonly origin: 'issued' | 'recalculated' | 'rolled_over' | 'restructured' | 'called' | 'purchase' | (string & {});
  /** False for a period that was ended by an act, early money, a payoff or a return. */
  readonly alive: boolean;
};

export type Delinquency = {
  readonly loan_id: string;
  readonly on: string;
  /** The highest of all periods. */
  readonly days_past_due: number;
  /** Present if the Loan is late. */
  readonly late?: Late;
  /** The one in force on the day. */
  readonly suspension?: Suspension;
  /** The periods that have fallen due and are unpaid. */
  readonly periods: readonly {
    readonly index: number;
    readonly due_on: string;
    readonly days_past_due: number;
    readonly owed: Owed;
  }[];
  /** Empty if there are none. */
  readonly anomalies: readonly Anomaly[];
};

/** The figures of a Loan on a day and what they consist of, as of one moment. */
export type LoanExplanation = {
  readonly client_id: string;
  readonly on: string;
  readonly loan: Loan;
  readonly payment_options: LoanPaymentOptions;
  readonly schedule: LoanSchedule;
  /** The part of each period in the figures of `payment_options`, which are the sums of these parts. */
  readonly periods: readonly PeriodParts[];
  /** What Receipts have settled by the day. */
  readonly paid: Money;
  /** The newest fifty by the day, newest first. */
  readonly receipts: readonly ExplainedReceipt[];
  /** The Receipts before those: with them `paid` is the sum of all. */
  readonly earlier_receipts: { readonly count: number; readonly settled: Money };
};

export type PeriodParts = {
  readonly index: number;
  readonly days_past_due: number;
  /** The day on which the period became late. */
  readonly late_since?: string;
  readonly overdue: Owed;
  readonly late: Owed;
  readonly instalment: Owed;
  readonly payoff: Owed;
  readonly interest: {
    /** Per cent a year. */
    readonly rate: string;
    /** Interest of the period runs from this day. */
    readonly from: string;
    readonly to: string;
    /** The principal that bears interest. */
    readonly balance: Money;
    /** The day since which the balance is this one. */
    readonly balance_from: string;
  };
  /** Of a period that is past due and became late. */
  readonly penalty?: {
    /** Per cent a year. */
    readonly rate: string;
    /** What bears penalty on the next day. */
    readonly base: Money;
    /** The days counted so far. */
    readonly days: number;
    /** The base of each counted day, added up: minor units times days. Absent with a ceiling of the whole Loan. */
    readonly base_days?: string;
  };
};

export type ExplainedReceipt = {
  readonly reference: string;
  readonly value_date: string;
  /** What it settled on this Loan. */
  readonly allocation: ReceiptLoan;
};

export type Statement = {
  readonly client_id: string;
  /** The first day. */
  readonly from: string;
  /** The last day, included. */
  readonly to: string;
  /** Every Loan of the Client, oldest first. */
  readonly loans: readonly LoanStatement[];
  /** Amounts of different currencies are not added. */
  readonly currencies: readonly (StatementTotals & { readonly loans: number })[];
};

export type LoanStatement = StatementTotals & {
  readonly id: string;
  readonly reference: string;
  /** The first day. */
  readonly from: string;
  /** The last day, included. */
  readonly to: string;
  readonly lines: readonly StatementLine[];
};

export type StatementLine = ChargeLine & {
  readonly on: string;
  readonly kind: 'charged' | 'moved' | 'received' | 'released' | 'ceded' | (string & {});
  /** Present on interest and penalty charged, which have one line per period. */
  readonly period?: number;
  /** The fact that caused it; absent if only time passed. */
  readonly fact?: FactName;
};

export type DuesPage = Page & {
  readonly on: string;
  /** In the order of `client_id`. A page may be short or empty and still have a cursor. */
  readonly clients: readonly ClientDues[];
  readonly totals: readonly {
    readonly currency: string;
    readonly clients: number;
    readonly overdue: Money;
    readonly late: Money;
  }[];
  /** Whether the totals are of this page only. */
  readonly page_totals: boolean;
};

export type ClientDues = {
  readonly client_id: string;
  readonly loans: readonly DueLoan[];
  readonly totals: readonly { readonly currency: string; readonly overdue: Money; readonly late: Money }[];
  /** Only if the Client's book cannot be computed from the recorded facts. Its figures are then unknown. */
  readonly anomalies?: readonly Anomaly[];
};

export type DueLoan = {
  readonly loan_id: string;
  readonly reference: string;
  readonly overdue: Owed;
  /** Present if the Loan is late. */
  readonly late?: Late;
  /** The next one; absent after every period has fallen due or if the debt is fixed. */
  readonly instalment?: Instalment;
};

export type Client = {
  readonly client_id: string;
  readonly tenant_id: string;
  /** RFC 3339 in UTC with six decimals. */
  readonly created_at: string;
  /** Who registered the Client. */
  readonly actor: string;
  /** Why. */
  readonly basis: string;
  readonly context?: { readonly [name: string]: unknown };
};

export type ClientPage = Page & {
  /** Newest first. */
  readonly clients: readonly Client[];
};

export type BookVersion = {
  readonly client_id: string;
  /** The moment of the last recorded fact about the Client; absent if there is none. */
  readonly version?: string;
  /** The number of recorded facts. */
  readonly facts: number;
};

export type Obligations = Page & {
  readonly client_id: string;
  /** The whole balance owed to the Client. */
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
    /** The sum of principal and interest. */
    readonly amount: Money;
  }[];
  /** Acts, oldest first. */
  readonly rollovers?: readonly string[];
  /** The Receipts that were allocated to an undone Loan before the act, oldest first. */
  readonly undone?: readonly {
    readonly kind: 'rescinded' | 'voided' | 'withdrawn';
    readonly on: string;
    readonly act: string;
    readonly loan_id: string;
    readonly receipt: string;
    readonly amount: Money;
  }[];
  /** Settlements for less whose Receipts exceeded the agreed amount, oldest first. */
  readonly settlements?: readonly string[];
  /** Only if there are balances in several currencies. */
  readonly currencies?: readonly { readonly currency: string; readonly amount: Money }[];
};

/** A Client's book as of one moment. */
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
  /** All Receipts, newest first. */
  readonly receipts: readonly ReceiptRow[];
  /** Complete, not paged. */
  readonly obligations: Obligations;
  /** Newest first. */
  readonly facilities: readonly FacilityDrawn[];
  /** The bar on the day. */
  readonly bar: Bar;
  readonly anomalies: readonly Anomaly[];
};

export type BookChanges = {
  readonly client_id: string;
  readonly on: string;
  /** The number of facts in the earlier version. */
  readonly from_facts: number;
  /** The number of facts in the later version. */
  readonly to_facts: number;
  readonly changes: readonly {
    /** The path of the figure: a JSON pointer in which items of a list are identified by name. */
    readonly figure: string;
    /** The value; absent if there was none. */
    readonly from?: unknown;
    /** The value; absent if there was none. */
    readonly to?: unknown;
    /** The facts that changed the figure. */
    readonly facts: readonly {
      readonly type: 'event' | 'receipt' | 'reversal' | (string & {});
      readonly id: string;
      /** The number of the fact in the book version. */
      readonly facts: number;
      /** RFC 3339 in UTC with six decimals. */
      readonly recorded_at: string;
    }[];
  }[];
};

export type Simulation = {
  readonly client_id: string;
  readonly tenant_id: string;
  readonly on: string;
  /** One for each supposed fact, in the order sent. */
  readonly outcomes: readonly {
    /** The status that the route would have answered. */
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
  /** Whether applications are refused under a policy that enforces bars. */
  readonly barred: boolean;
  /** The first day without a bar. */
  readonly lifts_on?: string;
  /** The refusal whose moratorium ends last. */
  readonly decision?: string;
};

export type Receipt = {
  readonly receipt: ReceiptRow;
  /** Zero if reversed. */
  readonly settled: Money;
  /** Empty if reversed. */
  readonly loans: readonly ReceiptLoan[];
  /** The part that was not allocated to any Loan. */
  readonly surplus: Money;
  /** The part above the agreed amount of a settlement for less. */
  readonly excess?: Money;
  /** Only if the report named a payoff quote. */
  readonly quote_id?: string;
  /** Whether the quote's total was what discharged the Loan when this Receipt was allocated. */
  readonly quoted_figure_agrees?: boolean;
  /** Empty if there are none. */
  readonly anomalies: readonly Anomaly[];
};

export type ReceiptRow = {
  readonly id: string;
  readonly reference: string;
  readonly client_id: string;
  readonly amount: Money;
  readonly value_date: string;
  /** Only if the report designated one. */
  readonly designated_loan_id?: string;
  /** As sent; false by default. */
  readonly payoff_intent: boolean;
  /** As sent. */
  readonly rail?: 'bank_transfer' | 'card' | 'cash' | 'direct_debit' | 'wallet' | 'payroll' | 'internal';
  /** As sent. */
  readonly provider_reference?: string;
  /** As sent. */
  readonly context?: { readonly [name: string]: unknown };
  /** RFC 3339 in UTC with six decimals. */
  readonly reported_at: string;
  /** Whether a reversal took it back. */
  readonly reversed: boolean;
  /** RFC 3339 in UTC with six decimals. */
  readonly reversed_at?: string;
  /** Only if reversed. */
  readonly reversal?: ActAccount & { readonly reason: string };
};

export type ReceiptLoan = {
  readonly loan_id: string;
  readonly reference: string;
  readonly settled: Owed;
  readonly lines: readonly (ChargeLine & { readonly period: number })[];
  /** The part that reduced principal before it was due. */
  readonly early_principal?: Money;
  /** Whether the Loan owed nothing after this Receipt. */
  readonly discharged: boolean;
};

export type ReceiptPage = Page & {
  /** Newest first, including reversed ones. */
  readonly receipts: readonly ReceiptRow[];
};

export type ReceiptBatchOutcomes = {
  /** In the order of the batch. */
  readonly outcomes: readonly ReceiptBatchOutcome[];
};

export type ReceiptBatchOutcome = {
  /** As sent; absent if the item has no reference that is a string. */
  readonly reference?: string;
  /** What `POST /receipts` would have answered. */
  readonly status: number;
  /** Only if the Receipt was recorded. */
  readonly receipt?: Receipt;
  /** Only if the Receipt was refused. */
  readonly code?: string;
  readonly error?: string;
  readonly retry?: Retry;
  readonly retry_after?: number;
  readonly details?: RefusalDetails;
};

export type InstalmentValues = CommonProductValues & {
  /** The lowest contract rate. Per cent a year. */
  readonly rate_min: string;
  /** The highest contract rate. Per cent a year. */
  readonly rate_max: string;
  /** How the plan spreads the principal over the periods. */
  readonly amortisation?: 'level_payment' | 'level_principal_and_interest' | 'equal_principal' | (string & {});
  /** The numbers of periods offered. Ascending. */
  readonly terms: readonly number[];
};

export type StatedInstalmentValues = {
  /** What one sale of the product is called. */
  readonly unit?: 'loans' | (string & {});
  /** The smallest principal. */
  readonly principal_min: Money;
  /** The largest principal. */
  readonly principal_max: Money;
  /** The lowest contract rate. Per cent a year. */
  readonly rate_min: string;
  /** The highest contract rate. Per cent a year. */
  readonly rate_max: string;
  /** The lowest penalty rate. Per cent a year. */
  readonly penalty_rate_min?: string;
  /** The highest penalty rate. Per cent a year. */
  readonly penalty_rate_max?: string;
  /** How days are converted to years. */
  readonly day_count_basis?: 'actual_360' | 'actual_365' | 'thirty_360' | 'actual_actual' | (string & {});
  /** How the plan spreads the principal over the periods. */
  readonly amortisation?: 'level_payment' | 'level_principal_and_interest' | 'equal_principal' | (string & {});
  /** The numbers of periods offered. Ascending. */
  readonly terms: readonly number[];
  /** The schedule of every Loan. */
  readonly schedule?: StatedSchedule;
  /** A menu of schedules, of which a Loan must state one. None by default. */
  readonly schedules?: readonly StatedSchedule[];
  /** Charged with the first period. Zero by default. */
  readonly origination_fee?: Money;
  /** Charged once for each period that becomes late. Zero by default. */
  readonly late_fee?: Money;
  /** What money does that arrives before it is due. */
  readonly early_money_treatment?: 'reduces_principal' | 'shortens_term' | 'settles_next' | (string & {});
  /** The order in which money settles the charges of a period. */
  readonly charge_order?: readonly ('principal' | 'interest' | 'fee' | 'penalty' | 'late_fee' | (string & {}))[];
  /** Days past due before a period becomes late. */
  readonly tolerance_days?: number;
  /** A remainder up to this amount makes no period late. Zero is no tolerance. None by default. */
  readonly tolerance?: Money;
  /** The amount on which a penalty accrues. The market's rule by default. */
  readonly penalty_base?: 'overdue_principal' | 'overdue_instalment' | (string & {});
  /** The number of days after which a period bears no more penalty. The market's rule by default. */
  readonly penalty_ceiling_days?: number;
  /** The highest penalty of a Loan, in ten-thousandths of its principal. The market's rule by default. */
  readonly penalty_ceiling_bps?: number;
  /** When the whole balance may be called. The market's rule by default. */
  readonly acceleration?: Acceleration;
  /** The days in which the borrower may withdraw. The market's rule by default. */
  readonly withdrawal_days?: number;
  /** The longest hold. */
  readonly hold_days?: number;
  /** How many open Loans a Client may have. None by default. */
  readonly max_open_loans_per_client?: number;
  /** How much principal a Client may owe. None by default. */
  readonly max_outstanding_per_client?: Money;
  /** Whether a new Loan is refused while any Loan of the Client is overdue. None by default. */
  readonly refuse_while_any_loan_overdue?: boolean;
};

export type BnplValues = CommonProductValues & {
  /** The lowest contract rate. Per cent a year. */
  readonly rate_min?: string;
  /** The highest contract rate. Per cent a year. */
  readonly rate_max?: string;
  /** How the plan spreads the principal over the periods. */
  readonly amortisation?: 'level_payment' | 'level_principal_and_interest' | 'equal_principal' | (string & {});
  /** The numbers of periods offered. Ascending. */
  readonly terms: readonly number[];
  /** The smallest payment at purchase, in ten-thousandths of the principal. */
  readonly down_payment_min_bps?: number;
  /** The largest payment at purchase, in ten-thousandths of the principal. */
  readonly down_payment_max_bps?: number;
};

export type StatedBnplValues = {
  /** What one sale of the product is called. */
  readonly unit?: 'loans' | (string & {});
  /** The smallest principal. */
  readonly principal_min: Money;
  /** The largest principal. */
  readonly principal_max: Money;
  /** The lowest contract rate. Per cent a year. */
  readonly rate_min?: string;
  /** The highest contract rate. Per cent a year. */
  readonly rate_max?: string;
  /** The lowest penalty rate. Per cent a year. */
  readonly penalty_rate_min?: string;
  /** The highest penalty rate. Per cent a year. */
  readonly penalty_rate_max?: string;
  /** How days are converted to years. */
  readonly day_count_basis?: 'actual_360' | 'actual_365' | 'thirty_360' | 'actual_actual' | (string & {});
  /** How the plan spreads the principal over the periods. */
  readonly amortisation?: 'level_payment' | 'level_principal_and_interest' | 'equal_principal' | (string & {});
  /** The numbers of periods offered. Ascending. */
  readonly terms: readonly number[];
  /** The schedule of every Loan. */
  readonly schedule?: StatedSchedule;
  /** A menu of schedules, of which a Loan must state one. None by default. */
  readonly schedules?: readonly StatedSchedule[];
  /** Charged with the first period. Zero by default. */
  readonly origination_fee?: Money;
  /** Charged once for each period that becomes late. Zero by default. */
  readonly late_fee?: Money;
  /** The smallest payment at purchase, in ten-thousandths of the principal. */
  readonly down_payment_min_bps?: number;
  /** The largest payment at purchase, in ten-thousandths of the principal. */
  readonly down_payment_max_bps?: number;
  /** What money does that arrives before it is due. */
  readonly early_money_treatment?: 'reduces_principal' | 'shortens_term' | 'settles_next' | (string & {});
  /** The order in which money settles the charges of a period. */
  readonly charge_order?: readonly ('principal' | 'interest' | 'fee' | 'penalty' | 'late_fee' | (string & {}))[];
  /** Days past due before a period becomes late. */
  readonly tolerance_days?: number;
  /** A remainder up to this amount makes no period late. Zero is no tolerance. None by default. */
  readonly tolerance?: Money;
  /** The amount on which a penalty accrues. The market's rule by default. */
  readonly penalty_base?: 'overdue_principal' | 'overdue_instalment' | (string & {});
  /** The number of days after which a period bears no more penalty. The market's rule by default. */
  readonly penalty_ceiling_days?: number;
  /** The highest penalty of a Loan, in ten-thousandths of its principal. The market's rule by default. */
  readonly penalty_ceiling_bps?: number;
  /** When the whole balance may be called. The market's rule by default. */
  readonly acceleration?: Acceleration;
  /** The days in which the borrower may withdraw. The market's rule by default. */
  readonly withdrawal_days?: number;
  /** The longest hold. */
  readonly hold_days?: number;
  /** How many open Loans a Client may have. None by default. */
  readonly max_open_loans_per_client?: number;
  /** How much principal a Client may owe. None by default. */
  readonly max_outstanding_per_client?: Money;
  /** Whether a new Loan is refused while any Loan of the Client is overdue. None by default. */
  readonly refuse_while_any_loan_overdue?: boolean;
};

export type PaydayValues = CommonProductValues & {
  /** The lowest contract rate. Per cent a year. */
  readonly rate_min: string;
  /** The highest contract rate. Per cent a year. */
  readonly rate_max: string;
  /** Charged with the period that a rollover opens. Zero by default. */
  readonly rollover_fee?: Money;
  /** How often a Loan may be rolled over. */
  readonly max_rollovers?: number;
};

export type StatedPaydayValues = {
  /** What one sale of the product is called. */
  readonly unit?: 'loans' | (string & {});
  /** The smallest principal. */
  readonly principal_min: Money;
  /** The largest principal. */
  readonly principal_max: Money;
  /** The lowest contract rate. Per cent a year. */
  readonly rate_min: string;
  /** The highest contract rate. Per cent a year. */
  readonly rate_max: string;
  /** The lowest penalty rate. Per cent a year. */
  readonly penalty_rate_min?: string;
  /** The highest penalty rate. Per cent a year. */
  readonly penalty_rate_max?: string;
  /** How days are converted to years. */
  readonly day_count_basis?: 'actual_360' | 'actual_365' | 'thirty_360' | 'actual_actual' | (string & {});
  /** The schedule of every Loan. */
  readonly schedule?: StatedSchedule;
  /** A menu of schedules, of which a Loan must state one. None by default. */
  readonly schedules?: readonly StatedSchedule[];
  /** Charged with the first period. Zero by default. */
  readonly origination_fee?: Money;
  /** Charged once for each period that becomes late. Zero by default. */
  readonly late_fee?: Money;
  /** Charged with the period that a rollover opens. Zero by default. */
  readonly rollover_fee?: Money;
  /** What money does that arrives before it is due. */
  readonly early_money_treatment?: 'reduces_principal' | 'shortens_term' | 'settles_next' | (string & {});
  /** The order in which money settles the charges of a period. */
  readonly charge_order?: readonly ('principal' | 'interest' | 'fee' | 'penalty' | 'late_fee' | (string & {}))[];
  /** Days past due before a period becomes late. */
  readonly tolerance_days?: number;
  /** A remainder up to this amount makes no period late. Zero is no tolerance. None by default. */
  readonly tolerance?: Money;
  /** The amount on which a penalty accrues. The market's rule by default. */
  readonly penalty_base?: 'overdue_principal' | 'overdue_instalment' | (string & {});
  /** The number of days after which a period bears no more penalty. The market's rule by default. */
  readonly penalty_ceiling_days?: number;
  /** The highest penalty of a Loan, in ten-thousandths of its principal. The market's rule by default. */
  readonly penalty_ceiling_bps?: number;
  /** When the whole balance may be called. The market's rule by default. */
  readonly acceleration?: Acceleration;
  /** How often a Loan may be rolled over. */
  readonly max_rollovers?: number;
  /** The days in which the borrower may withdraw. The market's rule by default. */
  readonly withdrawal_days?: number;
  /** The longest hold. */
  readonly hold_days?: number;
  /** How many open Loans a Client may have. None by default. */
  readonly max_open_loans_per_client?: number;
  /** How much principal a Client may owe. None by default. */
  readonly max_outstanding_per_client?: Money;
  /** Whether a new Loan is refused while any Loan of the Client is overdue. None by default. */
  readonly refuse_while_any_loan_overdue?: boolean;
};

export type ProductValues = InstalmentValues | BnplValues | PaydayValues;

export type StatedProductValues = StatedInstalmentValues | StatedBnplValues | StatedPaydayValues;

/** The value of every field of the frame. A field that is absent by default has no value. */
export type EffectiveValues = {
  readonly unit: { readonly value?: 'loans' | (string & {}); readonly source: 'stated' | 'default' | (string & {}) };
  readonly principal_min: { readonly value?: StatedMoney; readonly source: 'stated' | 'default' | (string & {}) };
  readonly principal_max: { readonly value?: StatedMoney; readonly source: 'stated' | 'default' | (string & {}) };
  readonly rate_min: EffectiveRate;
  readonly rate_max: EffectiveRate;
  readonly penalty_rate_min: EffectiveRate;
  readonly penalty_rate_max: EffectiveRate;
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
  readonly schedule: { readonly value?: Schedule; readonly source: 'stated' | 'default' | (string & {}) };
  readonly schedules: { readonly value?: readonly Schedule[]; readonly source: 'stated' | 'default' | (string & {}) };
  readonly origination_fee: { readonly value?: StatedMoneyOrNothing; readonly source: 'stated' | 'default' | (string & {}) };
  readonly late_fee: { readonly value?: StatedMoneyOrNothing; readonly source: 'stated' | 'default' | (string & {}) };
  readonly rollover_fee: { readonly value?: StatedMoneyOrNothing; readonly source: 'stated' | 'default' | (string & {}) };
  readonly down_payment_min_bps: { readonly value?: number; readonly source: 'stated' | 'default' | (string & {}) };
  readonly down_payment_max_bps: { readonly value?: number; readonly source: 'stated' | 'default' | (string & {}) };
  readonly early_money_treatment: {
    readonly value?: 'reduces_principal' | 'shortens_term' | 'settles_next' | (string & {});
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly charge_order: {
    readonly value?: readonly ('principal' | 'interest' | 'fee' | 'penalty' | 'late_fee' | (string & {}))[];
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly tolerance_days: { readonly value?: number; readonly source: 'stated' | 'default' | (string & {}) };
  readonly tolerance: { readonly value?: StatedMoneyOrNothing; readonly source: 'stated' | 'default' | (string & {}) };
  readonly penalty_base: {
    readonly value?: 'overdue_principal' | 'overdue_instalment' | (string & {});
    readonly source: 'stated' | 'default' | (string & {});
  };
  readonly penalty_ceiling_days: { readonly value?: number; readonly source: 'stated' | 'default' | (string & {}) };
  readonly penalty_ceiling_bps: { readonly value?: number; readonly source: 'stated' | 'default' | (string & {}) };
  readonly acceleration: { readonly value?: Acceleration; readonly source: 'stated' | 'default' | (string & {}) };
  readonly max_rollovers: { readonly value?: number; readonly source: 'stated' | 'default' | (string & {}) };
  readonly withdrawal_days: { readonly value?: number; readonly source: 'stated' | 'default' | (string & {}) };
  readonly hold_days: { readonly value?: number; readonly source: 'stated' | 'default' | (string & {}) };
  readonly max_open_loans_per_client: { readonly value?: number; readonly source: 'stated' | 'default' | (string & {}) };
  readonly max_outstanding_per_client: { readonly value?: StatedMoney; readonly source: 'stated' | 'default' | (string & {}) };
  readonly refuse_while_any_loan_overdue: { readonly value?: boolean; readonly source: 'stated' | 'default' | (string & {}) };
};

/** Warnings about terms that may not be intended. They refuse nothing. */
export type Advisories = readonly {
  readonly code: 'first_period_may_fall_next_day' | 'no_tolerance' | 'zero_rate' | 'penalty_without_ceiling' | 'single_term' | 'guard_without_amount' | (string & {});
  /** A JSON pointer to the field to change. */
  readonly field: string;
  /** A sentence for people. Its wording may change at any time. */
  readonly says: string;
}[];

export type ProductConfiguration = ConfigurationVersion & { readonly effective: EffectiveValues; readonly advisories: Advisories };

export type ConfigurationVersion = {
  readonly id: string;
  readonly tenant_id: string;
  /** When this version was recorded. */
  readonly created_at: string;
  readonly version: number;
  readonly archetype: 'instalment' | 'bnpl' | 'payday' | (string & {});
  /** As sent. */
  readonly values: ProductValues;
};

export type ConfigurationPreview = {
  /** The identifier that creation would give. It is not reserved. */
  readonly id: string;
  readonly archetype: 'instalment' | 'bnpl' | 'payday' | (string & {});
  /** As sent. */
  readonly values: ProductValues;
  readonly effective: EffectiveValues;
  readonly advisories: Advisories;
};

export type ConfigurationPage = Page & {
  /** The latest version of each, newest first. */
  readonly configurations: readonly ProductConfiguration[];
};

export type ConfigurationVersionPage = Page & {
  /** Oldest first. */
  readonly versions: readonly ProductConfiguration[];
};

export type LookupKey = {
  readonly lookup_key: string;
  readonly configuration_id: string;
  readonly configuration_version: number;
  /** RFC 3339 in UTC with six decimals. */
  readonly pointed_at: string;
  /** The latest version of that configuration. */
  readonly latest_version: number;
  readonly version: ConfigurationVersion;
};

export type LookupKeyList = {
  /** In the order of the keys. Not paged. */
  readonly lookup_keys: readonly {
    readonly lookup_key: string;
    readonly configuration_id: string;
    readonly configuration_version: number;
    /** RFC 3339 in UTC with six decimals. */
    readonly pointed_at: string;
    /** The latest version of that configuration. */
    readonly latest_version: number;
    /** Only if the query names keys. */
    readonly version?: ConfigurationVersion;
  }[];
};

export type Rehearsal = Page & {
  readonly configuration_id: string;
  readonly on: string;
  /** The number of Loans examined for this page. */
  readonly examined: number;
  /** The Loans that would change or whose figures are unknown, newest first. A page may be short or empty and still have a cursor. */
  readonly loans: readonly {
    readonly loan_id: string;
    readonly client_id: string;
    readonly reference: string;
    /** Only if the product would not offer the Loan. Its figures then stay as issued. */
    readonly refused?: { readonly code: string; readonly details?: RefusalDetails };
    readonly changes: readonly {
      readonly figure: string;
      readonly is: string | number | Money;
      readonly would_be: string | number | Money;
      /** Only for amounts of money. */
      readonly difference?: Money;
    }[];
    /** Only if the Client's book was not computed: book_not_derivable, or book_too_large for one request. */
    readonly anomalies?: readonly Anomaly[];
  }[];
};

export type Decision = ActAccount & {
  readonly id: string;
  readonly client_id: string;
  readonly policy: string;
  readonly policy_version: number;
  /** SHA-256 of the canonical form of the deciding content. */
  readonly policy_digest: string;
  readonly configuration_id: string;
  readonly configuration_version: number;
  readonly principal: Money;
  /** The day of the application. */
  readonly submitted_on: string;
  /** The sum of the points. */
  readonly score: number;
  readonly outcome: 'approve' | 'refuse' | 'refer' | 'not_offered';
  /** Absent if a knockout decided the outcome. */
  readonly band?: string;
  /** On an approval: the numbers of periods offered. */
  readonly terms?: readonly number[];
  /** On an approval. */
  readonly rate?: QuotedRate;
  /** On an approval. */
  readonly principal_max?: Money;
  /** On a limit decision. */
  readonly ceiling?: Money;
  /** On a limit decision: whether the requested principal is above the ceiling. */
  readonly over_ceiling?: boolean;
  /** On a refusal: for how many days it bars the Client. */
  readonly moratorium_days?: number;
  readonly trace: DecisionTrace;
  /** As sent. */
  readonly sources: readonly string[];
  /** True if the adopted version decided, false for a trial. */
  readonly binding: boolean;
  /** Whether the person who published the version had drafted it. */
  readonly self_confirmed_version: boolean;
  /** The zone in which the day of the Decision was found. */
  readonly time_zone: string;
  /** The day from which a bar of this Decision counts. */
  readonly bound_from: string;
  /** RFC 3339 in UTC with six decimals. */
  readonly decided_at: string;
};

export type DecisionPage = Page & {
  /** Newest first. */
  readonly decisions: readonly Decision[];
};

export type DecisionTrace = {
  /** In the order of the policy. The first that fired decided the outcome. */
  readonly knockouts: readonly {
    readonly id: string;
    readonly text: string;
    readonly attribute: string;
    readonly comparison: 'at_least' | 'at_most' | 'above' | 'below' | 'equals' | (string & {});
    readonly bound: number | string;
    readonly observed: PolicyObservation;
    /** Whether the rule fired. */
    readonly fired: boolean;
    readonly outcome: 'approve' | 'refuse' | 'refer' | 'not_offered';
  }[];
  readonly scorecard: readonly {
    readonly id: string;
    readonly attribute: string;
    readonly observed: PolicyObservation;
    /** The index of the bin, from 0; absent if no bin contains the observed value. */
    readonly bin?: number;
    readonly points: number;
  }[];
};

/** A yearly rate as a fraction of one. */
export type QuotedRate = {
  readonly numerator: number;
  readonly denominator: number;
  readonly quotation: 'nominal_annual';
  /** The exact decimal in per cent. Only a draft in a trial may lack one. */
  readonly percent?: string;
};

export type Resolution = ActAccount & {
  readonly decision_id: string;
  readonly outcome: 'approve' | 'refuse' | (string & {});
  /** On an approval: the numbers of periods offered. */
  readonly terms?: readonly number[];
  /** On an approval. */
  readonly rate?: QuotedRate;
  /** On an approval. */
  readonly principal_max?: Money;
  /** On a refusal: for how many days it bars the Client. */
  readonly moratorium_days?: number;
  /** RFC 3339 in UTC with six decimals. */
  readonly recorded_at: string;
};

export type Facility = ActAccount & {
  readonly id: string;
  readonly client_id: string;
  readonly configuration_id: string;
  /** The configuration version of the Decision. */
  readonly decided_version: number;
  /** The approving Decision. */
  readonly decision_id: string;
  readonly amount: Money;
  readonly rate: QuotedRate;
  /** The numbers of periods of Loans under the facility. */
  readonly terms: readonly number[];
  /** The first day on which it may be drawn. */
  readonly opens_on: string;
  /** The last day on which it may be drawn. */
  readonly expires_on: string;
  /** Whether repayment makes the amount available again. */
  readonly line: boolean;
  /** The line that this one replaced. */
  readonly supersedes?: string;
  /** The line that replaced this one. */
  readonly superseded_by?: string;
  /** RFC 3339 in UTC with six decimals. */
  readonly created_at: string;
};

export type FacilityDrawn = Facility & {
  /** What Loans have drawn of the amount. */
  readonly drawn: Money;
  /** The amount that may still be drawn. Negative if more is drawn than the amount. */
  readonly headroom: Money;
};

export type FacilityList = {
  /** Newest first; not paged. */
  readonly facilities: readonly Facility[];
};

export type Policy = Page & {
  readonly policy: string;
  /** The number of the newest version, published or not. */
  readonly latest_version: number;
  /** Absent until a version is published. */
  readonly latest_published?: number;
  /** The products that use the policy, by identifier. */
  readonly adoptions: readonly PolicyAdoption[];
  /** Oldest first. */
  readonly versions: readonly PolicyVersion[];
};

export type PolicyPage = Page & {
  /** Newest first, by the first draft. */
  readonly policies: readonly {
    readonly policy: string;
    /** The number of the newest version, published or not. */
    readonly latest_version: number;
    /** Absent until a version is published. */
    readonly latest_published?: number;
  }[];
};

export type PolicyVersion = {
  readonly policy: string;
  readonly version: number;
  /** SHA-256 of the canonical form of the content. */
  readonly digest: string;
  readonly drafted_by: string;
  /** RFC 3339 in UTC with six decimals. */
  readonly created_at: string;
  /** Only a published version can be adopted. It never changes. */
  readonly published: boolean;
  readonly published_by?: string;
  /** RFC 3339 in UTC with six decimals. */
  readonly published_at?: string;
  /** Whether the same actor drafted and published it. */
  readonly self_confirmed?: boolean;
};

export type PolicyVersionWhole = PolicyVersion & {
  /** As drafted. */
  readonly content: PolicyContent;
};

export type PolicyContent = {
  /** What an application may state about an applicant. */
  readonly attributes: readonly {
    /** The name that applications and rules use. */
    readonly name: string;
    /** What its number counts, for readers. */
    readonly unit?: string;
  }[];
  /** Rules in order. The first that fires decides, whatever the score. */
  readonly knockouts: readonly {
    /** The name of the rule in the trace. Each rule has another one. */
    readonly id: string;
    /** What the rule says, for readers of the trace. */
    readonly text: string;
    /** The attribute that is compared. */
    readonly attribute: string;
    /** The rule fires where the attribute is this to `bound`. */
    readonly comparison: 'at_least' | 'at_most' | 'above' | 'below' | 'equals' | (string & {});
    /** The number that the attribute is compared with. */
    readonly bound: number | string;
    /** The outcome of the Decision where this is the first rule that fires. */
    readonly outcome: 'refuse' | 'refer' | 'not_offered';
    /** With the outcome `refuse`: for how many days the refusal bars the Client. Without it the Client is not barred. */
    readonly moratorium_days?: number;
    /** What the rule does where the application does not state the attribute. */
    readonly when_unknown: 'fires' | 'passes' | (string & {});
  }[];
  /** The score before the scorecard. */
  readonly base_points: number;
  /** The points by attribute. The score is their sum with `base_points`. */
  readonly scorecard: readonly {
    /** The name of the line in the trace. Each line has another one. */
    readonly id: string;
    /** The attribute that earns points. */
    readonly attribute: string;
    /** Ranges that do not overlap. A value in none of them earns no points. */
    readonly bins: readonly {
      /** The first value of the range. Without it the range has no beginning. */
      readonly from?: number | string;
      /** The end of the range, which is not part of it. Without it the range has no end. */
      readonly to?: number | string;
      /** The points of a value in this range. */
      readonly points: number;
    }[];
    /** The points where the application does not state the attribute. */
    readonly when_unknown: number;
  }[];
  /** The outcomes by score. Every whole number is in exactly one band. */
  readonly bands: readonly {
    /** The name of the band in the Decision. Each band has another one. */
    readonly id: string;
    /** The first value of the range. Without it the range has no beginning. */
    readonly from?: number | string;
    /** The end of the range, which is not part of it. Without it the range has no end. */
    readonly to?: number | string;
    /** The outcome of a score in this band. */
    readonly outcome: 'approve' | 'refuse' | 'refer' | 'not_offered';
    readonly rate?: Ratio;
    /** On an approval: the numbers of periods offered, ascending. Those of the product by default. */
    readonly terms?: readonly number[];
    readonly principal_max?: StatedMoney;
    /** With the outcome `refuse`: for how many days the refusal bars the Client. Without it the Client is not barred. */
    readonly moratorium_days?: number;
  }[];
  /** The IANA time zone in which the day of the Decision is found. That of the Tenancy by default. */
  readonly time_zone?: string;
};

export type StatedPolicyContent = {
  /** What an application may state about an applicant. */
  readonly attributes: readonly {
    /** The name that applications and rules use. */
    readonly name: string;
    /** What its number counts, for readers. */
    readonly unit?: string;
  }[];
  /** Rules in order. The first that fires decides, whatever the score. */
  readonly knockouts: readonly {
    /** The name of the rule in the trace. Each rule has another one. */
    readonly id: string;
    /** What the rule says, for readers of the trace. */
    readonly text: string;
    /** The attribute that is compared. */
    readonly attribute: string;
    /** The rule fires where the attribute is this to `bound`. */
    readonly comparison: 'at_least' | 'at_most' | 'above' | 'below' | 'equals' | (string & {});
    /** The number that the attribute is compared with. */
    readonly bound: number | string;
    /** The outcome of the Decision where this is the first rule that fires. */
    readonly outcome: 'refuse' | 'refer' | 'not_offered' | (string & {});
    /** With the outcome `refuse`: for how many days the refusal bars the Client. Without it the Client is not barred. */
    readonly moratorium_days?: number;
    /** What the rule does where the application does not state the attribute. */
    readonly when_unknown: 'fires' | 'passes' | (string & {});
  }[];
  /** The score before the scorecard. */
  readonly base_points: number;
  /** The points by attribute. The score is their sum with `base_points`. */
  readonly scorecard: readonly {
    /** The name of the line in the trace. Each line has another one. */
    readonly id: string;
    /** The attribute that earns points. */
    readonly attribute: string;
    /** Ranges that do not overlap. A value in none of them earns no points. */
    readonly bins: readonly {
      /** The first value of the range. Without it the range has no beginning. */
      readonly from?: number | string;
      /** The end of the range, which is not part of it. Without it the range has no end. */
      readonly to?: number | string;
      /** The points of a value in this range. */
      readonly points: number;
    }[];
    /** The points where the application does not state the attribute. */
    readonly when_unknown: number;
  }[];
  /** The outcomes by score. Every whole number is in exactly one band. */
  readonly bands: readonly {
    /** The name of the band in the Decision. Each band has another one. */
    readonly id: string;
    /** The first value of the range. Without it the range has no beginning. */
    readonly from?: number | string;
    /** The end of the range, which is not part of it. Without it the range has no end. */
    readonly to?: number | string;
    /** The outcome of a score in this band. */
    readonly outcome: 'approve' | 'refuse' | 'refer' | 'not_offered' | (string & {});
    readonly rate?: Ratio;
    /** On an approval: the numbers of periods offered, ascending. Those of the product by default. */
    readonly terms?: readonly number[];
    readonly principal_max?: StatedMoney;
    /** With the outcome `refuse`: for how many days the refusal bars the Client. Without it the Client is not barred. */
    readonly moratorium_days?: number;
  }[];
  /** The IANA time zone in which the day of the Decision is found. That of the Tenancy by default. */
  readonly time_zone?: string;
};

export type PolicyValidation = {
  /** SHA-256 of the canonical form of the content. */
  readonly digest: string;
  /** Remarks on content that is valid. */
  readonly findings: readonly {
    /** More codes may be added. */
    readonly code: string;
    /** A JSON pointer. */
    readonly field: string;
  }[];
};

export type PolicyAdoption = {
  readonly configuration_id: string;
  readonly policy: string;
  readonly version: number;
  /** Whether an application of a barred Client is refused. */
  readonly enforce_bar: boolean;
  /** RFC 3339 in UTC with six decimals. */
  readonly adopted_at: string;
};

export type MerchantBook = Page & {
  readonly merchant_ref: string;
  readonly on: string;
  /** Newest first. */
  readonly loans: readonly (MerchantRow | RecordedLoanRow)[];
  /** Of the listed Loans with known figures. */
  readonly currencies: readonly {
    readonly currency: string;
    readonly loans: number;
    readonly sold: Money;
    readonly returned: Money;
    readonly outstanding: Money;
    readonly overdue: Money;
  }[];
  /** Whether the totals are of this page only. */
  readonly page_totals: boolean;
};

export type MerchantRow = LoanRow & {
  /** The principal outstanding on the day. */
  readonly outstanding: Money;
};

export type FeedEvent = {
  readonly id: string;
  readonly loan_id: string;
  readonly kind: 'issued' | 'confirmed' | 'voided' | 'cancelled' | 'rescinded' | 'withdrawn' | 'suspended' | 'suspension_ended' | 'waived' | 'returned' | 'rolled_over' | 'restructured' | 'accelerated' | 'settled_for_less' | 'written_off' | 'ceded' | 'settled' | (string & {});
  readonly occurred_on: string;
  /** RFC 3339 in UTC with six decimals. */
  readonly recorded_at: string;
  /** Only if the Loan has a merchant. */
  readonly merchant_ref?: string;
};

export type Feed = {
  /** Oldest first, in the order of recording. */
  readonly events: readonly FeedEvent[];
  /** Always present. Unchanged and without events, this is the end of the feed so far. */
  readonly cursor: string;
};

export type StreamedEvent = {
  /** The cursor after the event. */
  readonly id: string;
  /** The kind of the row. */
  readonly event: 'issued' | 'confirmed' | 'voided' | 'cancelled' | 'rescinded' | 'withdrawn' | 'suspended' | 'suspension_ended' | 'waived' | 'returned' | 'rolled_over' | 'restructured' | 'accelerated' | 'settled_for_less' | 'written_off' | 'ceded' | 'settled' | (string & {});
  /** The row of the feed, as JSON. */
  readonly data: string;
};

export type Bounds = {
  /** Requests at the same time, for each instance of the service. */
  readonly concurrent: number;
  /** How long a request waits for a free place, in milliseconds. */
  readonly patience_ms: number;
  /** Requests per second, for all instances of the service together. */
  readonly per_second: number;
  /** Requests at once after a quiet time, for all instances together. */
  readonly burst: number;
  /** Whether they are the default, or set for this Tenancy. */
  readonly source: 'default' | 'tenancy' | (string & {});
};

export type LoggedRequest = {
  /** The `Request-Id` of the answer. */
  readonly request_id: string;
  /** The caller's own `Request-Id`. */
  readonly caller_request_id?: string;
  /** RFC 3339 in UTC with six decimals. */
  readonly received_at: string;
  /** Until the answer was sent, in microseconds. */
  readonly duration_us: number;
  /** The fingerprint of the key. */
  readonly fp: string;
  readonly method: string;
  /** The operation of this document; absent where no route matched the path. */
  readonly route?: string;
  readonly status: number;
  /** The refusal code. */
  readonly code?: string;
  /** The member of the request that the refusal is about, at most 100 characters. */
  readonly field?: string;
  /** Path and query, at most 500 characters. */
  readonly target?: string;
  /** The contract version of the answer. */
  readonly contract_version?: string;
  /** Parts of the duration in microseconds, as in `Server-Timing`. */
  readonly timing?: {
    /** Waiting for a permit. */
    readonly queue_us: number;
    /** Waiting for a database connection. */
    readonly conn_us: number;
    readonly db_us: number;
    /** Computing figures. */
    readonly derive_us: number;
    /** From handing a write to Kafka to its verdict. */
    readonly submit_us: number;
  };
};

export type LoggedRequestPage = Page & {
  /** Newest first. A page may be short or empty and still have a cursor. */
  readonly requests: readonly LoggedRequest[];
};

export type Market = {
  readonly jurisdiction: string;
  readonly currencies: MarketSource & { readonly value: readonly string[] };
  readonly penalty_cap: MarketSource & {
    readonly value: {
      readonly form: 'none' | 'multiple_of_rate' | 'rate' | (string & {});
      /** A multiple of the contract rate, or a rate. */
      readonly value?: string;
    };
  };
  readonly penalty_base: MarketSource & { readonly value: readonly ('overdue_principal' | 'overdue_instalment' | (string & {}))[] };
  readonly penalty_ceiling_days: MarketLimit;
  readonly penalty_ceiling_bps: MarketLimit;
  readonly capitalises: MarketSource & { readonly value: boolean };
  readonly late_fee_beside_penalty: MarketSource & { readonly value: boolean };
  readonly acceleration: MarketSource & { readonly value: Acceleration };
  readonly withdrawal_days: MarketLimit;
  readonly tax: MarketSource & {
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
  };
  readonly disclosure: MarketSource & { readonly value: { readonly convention: string; readonly version: number } };
  readonly calendar: MarketSource & { readonly covers_to: string };
  readonly facility_window: MarketLimit;
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
  readonly not_ready: readonly { readonly name: string; readonly reason: string }[];
  readonly degraded: readonly { readonly name: string; readonly reason: string }[];
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
  /** The number of the fact in the Client's book. */
  readonly sequence: number;
  readonly kind: string;
  /** RFC 3339 in UTC with six decimals. */
  readonly recorded_at: string;
  /** The fact as it is stored and published. */
  readonly body: { readonly [name: string]: unknown };
  /** The log entry of the submission. */
  readonly log: {
    readonly topic: string;
    readonly partition: number;
    readonly offset: number;
    readonly item: number;
  };
  /** The published event of the fact. */
  readonly event: { readonly topic: string; readonly partition: number; readonly sequence: number };
  readonly submission: {
    readonly request_id: string;
    /** RFC 3339 in UTC with six decimals. */
    readonly taken_in_at: string;
    /** The signed text. */
    readonly canonical: string;
    /** The fingerprint of the key. */
    readonly fp: string;
    /** Base64url. */
    readonly public_key: string;
    /** RFC 3339 in UTC with six decimals. */
    readonly key_created_at: string;
    /** RFC 3339 in UTC with six decimals. */
    readonly key_revoked_at?: string;
    /** Base64url. */
    readonly signature: string;
    /** The bytes as sent, in base64. */
    readonly body: string;
  };
};

export type StatedMoney = {
  /** Whole minor units of the currency. */
  readonly minor_units: number;
  /** Three upper-case letters. */
  readonly currency: string;
};

export type StatedMoneyOrNothing = {
  /** Whole minor units of the currency. */
  readonly minor_units: number;
  /** Three upper-case letters. */
  readonly currency: string;
};

export type Schedule = {
  /** By months, or by a number of days. Both count from the anchor. */
  readonly kind: 'anchored_monthly' | 'anchored_every_n_days';
  /** With `anchored_every_n_days`: the days of each period. */
  readonly interval_days?: number;
  /** With `anchored_monthly`: the day on which periods end, in a shorter month its last day. That of the anchor by default. */
  readonly day_of_month?: number;
  /** With `day_of_month`: the days that the first period has at least. One by default. */
  readonly first_after_days?: number;
};

export type StatedSchedule = {
  /** By months, or by a number of days. Both count from the anchor. */
  readonly kind: 'anchored_monthly' | 'anchored_every_n_days' | (string & {});
  /** With `anchored_every_n_days`: the days of each period. */
  readonly interval_days?: number;
  /** With `anchored_monthly`: the day on which periods end, in a shorter month its last day. That of the anchor by default. */
  readonly day_of_month?: number;
  /** With `day_of_month`: the days that the first period has at least. One by default. */
  readonly first_after_days?: number;
};

export type Ratio = {
  /** Of the yearly rate as a fraction of one. */
  readonly numerator: number;
  /** Of the yearly rate as a fraction of one. */
  readonly denominator: number;
  readonly quotation: 'nominal_annual';
};

export type ActOnADay = RecordAccount & {
  /** The civil day of the fact or of the answer. */
  readonly on: string;
};

export type SuspensionAct = ActOnADay & {
  /** The last day of the window. */
  readonly to: string;
};

export type SuspensionEndAct = ActOnADay & {
  /** The suspension to end. */
  readonly suspension_id: string;
};

export type WaiverAct = ActOnADay & {
  /** The index of a period, from 1. */
  readonly period: number;
  /** The charge of the period. */
  readonly charge: 'principal' | 'interest' | 'fee' | 'penalty' | 'late_fee' | (string & {});
  /** The amount. */
  readonly amount: StatedMoney;
};

export type ReturnAct = ActOnADay & {
  /** The amount. */
  readonly amount: StatedMoney;
};

export type RestructureAct = ActOnADay & {
  /** The number of periods. */
  readonly term_periods: number;
  /** Per cent a year. */
  readonly rate: string;
  /** The days on which periods end. Required if the product offers a menu. */
  readonly schedule?: StatedSchedule;
  /** Per cent a year. */
  readonly penalty_rate?: string;
};

export type AccelerationAct = ActOnADay & {
  /** The day on which the borrower was notified. */
  readonly notified_on: string;
};

export type SettlementAct = ActOnADay & {
  /** The amount accepted for the whole debt. */
  readonly agreed: StatedMoney;
  /** The last day on which the agreed amount settles the debt. */
  readonly until?: string;
};

export type RetractionAct = ActOnADay & {
  /** The event to withdraw. */
  readonly event_id: string;
};

export type LoanToIssue = CommonLoanTerms & {
  /** The caller's name for this record. The same reference with the same body answers what is recorded. */
  readonly reference: string;
};

export type LoanToPreview = CommonLoanTerms & {
  /** The caller's name for this record. The same reference with the same body answers what is recorded. */
  readonly reference?: unknown;
};

export type ClientToRegister = {
  /** The caller's identifier of the person or system that acts. */
  readonly actor: string;
  /** The reason, for later readers of the book. */
  readonly basis: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
  readonly context?: { readonly [name: string]: unknown };
};

export type SimulationToRun = {
  /** The civil day of the fact or of the answer. */
  readonly on: string;
  /** The supposed facts, in order. */
  readonly facts: readonly {
    readonly act: 'issue' | 'receipt' | 'reversal' | 'confirm' | 'void' | 'cancel' | 'rescind' | 'withdraw' | 'suspension' | 'suspension-end' | 'waiver' | 'return' | 'rollover' | 'restructure' | 'acceleration' | 'settlement' | 'write-off' | 'cession' | 'retraction' | (string & {});
    readonly loan_id?: string;
    readonly loan_reference?: string;
    readonly designated_loan_reference?: string;
    readonly reference?: string;
    readonly body: { readonly [name: string]: unknown };
  }[];
};

export type CompanyProfileToPut = {
  /** The registered name. */
  readonly legal_name: string;
  readonly trade_name?: string;
  readonly tax_id?: string;
  readonly address?: string | { readonly [name: string]: unknown };
  readonly contact?: string | { readonly [name: string]: unknown };
  /**
   * Accepted and ignored. Refused from 2027-01-15.
   * @deprecated
   */
  readonly vat_rate_bps?: unknown;
};

export type ReceiptToReport = {
  /** The caller's name for this record. The same reference with the same body answers what is recorded. */
  readonly reference: string;
  /** The caller's identifier of the Client. */
  readonly client_id: string;
  /** The amount. */
  readonly amount: StatedMoney;
  /** The civil day on which the money arrived. */
  readonly value_date: string;
  /** The only Loan that the money is for. */
  readonly designated_loan_id?: string;
  /** Whether the money is meant to discharge the designated Loan. False by default. */
  readonly payoff_intent?: boolean;
  /** The payoff quote that the money follows. */
  readonly quote_id?: string;
  /** How the money was paid. */
  readonly rail?: 'bank_transfer' | 'card' | 'cash' | 'direct_debit' | 'wallet' | 'payroll' | 'internal' | (string & {});
  /** The provider's identifier of the payment. */
  readonly provider_reference?: string;
  /** Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect. */
  readonly context?: { readonly [name: string]: unknown };
};

export type ReceiptBatch = {
  /** The Receipts. Each is accepted or refused by itself. */
  readonly receipts: readonly ReceiptToReport[];
};

export type ReversalAct = RecordAccount & {
  /** Why the money was returned. */
  readonly reason: 'returned_by_bank' | 'chargeback' | 'reported_in_error' | 'other' | (string & {});
};

export type PolicyAdoptionAct = RecordAccount & {
  /** The policy. */
  readonly policy: string;
  /** The number of a published version. */
  readonly version: number;
  /** Whether an application of a barred Client is refused. */
  readonly enforce_bar: boolean;
};

export type PublicationAct = RecordAccount;

export type ConfigurationToCreate = InstalmentToConfigure | BnplToConfigure | PaydayToConfigure;

export type InstalmentToConfigure = {
  /** The archetype of the product. It cannot be changed later. */
  readonly archetype: 'instalment';
  /** All terms of the product. */
  readonly values: StatedInstalmentValues;
};

export type BnplToConfigure = {
  /** The archetype of the product. It cannot be changed later. */
  readonly archetype: 'bnpl';
  /** All terms of the product. */
  readonly values: StatedBnplValues;
};

export type PaydayToConfigure = {
  /** The archetype of the product. It cannot be changed later. */
  readonly archetype: 'payday';
  /** All terms of the product. */
  readonly values: StatedPaydayValues;
};

export type LookupKeyPointing = {
  /** The product configuration. */
  readonly configuration_id: string;
  /** The version of the product configuration. */
  readonly configuration_version: number;
  /** Whether to move a key that points at another version. */
  readonly transfer?: boolean;
};

export type Application = RecordAccount & {
  /** The caller's identifier of the Client. */
  readonly client_id: string;
  /** The product configuration. */
  readonly configuration_id: string;
  /** The version of the product configuration. */
  readonly configuration_version: number;
  /** The amount lent, including a payment at purchase. */
  readonly principal: StatedMoney;
  /** The day of the application. */
  readonly submitted_on: string;
  /** The observed attributes, by the names that the policy uses. */
  readonly attributes: { readonly [name: string]: {
    /** Whether the value is known. */
    readonly state: 'known' | 'unknown' | (string & {});
    /** The value, where it is known. */
    readonly number?: number | string;
    /** The day on which the value was observed. */
    readonly as_of?: string;
  } };
  /** The sources of the attributes. */
  readonly sources: readonly string[];
  /** Whether to decide a ceiling for a line. */
  readonly limit?: boolean;
  /** The policy. */
  readonly policy?: string;
  /** With `policy`: the version of a trial, which has no binding effect. */
  readonly policy_version?: number;
};

export type ResolutionAct = RecordAccount & {
  /** The outcome that the person decided. */
  readonly outcome: 'approve' | 'refuse' | (string & {});
  /** The contract rate. */
  readonly rate?: Ratio | string;
  /** The largest amount that may be lent. */
  readonly principal_max?: StatedMoney;
  /** The number of days for which a refusal bars the Client. */
  readonly moratorium_days?: number;
};

export type FacilityToOpen = RecordAccount & {
  /** The caller's identifier of the Client. */
  readonly client_id: string;
  /** The approving Decision. */
  readonly decision_id: string;
  /** The amount. */
  readonly amount: StatedMoney;
  /** The first day on which the facility may be drawn. */
  readonly opens_on: string;
  /** The last day on which the facility may be drawn. */
  readonly expires_on: string;
  /** Whether repayment makes the amount available again. */
  readonly line?: boolean;
  /** The line that this one replaces. */
  readonly supersedes?: string;
};

export type FactAct = {
  readonly reference: string;
  readonly actor: string;
  readonly basis: string;
  readonly context?: { readonly [name: string]: unknown };
};

export type FactOrigin = { readonly channel: string; readonly address?: string };

export type FactSchedule = {
  /** By months, or by a number of days. Both count from the anchor. */
  readonly kind: string;
  /** With `anchored_every_n_days`: the days of each period. */
  readonly interval_days?: number;
  /** With `anchored_monthly`: the day on which periods end, in a shorter month its last day. That of the anchor by default. */
  readonly day_of_month?: number;
  /** With `day_of_month`: the days that the first period has at least. One by default. */
  readonly first_after_days?: number;
};

/** `loan_id`, `event_id`, `on`, `act`, `stated`: `notified_on` */
export type AcceleratedBody = {
  readonly loan_id: string;
  readonly event_id: string;
  readonly on: string;
  readonly act: FactAct;
  readonly stated: { readonly notified_on: string };
};

/** `bounds` (null for the default), `before`, `actor`, `origin`. */
export type BoundsSetBody = {
  readonly bounds: { readonly [name: string]: unknown } | null;
  readonly before?: { readonly [name: string]: unknown } | null;
  readonly actor?: string;
  readonly origin?: FactOrigin;
};

/** `loan_id`, `event_id`, `on`, `act` */
export type CancelledBody = { readonly loan_id: string; readonly event_id: string; readonly on: string; readonly act: FactAct };

/** `loan_id`, `event_id`, `on`, `act` */
export type CededBody = { readonly loan_id: string; readonly event_id: string; readonly on: string; readonly act: FactAct };

/** `profile` (all of it). */
export type CompanyProfilePutBody = { readonly profile: { readonly [name: string]: unknown } };

/** `id`, `archetype`, `values`. */
export type ConfigurationCreatedBody = {
  readonly id: string;
  readonly archetype: string;
  readonly values: { readonly [name: string]: unknown };
};

/** `id`, `version`, `values`. */
export type ConfigurationVersionBody = {
  readonly id: string;
  readonly version: number;
  readonly values: { readonly [name: string]: unknown };
};

/** `loan_id`, `event_id`, `on`, `act` */
export type ConfirmedBody = { readonly loan_id: string; readonly event_id: string; readonly on: string; readonly act: FactAct };

/** The Decision as the API answers it, with reference, actor and basis under `act`. */
export type CreditDecidedBody = {
  readonly act: FactAct;
  readonly id: string;
  readonly client_id: string;
  readonly policy: string;
  readonly policy_version: number;
  /** SHA-256 of the canonical form of the deciding content. */
  readonly policy_digest: string;
  readonly configuration_id: string;
  readonly configuration_version: number;
  readonly principal: Money;
  /** The day of the application. */
  readonly submitted_on: string;
  /** The sum of the points. */
  readonly score: number;
  readonly outcome: string;
  /** Absent if a knockout decided the outcome. */
  readonly band?: string;
  /** On an approval: the numbers of periods offered. */
  readonly terms?: readonly number[];
  /** On an approval. */
  readonly rate?: {
    readonly numerator: number;
    readonly denominator: number;
    readonly quotation: string;
    /** The exact decimal in per cent. Only a draft in a trial may lack one. */
    readonly percent?: string;
  };
  /** On an approval. */
  readonly principal_max?: Money;
  /** On a limit decision. */
  readonly ceiling?: Money;
  /** On a limit decision: whether the requested principal is above the ceiling. */
  readonly over_ceiling?: boolean;
  /** On a refusal: for how many days it bars the Client. */
  readonly moratorium_days?: number;
  readonly trace: {
    /** In the order of the policy. The first that fired decided the outcome. */
    readonly knockouts: readonly {
      readonly id: string;
      readonly text: string;
      readonly attribute: string;
      readonly comparison: string;
      readonly bound: number | string;
      readonly observed: {
        readonly state: string;
        /** Present if the attribute is known, as sent. */
        readonly number?: number | string;
        readonly as_of?: string;
      };
      /** Whether the rule fired. */
      readonly fired: boolean;
      readonly outcome: string;
    }[];
    readonly scorecard: readonly {
      readonly id: string;
      readonly attribute: string;
      readonly observed: {
        readonly state: string;
        /** Present if the attribute is known, as sent. */
        readonly number?: number | string;
        readonly as_of?: string;
      };
      /** The index of the bin, from 0; absent if no bin contains the observed value. */
      readonly bin?: number;
      readonly points: number;
    }[];
  };
  /** As sent. */
  readonly sources: readonly string[];
  /** True if the adopted version decided, false for a trial. */
  readonly binding: boolean;
  /** Whether the person who published the version had drafted it. */
  readonly self_confirmed_version: boolean;
  /** The zone in which the day of the Decision was found. */
  readonly time_zone: string;
  /** The day from which a bar of this Decision counts. */
  readonly bound_from: string;
  /** RFC 3339 in UTC with six decimals. */
  readonly decided_at?: string;
};

/** The resolution as the API answers it, with reference, actor and basis under `act`. */
export type DecisionResolvedBody = {
  readonly act: FactAct;
  readonly decision_id: string;
  readonly outcome: string;
  /** On an approval: the numbers of periods offered. */
  readonly terms?: readonly number[];
  /** On an approval. */
  readonly rate?: {
    readonly numerator: number;
    readonly denominator: number;
    readonly quotation: string;
    /** The exact decimal in per cent. Only a draft in a trial may lack one. */
    readonly percent?: string;
  };
  /** On an approval. */
  readonly principal_max?: Money;
  /** On a refusal: for how many days it bars the Client. */
  readonly moratorium_days?: number;
};

/** The facility as the API answers it, with reference, actor and basis under `act`. */
export type FacilityOpenedBody = {
  readonly act: FactAct;
  readonly id: string;
  readonly client_id: string;
  readonly configuration_id: string;
  /** The configuration version of the Decision. */
  readonly decided_version: number;
  /** The approving Decision. */
  readonly decision_id: string;
  readonly amount: Money;
  /** A yearly rate as a fraction of one. */
  readonly rate: {
    readonly numerator: number;
    readonly denominator: number;
    readonly quotation: string;
    /** The exact decimal in per cent. Only a draft in a trial may lack one. */
    readonly percent?: string;
  };
  /** The numbers of periods of Loans under the facility. */
  readonly terms: readonly number[];
  /** The first day on which it may be drawn. */
  readonly opens_on: string;
  /** The last day on which it may be drawn. */
  readonly expires_on: string;
  /** Whether repayment makes the amount available again. */
  readonly line: boolean;
  /** The line that this one replaced. */
  readonly supersedes?: string;
};

/** `loan_id`, `event_id`, `reference`, `configuration`, `stated` (the requested terms), and the terms fixed at issuance: `terms`, `plan`, `disclosure`. */
export type IssuedBody = {
  readonly loan_id: string;
  readonly event_id: string;
  readonly reference: string;
  readonly configuration: ConfigurationPin;
  readonly stated: {
    readonly client_id: string;
    readonly principal: Money;
    readonly term_periods: number;
    /** Per cent a year. */
    readonly rate?: string;
    /** Per cent a year. */
    readonly penalty_rate?: string;
    readonly anchor: string;
    readonly jurisdiction: string;
    readonly tax: {
      /** Per cent a year. */
      readonly rate: string;
      readonly on: readonly string[];
    };
    readonly down_payment?: Money;
    readonly schedule?: FactSchedule;
    readonly merchant_ref?: string;
    readonly context?: { readonly [name: string]: unknown };
    readonly reference?: string;
    readonly hold_until?: string;
  };
  readonly terms: {
    readonly principal: Money;
    readonly down_payment: Money;
    readonly currency: string;
    readonly term_periods: number;
    /** Per cent a year. */
    readonly rate: string;
    /** Per cent a year. */
    readonly penalty_rate: string;
    readonly anchor: string;
    readonly schedule: FactSchedule;
    readonly jurisdiction: string;
    readonly tax: {
      /** Per cent a year. */
      readonly rate: string;
      readonly on: readonly string[];
    };
    readonly archetype: string;
    readonly day_count_basis: string;
    readonly amortisation: string;
    readonly origination_fee: Money;
    readonly late_fee: Money;
    readonly rollover_fee: Money;
    readonly charge_order: readonly string[];
    readonly early_money_treatment: string;
    readonly tolerance_days: number;
    readonly tolerance: Money;
    readonly penalty_base: string;
    readonly penalty_ceiling_days?: number;
    readonly penalty_ceiling_bps?: number;
    readonly capitalises: boolean;
    readonly acceleration: Acceleration;
    readonly max_rollovers: number;
    readonly withdrawal_days: number;
    readonly penalty_cap: { readonly form: string; readonly value?: string };
    readonly late_fee_beside_penalty: boolean;
    readonly frame: {
      readonly rate_min: string;
      readonly rate_max: string;
      readonly penalty_rate_min: string;
      readonly penalty_rate_max: string;
      readonly terms?: readonly number[];
      readonly schedules: readonly FactSchedule[];
    };
    readonly hold_until?: string;
  };
  readonly plan: {
    readonly level: Money;
    readonly periods: readonly {
      readonly index: number;
      readonly scheduled_on: string;
      readonly due_on: string;
      readonly principal: Money;
      readonly interest: Money;
      readonly fee: Money;
      readonly tax: Money;
    }[];
  };
  readonly disclosure: {
    readonly jurisdiction: string;
    readonly figure: string;
    readonly convention: string;
    readonly version: number;
    readonly provisional: boolean;
  };
};

/** `fp`, `public_key`, `scope`, `holder`, `label`, `actor`, `origin`. */
export type KeyMintedBody = {
  readonly fp: string;
  readonly public_key: string;
  readonly scope: string;
  readonly holder: string;
  readonly label: string;
  readonly actor?: string;
  readonly origin?: FactOrigin;
};

/** `fp`, `actor`, `origin`. */
export type KeyRevokedBody = { readonly fp: string; readonly actor?: string; readonly origin?: FactOrigin };

/** `lookup_key`, `configuration_id`, `configuration_version`. */
export type LookupKeyPointedBody = {
  readonly lookup_key: string;
  readonly configuration_id: string;
  readonly configuration_version: number;
};

/** `lookup_key`. */
export type LookupKeyRemovedBody = { readonly lookup_key: string };

/** `id`, `loan_id`, `on`, `owed`, `act`. */
export type PayoffQuotedBody = {
  readonly id: string;
  readonly loan_id: string;
  readonly on: string;
  readonly owed: {
    readonly total: Money;
    /** The charges that are not zero, in a fixed order. */
    readonly charges: readonly {
      readonly charge: string;
      /** Before tax. */
      readonly amount: Money;
      readonly tax: Money;
      readonly total: Money;
    }[];
  };
  readonly act: FactAct;
};

/** `act_id`, `action`, `subject`, `before`, `after`, `actor`, `origin`. What was done to a person of the console; it changes no figures. */
export type PersonActBody = {
  readonly act_id: string;
  readonly action: string;
  readonly subject: string;
  readonly before?: string | null;
  readonly after?: string | null;
  readonly actor?: string;
  readonly origin?: FactOrigin;
};

/** `configuration_id`, `policy`, `version`, `enforce_bar`, `adopted_by`, `act`. */
export type PolicyAdoptedBody = {
  readonly configuration_id: string;
  readonly policy: string;
  readonly version: number;
  readonly enforce_bar: boolean;
  readonly adopted_by: string;
  readonly act: FactAct;
};

/** `policy`, `version`, `digest`, `content`, `drafted_by`, `act`. */
export type PolicyDraftedBody = {
  readonly policy: string;
  readonly version: number;
  readonly digest: string;
  readonly content: { readonly [name: string]: unknown };
  readonly drafted_by: string;
  readonly act: FactAct;
};

/** `policy`, `version`, `published_by`, `self_confirmed`, `act`. */
export type PolicyPublishedBody = {
  readonly policy: string;
  readonly version: number;
  readonly published_by: string;
  readonly self_confirmed: boolean;
  readonly act: FactAct;
};

/** `id`, `receipt` (as requested), `quote` (if the Receipt names one). */
export type ReceiptReportedBody = {
  readonly id: string;
  readonly receipt: {
    readonly reference: string;
    readonly client_id: string;
    readonly amount: Money;
    readonly value_date: string;
    readonly designated_loan_id?: string;
    readonly payoff_intent?: boolean;
    readonly quote_id?: string;
    readonly rail?: string;
    readonly provider_reference?: string;
    readonly context?: { readonly [name: string]: unknown };
  };
  readonly quote?: { readonly loan_id: string; readonly total: Money };
};

/** `receipt` (its reference), `reason`, `act`. */
export type ReceiptReversedBody = { readonly receipt: string; readonly reason: string; readonly act: FactAct };

/** The members of the registration. */
export type RegisteredBody = {
  readonly actor: string;
  readonly basis: string;
  readonly context?: { readonly [name: string]: unknown };
};

/** `basis`, `drop` (the submissions that were dropped), `actor`. It releases a parked book and changes no figures. */
export type ReleasedBody = {
  readonly basis: string;
  readonly drop: readonly string[];
  readonly actor?: string;
  readonly origin?: FactOrigin;
};

/** `loan_id`, `event_id`, `on`, `act` */
export type RescindedBody = { readonly loan_id: string; readonly event_id: string; readonly on: string; readonly act: FactAct };

/** `loan_id`, `event_id`, `on`, `act`, `stated`: `term_periods`, `rate`, `schedule`, `penalty_rate` */
export type RestructuredBody = {
  readonly loan_id: string;
  readonly event_id: string;
  readonly on: string;
  readonly act: FactAct;
  readonly stated: {
    readonly term_periods: number;
    /** Per cent a year. */
    readonly rate: string;
    readonly schedule?: FactSchedule;
    /** Per cent a year. */
    readonly penalty_rate?: string;
  };
  readonly calendar: string;
};

/** `loan_id`, `event_id`, `on`, `act`, `stated`: `event_id` (the withdrawn fact) */
export type RetractedBody = {
  readonly loan_id: string;
  readonly event_id: string;
  readonly on: string;
  readonly act: FactAct;
  readonly stated: { readonly event_id: string };
};

/** `loan_id`, `event_id`, `on`, `act`, `stated`: `amount` */
export type ReturnedBody = {
  readonly loan_id: string;
  readonly event_id: string;
  readonly on: string;
  readonly act: FactAct;
  readonly stated: { readonly amount: Money };
};

/** `loan_id`, `event_id`, `on`, `act` */
export type RolledOverBody = {
  readonly loan_id: string;
  readonly event_id: string;
  readonly on: string;
  readonly act: FactAct;
  readonly calendar: string;
};

/** `loan_id`, `event_id`, `on`, `act`, `stated`: `agreed`, `until` */
export type SettledForLessBody = {
  readonly loan_id: string;
  readonly event_id: string;
  readonly on: string;
  readonly act: FactAct;
  readonly stated: { readonly agreed: Money; readonly until?: string };
};

/** `loan_id`, `event_id`, `on`, `act`, `stated`: `to` */
export type SuspendedBody = {
  readonly loan_id: string;
  readonly event_id: string;
  readonly on: string;
  readonly act: FactAct;
  readonly stated: { readonly to: string };
};

/** `loan_id`, `event_id`, `on`, `act`, `stated`: `suspension_id` */
export type SuspensionEndedBody = {
  readonly loan_id: string;
  readonly event_id: string;
  readonly on: string;
  readonly act: FactAct;
  readonly stated: { readonly suspension_id: string };
};

/** `basis`, `keys` (the fingerprints of the keys it revoked: all that were valid), `actor`, `origin`. */
export type TenancyClosedBody = {
  readonly basis: string;
  readonly keys: readonly string[];
  readonly actor?: string;
  readonly origin?: FactOrigin;
};

/** `name`, `live`, `jurisdiction`, `time_zone`, `bounds`, `actor` (the operator), `origin` (where it was done: `channel`, `address`). */
export type TenancyOpenedBody = {
  readonly name: string;
  readonly live: boolean;
  readonly jurisdiction: string;
  readonly time_zone: string;
  readonly bounds: { readonly [name: string]: unknown } | null;
  readonly actor?: string;
  readonly origin?: FactOrigin;
};

/** `actor`, `origin`. The keys stay revoked. */
export type TenancyReopenedBody = { readonly actor?: string; readonly origin?: FactOrigin };

/** `loan_id`, `event_id`, `on`, `act` */
export type VoidedBody = { readonly loan_id: string; readonly event_id: string; readonly on: string; readonly act: FactAct };

/** `loan_id`, `event_id`, `on`, `act`, `stated`: `period`, `charge`, `amount` */
export type WaivedBody = {
  readonly loan_id: string;
  readonly event_id: string;
  readonly on: string;
  readonly act: FactAct;
  readonly stated: { readonly period: number; readonly charge: string; readonly amount: Money };
};

/** `loan_id`, `event_id`, `on`, `act` */
export type WithdrawnBody = { readonly loan_id: string; readonly event_id: string; readonly on: string; readonly act: FactAct };

/** `loan_id`, `event_id`, `on`, `act` */
export type WrittenOffBody = { readonly loan_id: string; readonly event_id: string; readonly on: string; readonly act: FactAct };

/** The path and query parameters, body and answer of each route. */
export interface Operations {
  listLoans: { at: { readonly client_id?: string | undefined; readonly configuration_id?: string | undefined; readonly merchant_ref?: string | undefined; readonly state?: 'active' | 'closed' | 'cancelled' | 'written_off' | 'ceded' | 'held' | 'expired' | 'voided' | 'rescinded' | 'withdrawn' | 'restructured' | (string & {}) | undefined; readonly on?: string | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: LoanPage };
  issueLoan: { at: Record<never, never>; body: LoanToIssue; answer: Loan };
  previewLoan: { at: Record<never, never>; body: LoanToPreview; answer: LoanPreview };
  readLoan: { at: { readonly loan_id: string }; body: undefined; answer: Loan };
  confirmLoan: { at: { readonly loan_id: string }; body: ActOnADay; answer: Loan };
  voidLoan: { at: { readonly loan_id: string }; body: ActOnADay; answer: Loan };
  cancelLoan: { at: { readonly loan_id: string }; body: ActOnADay; answer: Loan };
  rescindLoan: { at: { readonly loan_id: string }; body: ActOnADay; answer: Loan };
  withdrawLoan: { at: { readonly loan_id: string }; body: ActOnADay; answer: Loan };
  suspendLoan: { at: { readonly loan_id: string }; body: SuspensionAct; answer: Loan };
  endSuspension: { at: { readonly loan_id: string }; body: SuspensionEndAct; answer: Loan };
  waiveCharge: { at: { readonly loan_id: string }; body: WaiverAct; answer: Loan };
  returnGoods: { at: { readonly loan_id: string }; body: ReturnAct; answer: Loan };
  rollOverLoan: { at: { readonly loan_id: string }; body: ActOnADay; answer: Loan };
  restructureLoan: { at: { readonly loan_id: string }; body: RestructureAct; answer: Loan };
  accelerateLoan: { at: { readonly loan_id: string }; body: AccelerationAct; answer: Loan };
  settleLoan: { at: { readonly loan_id: string }; body: SettlementAct; answer: Loan };
  writeOffLoan: { at: { readonly loan_id: string }; body: ActOnADay; answer: Loan };
  cedeLoan: { at: { readonly loan_id: string }; body: ActOnADay; answer: Loan };
  retractFact: { at: { readonly loan_id: string }; body: RetractionAct; answer: Loan };
  quotePayoff: { at: { readonly loan_id: string }; body: ActOnADay; answer: PayoffQuote };
  listPayoffQuotes: { at: { readonly loan_id: string; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: PayoffQuotePage };
  readPayoffQuote: { at: { readonly loan_id: string; readonly quote_id: string }; body: undefined; answer: PayoffQuote };
  readSchedule: { at: { readonly loan_id: string; readonly on: string; readonly known_at?: string | undefined }; body: undefined; answer: LoanSchedule };
  readDelinquency: { at: { readonly loan_id: string; readonly on: string; readonly known_at?: string | undefined }; body: undefined; answer: Delinquency };
  explainLoan: { at: { readonly loan_id: string; readonly on: string; readonly known_at?: string | undefined }; body: undefined; answer: LoanExplanation };
  readLoanStatement: { at: { readonly loan_id: string; readonly from: string; readonly to: string; readonly known_at?: string | undefined }; body: undefined; answer: LoanStatement };
  readLoanEvidence: { at: { readonly loan_id: string }; body: undefined; answer: LoanEvidence };
  readFeed: { at: { readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: Feed };
  listClients: { at: { readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: ClientPage };
  registerClient: { at: { readonly client_id: string }; body: ClientToRegister; answer: Client };
  readClient: { at: { readonly client_id: string }; body: undefined; answer: Client };
  readPaymentOptions: { at: { readonly client_id: string; readonly on: string; readonly known_at?: string | undefined }; body: undefined; answer: PaymentOptions };
  readStatement: { at: { readonly client_id: string; readonly from: string; readonly to: string; readonly known_at?: string | undefined }; body: undefined; answer: Statement };
  listReceipts: { at: { readonly client_id: string; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: ReceiptPage };
  readObligations: { at: { readonly client_id: string; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: Obligations };
  readBookVersion: { at: { readonly client_id: string }; body: undefined; answer: BookVersion };
  readClientBook: { at: { readonly client_id: string; readonly on: string; readonly known_at?: string | undefined }; body: undefined; answer: ClientBook };
  readChanges: { at: { readonly client_id: string; readonly on: string; readonly from_facts: number; readonly to_facts: number; readonly known_at?: string | undefined }; body: undefined; answer: BookChanges };
  simulate: { at: { readonly client_id: string }; body: SimulationToRun; answer: Simulation };
  readMerchantBook: { at: { readonly merchant_ref: string; readonly on: string; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: MerchantBook };
  reportReceipt: { at: Record<never, never>; body: ReceiptToReport; answer: Receipt };
  reportReceipts: { at: Record<never, never>; body: ReceiptBatch; answer: ReceiptBatchOutcomes };
  reverseReceipt: { at: { readonly receipt_reference: string }; body: ReversalAct; answer: Receipt };
  readReceipt: { at: { readonly receipt_reference: string }; body: undefined; answer: Receipt };
  readReceiptEvidence: { at: { readonly receipt_reference: string }; body: undefined; answer: ReceiptEvidence };
  createConfiguration: { at: Record<never, never>; body: ConfigurationToCreate; answer: ProductConfiguration };
  listConfigurations: { at: { readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: ConfigurationPage };
  previewConfiguration: { at: Record<never, never>; body: ConfigurationToCreate; answer: ConfigurationPreview };
  readConfiguration: { at: { readonly configuration_id: string }; body: undefined; answer: ProductConfiguration };
  listConfigurationVersions: { at: { readonly configuration_id: string; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: ConfigurationVersionPage };
  writeConfigurationVersion: { at: { readonly configuration_id: string }; body: {
    /** All values, by the archetype of the configuration. */
    readonly values: StatedProductValues;
  }; answer: ProductConfiguration };
  readConfigurationVersion: { at: { readonly configuration_id: string; readonly configuration_version: number }; body: undefined; answer: ProductConfiguration };
  adoptPolicy: { at: { readonly configuration_id: string }; body: PolicyAdoptionAct; answer: PolicyAdoption };
  readAdoptedPolicy: { at: { readonly configuration_id: string }; body: undefined; answer: PolicyAdoption };
  rehearse: { at: { readonly configuration_id: string }; body: {
    /** All values, by the archetype of the configuration. */
    readonly values: StatedProductValues;
    readonly on: string;
    readonly limit?: number;
    readonly cursor?: string;
  }; answer: Rehearsal };
  listLookupKeys: { at: { readonly lookup_key?: readonly string[] | undefined }; body: undefined; answer: LookupKeyList };
  readLookupKey: { at: { readonly lookup_key: string }; body: undefined; answer: LookupKey };
  pointLookupKey: { at: { readonly lookup_key: string }; body: LookupKeyPointing; answer: LookupKey };
  removeLookupKey: { at: { readonly lookup_key: string }; body: undefined; answer: LookupKey };
  listPolicies: { at: { readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: PolicyPage };
  readPolicy: { at: { readonly policy: string; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: Policy };
  readPolicyVersion: { at: { readonly policy: string; readonly policy_version: number }; body: undefined; answer: PolicyVersionWhole };
  validatePolicy: { at: { readonly policy: string }; body: { readonly content: StatedPolicyContent }; answer: PolicyValidation };
  draftPolicyVersion: { at: { readonly policy: string }; body: {
    readonly content: StatedPolicyContent;
    readonly reference: string;
    readonly actor: string;
    readonly basis: string;
    readonly context?: { readonly [name: string]: unknown };
  }; answer: PolicyVersion };
  publishPolicyVersion: { at: { readonly policy: string; readonly policy_version: number }; body: PublicationAct; answer: PolicyVersion };
  decide: { at: Record<never, never>; body: Application; answer: Decision };
  listDecisions: { at: { readonly client?: string | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: DecisionPage };
  readDecision: { at: { readonly decision_id: string }; body: undefined; answer: Decision };
  resolveDecision: { at: { readonly decision_id: string }; body: ResolutionAct; answer: Resolution };
  readResolution: { at: { readonly decision_id: string }; body: undefined; answer: Resolution };
  readBar: { at: { readonly client_id: string; readonly on: string; readonly known_at?: string | undefined }; body: undefined; answer: Bar };
  openFacility: { at: Record<never, never>; body: FacilityToOpen; answer: Facility };
  listFacilities: { at: { readonly client?: string | undefined }; body: undefined; answer: FacilityList };
  readFacility: { at: { readonly facility_id: string }; body: undefined; answer: FacilityDrawn };
  readDues: { at: { readonly on: string; readonly only?: 'late' | undefined; readonly min_days_past_due?: number | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: DuesPage };
  readBounds: { at: Record<never, never>; body: undefined; answer: Bounds };
  listRequests: { at: { readonly request_id?: string | undefined; readonly caller_request_id?: string | undefined; readonly day?: string | undefined; readonly fp?: string | undefined; readonly method?: string | undefined; readonly route?: string | undefined; readonly target?: string | undefined; readonly status?: number | undefined; readonly code?: string | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined }; body: undefined; answer: LoggedRequestPage };
  readMarket: { at: { readonly jurisdiction: string }; body: undefined; answer: Market };
  putCompanyProfile: { at: Record<never, never>; body: CompanyProfileToPut; answer: CompanyProfile };
  readCompanyProfile: { at: Record<never, never>; body: undefined; answer: CompanyProfile };
  readLiveness: { at: Record<never, never>; body: undefined; answer: { readonly status: 'alive' } };
  readReadiness: { at: Record<never, never>; body: undefined; answer: Readiness };
  readOpenApi: { at: Record<never, never>; body: undefined; answer: { readonly [name: string]: unknown } };
  readDocs: { at: Record<never, never>; body: undefined; answer: string };
  readChangelog: { at: Record<never, never>; body: undefined; answer: string };
}

/** The bodies of facts, by kind, as `factBody` returns them. */
export interface FactBodies {
  readonly accelerated: AcceleratedBody;
  readonly bounds_set: BoundsSetBody;
  readonly cancelled: CancelledBody;
  readonly ceded: CededBody;
  readonly company_profile_put: CompanyProfilePutBody;
  readonly configuration_created: ConfigurationCreatedBody;
  readonly configuration_version: ConfigurationVersionBody;
  readonly confirmed: ConfirmedBody;
  readonly credit_decided: CreditDecidedBody;
  readonly decision_resolved: DecisionResolvedBody;
  readonly facility_opened: FacilityOpenedBody;
  readonly issued: IssuedBody;
  readonly key_minted: KeyMintedBody;
  readonly key_revoked: KeyRevokedBody;
  readonly lookup_key_pointed: LookupKeyPointedBody;
  readonly lookup_key_removed: LookupKeyRemovedBody;
  readonly payoff_quoted: PayoffQuotedBody;
  readonly person_act: PersonActBody;
  readonly policy_adopted: PolicyAdoptedBody;
  readonly policy_drafted: PolicyDraftedBody;
  readonly policy_published: PolicyPublishedBody;
  readonly receipt_reported: ReceiptReportedBody;
  readonly receipt_reversed: ReceiptReversedBody;
  readonly registered: RegisteredBody;
  readonly released: ReleasedBody;
  readonly rescinded: RescindedBody;
  readonly restructured: RestructuredBody;
  readonly retracted: RetractedBody;
  readonly returned: ReturnedBody;
  readonly rolled_over: RolledOverBody;
  readonly settled_for_less: SettledForLessBody;
  readonly suspended: SuspendedBody;
  readonly suspension_ended: SuspensionEndedBody;
  readonly tenancy_closed: TenancyClosedBody;
  readonly tenancy_opened: TenancyOpenedBody;
  readonly tenancy_reopened: TenancyReopenedBody;
  readonly voided: VoidedBody;
  readonly waived: WaivedBody;
  readonly withdrawn: WithdrawnBody;
  readonly written_off: WrittenOffBody;
}
