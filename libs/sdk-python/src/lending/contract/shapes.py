"""Bodies and answers. Generated from schemas/openapi.json: npm run schemas:sdk."""

from __future__ import annotations

import sys
from typing import Literal, TypeAlias, TypedDict

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired


class Refusal(TypedDict):
    error: str
    """A sentence for people. Its wording may change at any time."""
    code: Literal["invalid_query", "invalid_contract_version", "invalid_body", "unauthenticated", "not_permitted_tenant", "not_permitted_scope", "not_permitted_agent", "not_found", "no_route", "no_receipt", "no_configuration", "no_quote", "method_not_allowed", "contract_version_required", "contended", "reference_reused", "client_registered", "lookup_key_taken", "client_barred", "already_resolved", "already_published", "not_referred", "decision_not_approving", "loan_held", "loan_closed", "loan_voided", "loan_cancelled", "loan_undone", "loan_has_receipts", "not_held", "hold_expired", "cession_in_force", "already_ceded", "already_written_off", "already_suspended", "already_retracted", "already_reversed", "fact_depended_on", "withdrawal_window_closed", "waiver_exceeds_charge", "return_exceeds_principal", "rollovers_exhausted", "rollover_unpaid", "acceleration_forbidden", "acceleration_unearned", "notice_too_short", "body_too_large", "unsupported_media_type", "unknown_field", "missing_field", "invalid_field", "invalid_identifier", "amount_out_of_range", "field_locked", "inconsistent_values", "idempotency_mismatch", "unknown_client", "unknown_loan", "outside_loan", "invalid_application", "invalid_event", "return_not_provided", "withdrawal_not_provided", "rollover_not_provided", "charge_not_waivable", "settlement_not_less", "not_retractable", "payoff_needs_designation", "currency_mismatch", "principal_outside_range", "term_not_offered", "schedule_not_offered", "rate_outside_corridor", "penalty_rate_outside_corridor", "down_payment_outside_range", "tax_not_provided", "penalty_rate_above_cap", "late_fee_beside_penalty", "outside_market", "beyond_horizon", "hold_outside_range", "plan_not_amortising", "figure_out_of_range", "client_open_loans", "client_exposure", "client_overdue", "facility_other_client", "facility_other_configuration", "outside_facility_window", "facility_exhausted", "facility_superseded", "cannot_supersede", "amount_above_decision", "outside_window_bound", "no_policy", "invalid_policy", "rate_without_decimal", "too_many_concurrent", "rate_exceeded", "internal_error", "unavailable"] | str
    """Stable. Branch on it."""
    retry: Retry
    """What the caller may do next."""
    retry_after: NotRequired[int]
    """Seconds; equals the `Retry-After` header."""
    details: NotRequired[RefusalDetails]
    request_id: str
    """The service's identifier of the request."""


class RefusalDetailsFields(TypedDict):
    field: str
    """A JSON pointer into the body."""
    code: Literal["unknown_field", "missing_field", "invalid_field", "invalid_identifier", "amount_out_of_range", "field_locked", "payoff_needs_designation", "invalid_policy"] | str
    """The code of a refusal for this field alone."""
    bound: NotRequired[object]
    """The value or limit that is accepted."""
    observed: NotRequired[object]
    """The value that was sent."""


class RefusalDetails(TypedDict):
    """The catalogue lists the members of each code. More may be added."""

    field: NotRequired[str]
    """A JSON pointer into the body, or the bare name of a parameter."""
    fields: NotRequired[list[RefusalDetailsFields]]
    """Where several fields of the body are at fault: all of them, at most 20. The first one is `field`, and `code` is its code."""
    recorded_id: NotRequired[str]
    """The identifier of the recorded fact that the request conflicts with."""
    recorded_value: NotRequired[object]
    """What is recorded."""
    stated_value: NotRequired[object]
    """What the request states instead."""
    bound: NotRequired[object]
    """The value or limit that is accepted."""
    observed: NotRequired[object]
    """The value that was sent or found."""


Retry: TypeAlias = "Literal['as_is', 'after_record', 'after_change', 'never'] | str"


class Money(TypedDict):
    minor_units: int
    currency: str


class Owed(TypedDict):
    """An amount owed, by charge."""

    total: Money
    charges: list[ChargeLine]
    """The charges that are not zero, in a fixed order."""


class ChargeLine(TypedDict):
    charge: Literal["principal", "interest", "fee", "penalty", "late_fee"] | str
    amount: Money
    """Before tax."""
    tax: Money
    total: Money


class ConfigurationPin(TypedDict):
    """The configuration version of the record."""

    id: str
    version: int


class ActAccount(TypedDict):
    reference: str
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason."""
    context: NotRequired[dict[str, object]]
    """As sent."""


class FactName(TypedDict):
    type: Literal["event", "receipt", "reversal"] | str
    id: str
    """The identifier of an event; the reference of a Receipt or a reversal."""


class Anomaly(TypedDict):
    """A contradiction between facts, which the service resolved; or book_not_derivable: the book of the Client cannot be computed from the recorded facts, so figures are absent."""

    kind: str
    """For an act that no longer has its full effect, the refusal code of its rule; otherwise reversal_after_cession, reversal_after_write_off, payoff_short, book_not_derivable or, in a rehearsal, book_too_large. More kinds may be added."""
    facts: list[FactName]
    """The fact, and the fact recorded later that caused the anomaly. Empty for book_not_derivable and book_too_large."""
    detail: str
    """A sentence for people. Its wording may change at any time."""


class LoanTotals(TypedDict):
    payments: Money
    """The sum of the payments of the plan, including the payment at purchase."""


class LoanWriteOff(TypedDict):
    """Only if a write-off is in force."""

    on: str
    cost: Owed
    """The debt on the day of the write-off."""
    recovered: Money


class Loan(TypedDict):
    id: str
    tenant_id: str
    state: Literal["active", "closed", "cancelled", "written_off", "ceded", "held", "expired", "voided", "rescinded", "withdrawn", "restructured"]
    """Computed from the facts on every read."""
    rolled_over: int
    """Rollovers in force."""
    anomalies: list[Anomaly]
    """Empty if there are none."""
    paid: NotRequired[Money]
    """What Receipts have settled; absent if the allocation of the Client's money cannot be computed."""
    totals: LoanTotals
    settled_periods: NotRequired[int]
    """The number of fully settled periods; absent if `paid` is absent."""
    remaining_periods: NotRequired[int]
    """The number of periods that are not settled; absent if `paid` is absent."""
    owes: bool
    owed_to: NotRequired[Literal["tenant", "assignee"] | str]
    """Absent if the Loan owes nothing."""
    closed_on: NotRequired[str]
    """Present on a `closed` Loan."""
    ceded_on: NotRequired[str]
    """On a `ceded` Loan: the cut-off."""
    created_at: str
    """RFC 3339 in UTC with six decimals."""
    events: list[LoanEvent]
    """All recorded facts in the order of recording, including withdrawn ones."""
    configuration: ConfigurationPin
    """Fixed at issuance."""
    terms: LoanTerms
    periods: list[IssuedPeriod]
    """The plan as issued. It never changes."""
    disclosure: Disclosure
    regime: Regime
    returns: NotRequired[list[Return]]
    """The returns in force, oldest first."""
    write_off: NotRequired[LoanWriteOff]
    """Only if a write-off is in force."""


class LoanTermsTax(TypedDict):
    rate: str
    """Per cent a year."""
    on: list[Literal["interest", "fee", "penalty", "late_fee"] | str]


class LoanTerms(TypedDict):
    """The terms as sent."""

    client_id: str
    principal: Money
    term_periods: int
    rate: str
    """As sent, or from the facility or a single-point corridor."""
    penalty_rate: str
    """As sent, or from a single-point corridor."""
    anchor: str
    jurisdiction: str
    tax: LoanTermsTax
    down_payment: NotRequired[Money]
    schedule: NotRequired[Schedule]
    merchant_ref: NotRequired[str]
    context: NotRequired[dict[str, object]]
    facility_id: NotRequired[str]
    hold_until: NotRequired[str]
    reference: str


class LoanPreviewTerms(TypedDict):
    """The terms as sent."""

    client_id: str
    principal: Money
    term_periods: int
    rate: str
    """As sent, or from the facility or a single-point corridor."""
    penalty_rate: str
    """As sent, or from a single-point corridor."""
    anchor: str
    jurisdiction: str
    tax: LoanTermsTax
    down_payment: NotRequired[Money]
    schedule: NotRequired[Schedule]
    merchant_ref: NotRequired[str]
    context: NotRequired[dict[str, object]]
    facility_id: NotRequired[str]
    hold_until: NotRequired[str]


class LoanPreview(TypedDict):
    configuration: ConfigurationPin
    terms: LoanPreviewTerms
    """The terms as sent."""
    periods: list[IssuedPeriod]
    disclosure: Disclosure
    """What issuance would record."""
    regime: Regime


class LoanRow(TypedDict):
    id: str
    reference: str
    tenant_id: str
    client_id: str
    merchant_ref: NotRequired[str]
    configuration: ConfigurationPin
    principal: Money
    term_periods: int
    rate: str
    """The contract rate as issued."""
    fee: Money
    """The origination fee as issued."""
    penalty_rate: str
    """Per cent a year."""
    anchor: str
    created_at: str
    """RFC 3339 in UTC with six decimals."""
    state: Literal["active", "closed", "cancelled", "written_off", "ceded", "held", "expired", "voided", "rescinded", "withdrawn", "restructured"]
    """Computed from the facts on every read."""
    rolled_over: int
    """Rollovers in force."""
    anomalies: list[Anomaly]
    """Empty if there are none."""
    paid: NotRequired[Money]
    """What Receipts have settled; absent if the allocation of the Client's money cannot be computed."""
    totals: LoanTotals
    settled_periods: NotRequired[int]
    """The number of fully settled periods; absent if `paid` is absent."""
    remaining_periods: NotRequired[int]
    """The number of periods that are not settled; absent if `paid` is absent."""
    owes: bool
    owed_to: NotRequired[Literal["tenant", "assignee"] | str]
    """Absent if the Loan owes nothing."""
    closed_on: NotRequired[str]
    """Present on a `closed` Loan."""
    ceded_on: NotRequired[str]
    """On a `ceded` Loan: the cut-off."""
    written_off_on: NotRequired[str]
    """On a `written_off` row."""


class RecordedLoanRowTotals(TypedDict):
    """Absent if the issuance cannot be read either."""

    payments: Money


class RecordedLoanRow(TypedDict):
    """The row of a Loan whose Client's book cannot be computed: only the recorded facts of the Loan itself."""

    id: str
    reference: str
    tenant_id: str
    client_id: str
    merchant_ref: NotRequired[str]
    configuration: ConfigurationPin
    principal: NotRequired[Money]
    """Absent if the issuance cannot be read either."""
    term_periods: NotRequired[int]
    """Absent if the issuance cannot be read either."""
    rate: NotRequired[str]
    """Absent if the issuance cannot be read either."""
    fee: NotRequired[Money]
    """Absent if the issuance cannot be read either."""
    penalty_rate: NotRequired[str]
    """Absent if the issuance cannot be read either."""
    anchor: NotRequired[str]
    """Absent if the issuance cannot be read either."""
    created_at: NotRequired[str]
    """Absent if the issuance cannot be read either."""
    totals: NotRequired[RecordedLoanRowTotals]
    """Absent if the issuance cannot be read either."""
    state: Literal["active", "closed", "cancelled", "written_off", "ceded", "held", "expired", "voided", "rescinded", "withdrawn", "restructured"]
    """The state when the last fact was recorded."""
    owes: NotRequired[bool]
    """Only if it follows from the state alone."""
    owed_to: NotRequired[Literal["tenant", "assignee"] | str]
    anomalies: list[Anomaly]
    """Contains book_not_derivable."""


class LoanPage(TypedDict):
    loans: list[LoanRow | RecordedLoanRow]
    """Newest first."""
    cursor: NotRequired[str]
    """The cursor of the next page. Absent on the last page."""


class LoanEventRetraction(TypedDict):
    """On a withdrawn fact, which has no effect and stays readable."""

    on: str
    recorded_at: str
    """RFC 3339 in UTC with six decimals."""
    reference: str
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason."""
    context: NotRequired[dict[str, object]]
    """As sent."""


class LoanEvent(TypedDict):
    id: NotRequired[str]
    """The identifier that a retraction names. `settled`, which is derived, has none."""
    kind: Literal["issued", "confirmed", "voided", "cancelled", "rescinded", "withdrawn", "suspended", "suspension_ended", "waived", "returned", "rolled_over", "restructured", "accelerated", "settled_for_less", "written_off", "ceded", "settled"] | str
    occurred_on: str
    """The day of the fact."""
    recorded_at: NotRequired[str]
    """Absent on `settled`, which is derived and not recorded."""
    act: NotRequired[ActAccount]
    """Absent on `issued` and `settled`."""
    stated: NotRequired[dict[str, object]]
    """The members of the act, as sent."""
    to: NotRequired[str]
    """On `suspended`: the last day of the suspension."""
    ended_on: NotRequired[str]
    """On `suspended`: the day on which it was ended early."""
    suspension_id: NotRequired[str]
    """On `suspension_ended`: the suspension it ended."""
    amount: NotRequired[Money]
    """On `returned`."""
    retraction: NotRequired[LoanEventRetraction]
    """On a withdrawn fact, which has no effect and stays readable."""


class IssuedPeriod(TypedDict):
    index: int
    """From 1."""
    scheduled_on: str
    due_on: str
    """The scheduled day, or the next day on which banks are open."""
    principal: Money
    interest: Money
    fee: Money
    tax: Money
    payment: Money
    """The sum of principal, interest, fee and tax."""


class Disclosure(TypedDict):
    """Computed at issuance. It never changes."""

    jurisdiction: str
    figure: str
    """The borrower's yearly figure in per cent."""
    convention: str
    """The rule by which the figure is computed."""
    convention_version: int
    """The version of that rule."""
    provisional: bool
    """Whether the rule is not final."""


class Regime(TypedDict):
    """The values of the market's law at issuance. They never change."""

    penalty_rate: str
    """Per cent a year."""
    late_fee: Money
    tolerance_days: int
    penalty_base: Literal["overdue_principal", "overdue_instalment"] | str
    capitalises: bool
    """Whether unpaid interest bears interest."""
    acceleration: Acceleration
    tolerance: NotRequired[Money]
    """Only if the product has a tolerance."""
    penalty_ceiling_days: NotRequired[int]
    """Only if there is a ceiling for each period."""
    penalty_ceiling_bps: NotRequired[int]
    """Only if there is a ceiling for the whole Loan."""


class Acceleration(TypedDict):
    forbidden: bool
    """Whether the whole balance may never be called."""
    missed_periods: int
    """How many periods must be late before it may be called."""
    notice_days: int
    """The days between the notice to the borrower and the call."""


class Return(TypedDict):
    act: str
    on: str
    amount: Money
    """The value of the returned goods, as sent."""
    unwound_principal: Money
    """The principal by which the debt was reduced."""
    principal_owed_back: Money
    """Principal that was paid and is owed back to the Client."""
    interest_owed_back: Money
    """Interest that was paid above what the repriced plan charges, owed back to the Client."""
    still_owed: Owed
    """What discharges the Loan on that day, after the return."""
    beyond_the_loan: Money
    """The part that the caller refunds outside the book."""
    returned_whole: bool
    """Whether the return covered all outstanding principal."""


class PayoffQuote(TypedDict):
    id: str
    loan_id: str
    on: str
    owed: Owed
    """What discharges the Loan on that day, as the book was at the quote."""
    reference: str
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason."""
    context: NotRequired[dict[str, object]]
    """As sent."""
    quoted_at: str
    """RFC 3339 in UTC with six decimals."""


class PayoffQuotePage(TypedDict):
    quotes: list[PayoffQuote]
    """Oldest first."""
    cursor: NotRequired[str]
    """The cursor of the next page. Absent on the last page."""


class PaymentOptions(TypedDict):
    client_id: str
    on: str
    loans: list[LoanPaymentOptions]
    """Every Loan of the Client, oldest first."""


class LoanPaymentOptionsPayoff(TypedDict):
    """The whole amount that discharges the Loan."""

    owed: Owed
    actionable_on: str
    requires_payoff_intent: bool
    """Always true."""
    requires_designation: bool
    """True if the Client has another open Loan in the currency."""


class LoanPaymentOptionsAnyOtherAmount(TypedDict):
    treatment: Literal["reduces_principal", "shortens_term", "settles_next"] | str
    description: str
    """A sentence for the borrower."""


class LoanPaymentOptions(TypedDict):
    loan_id: str
    reference: str
    overdue: NotRequired[Owed]
    """Everything still owed by periods that have fallen due; absent only if it cannot be computed."""
    late: NotRequired[Late]
    """Present if the Loan is late."""
    suspension: NotRequired[Suspension]
    """The one in force on the day."""
    waivers: NotRequired[list[Waiver]]
    """The waivers up to the day. All figures already include them."""
    instalment: NotRequired[Instalment]
    """The next one; absent after every period has fallen due or if the debt is fixed."""
    payoff: LoanPaymentOptionsPayoff
    """The whole amount that discharges the Loan."""
    any_other_amount: LoanPaymentOptionsAnyOtherAmount
    anomalies: list[Anomaly]
    """Empty if there are none."""


class Late(TypedDict):
    owed: Owed
    """What the late periods still owe; everything, if the debt of the Loan is fixed."""
    worst_days_past_due: int
    periods: int
    """The number of late periods."""


Suspension = TypedDict(
    "Suspension",
    {
        "event_id": "str",
        "reference": "str",
        # The first day that does not count for lateness and penalty.
        "from": "str",
        # The last such day, unless it was ended early.
        "to": "str",
        # Only if it was ended early: days count again from this one.
        "ended_on": "NotRequired[str]",
    },
)


class Waiver(TypedDict):
    reference: str
    on: str
    period: int
    charge: Literal["principal", "interest", "fee", "penalty", "late_fee"] | str
    amount: Money


class Instalment(TypedDict):
    period: int
    """The index of the period."""
    scheduled_on: str
    """The last day of the period. Interest runs to it."""
    due_on: str
    """The scheduled day, or the next day on which banks are open. What is unpaid then is overdue."""
    owed: Owed
    actionable_from: str
    """The first day on which money that covers all of it pays it before it is due."""
    requires_overdue_settled: bool
    """Whether something older is owed, which money pays first."""
    settled_by: Literal["overdue", "instalment"] | str
    """`overdue` on its own due date, when `overdue` holds it already; `instalment` before."""


class LoanScheduleTotals(TypedDict):
    """Of an ended period, only the part that was settled."""

    charged: Owed
    settled: Owed
    waived: Owed
    owed: Owed


class LoanSchedule(TypedDict):
    loan_id: str
    on: str
    level: Money
    """The level payment of the plan."""
    periods: list[ScheduledPeriod]
    totals: LoanScheduleTotals
    """Of an ended period, only the part that was settled."""
    anomalies: list[Anomaly]
    """Empty if there are none."""


class ScheduledPeriod(TypedDict):
    index: int
    """0 is the payment at purchase."""
    scheduled_on: str
    """The last day of the period. Interest runs to it."""
    due_on: str
    """The scheduled day, or the next day on which banks are open. What is unpaid then is overdue."""
    actionable_from: str
    """The first day on which money that covers all of it pays it before it is due."""
    charged: Owed
    settled: Owed
    waived: Owed
    owed: Owed
    fallen_due: bool
    """Whether `due_on` has come."""
    late: bool
    """Whether it is unpaid and past its tolerance, and no suspension covers the day."""
    settled_on: NotRequired[str]
    """The day since which nothing of it is owed."""
    origin: Literal["issued", "recalculated", "rolled_over", "restructured", "called", "purchase"] | str
    """The fact that created the period."""
    alive: bool
    """False for a period that was ended by an act, early money, a payoff or a return."""


class DelinquencyPeriods(TypedDict):
    index: int
    due_on: str
    days_past_due: int
    owed: Owed


class Delinquency(TypedDict):
    loan_id: str
    on: str
    days_past_due: int
    """The highest of all periods."""
    late: NotRequired[Late]
    """Present if the Loan is late."""
    suspension: NotRequired[Suspension]
    """The one in force on the day."""
    periods: list[DelinquencyPeriods]
    """The periods that have fallen due and are unpaid."""
    anomalies: list[Anomaly]
    """Empty if there are none."""


class LoanExplanationEarlierReceipts(TypedDict):
    """The Receipts before those: with them `paid` is the sum of all."""

    count: int
    settled: Money


class LoanExplanation(TypedDict):
    """The figures of a Loan on a day and what they consist of, as of one moment."""

    client_id: str
    on: str
    loan: Loan
    payment_options: LoanPaymentOptions
    schedule: LoanSchedule
    periods: list[PeriodParts]
    """The part of each period in the figures of `payment_options`, which are the sums of these parts."""
    paid: Money
    """What Receipts have settled by the day."""
    receipts: list[ExplainedReceipt]
    """The newest fifty by the day, newest first."""
    earlier_receipts: LoanExplanationEarlierReceipts
    """The Receipts before those: with them `paid` is the sum of all."""


PeriodPartsInterest = TypedDict(
    "PeriodPartsInterest",
    {
        # Per cent a year.
        "rate": "str",
        # Interest of the period runs from this day.
        "from": "str",
        "to": "str",
        # The principal that bears interest.
        "balance": "Money",
        # The day since which the balance is this one.
        "balance_from": "str",
    },
)


class PeriodPartsPenalty(TypedDict):
    """Of a period that is past due and became late."""

    rate: str
    """Per cent a year."""
    base: Money
    """What bears penalty on the next day."""
    days: int
    """The days counted so far."""
    base_days: NotRequired[str]
    """The base of each counted day, added up: minor units times days. Absent with a ceiling of the whole Loan."""


class PeriodParts(TypedDict):
    index: int
    days_past_due: int
    late_since: NotRequired[str]
    """The day on which the period became late."""
    overdue: Owed
    late: Owed
    instalment: Owed
    payoff: Owed
    interest: PeriodPartsInterest
    penalty: NotRequired[PeriodPartsPenalty]
    """Of a period that is past due and became late."""


class ExplainedReceipt(TypedDict):
    reference: str
    value_date: str
    allocation: ReceiptLoan
    """What it settled on this Loan."""


class StatementCurrencies(TypedDict):
    currency: str
    loans: int
    opening: Money
    """Owed on the day before `from`."""
    charged: Money
    """Charged from `from` to `to`, tax included."""
    received: Money
    released: Money
    """Waived, forgiven or returned."""
    ceded_away: Money
    closing: Money
    """Owed on `to`."""
    interest_charged: Money
    commissions_charged: Money
    penalties_charged: Money
    anomalies: list[Anomaly]
    """Empty if there are none."""


Statement = TypedDict(
    "Statement",
    {
        "client_id": "str",
        # The first day.
        "from": "str",
        # The last day, included.
        "to": "str",
        # Every Loan of the Client, oldest first.
        "loans": "list[LoanStatement]",
        # Amounts of different currencies are not added.
        "currencies": "list[StatementCurrencies]",
    },
)


LoanStatement = TypedDict(
    "LoanStatement",
    {
        "id": "str",
        "reference": "str",
        "currency": "str",
        # The first day.
        "from": "str",
        # The last day, included.
        "to": "str",
        # Owed on the day before `from`.
        "opening": "Money",
        # Charged from `from` to `to`, tax included.
        "charged": "Money",
        "received": "Money",
        # Waived, forgiven or returned.
        "released": "Money",
        "ceded_away": "Money",
        # Owed on `to`.
        "closing": "Money",
        "interest_charged": "Money",
        "commissions_charged": "Money",
        "penalties_charged": "Money",
        "lines": "list[StatementLine]",
        # Empty if there are none.
        "anomalies": "list[Anomaly]",
    },
)


class StatementLine(TypedDict):
    on: str
    kind: Literal["charged", "moved", "received", "released", "ceded"] | str
    charge: Literal["principal", "interest", "fee", "penalty", "late_fee"] | str
    amount: Money
    """Before tax."""
    tax: Money
    total: Money
    period: NotRequired[int]
    """Present on interest and penalty charged, which have one line per period."""
    fact: NotRequired[FactName]
    """The fact that caused it; absent if only time passed."""


class DuesPageTotals(TypedDict):
    currency: str
    clients: int
    overdue: Money
    late: Money


class DuesPage(TypedDict):
    on: str
    clients: list[ClientDues]
    """In the order of `client_id`. A page may be short or empty and still have a cursor."""
    totals: list[DuesPageTotals]
    page_totals: bool
    """Whether the totals are of this page only."""
    cursor: NotRequired[str]
    """The cursor of the next page. Absent on the last page."""


class ClientDuesTotals(TypedDict):
    currency: str
    overdue: Money
    late: Money


class ClientDues(TypedDict):
    client_id: str
    loans: list[DueLoan]
    totals: list[ClientDuesTotals]
    anomalies: NotRequired[list[Anomaly]]
    """Only if the Client's book cannot be computed from the recorded facts. Its figures are then unknown."""


class DueLoan(TypedDict):
    loan_id: str
    reference: str
    overdue: Owed
    late: NotRequired[Late]
    """Present if the Loan is late."""
    instalment: NotRequired[Instalment]
    """The next one; absent after every period has fallen due or if the debt is fixed."""


class Client(TypedDict):
    client_id: str
    tenant_id: str
    created_at: str
    """RFC 3339 in UTC with six decimals."""
    actor: str
    """Who registered the Client."""
    basis: str
    """Why."""
    context: NotRequired[dict[str, object]]


class ClientPage(TypedDict):
    clients: list[Client]
    """Newest first."""
    cursor: NotRequired[str]
    """The cursor of the next page. Absent on the last page."""


class BookVersion(TypedDict):
    client_id: str
    version: NotRequired[str]
    """The moment of the last recorded fact about the Client; absent if there is none."""
    facts: int
    """The number of recorded facts."""


class ObligationsReturned(TypedDict):
    act: str
    loan_id: str
    on: str
    principal: Money
    interest: Money
    amount: Money
    """The sum of principal and interest."""


class ObligationsUndone(TypedDict):
    kind: Literal["rescinded", "voided", "withdrawn"]
    on: str
    act: str
    loan_id: str
    receipt: str
    amount: Money


class ObligationsCurrencies(TypedDict):
    currency: str
    amount: Money


class Obligations(TypedDict):
    client_id: str
    amount: Money
    """The whole balance owed to the Client."""
    receipts: list[str]
    """Oldest first; the only member that is paged."""
    returns: NotRequired[list[str]]
    """Acts, oldest first."""
    returned: NotRequired[list[ObligationsReturned]]
    """In the order of `returns`."""
    rollovers: NotRequired[list[str]]
    """Acts, oldest first."""
    undone: NotRequired[list[ObligationsUndone]]
    """The Receipts that were allocated to an undone Loan before the act, oldest first."""
    settlements: NotRequired[list[str]]
    """Settlements for less whose Receipts exceeded the agreed amount, oldest first."""
    currencies: NotRequired[list[ObligationsCurrencies]]
    """Only if there are balances in several currencies."""
    cursor: NotRequired[str]
    """The cursor of the next page. Absent on the last page."""


class ClientBookLoans(TypedDict):
    loan: Loan
    payment_options: LoanPaymentOptions
    schedule: LoanSchedule


class ClientBook(TypedDict):
    """A Client's book as of one moment."""

    client_id: str
    on: str
    book_version: BookVersion
    loans: list[ClientBookLoans]
    """Oldest first."""
    receipts: list[ReceiptRow]
    """All Receipts, newest first."""
    obligations: Obligations
    """Complete, not paged."""
    facilities: list[FacilityDrawn]
    """Newest first."""
    bar: Bar
    """The bar on the day."""
    anomalies: list[Anomaly]


class BookChangesChangesFacts(TypedDict):
    type: Literal["event", "receipt", "reversal"] | str
    id: str
    facts: int
    """The number of the fact in the book version."""
    recorded_at: str
    """RFC 3339 in UTC with six decimals."""


BookChangesChanges = TypedDict(
    "BookChangesChanges",
    {
        # The path of the figure: a JSON pointer in which items of a list are identified by name.
        "figure": "str",
        # The value; absent if there was none.
        "from": "NotRequired[object]",
        # The value; absent if there was none.
        "to": "NotRequired[object]",
        # The facts that changed the figure.
        "facts": "list[BookChangesChangesFacts]",
    },
)


class BookChanges(TypedDict):
    client_id: str
    on: str
    from_facts: int
    """The number of facts in the earlier version."""
    to_facts: int
    """The number of facts in the later version."""
    changes: list[BookChangesChanges]


class SimulationOutcomes(TypedDict):
    status: int
    """The status that the route would have answered."""
    error: NotRequired[str]
    code: NotRequired[str]
    retry: NotRequired[Retry]
    retry_after: NotRequired[int]
    details: NotRequired[RefusalDetails]


Simulation = TypedDict(
    "Simulation",
    {
        "client_id": "str",
        "tenant_id": "str",
        "on": "str",
        # One for each supposed fact, in the order sent.
        "outcomes": "list[SimulationOutcomes]",
        "is": "ClientBook",
        "would_be": "ClientBook",
    },
)


class Bar(TypedDict):
    barred: bool
    """Whether applications are refused under a policy that enforces bars."""
    lifts_on: NotRequired[str]
    """The first day without a bar."""
    decision: NotRequired[str]
    """The refusal whose moratorium ends last."""


class Receipt(TypedDict):
    receipt: ReceiptRow
    settled: Money
    """Zero if reversed."""
    loans: list[ReceiptLoan]
    """Empty if reversed."""
    surplus: Money
    """The part that was not allocated to any Loan."""
    excess: NotRequired[Money]
    """The part above the agreed amount of a settlement for less."""
    quote_id: NotRequired[str]
    """Only if the report named a payoff quote."""
    quoted_figure_agrees: NotRequired[bool]
    """Whether the quote's total was what discharged the Loan when this Receipt was allocated."""
    anomalies: list[Anomaly]
    """Empty if there are none."""


class ReceiptRowReversal(TypedDict):
    """Only if reversed."""

    reference: str
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason."""
    context: NotRequired[dict[str, object]]
    """As sent."""
    reason: str


class ReceiptRow(TypedDict):
    id: str
    reference: str
    client_id: str
    amount: Money
    value_date: str
    designated_loan_id: NotRequired[str]
    """Only if the report designated one."""
    payoff_intent: bool
    """As sent; false by default."""
    rail: NotRequired[Literal["bank_transfer", "card", "cash", "direct_debit", "wallet", "payroll", "internal"]]
    """As sent."""
    provider_reference: NotRequired[str]
    """As sent."""
    context: NotRequired[dict[str, object]]
    """As sent."""
    reported_at: str
    """RFC 3339 in UTC with six decimals."""
    reversed: bool
    """Whether a reversal took it back."""
    reversed_at: NotRequired[str]
    """RFC 3339 in UTC with six decimals."""
    reversal: NotRequired[ReceiptRowReversal]
    """Only if reversed."""


class ReceiptLoanLines(TypedDict):
    period: int
    charge: Literal["principal", "interest", "fee", "penalty", "late_fee"] | str
    amount: Money
    """Before tax."""
    tax: Money
    total: Money


class ReceiptLoan(TypedDict):
    loan_id: str
    reference: str
    settled: Owed
    lines: list[ReceiptLoanLines]
    early_principal: NotRequired[Money]
    """The part that reduced principal before it was due."""
    discharged: bool
    """Whether the Loan owed nothing after this Receipt."""


class ReceiptPage(TypedDict):
    receipts: list[ReceiptRow]
    """Newest first, including reversed ones."""
    cursor: NotRequired[str]
    """The cursor of the next page. Absent on the last page."""


class ReceiptBatchOutcomes(TypedDict):
    outcomes: list[ReceiptBatchOutcome]
    """In the order of the batch."""


class ReceiptBatchOutcome(TypedDict):
    reference: NotRequired[str]
    """As sent; absent if the item has no reference that is a string."""
    status: int
    """What `POST /receipts` would have answered."""
    receipt: NotRequired[Receipt]
    """Only if the Receipt was recorded."""
    code: NotRequired[str]
    """Only if the Receipt was refused."""
    error: NotRequired[str]
    retry: NotRequired[Retry]
    retry_after: NotRequired[int]
    details: NotRequired[RefusalDetails]


class InstalmentValuesPrincipalMin(TypedDict):
    """The smallest principal."""

    minor_units: int
    currency: str


class InstalmentValuesPrincipalMax(TypedDict):
    """The largest principal."""

    minor_units: int
    currency: str


class InstalmentValuesSchedule(TypedDict):
    """The schedule of every Loan."""

    kind: Literal["anchored_monthly", "anchored_every_n_days"]
    """By months, or by a number of days. Both count from the anchor."""
    interval_days: NotRequired[int]
    """With `anchored_every_n_days`: the days of each period."""
    day_of_month: NotRequired[int]
    """With `anchored_monthly`: the day on which periods end, in a shorter month its last day. That of the anchor by default."""
    first_after_days: NotRequired[int]
    """With `day_of_month`: the days that the first period has at least. One by default."""


class InstalmentValuesOriginationFee(TypedDict):
    """Charged with the first period. Zero by default."""

    minor_units: int
    currency: str


class InstalmentValuesLateFee(TypedDict):
    """Charged once for each period that becomes late. Zero by default."""

    minor_units: int
    currency: str


class InstalmentValuesTolerance(TypedDict):
    """A remainder up to this amount makes no period late. Zero is no tolerance. None by default."""

    minor_units: int
    currency: str


class InstalmentValuesAcceleration(TypedDict):
    """When the whole balance may be called. The market's rule by default."""

    forbidden: bool
    """Whether the whole balance may never be called."""
    missed_periods: int
    """How many periods must be late before it may be called."""
    notice_days: int
    """The days between the notice to the borrower and the call."""


class InstalmentValuesMaxOutstandingPerClient(TypedDict):
    """How much principal a Client may owe. None by default."""

    minor_units: int
    currency: str


class InstalmentValues(TypedDict):
    unit: NotRequired[Literal["loans"] | str]
    """What one sale of the product is called."""
    principal_min: InstalmentValuesPrincipalMin
    """The smallest principal."""
    principal_max: InstalmentValuesPrincipalMax
    """The largest principal."""
    rate_min: str
    """The lowest contract rate. Per cent a year."""
    rate_max: str
    """The highest contract rate. Per cent a year."""
    penalty_rate_min: NotRequired[str]
    """The lowest penalty rate. Per cent a year."""
    penalty_rate_max: NotRequired[str]
    """The highest penalty rate. Per cent a year."""
    day_count_basis: NotRequired[Literal["actual_360", "actual_365", "thirty_360", "actual_actual"] | str]
    """How days are converted to years."""
    amortisation: NotRequired[Literal["level_payment", "level_principal_and_interest", "equal_principal"] | str]
    """How the plan spreads the principal over the periods."""
    terms: list[int]
    """The numbers of periods offered. Ascending."""
    schedule: NotRequired[InstalmentValuesSchedule]
    """The schedule of every Loan."""
    schedules: NotRequired[list[Schedule]]
    """A menu of schedules, of which a Loan must state one. None by default."""
    origination_fee: NotRequired[InstalmentValuesOriginationFee]
    """Charged with the first period. Zero by default."""
    late_fee: NotRequired[InstalmentValuesLateFee]
    """Charged once for each period that becomes late. Zero by default."""
    early_money_treatment: NotRequired[Literal["reduces_principal", "shortens_term", "settles_next"] | str]
    """What money does that arrives before it is due."""
    charge_order: NotRequired[list[Literal["principal", "interest", "fee", "penalty", "late_fee"] | str]]
    """The order in which money settles the charges of a period."""
    tolerance_days: NotRequired[int]
    """Days past due before a period becomes late."""
    tolerance: NotRequired[InstalmentValuesTolerance]
    """A remainder up to this amount makes no period late. Zero is no tolerance. None by default."""
    penalty_base: NotRequired[Literal["overdue_principal", "overdue_instalment"] | str]
    """The amount on which a penalty accrues. The market's rule by default."""
    penalty_ceiling_days: NotRequired[int]
    """The number of days after which a period bears no more penalty. The market's rule by default."""
    penalty_ceiling_bps: NotRequired[int]
    """The highest penalty of a Loan, in ten-thousandths of its principal. The market's rule by default."""
    acceleration: NotRequired[InstalmentValuesAcceleration]
    """When the whole balance may be called. The market's rule by default."""
    withdrawal_days: NotRequired[int]
    """The days in which the borrower may withdraw. The market's rule by default."""
    hold_days: NotRequired[int]
    """The longest hold."""
    max_open_loans_per_client: NotRequired[int]
    """How many open Loans a Client may have. None by default."""
    max_outstanding_per_client: NotRequired[InstalmentValuesMaxOutstandingPerClient]
    """How much principal a Client may owe. None by default."""
    refuse_while_any_loan_overdue: NotRequired[bool]
    """Whether a new Loan is refused while any Loan of the Client is overdue. None by default."""


class StatedInstalmentValuesSchedule(TypedDict):
    """The schedule of every Loan."""

    kind: Literal["anchored_monthly", "anchored_every_n_days"] | str
    """By months, or by a number of days. Both count from the anchor."""
    interval_days: NotRequired[int]
    """With `anchored_every_n_days`: the days of each period."""
    day_of_month: NotRequired[int]
    """With `anchored_monthly`: the day on which periods end, in a shorter month its last day. That of the anchor by default."""
    first_after_days: NotRequired[int]
    """With `day_of_month`: the days that the first period has at least. One by default."""


class StatedInstalmentValues(TypedDict):
    unit: NotRequired[Literal["loans"] | str]
    """What one sale of the product is called."""
    principal_min: InstalmentValuesPrincipalMin
    """The smallest principal."""
    principal_max: InstalmentValuesPrincipalMax
    """The largest principal."""
    rate_min: str
    """The lowest contract rate. Per cent a year."""
    rate_max: str
    """The highest contract rate. Per cent a year."""
    penalty_rate_min: NotRequired[str]
    """The lowest penalty rate. Per cent a year."""
    penalty_rate_max: NotRequired[str]
    """The highest penalty rate. Per cent a year."""
    day_count_basis: NotRequired[Literal["actual_360", "actual_365", "thirty_360", "actual_actual"] | str]
    """How days are converted to years."""
    amortisation: NotRequired[Literal["level_payment", "level_principal_and_interest", "equal_principal"] | str]
    """How the plan spreads the principal over the periods."""
    terms: list[int]
    """The numbers of periods offered. Ascending."""
    schedule: NotRequired[StatedInstalmentValuesSchedule]
    """The schedule of every Loan."""
    schedules: NotRequired[list[StatedSchedule]]
    """A menu of schedules, of which a Loan must state one. None by default."""
    origination_fee: NotRequired[InstalmentValuesOriginationFee]
    """Charged with the first period. Zero by default."""
    late_fee: NotRequired[InstalmentValuesLateFee]
    """Charged once for each period that becomes late. Zero by default."""
    early_money_treatment: NotRequired[Literal["reduces_principal", "shortens_term", "settles_next"] | str]
    """What money does that arrives before it is due."""
    charge_order: NotRequired[list[Literal["principal", "interest", "fee", "penalty", "late_fee"] | str]]
    """The order in which money settles the charges of a period."""
    tolerance_days: NotRequired[int]
    """Days past due before a period becomes late."""
    tolerance: NotRequired[InstalmentValuesTolerance]
    """A remainder up to this amount makes no period late. Zero is no tolerance. None by default."""
    penalty_base: NotRequired[Literal["overdue_principal", "overdue_instalment"] | str]
    """The amount on which a penalty accrues. The market's rule by default."""
    penalty_ceiling_days: NotRequired[int]
    """The number of days after which a period bears no more penalty. The market's rule by default."""
    penalty_ceiling_bps: NotRequired[int]
    """The highest penalty of a Loan, in ten-thousandths of its principal. The market's rule by default."""
    acceleration: NotRequired[InstalmentValuesAcceleration]
    """When the whole balance may be called. The market's rule by default."""
    withdrawal_days: NotRequired[int]
    """The days in which the borrower may withdraw. The market's rule by default."""
    hold_days: NotRequired[int]
    """The longest hold."""
    max_open_loans_per_client: NotRequired[int]
    """How many open Loans a Client may have. None by default."""
    max_outstanding_per_client: NotRequired[InstalmentValuesMaxOutstandingPerClient]
    """How much principal a Client may owe. None by default."""
    refuse_while_any_loan_overdue: NotRequired[bool]
    """Whether a new Loan is refused while any Loan of the Client is overdue. None by default."""


class BnplValuesSchedule(TypedDict):
    """The schedule of every Loan."""

    kind: Literal["anchored_monthly", "anchored_every_n_days"]
    """By months, or by a number of days. Both count from the anchor."""
    interval_days: NotRequired[int]
    """With `anchored_every_n_days`: the days of each period."""
    day_of_month: NotRequired[int]
    """With `anchored_monthly`: the day on which periods end, in a shorter month its last day. That of the anchor by default."""
    first_after_days: NotRequired[int]
    """With `day_of_month`: the days that the first period has at least. One by default."""


class BnplValues(TypedDict):
    unit: NotRequired[Literal["loans"] | str]
    """What one sale of the product is called."""
    principal_min: InstalmentValuesPrincipalMin
    """The smallest principal."""
    principal_max: InstalmentValuesPrincipalMax
    """The largest principal."""
    rate_min: NotRequired[str]
    """The lowest contract rate. Per cent a year."""
    rate_max: NotRequired[str]
    """The highest contract rate. Per cent a year."""
    penalty_rate_min: NotRequired[str]
    """The lowest penalty rate. Per cent a year."""
    penalty_rate_max: NotRequired[str]
    """The highest penalty rate. Per cent a year."""
    day_count_basis: NotRequired[Literal["actual_360", "actual_365", "thirty_360", "actual_actual"] | str]
    """How days are converted to years."""
    amortisation: NotRequired[Literal["level_payment", "level_principal_and_interest", "equal_principal"] | str]
    """How the plan spreads the principal over the periods."""
    terms: list[int]
    """The numbers of periods offered. Ascending."""
    schedule: NotRequired[BnplValuesSchedule]
    """The schedule of every Loan."""
    schedules: NotRequired[list[Schedule]]
    """A menu of schedules, of which a Loan must state one. None by default."""
    origination_fee: NotRequired[InstalmentValuesOriginationFee]
    """Charged with the first period. Zero by default."""
    late_fee: NotRequired[InstalmentValuesLateFee]
    """Charged once for each period that becomes late. Zero by default."""
    down_payment_min_bps: NotRequired[int]
    """The smallest payment at purchase, in ten-thousandths of the principal."""
    down_payment_max_bps: NotRequired[int]
    """The largest payment at purchase, in ten-thousandths of the principal."""
    early_money_treatment: NotRequired[Literal["reduces_principal", "shortens_term", "settles_next"] | str]
    """What money does that arrives before it is due."""
    charge_order: NotRequired[list[Literal["principal", "interest", "fee", "penalty", "late_fee"] | str]]
    """The order in which money settles the charges of a period."""
    tolerance_days: NotRequired[int]
    """Days past due before a period becomes late."""
    tolerance: NotRequired[InstalmentValuesTolerance]
    """A remainder up to this amount makes no period late. Zero is no tolerance. None by default."""
    penalty_base: NotRequired[Literal["overdue_principal", "overdue_instalment"] | str]
    """The amount on which a penalty accrues. The market's rule by default."""
    penalty_ceiling_days: NotRequired[int]
    """The number of days after which a period bears no more penalty. The market's rule by default."""
    penalty_ceiling_bps: NotRequired[int]
    """The highest penalty of a Loan, in ten-thousandths of its principal. The market's rule by default."""
    acceleration: NotRequired[InstalmentValuesAcceleration]
    """When the whole balance may be called. The market's rule by default."""
    withdrawal_days: NotRequired[int]
    """The days in which the borrower may withdraw. The market's rule by default."""
    hold_days: NotRequired[int]
    """The longest hold."""
    max_open_loans_per_client: NotRequired[int]
    """How many open Loans a Client may have. None by default."""
    max_outstanding_per_client: NotRequired[InstalmentValuesMaxOutstandingPerClient]
    """How much principal a Client may owe. None by default."""
    refuse_while_any_loan_overdue: NotRequired[bool]
    """Whether a new Loan is refused while any Loan of the Client is overdue. None by default."""


class StatedBnplValuesSchedule(TypedDict):
    """The schedule of every Loan."""

    kind: Literal["anchored_monthly", "anchored_every_n_days"] | str
    """By months, or by a number of days. Both count from the anchor."""
    interval_days: NotRequired[int]
    """With `anchored_every_n_days`: the days of each period."""
    day_of_month: NotRequired[int]
    """With `anchored_monthly`: the day on which periods end, in a shorter month its last day. That of the anchor by default."""
    first_after_days: NotRequired[int]
    """With `day_of_month`: the days that the first period has at least. One by default."""


class StatedBnplValues(TypedDict):
    unit: NotRequired[Literal["loans"] | str]
    """What one sale of the product is called."""
    principal_min: InstalmentValuesPrincipalMin
    """The smallest principal."""
    principal_max: InstalmentValuesPrincipalMax
    """The largest principal."""
    rate_min: NotRequired[str]
    """The lowest contract rate. Per cent a year."""
    rate_max: NotRequired[str]
    """The highest contract rate. Per cent a year."""
    penalty_rate_min: NotRequired[str]
    """The lowest penalty rate. Per cent a year."""
    penalty_rate_max: NotRequired[str]
    """The highest penalty rate. Per cent a year."""
    day_count_basis: NotRequired[Literal["actual_360", "actual_365", "thirty_360", "actual_actual"] | str]
    """How days are converted to years."""
    amortisation: NotRequired[Literal["level_payment", "level_principal_and_interest", "equal_principal"] | str]
    """How the plan spreads the principal over the periods."""
    terms: list[int]
    """The numbers of periods offered. Ascending."""
    schedule: NotRequired[StatedBnplValuesSchedule]
    """The schedule of every Loan."""
    schedules: NotRequired[list[StatedSchedule]]
    """A menu of schedules, of which a Loan must state one. None by default."""
    origination_fee: NotRequired[InstalmentValuesOriginationFee]
    """Charged with the first period. Zero by default."""
    late_fee: NotRequired[InstalmentValuesLateFee]
    """Charged once for each period that becomes late. Zero by default."""
    down_payment_min_bps: NotRequired[int]
    """The smallest payment at purchase, in ten-thousandths of the principal."""
    down_payment_max_bps: NotRequired[int]
    """The largest payment at purchase, in ten-thousandths of the principal."""
    early_money_treatment: NotRequired[Literal["reduces_principal", "shortens_term", "settles_next"] | str]
    """What money does that arrives before it is due."""
    charge_order: NotRequired[list[Literal["principal", "interest", "fee", "penalty", "late_fee"] | str]]
    """The order in which money settles the charges of a period."""
    tolerance_days: NotRequired[int]
    """Days past due before a period becomes late."""
    tolerance: NotRequired[InstalmentValuesTolerance]
    """A remainder up to this amount makes no period late. Zero is no tolerance. None by default."""
    penalty_base: NotRequired[Literal["overdue_principal", "overdue_instalment"] | str]
    """The amount on which a penalty accrues. The market's rule by default."""
    penalty_ceiling_days: NotRequired[int]
    """The number of days after which a period bears no more penalty. The market's rule by default."""
    penalty_ceiling_bps: NotRequired[int]
    """The highest penalty of a Loan, in ten-thousandths of its principal. The market's rule by default."""
    acceleration: NotRequired[InstalmentValuesAcceleration]
    """When the whole balance may be called. The market's rule by default."""
    withdrawal_days: NotRequired[int]
    """The days in which the borrower may withdraw. The market's rule by default."""
    hold_days: NotRequired[int]
    """The longest hold."""
    max_open_loans_per_client: NotRequired[int]
    """How many open Loans a Client may have. None by default."""
    max_outstanding_per_client: NotRequired[InstalmentValuesMaxOutstandingPerClient]
    """How much principal a Client may owe. None by default."""
    refuse_while_any_loan_overdue: NotRequired[bool]
    """Whether a new Loan is refused while any Loan of the Client is overdue. None by default."""


class PaydayValuesSchedule(TypedDict):
    """The schedule of every Loan."""

    kind: Literal["anchored_monthly", "anchored_every_n_days"]
    """By months, or by a number of days. Both count from the anchor."""
    interval_days: NotRequired[int]
    """With `anchored_every_n_days`: the days of each period."""
    day_of_month: NotRequired[int]
    """With `anchored_monthly`: the day on which periods end, in a shorter month its last day. That of the anchor by default."""
    first_after_days: NotRequired[int]
    """With `day_of_month`: the days that the first period has at least. One by default."""


class PaydayValuesRolloverFee(TypedDict):
    """Charged with the period that a rollover opens. Zero by default."""

    minor_units: int
    currency: str


class PaydayValues(TypedDict):
    unit: NotRequired[Literal["loans"] | str]
    """What one sale of the product is called."""
    principal_min: InstalmentValuesPrincipalMin
    """The smallest principal."""
    principal_max: InstalmentValuesPrincipalMax
    """The largest principal."""
    rate_min: str
    """The lowest contract rate. Per cent a year."""
    rate_max: str
    """The highest contract rate. Per cent a year."""
    penalty_rate_min: NotRequired[str]
    """The lowest penalty rate. Per cent a year."""
    penalty_rate_max: NotRequired[str]
    """The highest penalty rate. Per cent a year."""
    day_count_basis: NotRequired[Literal["actual_360", "actual_365", "thirty_360", "actual_actual"] | str]
    """How days are converted to years."""
    schedule: NotRequired[PaydayValuesSchedule]
    """The schedule of every Loan."""
    schedules: NotRequired[list[Schedule]]
    """A menu of schedules, of which a Loan must state one. None by default."""
    origination_fee: NotRequired[InstalmentValuesOriginationFee]
    """Charged with the first period. Zero by default."""
    late_fee: NotRequired[InstalmentValuesLateFee]
    """Charged once for each period that becomes late. Zero by default."""
    rollover_fee: NotRequired[PaydayValuesRolloverFee]
    """Charged with the period that a rollover opens. Zero by default."""
    early_money_treatment: NotRequired[Literal["reduces_principal", "shortens_term", "settles_next"] | str]
    """What money does that arrives before it is due."""
    charge_order: NotRequired[list[Literal["principal", "interest", "fee", "penalty", "late_fee"] | str]]
    """The order in which money settles the charges of a period."""
    tolerance_days: NotRequired[int]
    """Days past due before a period becomes late."""
    tolerance: NotRequired[InstalmentValuesTolerance]
    """A remainder up to this amount makes no period late. Zero is no tolerance. None by default."""
    penalty_base: NotRequired[Literal["overdue_principal", "overdue_instalment"] | str]
    """The amount on which a penalty accrues. The market's rule by default."""
    penalty_ceiling_days: NotRequired[int]
    """The number of days after which a period bears no more penalty. The market's rule by default."""
    penalty_ceiling_bps: NotRequired[int]
    """The highest penalty of a Loan, in ten-thousandths of its principal. The market's rule by default."""
    acceleration: NotRequired[InstalmentValuesAcceleration]
    """When the whole balance may be called. The market's rule by default."""
    max_rollovers: NotRequired[int]
    """How often a Loan may be rolled over."""
    withdrawal_days: NotRequired[int]
    """The days in which the borrower may withdraw. The market's rule by default."""
    hold_days: NotRequired[int]
    """The longest hold."""
    max_open_loans_per_client: NotRequired[int]
    """How many open Loans a Client may have. None by default."""
    max_outstanding_per_client: NotRequired[InstalmentValuesMaxOutstandingPerClient]
    """How much principal a Client may owe. None by default."""
    refuse_while_any_loan_overdue: NotRequired[bool]
    """Whether a new Loan is refused while any Loan of the Client is overdue. None by default."""


class StatedPaydayValuesSchedule(TypedDict):
    """The schedule of every Loan."""

    kind: Literal["anchored_monthly", "anchored_every_n_days"] | str
    """By months, or by a number of days. Both count from the anchor."""
    interval_days: NotRequired[int]
    """With `anchored_every_n_days`: the days of each period."""
    day_of_month: NotRequired[int]
    """With `anchored_monthly`: the day on which periods end, in a shorter month its last day. That of the anchor by default."""
    first_after_days: NotRequired[int]
    """With `day_of_month`: the days that the first period has at least. One by default."""


class StatedPaydayValues(TypedDict):
    unit: NotRequired[Literal["loans"] | str]
    """What one sale of the product is called."""
    principal_min: InstalmentValuesPrincipalMin
    """The smallest principal."""
    principal_max: InstalmentValuesPrincipalMax
    """The largest principal."""
    rate_min: str
    """The lowest contract rate. Per cent a year."""
    rate_max: str
    """The highest contract rate. Per cent a year."""
    penalty_rate_min: NotRequired[str]
    """The lowest penalty rate. Per cent a year."""
    penalty_rate_max: NotRequired[str]
    """The highest penalty rate. Per cent a year."""
    day_count_basis: NotRequired[Literal["actual_360", "actual_365", "thirty_360", "actual_actual"] | str]
    """How days are converted to years."""
    schedule: NotRequired[StatedPaydayValuesSchedule]
    """The schedule of every Loan."""
    schedules: NotRequired[list[StatedSchedule]]
    """A menu of schedules, of which a Loan must state one. None by default."""
    origination_fee: NotRequired[InstalmentValuesOriginationFee]
    """Charged with the first period. Zero by default."""
    late_fee: NotRequired[InstalmentValuesLateFee]
    """Charged once for each period that becomes late. Zero by default."""
    rollover_fee: NotRequired[PaydayValuesRolloverFee]
    """Charged with the period that a rollover opens. Zero by default."""
    early_money_treatment: NotRequired[Literal["reduces_principal", "shortens_term", "settles_next"] | str]
    """What money does that arrives before it is due."""
    charge_order: NotRequired[list[Literal["principal", "interest", "fee", "penalty", "late_fee"] | str]]
    """The order in which money settles the charges of a period."""
    tolerance_days: NotRequired[int]
    """Days past due before a period becomes late."""
    tolerance: NotRequired[InstalmentValuesTolerance]
    """A remainder up to this amount makes no period late. Zero is no tolerance. None by default."""
    penalty_base: NotRequired[Literal["overdue_principal", "overdue_instalment"] | str]
    """The amount on which a penalty accrues. The market's rule by default."""
    penalty_ceiling_days: NotRequired[int]
    """The number of days after which a period bears no more penalty. The market's rule by default."""
    penalty_ceiling_bps: NotRequired[int]
    """The highest penalty of a Loan, in ten-thousandths of its principal. The market's rule by default."""
    acceleration: NotRequired[InstalmentValuesAcceleration]
    """When the whole balance may be called. The market's rule by default."""
    max_rollovers: NotRequired[int]
    """How often a Loan may be rolled over."""
    withdrawal_days: NotRequired[int]
    """The days in which the borrower may withdraw. The market's rule by default."""
    hold_days: NotRequired[int]
    """The longest hold."""
    max_open_loans_per_client: NotRequired[int]
    """How many open Loans a Client may have. None by default."""
    max_outstanding_per_client: NotRequired[InstalmentValuesMaxOutstandingPerClient]
    """How much principal a Client may owe. None by default."""
    refuse_while_any_loan_overdue: NotRequired[bool]
    """Whether a new Loan is refused while any Loan of the Client is overdue. None by default."""


ProductValues: TypeAlias = "InstalmentValues | BnplValues | PaydayValues"


StatedProductValues: TypeAlias = "StatedInstalmentValues | StatedBnplValues | StatedPaydayValues"


class EffectiveValuesUnit(TypedDict):
    value: NotRequired[Literal["loans"] | str]
    source: Literal["stated", "default"] | str


class EffectiveValuesPrincipalMin(TypedDict):
    value: NotRequired[StatedMoney]
    source: Literal["stated", "default"] | str


class EffectiveValuesRateMin(TypedDict):
    value: NotRequired[str]
    """Per cent a year."""
    source: Literal["stated", "default"] | str


class EffectiveValuesDayCountBasis(TypedDict):
    value: NotRequired[Literal["actual_360", "actual_365", "thirty_360", "actual_actual"] | str]
    source: Literal["stated", "default"] | str


class EffectiveValuesAmortisation(TypedDict):
    value: NotRequired[Literal["level_payment", "level_principal_and_interest", "equal_principal"] | str]
    source: Literal["stated", "default"] | str


class EffectiveValuesTerms(TypedDict):
    value: NotRequired[list[int]]
    """Ascending."""
    source: Literal["stated", "default"] | str


class EffectiveValuesSchedule(TypedDict):
    value: NotRequired[Schedule]
    source: Literal["stated", "default"] | str


class EffectiveValuesSchedules(TypedDict):
    value: NotRequired[list[Schedule]]
    source: Literal["stated", "default"] | str


class EffectiveValuesOriginationFee(TypedDict):
    value: NotRequired[StatedMoneyOrNothing]
    source: Literal["stated", "default"] | str


class EffectiveValuesDownPaymentMinBps(TypedDict):
    value: NotRequired[int]
    source: Literal["stated", "default"] | str


class EffectiveValuesEarlyMoneyTreatment(TypedDict):
    value: NotRequired[Literal["reduces_principal", "shortens_term", "settles_next"] | str]
    source: Literal["stated", "default"] | str


class EffectiveValuesChargeOrder(TypedDict):
    value: NotRequired[list[Literal["principal", "interest", "fee", "penalty", "late_fee"] | str]]
    source: Literal["stated", "default"] | str


class EffectiveValuesToleranceDays(TypedDict):
    value: NotRequired[int]
    source: Literal["stated", "default"] | str


class EffectiveValuesPenaltyBase(TypedDict):
    value: NotRequired[Literal["overdue_principal", "overdue_instalment"] | str]
    source: Literal["stated", "default"] | str


class EffectiveValuesPenaltyCeilingDays(TypedDict):
    value: NotRequired[int]
    source: Literal["stated", "default"] | str


class EffectiveValuesAccelerationValue(TypedDict):
    forbidden: bool
    """Whether the whole balance may never be called."""
    missed_periods: int
    """How many periods must be late before it may be called."""
    notice_days: int
    """The days between the notice to the borrower and the call."""


class EffectiveValuesAcceleration(TypedDict):
    value: NotRequired[EffectiveValuesAccelerationValue]
    source: Literal["stated", "default"] | str


class EffectiveValuesMaxRollovers(TypedDict):
    value: NotRequired[int]
    source: Literal["stated", "default"] | str


class EffectiveValuesWithdrawalDays(TypedDict):
    value: NotRequired[int]
    source: Literal["stated", "default"] | str


class EffectiveValuesRefuseWhileAnyLoanOverdue(TypedDict):
    value: NotRequired[bool]
    source: Literal["stated", "default"] | str


class EffectiveValues(TypedDict):
    """The value of every field of the frame. A field that is absent by default has no value."""

    unit: EffectiveValuesUnit
    principal_min: EffectiveValuesPrincipalMin
    principal_max: EffectiveValuesPrincipalMin
    rate_min: EffectiveValuesRateMin
    rate_max: EffectiveValuesRateMin
    penalty_rate_min: EffectiveValuesRateMin
    penalty_rate_max: EffectiveValuesRateMin
    day_count_basis: EffectiveValuesDayCountBasis
    amortisation: EffectiveValuesAmortisation
    terms: EffectiveValuesTerms
    schedule: EffectiveValuesSchedule
    schedules: EffectiveValuesSchedules
    origination_fee: EffectiveValuesOriginationFee
    late_fee: EffectiveValuesOriginationFee
    rollover_fee: EffectiveValuesOriginationFee
    down_payment_min_bps: EffectiveValuesDownPaymentMinBps
    down_payment_max_bps: EffectiveValuesDownPaymentMinBps
    early_money_treatment: EffectiveValuesEarlyMoneyTreatment
    charge_order: EffectiveValuesChargeOrder
    tolerance_days: EffectiveValuesToleranceDays
    tolerance: EffectiveValuesOriginationFee
    penalty_base: EffectiveValuesPenaltyBase
    penalty_ceiling_days: EffectiveValuesPenaltyCeilingDays
    penalty_ceiling_bps: EffectiveValuesPenaltyCeilingDays
    acceleration: EffectiveValuesAcceleration
    max_rollovers: EffectiveValuesMaxRollovers
    withdrawal_days: EffectiveValuesWithdrawalDays
    hold_days: EffectiveValuesToleranceDays
    max_open_loans_per_client: EffectiveValuesPenaltyCeilingDays
    max_outstanding_per_client: EffectiveValuesPrincipalMin
    refuse_while_any_loan_overdue: EffectiveValuesRefuseWhileAnyLoanOverdue


class Advisories2(TypedDict):
    code: Literal["first_period_may_fall_next_day", "no_tolerance", "zero_rate", "penalty_without_ceiling", "single_term", "guard_without_amount"] | str
    field: str
    """A JSON pointer to the field to change."""
    says: str
    """A sentence for people. Its wording may change at any time."""


Advisories: TypeAlias = "list[Advisories2]"


class ProductConfiguration(TypedDict):
    id: str
    tenant_id: str
    created_at: str
    """When this version was recorded."""
    version: int
    archetype: Literal["instalment", "bnpl", "payday"] | str
    values: ProductValues
    """As sent."""
    effective: EffectiveValues
    advisories: Advisories


class ConfigurationVersion(TypedDict):
    id: str
    tenant_id: str
    created_at: str
    """When this version was recorded."""
    version: int
    archetype: Literal["instalment", "bnpl", "payday"] | str
    values: ProductValues
    """As sent."""


class ConfigurationPreview(TypedDict):
    id: str
    """The identifier that creation would give. It is not reserved."""
    archetype: Literal["instalment", "bnpl", "payday"] | str
    values: ProductValues
    """As sent."""
    effective: EffectiveValues
    advisories: Advisories


class ConfigurationPage(TypedDict):
    configurations: list[ProductConfiguration]
    """The latest version of each, newest first."""
    cursor: NotRequired[str]
    """The cursor of the next page. Absent on the last page."""


class ConfigurationVersionPage(TypedDict):
    versions: list[ProductConfiguration]
    """Oldest first."""
    cursor: NotRequired[str]
    """The cursor of the next page. Absent on the last page."""


class LookupKey(TypedDict):
    lookup_key: str
    configuration_id: str
    configuration_version: int
    pointed_at: str
    """RFC 3339 in UTC with six decimals."""
    latest_version: int
    """The latest version of that configuration."""
    version: ConfigurationVersion


class LookupKeyListLookupKeys(TypedDict):
    lookup_key: str
    configuration_id: str
    configuration_version: int
    pointed_at: str
    """RFC 3339 in UTC with six decimals."""
    latest_version: int
    """The latest version of that configuration."""
    version: NotRequired[ConfigurationVersion]
    """Only if the query names keys."""


class LookupKeyList(TypedDict):
    lookup_keys: list[LookupKeyListLookupKeys]
    """In the order of the keys. Not paged."""


class RehearsalLoansRefused(TypedDict):
    """Only if the product would not offer the Loan. Its figures then stay as issued."""

    code: str
    details: NotRequired[RefusalDetails]


RehearsalLoansChanges = TypedDict(
    "RehearsalLoansChanges",
    {
        "figure": "str",
        "is": "str | int | Money",
        "would_be": "str | int | Money",
        # Only for amounts of money.
        "difference": "NotRequired[Money]",
    },
)


class RehearsalLoans(TypedDict):
    loan_id: str
    client_id: str
    reference: str
    refused: NotRequired[RehearsalLoansRefused]
    """Only if the product would not offer the Loan. Its figures then stay as issued."""
    changes: list[RehearsalLoansChanges]
    anomalies: NotRequired[list[Anomaly]]
    """Only if the Client's book was not computed: book_not_derivable, or book_too_large for one request."""


class Rehearsal(TypedDict):
    configuration_id: str
    on: str
    examined: int
    """The number of Loans examined for this page."""
    loans: list[RehearsalLoans]
    """The Loans that would change or whose figures are unknown, newest first. A page may be short or empty and still have a cursor."""
    cursor: NotRequired[str]
    """The cursor of the next page. Absent on the last page."""


class Decision(TypedDict):
    id: str
    reference: str
    client_id: str
    policy: str
    policy_version: int
    policy_digest: str
    """SHA-256 of the canonical form of the deciding content."""
    configuration_id: str
    configuration_version: int
    principal: Money
    submitted_on: str
    """The day of the application."""
    score: int
    """The sum of the points."""
    outcome: Literal["approve", "refuse", "refer", "not_offered"]
    band: NotRequired[str]
    """Absent if a knockout decided the outcome."""
    terms: NotRequired[list[int]]
    """On an approval: the numbers of periods offered."""
    rate: NotRequired[QuotedRate]
    """On an approval."""
    principal_max: NotRequired[Money]
    """On an approval."""
    ceiling: NotRequired[Money]
    """On a limit decision."""
    over_ceiling: NotRequired[bool]
    """On a limit decision: whether the requested principal is above the ceiling."""
    moratorium_days: NotRequired[int]
    """On a refusal: for how many days it bars the Client."""
    trace: DecisionTrace
    sources: list[str]
    """As sent."""
    binding: bool
    """True if the adopted version decided, false for a trial."""
    self_confirmed_version: bool
    """Whether the person who published the version had drafted it."""
    time_zone: str
    """The zone in which the day of the Decision was found."""
    bound_from: str
    """The day from which a bar of this Decision counts."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason."""
    context: NotRequired[dict[str, object]]
    """As sent."""
    decided_at: str
    """RFC 3339 in UTC with six decimals."""


class DecisionPage(TypedDict):
    decisions: list[Decision]
    """Newest first."""
    cursor: NotRequired[str]
    """The cursor of the next page. Absent on the last page."""


class DecisionTraceKnockoutsObserved(TypedDict):
    state: Literal["known", "unknown"] | str
    number: NotRequired[int | str]
    """Present if the attribute is known, as sent."""
    as_of: NotRequired[str]


class DecisionTraceKnockouts(TypedDict):
    id: str
    text: str
    attribute: str
    comparison: Literal["at_least", "at_most", "above", "below", "equals"] | str
    bound: int | str
    observed: DecisionTraceKnockoutsObserved
    fired: bool
    """Whether the rule fired."""
    outcome: Literal["approve", "refuse", "refer", "not_offered"]


class DecisionTraceScorecard(TypedDict):
    id: str
    attribute: str
    observed: DecisionTraceKnockoutsObserved
    bin: NotRequired[int]
    """The index of the bin, from 0; absent if no bin contains the observed value."""
    points: int


class DecisionTrace(TypedDict):
    knockouts: list[DecisionTraceKnockouts]
    """In the order of the policy. The first that fired decided the outcome."""
    scorecard: list[DecisionTraceScorecard]


class QuotedRate(TypedDict):
    """A yearly rate as a fraction of one."""

    numerator: int
    denominator: int
    quotation: Literal["nominal_annual"]
    percent: NotRequired[str]
    """The exact decimal in per cent. Only a draft in a trial may lack one."""


class Resolution(TypedDict):
    decision_id: str
    outcome: Literal["approve", "refuse"] | str
    terms: NotRequired[list[int]]
    """On an approval: the numbers of periods offered."""
    rate: NotRequired[QuotedRate]
    """On an approval."""
    principal_max: NotRequired[Money]
    """On an approval."""
    moratorium_days: NotRequired[int]
    """On a refusal: for how many days it bars the Client."""
    reference: str
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason."""
    context: NotRequired[dict[str, object]]
    """As sent."""
    recorded_at: str
    """RFC 3339 in UTC with six decimals."""


class Facility(TypedDict):
    id: str
    reference: str
    client_id: str
    configuration_id: str
    decided_version: int
    """The configuration version of the Decision."""
    decision_id: str
    """The approving Decision."""
    amount: Money
    rate: QuotedRate
    terms: list[int]
    """The numbers of periods of Loans under the facility."""
    opens_on: str
    """The first day on which it may be drawn."""
    expires_on: str
    """The last day on which it may be drawn."""
    line: bool
    """Whether repayment makes the amount available again."""
    supersedes: NotRequired[str]
    """The line that this one replaced."""
    superseded_by: NotRequired[str]
    """The line that replaced this one."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason."""
    context: NotRequired[dict[str, object]]
    """As sent."""
    created_at: str
    """RFC 3339 in UTC with six decimals."""


class FacilityDrawn(TypedDict):
    id: str
    reference: str
    client_id: str
    configuration_id: str
    decided_version: int
    """The configuration version of the Decision."""
    decision_id: str
    """The approving Decision."""
    amount: Money
    rate: QuotedRate
    terms: list[int]
    """The numbers of periods of Loans under the facility."""
    opens_on: str
    """The first day on which it may be drawn."""
    expires_on: str
    """The last day on which it may be drawn."""
    line: bool
    """Whether repayment makes the amount available again."""
    supersedes: NotRequired[str]
    """The line that this one replaced."""
    superseded_by: NotRequired[str]
    """The line that replaced this one."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason."""
    context: NotRequired[dict[str, object]]
    """As sent."""
    created_at: str
    """RFC 3339 in UTC with six decimals."""
    drawn: Money
    """What Loans have drawn of the amount."""
    headroom: Money
    """The amount that may still be drawn. Negative if more is drawn than the amount."""


class FacilityList(TypedDict):
    facilities: list[Facility]
    """Newest first; not paged."""


class Policy(TypedDict):
    policy: str
    latest_version: int
    """The number of the newest version, published or not."""
    latest_published: NotRequired[int]
    """Absent until a version is published."""
    adoptions: list[PolicyAdoption]
    """The products that use the policy, by identifier."""
    versions: list[PolicyVersion]
    """Oldest first."""
    cursor: NotRequired[str]
    """The cursor of the next page. Absent on the last page."""


class PolicyPagePolicies(TypedDict):
    policy: str
    latest_version: int
    """The number of the newest version, published or not."""
    latest_published: NotRequired[int]
    """Absent until a version is published."""


class PolicyPage(TypedDict):
    policies: list[PolicyPagePolicies]
    """Newest first, by the first draft."""
    cursor: NotRequired[str]
    """The cursor of the next page. Absent on the last page."""


class PolicyVersion(TypedDict):
    policy: str
    version: int
    digest: str
    """SHA-256 of the canonical form of the content."""
    drafted_by: str
    created_at: str
    """RFC 3339 in UTC with six decimals."""
    published: bool
    """Only a published version can be adopted. It never changes."""
    published_by: NotRequired[str]
    published_at: NotRequired[str]
    """RFC 3339 in UTC with six decimals."""
    self_confirmed: NotRequired[bool]
    """Whether the same actor drafted and published it."""


class PolicyVersionWhole(TypedDict):
    policy: str
    version: int
    digest: str
    """SHA-256 of the canonical form of the content."""
    drafted_by: str
    created_at: str
    """RFC 3339 in UTC with six decimals."""
    published: bool
    """Only a published version can be adopted. It never changes."""
    published_by: NotRequired[str]
    published_at: NotRequired[str]
    """RFC 3339 in UTC with six decimals."""
    self_confirmed: NotRequired[bool]
    """Whether the same actor drafted and published it."""
    content: PolicyContent
    """As drafted."""


class PolicyContentAttributes(TypedDict):
    name: str
    """The name that applications and rules use."""
    unit: NotRequired[str]
    """What its number counts, for readers."""


class PolicyContentKnockouts(TypedDict):
    id: str
    """The name of the rule in the trace. Each rule has another one."""
    text: str
    """What the rule says, for readers of the trace."""
    attribute: str
    """The attribute that is compared."""
    comparison: Literal["at_least", "at_most", "above", "below", "equals"] | str
    """The rule fires where the attribute is this to `bound`."""
    bound: int | str
    """The number that the attribute is compared with."""
    outcome: Literal["refuse", "refer", "not_offered"]
    """The outcome of the Decision where this is the first rule that fires."""
    moratorium_days: NotRequired[int]
    """With the outcome `refuse`: for how many days the refusal bars the Client. Without it the Client is not barred."""
    when_unknown: Literal["fires", "passes"] | str
    """What the rule does where the application does not state the attribute."""


PolicyContentScorecardBins = TypedDict(
    "PolicyContentScorecardBins",
    {
        # The first value of the range. Without it the range has no beginning.
        "from": "NotRequired[int | str]",
        # The end of the range, which is not part of it. Without it the range has no end.
        "to": "NotRequired[int | str]",
        # The points of a value in this range.
        "points": "int",
    },
)


class PolicyContentScorecard(TypedDict):
    id: str
    """The name of the line in the trace. Each line has another one."""
    attribute: str
    """The attribute that earns points."""
    bins: list[PolicyContentScorecardBins]
    """Ranges that do not overlap. A value in none of them earns no points."""
    when_unknown: int
    """The points where the application does not state the attribute."""


PolicyContentBands = TypedDict(
    "PolicyContentBands",
    {
        # The name of the band in the Decision. Each band has another one.
        "id": "str",
        # The first value of the range. Without it the range has no beginning.
        "from": "NotRequired[int | str]",
        # The end of the range, which is not part of it. Without it the range has no end.
        "to": "NotRequired[int | str]",
        # The outcome of a score in this band.
        "outcome": "Literal['approve', 'refuse', 'refer', 'not_offered']",
        "rate": "NotRequired[Ratio]",
        # On an approval: the numbers of periods offered, ascending. Those of the product by default.
        "terms": "NotRequired[list[int]]",
        "principal_max": "NotRequired[StatedMoney]",
        # With the outcome `refuse`: for how many days the refusal bars the Client. Without it the Client is not barred.
        "moratorium_days": "NotRequired[int]",
    },
)


class PolicyContent(TypedDict):
    attributes: list[PolicyContentAttributes]
    """What an application may state about an applicant."""
    knockouts: list[PolicyContentKnockouts]
    """Rules in order. The first that fires decides, whatever the score."""
    base_points: int
    """The score before the scorecard."""
    scorecard: list[PolicyContentScorecard]
    """The points by attribute. The score is their sum with `base_points`."""
    bands: list[PolicyContentBands]
    """The outcomes by score. Every whole number is in exactly one band."""
    time_zone: NotRequired[str]
    """The IANA time zone in which the day of the Decision is found. That of the Tenancy by default."""


class StatedPolicyContentKnockouts(TypedDict):
    id: str
    """The name of the rule in the trace. Each rule has another one."""
    text: str
    """What the rule says, for readers of the trace."""
    attribute: str
    """The attribute that is compared."""
    comparison: Literal["at_least", "at_most", "above", "below", "equals"] | str
    """The rule fires where the attribute is this to `bound`."""
    bound: int | str
    """The number that the attribute is compared with."""
    outcome: Literal["refuse", "refer", "not_offered"] | str
    """The outcome of the Decision where this is the first rule that fires."""
    moratorium_days: NotRequired[int]
    """With the outcome `refuse`: for how many days the refusal bars the Client. Without it the Client is not barred."""
    when_unknown: Literal["fires", "passes"] | str
    """What the rule does where the application does not state the attribute."""


StatedPolicyContentBands = TypedDict(
    "StatedPolicyContentBands",
    {
        # The name of the band in the Decision. Each band has another one.
        "id": "str",
        # The first value of the range. Without it the range has no beginning.
        "from": "NotRequired[int | str]",
        # The end of the range, which is not part of it. Without it the range has no end.
        "to": "NotRequired[int | str]",
        # The outcome of a score in this band.
        "outcome": "Literal['approve', 'refuse', 'refer', 'not_offered'] | str",
        "rate": "NotRequired[Ratio]",
        # On an approval: the numbers of periods offered, ascending. Those of the product by default.
        "terms": "NotRequired[list[int]]",
        "principal_max": "NotRequired[StatedMoney]",
        # With the outcome `refuse`: for how many days the refusal bars the Client. Without it the Client is not barred.
        "moratorium_days": "NotRequired[int]",
    },
)


class StatedPolicyContent(TypedDict):
    attributes: list[PolicyContentAttributes]
    """What an application may state about an applicant."""
    knockouts: list[StatedPolicyContentKnockouts]
    """Rules in order. The first that fires decides, whatever the score."""
    base_points: int
    """The score before the scorecard."""
    scorecard: list[PolicyContentScorecard]
    """The points by attribute. The score is their sum with `base_points`."""
    bands: list[StatedPolicyContentBands]
    """The outcomes by score. Every whole number is in exactly one band."""
    time_zone: NotRequired[str]
    """The IANA time zone in which the day of the Decision is found. That of the Tenancy by default."""


class PolicyValidationFindings(TypedDict):
    code: str
    """More codes may be added."""
    field: str
    """A JSON pointer."""


class PolicyValidation(TypedDict):
    digest: str
    """SHA-256 of the canonical form of the content."""
    findings: list[PolicyValidationFindings]
    """Remarks on content that is valid."""


class PolicyAdoption(TypedDict):
    configuration_id: str
    policy: str
    version: int
    enforce_bar: bool
    """Whether an application of a barred Client is refused."""
    adopted_at: str
    """RFC 3339 in UTC with six decimals."""


class MerchantBookCurrencies(TypedDict):
    currency: str
    loans: int
    sold: Money
    returned: Money
    outstanding: Money
    overdue: Money


class MerchantBook(TypedDict):
    merchant_ref: str
    on: str
    loans: list[MerchantRow | RecordedLoanRow]
    """Newest first."""
    currencies: list[MerchantBookCurrencies]
    """Of the listed Loans with known figures."""
    page_totals: bool
    """Whether the totals are of this page only."""
    cursor: NotRequired[str]
    """The cursor of the next page. Absent on the last page."""


class MerchantRow(TypedDict):
    id: str
    reference: str
    tenant_id: str
    client_id: str
    merchant_ref: NotRequired[str]
    configuration: ConfigurationPin
    principal: Money
    term_periods: int
    rate: str
    """The contract rate as issued."""
    fee: Money
    """The origination fee as issued."""
    penalty_rate: str
    """Per cent a year."""
    anchor: str
    created_at: str
    """RFC 3339 in UTC with six decimals."""
    state: Literal["active", "closed", "cancelled", "written_off", "ceded", "held", "expired", "voided", "rescinded", "withdrawn", "restructured"]
    """Computed from the facts on every read."""
    rolled_over: int
    """Rollovers in force."""
    anomalies: list[Anomaly]
    """Empty if there are none."""
    paid: NotRequired[Money]
    """What Receipts have settled; absent if the allocation of the Client's money cannot be computed."""
    totals: LoanTotals
    settled_periods: NotRequired[int]
    """The number of fully settled periods; absent if `paid` is absent."""
    remaining_periods: NotRequired[int]
    """The number of periods that are not settled; absent if `paid` is absent."""
    owes: bool
    owed_to: NotRequired[Literal["tenant", "assignee"] | str]
    """Absent if the Loan owes nothing."""
    closed_on: NotRequired[str]
    """Present on a `closed` Loan."""
    ceded_on: NotRequired[str]
    """On a `ceded` Loan: the cut-off."""
    written_off_on: NotRequired[str]
    """On a `written_off` row."""
    outstanding: Money
    """The principal outstanding on the day."""


class FeedEvent(TypedDict):
    id: str
    loan_id: str
    kind: Literal["issued", "confirmed", "voided", "cancelled", "rescinded", "withdrawn", "suspended", "suspension_ended", "waived", "returned", "rolled_over", "restructured", "accelerated", "settled_for_less", "written_off", "ceded", "settled"] | str
    occurred_on: str
    recorded_at: str
    """RFC 3339 in UTC with six decimals."""
    merchant_ref: NotRequired[str]
    """Only if the Loan has a merchant."""


class Feed(TypedDict):
    events: list[FeedEvent]
    """Oldest first, in the order of recording."""
    cursor: str
    """Always present. Unchanged and without events, this is the end of the feed so far."""


class StreamedEvent(TypedDict):
    id: str
    """The cursor after the event."""
    event: Literal["issued", "confirmed", "voided", "cancelled", "rescinded", "withdrawn", "suspended", "suspension_ended", "waived", "returned", "rolled_over", "restructured", "accelerated", "settled_for_less", "written_off", "ceded", "settled"] | str
    """The kind of the row."""
    data: str
    """The row of the feed, as JSON."""


class Bounds(TypedDict):
    concurrent: int
    """Requests at the same time, for each instance of the service."""
    patience_ms: int
    """How long a request waits for a free place, in milliseconds."""
    per_second: int
    """Requests per second, for all instances of the service together."""
    burst: int
    """Requests at once after a quiet time, for all instances together."""
    source: Literal["default", "tenancy"] | str
    """Whether they are the default, or set for this Tenancy."""


class LoggedRequestTiming(TypedDict):
    """Parts of the duration in microseconds, as in `Server-Timing`."""

    queue_us: int
    """Waiting for a permit."""
    conn_us: int
    """Waiting for a database connection."""
    db_us: int
    derive_us: int
    """Computing figures."""
    submit_us: int
    """From handing a write to Kafka to its verdict."""


class LoggedRequest(TypedDict):
    request_id: str
    """The `Request-Id` of the answer."""
    caller_request_id: NotRequired[str]
    """The caller's own `Request-Id`."""
    received_at: str
    """RFC 3339 in UTC with six decimals."""
    duration_us: int
    """Until the answer was sent, in microseconds."""
    fp: str
    """The fingerprint of the key."""
    method: str
    route: NotRequired[str]
    """The operation of this document; absent where no route matched the path."""
    status: int
    code: NotRequired[str]
    """The refusal code."""
    field: NotRequired[str]
    """The member of the request that the refusal is about, at most 100 characters."""
    target: NotRequired[str]
    """Path and query, at most 500 characters."""
    contract_version: NotRequired[str]
    """The contract version of the answer."""
    timing: NotRequired[LoggedRequestTiming]
    """Parts of the duration in microseconds, as in `Server-Timing`."""


class LoggedRequestPage(TypedDict):
    requests: list[LoggedRequest]
    """Newest first. A page may be short or empty and still have a cursor."""
    cursor: NotRequired[str]
    """The cursor of the next page. Absent on the last page."""


class MarketCurrencies(TypedDict):
    value: list[str]
    source: str
    """The law or rule that it follows."""
    provisional: bool


class MarketPenaltyCapValue(TypedDict):
    form: Literal["none", "multiple_of_rate", "rate"] | str
    value: NotRequired[str]
    """A multiple of the contract rate, or a rate."""


class MarketPenaltyCap(TypedDict):
    value: MarketPenaltyCapValue
    source: str
    """The law or rule that it follows."""
    provisional: bool


class MarketPenaltyBase(TypedDict):
    value: list[Literal["overdue_principal", "overdue_instalment"] | str]
    source: str
    """The law or rule that it follows."""
    provisional: bool


class MarketPenaltyCeilingDays(TypedDict):
    value: NotRequired[int]
    """Absent if the market has no such rule."""
    source: str
    """The law or rule that it follows."""
    provisional: bool


class MarketCapitalises(TypedDict):
    value: bool
    source: str
    """The law or rule that it follows."""
    provisional: bool


class MarketAcceleration(TypedDict):
    value: Acceleration
    source: str
    """The law or rule that it follows."""
    provisional: bool


class MarketTaxValueEnds(TypedDict):
    rate: str
    """Per cent a year."""
    on: str


class MarketTaxValue(TypedDict):
    rates: list[str]
    ends: list[MarketTaxValueEnds]
    """The last day on which a Loan may be anchored under the rate."""
    on: list[Literal["interest", "fee", "penalty", "late_fee"] | str]


class MarketTax(TypedDict):
    value: MarketTaxValue
    source: str
    """The law or rule that it follows."""
    provisional: bool


class MarketDisclosureValue(TypedDict):
    convention: str
    version: int


class MarketDisclosure(TypedDict):
    value: MarketDisclosureValue
    source: str
    """The law or rule that it follows."""
    provisional: bool


class MarketCalendar(TypedDict):
    covers_to: str
    source: str
    """The law or rule that it follows."""
    provisional: bool


class Market(TypedDict):
    jurisdiction: str
    currencies: MarketCurrencies
    penalty_cap: MarketPenaltyCap
    penalty_base: MarketPenaltyBase
    penalty_ceiling_days: MarketPenaltyCeilingDays
    penalty_ceiling_bps: MarketPenaltyCeilingDays
    capitalises: MarketCapitalises
    late_fee_beside_penalty: MarketCapitalises
    acceleration: MarketAcceleration
    withdrawal_days: MarketPenaltyCeilingDays
    tax: MarketTax
    disclosure: MarketDisclosure
    calendar: MarketCalendar
    facility_window: MarketPenaltyCeilingDays


class CompanyProfile(TypedDict):
    legal_name: str
    trade_name: NotRequired[str]
    tax_id: NotRequired[str]
    address: NotRequired[str | dict[str, object]]
    contact: NotRequired[str | dict[str, object]]


class ReadinessNotReady(TypedDict):
    name: str
    reason: str


class Readiness(TypedDict):
    status: Literal["ready", "not_ready"] | str
    not_ready: list[ReadinessNotReady]
    degraded: list[ReadinessNotReady]


class LoanEvidence(TypedDict):
    loan_id: str
    client_id: str
    facts: list[ProvenFact]
    """Oldest first."""


class ReceiptEvidence(TypedDict):
    receipt: str
    client_id: str
    facts: list[ProvenFact]
    """Oldest first."""


class ProvenFactLog(TypedDict):
    """The log entry of the submission."""

    topic: str
    partition: int
    offset: int
    item: int


class ProvenFactEvent(TypedDict):
    """The published event of the fact."""

    topic: str
    partition: int
    sequence: int


class ProvenFactSubmission(TypedDict):
    request_id: str
    taken_in_at: str
    """RFC 3339 in UTC with six decimals."""
    canonical: str
    """The signed text."""
    fp: str
    """The fingerprint of the key."""
    public_key: str
    """Base64url."""
    key_created_at: str
    """RFC 3339 in UTC with six decimals."""
    key_revoked_at: NotRequired[str]
    """RFC 3339 in UTC with six decimals."""
    signature: str
    """Base64url."""
    body: str
    """The bytes as sent, in base64."""


class ProvenFact(TypedDict):
    sequence: int
    """The number of the fact in the Client's book."""
    kind: str
    recorded_at: str
    """RFC 3339 in UTC with six decimals."""
    body: dict[str, object]
    """The fact as it is stored and published."""
    log: ProvenFactLog
    """The log entry of the submission."""
    event: ProvenFactEvent
    """The published event of the fact."""
    submission: ProvenFactSubmission


class StatedMoney(TypedDict):
    minor_units: int
    """Whole minor units of the currency."""
    currency: str
    """Three upper-case letters."""


class StatedMoneyOrNothing(TypedDict):
    minor_units: int
    """Whole minor units of the currency."""
    currency: str
    """Three upper-case letters."""


class Schedule(TypedDict):
    kind: Literal["anchored_monthly", "anchored_every_n_days"]
    """By months, or by a number of days. Both count from the anchor."""
    interval_days: NotRequired[int]
    """With `anchored_every_n_days`: the days of each period."""
    day_of_month: NotRequired[int]
    """With `anchored_monthly`: the day on which periods end, in a shorter month its last day. That of the anchor by default."""
    first_after_days: NotRequired[int]
    """With `day_of_month`: the days that the first period has at least. One by default."""


class StatedSchedule(TypedDict):
    kind: Literal["anchored_monthly", "anchored_every_n_days"] | str
    """By months, or by a number of days. Both count from the anchor."""
    interval_days: NotRequired[int]
    """With `anchored_every_n_days`: the days of each period."""
    day_of_month: NotRequired[int]
    """With `anchored_monthly`: the day on which periods end, in a shorter month its last day. That of the anchor by default."""
    first_after_days: NotRequired[int]
    """With `day_of_month`: the days that the first period has at least. One by default."""


class Ratio(TypedDict):
    numerator: int
    """Of the yearly rate as a fraction of one."""
    denominator: int
    """Of the yearly rate as a fraction of one."""
    quotation: Literal["nominal_annual"]


class ActOnADay(TypedDict):
    on: str
    """The civil day of the fact or of the answer."""
    reference: str
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason, for later readers of the book."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""


class SuspensionAct(TypedDict):
    on: str
    """The civil day of the fact or of the answer."""
    to: str
    """The last day of the window."""
    reference: str
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason, for later readers of the book."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""


class SuspensionEndAct(TypedDict):
    on: str
    """The civil day of the fact or of the answer."""
    suspension_id: str
    """The suspension to end."""
    reference: str
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason, for later readers of the book."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""


class WaiverAct(TypedDict):
    on: str
    """The civil day of the fact or of the answer."""
    period: int
    """The index of a period, from 1."""
    charge: Literal["principal", "interest", "fee", "penalty", "late_fee"] | str
    """The charge of the period."""
    amount: StatedMoney
    """The amount."""
    reference: str
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason, for later readers of the book."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""


class ReturnAct(TypedDict):
    on: str
    """The civil day of the fact or of the answer."""
    amount: StatedMoney
    """The amount."""
    reference: str
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason, for later readers of the book."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""


class RestructureAct(TypedDict):
    on: str
    """The civil day of the fact or of the answer."""
    term_periods: int
    """The number of periods."""
    rate: str
    """Per cent a year."""
    schedule: NotRequired[StatedSchedule]
    """The days on which periods end. Required if the product offers a menu."""
    penalty_rate: NotRequired[str]
    """Per cent a year."""
    reference: str
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason, for later readers of the book."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""


class AccelerationAct(TypedDict):
    on: str
    """The civil day of the fact or of the answer."""
    notified_on: str
    """The day on which the borrower was notified."""
    reference: str
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason, for later readers of the book."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""


class SettlementAct(TypedDict):
    on: str
    """The civil day of the fact or of the answer."""
    agreed: StatedMoney
    """The amount accepted for the whole debt."""
    until: NotRequired[str]
    """The last day on which the agreed amount settles the debt."""
    reference: str
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason, for later readers of the book."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""


class RetractionAct(TypedDict):
    on: str
    """The civil day of the fact or of the answer."""
    event_id: str
    """The event to withdraw."""
    reference: str
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason, for later readers of the book."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""


class LoanToIssueTax(TypedDict):
    """The rate of the tax and the taxed charges."""

    rate: str
    """Per cent a year."""
    on: list[Literal["interest", "fee", "penalty", "late_fee"] | str]


class LoanToIssue(TypedDict):
    client_id: str
    """The caller's identifier of the Client."""
    configuration_id: str
    """The product configuration."""
    configuration_version: int
    """The version of the product configuration."""
    principal: StatedMoney
    """The amount lent, including a payment at purchase."""
    term_periods: int
    """The number of periods."""
    rate: NotRequired[str]
    """Per cent a year."""
    penalty_rate: NotRequired[str]
    """Per cent a year."""
    anchor: str
    """The first day of the Loan."""
    jurisdiction: str
    """The market whose law applies, in upper case."""
    tax: LoanToIssueTax
    """The rate of the tax and the taxed charges."""
    down_payment: NotRequired[StatedMoney]
    """The payment at purchase."""
    schedule: NotRequired[StatedSchedule]
    """The days on which periods end. Required if the product offers a menu."""
    merchant_ref: NotRequired[str]
    """The caller's identifier of the merchant of the sale."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""
    reference: str
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    facility_id: NotRequired[str]
    """The facility under which the Loan is issued. It then gives the rate."""
    hold_until: NotRequired[str]
    """The last day on which the hold may be confirmed."""


class LoanToPreview(TypedDict):
    client_id: str
    """The caller's identifier of the Client."""
    configuration_id: str
    """The product configuration."""
    configuration_version: int
    """The version of the product configuration."""
    principal: StatedMoney
    """The amount lent, including a payment at purchase."""
    term_periods: int
    """The number of periods."""
    rate: NotRequired[str]
    """Per cent a year."""
    penalty_rate: NotRequired[str]
    """Per cent a year."""
    anchor: str
    """The first day of the Loan."""
    jurisdiction: str
    """The market whose law applies, in upper case."""
    tax: LoanToIssueTax
    """The rate of the tax and the taxed charges."""
    down_payment: NotRequired[StatedMoney]
    """The payment at purchase."""
    schedule: NotRequired[StatedSchedule]
    """The days on which periods end. Required if the product offers a menu."""
    merchant_ref: NotRequired[str]
    """The caller's identifier of the merchant of the sale."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""
    reference: NotRequired[object]
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    facility_id: NotRequired[str]
    """The facility under which the Loan is issued. It then gives the rate."""
    hold_until: NotRequired[str]
    """The last day on which the hold may be confirmed."""


class ClientToRegister(TypedDict):
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason, for later readers of the book."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""


class SimulationToRunFacts(TypedDict):
    act: Literal["issue", "receipt", "reversal", "confirm", "void", "cancel", "rescind", "withdraw", "suspension", "suspension-end", "waiver", "return", "rollover", "restructure", "acceleration", "settlement", "write-off", "cession", "retraction"] | str
    loan_id: NotRequired[str]
    loan_reference: NotRequired[str]
    designated_loan_reference: NotRequired[str]
    reference: NotRequired[str]
    body: dict[str, object]


class SimulationToRun(TypedDict):
    on: str
    """The civil day of the fact or of the answer."""
    facts: list[SimulationToRunFacts]
    """The supposed facts, in order."""


class CompanyProfileToPut(TypedDict):
    legal_name: str
    """The registered name."""
    trade_name: NotRequired[str]
    tax_id: NotRequired[str]
    address: NotRequired[str | dict[str, object]]
    contact: NotRequired[str | dict[str, object]]
    vat_rate_bps: NotRequired[object]
    """
    Accepted and ignored. Refused from 2027-01-15.
    Deprecated.
    """


class ReceiptToReport(TypedDict):
    reference: str
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    client_id: str
    """The caller's identifier of the Client."""
    amount: StatedMoney
    """The amount."""
    value_date: str
    """The civil day on which the money arrived."""
    designated_loan_id: NotRequired[str]
    """The only Loan that the money is for."""
    payoff_intent: NotRequired[bool]
    """Whether the money is meant to discharge the designated Loan. False by default."""
    quote_id: NotRequired[str]
    """The payoff quote that the money follows."""
    rail: NotRequired[Literal["bank_transfer", "card", "cash", "direct_debit", "wallet", "payroll", "internal"] | str]
    """How the money was paid."""
    provider_reference: NotRequired[str]
    """The provider's identifier of the payment."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""


class ReceiptBatch(TypedDict):
    receipts: list[ReceiptToReport]
    """The Receipts. Each is accepted or refused by itself."""


class ReversalAct(TypedDict):
    reason: Literal["returned_by_bank", "chargeback", "reported_in_error", "other"] | str | str
    """Why the money was returned."""
    reference: str
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason, for later readers of the book."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""


class PolicyAdoptionAct(TypedDict):
    policy: str
    """The policy."""
    version: int
    """The number of a published version."""
    enforce_bar: bool
    """Whether an application of a barred Client is refused."""
    reference: str
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason, for later readers of the book."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""


class PublicationAct(TypedDict):
    reference: str
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason, for later readers of the book."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""


ConfigurationToCreate: TypeAlias = "InstalmentToConfigure | BnplToConfigure | PaydayToConfigure"


class InstalmentToConfigure(TypedDict):
    archetype: Literal["instalment"]
    """The archetype of the product. It cannot be changed later."""
    values: StatedInstalmentValues
    """All terms of the product."""


class BnplToConfigure(TypedDict):
    archetype: Literal["bnpl"]
    """The archetype of the product. It cannot be changed later."""
    values: StatedBnplValues
    """All terms of the product."""


class PaydayToConfigure(TypedDict):
    archetype: Literal["payday"]
    """The archetype of the product. It cannot be changed later."""
    values: StatedPaydayValues
    """All terms of the product."""


class LookupKeyPointing(TypedDict):
    configuration_id: str
    """The product configuration."""
    configuration_version: int
    """The version of the product configuration."""
    transfer: NotRequired[bool]
    """Whether to move a key that points at another version."""


class ApplicationAttributes(TypedDict):
    state: Literal["known", "unknown"] | str
    """Whether the value is known."""
    number: NotRequired[int | str]
    """The value, where it is known."""
    as_of: NotRequired[str]
    """The day on which the value was observed."""


class Application(TypedDict):
    reference: str
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    client_id: str
    """The caller's identifier of the Client."""
    configuration_id: str
    """The product configuration."""
    configuration_version: int
    """The version of the product configuration."""
    principal: StatedMoney
    """The amount lent, including a payment at purchase."""
    submitted_on: str
    """The day of the application."""
    attributes: dict[str, ApplicationAttributes]
    """The observed attributes, by the names that the policy uses."""
    sources: list[str]
    """The sources of the attributes."""
    limit: NotRequired[bool]
    """Whether to decide a ceiling for a line."""
    policy: NotRequired[str]
    """The policy."""
    policy_version: NotRequired[int]
    """With `policy`: the version of a trial, which has no binding effect."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason, for later readers of the book."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""


class ResolutionAct(TypedDict):
    outcome: Literal["approve", "refuse"] | str
    """The outcome that the person decided."""
    rate: NotRequired[Ratio | str]
    """The contract rate."""
    principal_max: NotRequired[StatedMoney]
    """The largest amount that may be lent."""
    moratorium_days: NotRequired[int]
    """The number of days for which a refusal bars the Client."""
    reference: str
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason, for later readers of the book."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""


class FacilityToOpen(TypedDict):
    reference: str
    """The caller's name for this record. The same reference with the same body answers what is recorded."""
    client_id: str
    """The caller's identifier of the Client."""
    decision_id: str
    """The approving Decision."""
    amount: StatedMoney
    """The amount."""
    opens_on: str
    """The first day on which the facility may be drawn."""
    expires_on: str
    """The last day on which the facility may be drawn."""
    line: NotRequired[bool]
    """Whether repayment makes the amount available again."""
    supersedes: NotRequired[str]
    """The line that this one replaces."""
    actor: str
    """The caller's identifier of the person or system that acts."""
    basis: str
    """The reason, for later readers of the book."""
    context: NotRequired[dict[str, object]]
    """Data of the caller: at most 16 KiB, nested at most 8 deep. It is stored and echoed, and has no effect."""


class FactAct(TypedDict):
    reference: str
    actor: str
    basis: str
    context: NotRequired[dict[str, object]]


class FactOrigin(TypedDict):
    channel: str
    address: NotRequired[str]


class FactSchedule(TypedDict):
    kind: str
    """By months, or by a number of days. Both count from the anchor."""
    interval_days: NotRequired[int]
    """With `anchored_every_n_days`: the days of each period."""
    day_of_month: NotRequired[int]
    """With `anchored_monthly`: the day on which periods end, in a shorter month its last day. That of the anchor by default."""
    first_after_days: NotRequired[int]
    """With `day_of_month`: the days that the first period has at least. One by default."""


class AcceleratedBodyStated(TypedDict):
    notified_on: str


class AcceleratedBody(TypedDict):
    """`loan_id`, `event_id`, `on`, `act`, `stated`: `notified_on`"""

    loan_id: str
    event_id: str
    on: str
    act: FactAct
    stated: AcceleratedBodyStated


class BoundsSetBody(TypedDict):
    """`bounds` (null for the default), `before`, `actor`, `origin`."""

    bounds: dict[str, object] | None
    before: NotRequired[dict[str, object] | None]
    actor: NotRequired[str]
    origin: NotRequired[FactOrigin]


class CancelledBody(TypedDict):
    """`loan_id`, `event_id`, `on`, `act`"""

    loan_id: str
    event_id: str
    on: str
    act: FactAct


class CededBody(TypedDict):
    """`loan_id`, `event_id`, `on`, `act`"""

    loan_id: str
    event_id: str
    on: str
    act: FactAct


class CompanyProfilePutBody(TypedDict):
    """`profile` (all of it)."""

    profile: dict[str, object]


class ConfigurationCreatedBody(TypedDict):
    """`id`, `archetype`, `values`."""

    id: str
    archetype: str
    values: dict[str, object]


class ConfigurationVersionBody(TypedDict):
    """`id`, `version`, `values`."""

    id: str
    version: int
    values: dict[str, object]


class ConfirmedBody(TypedDict):
    """`loan_id`, `event_id`, `on`, `act`"""

    loan_id: str
    event_id: str
    on: str
    act: FactAct


class CreditDecidedBodyRate(TypedDict):
    """On an approval."""

    numerator: int
    denominator: int
    quotation: str
    percent: NotRequired[str]
    """The exact decimal in per cent. Only a draft in a trial may lack one."""


class CreditDecidedBodyTraceKnockoutsObserved(TypedDict):
    state: str
    number: NotRequired[int | str]
    """Present if the attribute is known, as sent."""
    as_of: NotRequired[str]


class CreditDecidedBodyTraceKnockouts(TypedDict):
    id: str
    text: str
    attribute: str
    comparison: str
    bound: int | str
    observed: CreditDecidedBodyTraceKnockoutsObserved
    fired: bool
    """Whether the rule fired."""
    outcome: str


class CreditDecidedBodyTraceScorecard(TypedDict):
    id: str
    attribute: str
    observed: CreditDecidedBodyTraceKnockoutsObserved
    bin: NotRequired[int]
    """The index of the bin, from 0; absent if no bin contains the observed value."""
    points: int


class CreditDecidedBodyTrace(TypedDict):
    knockouts: list[CreditDecidedBodyTraceKnockouts]
    """In the order of the policy. The first that fired decided the outcome."""
    scorecard: list[CreditDecidedBodyTraceScorecard]


class CreditDecidedBody(TypedDict):
    """The Decision as the API answers it, with reference, actor and basis under `act`."""

    act: FactAct
    id: str
    client_id: str
    policy: str
    policy_version: int
    policy_digest: str
    """SHA-256 of the canonical form of the deciding content."""
    configuration_id: str
    configuration_version: int
    principal: Money
    submitted_on: str
    """The day of the application."""
    score: int
    """The sum of the points."""
    outcome: str
    band: NotRequired[str]
    """Absent if a knockout decided the outcome."""
    terms: NotRequired[list[int]]
    """On an approval: the numbers of periods offered."""
    rate: NotRequired[CreditDecidedBodyRate]
    """On an approval."""
    principal_max: NotRequired[Money]
    """On an approval."""
    ceiling: NotRequired[Money]
    """On a limit decision."""
    over_ceiling: NotRequired[bool]
    """On a limit decision: whether the requested principal is above the ceiling."""
    moratorium_days: NotRequired[int]
    """On a refusal: for how many days it bars the Client."""
    trace: CreditDecidedBodyTrace
    sources: list[str]
    """As sent."""
    binding: bool
    """True if the adopted version decided, false for a trial."""
    self_confirmed_version: bool
    """Whether the person who published the version had drafted it."""
    time_zone: str
    """The zone in which the day of the Decision was found."""
    bound_from: str
    """The day from which a bar of this Decision counts."""
    decided_at: NotRequired[str]
    """RFC 3339 in UTC with six decimals."""


class DecisionResolvedBody(TypedDict):
    """The resolution as the API answers it, with reference, actor and basis under `act`."""

    act: FactAct
    decision_id: str
    outcome: str
    terms: NotRequired[list[int]]
    """On an approval: the numbers of periods offered."""
    rate: NotRequired[CreditDecidedBodyRate]
    """On an approval."""
    principal_max: NotRequired[Money]
    """On an approval."""
    moratorium_days: NotRequired[int]
    """On a refusal: for how many days it bars the Client."""


class FacilityOpenedBodyRate(TypedDict):
    """A yearly rate as a fraction of one."""

    numerator: int
    denominator: int
    quotation: str
    percent: NotRequired[str]
    """The exact decimal in per cent. Only a draft in a trial may lack one."""


class FacilityOpenedBody(TypedDict):
    """The facility as the API answers it, with reference, actor and basis under `act`."""

    act: FactAct
    id: str
    client_id: str
    configuration_id: str
    decided_version: int
    """The configuration version of the Decision."""
    decision_id: str
    """The approving Decision."""
    amount: Money
    rate: FacilityOpenedBodyRate
    """A yearly rate as a fraction of one."""
    terms: list[int]
    """The numbers of periods of Loans under the facility."""
    opens_on: str
    """The first day on which it may be drawn."""
    expires_on: str
    """The last day on which it may be drawn."""
    line: bool
    """Whether repayment makes the amount available again."""
    supersedes: NotRequired[str]
    """The line that this one replaced."""


class IssuedBodyConfiguration(TypedDict):
    id: str
    version: int


class IssuedBodyStatedTax(TypedDict):
    rate: str
    """Per cent a year."""
    on: list[str]


class IssuedBodyStated(TypedDict):
    client_id: str
    principal: Money
    term_periods: int
    rate: NotRequired[str]
    """Per cent a year."""
    penalty_rate: NotRequired[str]
    """Per cent a year."""
    anchor: str
    jurisdiction: str
    tax: IssuedBodyStatedTax
    down_payment: NotRequired[Money]
    schedule: NotRequired[FactSchedule]
    merchant_ref: NotRequired[str]
    context: NotRequired[dict[str, object]]
    reference: NotRequired[str]
    hold_until: NotRequired[str]


class IssuedBodyTermsTax(TypedDict):
    rate: str
    """Per cent a year."""
    on: list[str]


class IssuedBodyTermsAcceleration(TypedDict):
    forbidden: bool
    """Whether the whole balance may never be called."""
    missed_periods: int
    """How many periods must be late before it may be called."""
    notice_days: int
    """The days between the notice to the borrower and the call."""


class IssuedBodyTermsPenaltyCap(TypedDict):
    form: str
    value: NotRequired[str]


class IssuedBodyTermsFrame(TypedDict):
    rate_min: str
    rate_max: str
    penalty_rate_min: str
    penalty_rate_max: str
    terms: NotRequired[list[int]]
    schedules: list[FactSchedule]


class IssuedBodyTerms(TypedDict):
    principal: Money
    down_payment: Money
    currency: str
    term_periods: int
    rate: str
    """Per cent a year."""
    penalty_rate: str
    """Per cent a year."""
    anchor: str
    schedule: FactSchedule
    jurisdiction: str
    tax: IssuedBodyTermsTax
    archetype: str
    day_count_basis: str
    amortisation: str
    origination_fee: Money
    late_fee: Money
    rollover_fee: Money
    charge_order: list[str]
    early_money_treatment: str
    tolerance_days: int
    tolerance: Money
    penalty_base: str
    penalty_ceiling_days: NotRequired[int]
    penalty_ceiling_bps: NotRequired[int]
    capitalises: bool
    acceleration: IssuedBodyTermsAcceleration
    max_rollovers: int
    withdrawal_days: int
    penalty_cap: IssuedBodyTermsPenaltyCap
    late_fee_beside_penalty: bool
    frame: IssuedBodyTermsFrame
    hold_until: NotRequired[str]


class IssuedBodyPlanPeriods(TypedDict):
    index: int
    scheduled_on: str
    due_on: str
    principal: Money
    interest: Money
    fee: Money
    tax: Money


class IssuedBodyPlan(TypedDict):
    level: Money
    periods: list[IssuedBodyPlanPeriods]


class IssuedBodyDisclosure(TypedDict):
    jurisdiction: str
    figure: str
    convention: str
    version: int
    provisional: bool


class IssuedBody(TypedDict):
    """`loan_id`, `event_id`, `reference`, `configuration`, `stated` (the requested terms), and the terms fixed at issuance: `terms`, `plan`, `disclosure`."""

    loan_id: str
    event_id: str
    reference: str
    configuration: IssuedBodyConfiguration
    stated: IssuedBodyStated
    terms: IssuedBodyTerms
    plan: IssuedBodyPlan
    disclosure: IssuedBodyDisclosure


class KeyMintedBody(TypedDict):
    """`fp`, `public_key`, `scope`, `holder`, `label`, `actor`, `origin`."""

    fp: str
    public_key: str
    scope: str
    holder: str
    label: str
    actor: NotRequired[str]
    origin: NotRequired[FactOrigin]


class KeyRevokedBody(TypedDict):
    """`fp`, `actor`, `origin`."""

    fp: str
    actor: NotRequired[str]
    origin: NotRequired[FactOrigin]


class LookupKeyPointedBody(TypedDict):
    """`lookup_key`, `configuration_id`, `configuration_version`."""

    lookup_key: str
    configuration_id: str
    configuration_version: int


class LookupKeyRemovedBody(TypedDict):
    """`lookup_key`."""

    lookup_key: str


class PayoffQuotedBodyOwedCharges(TypedDict):
    charge: str
    amount: Money
    """Before tax."""
    tax: Money
    total: Money


class PayoffQuotedBodyOwed(TypedDict):
    total: Money
    charges: list[PayoffQuotedBodyOwedCharges]
    """The charges that are not zero, in a fixed order."""


class PayoffQuotedBody(TypedDict):
    """`id`, `loan_id`, `on`, `owed`, `act`."""

    id: str
    loan_id: str
    on: str
    owed: PayoffQuotedBodyOwed
    act: FactAct


class PersonActBody(TypedDict):
    """`act_id`, `action`, `subject`, `before`, `after`, `actor`, `origin`. What was done to a person of the console; it changes no figures."""

    act_id: str
    action: str
    subject: str
    before: NotRequired[str | None]
    after: NotRequired[str | None]
    actor: NotRequired[str]
    origin: NotRequired[FactOrigin]


class PolicyAdoptedBody(TypedDict):
    """`configuration_id`, `policy`, `version`, `enforce_bar`, `adopted_by`, `act`."""

    configuration_id: str
    policy: str
    version: int
    enforce_bar: bool
    adopted_by: str
    act: FactAct


class PolicyDraftedBody(TypedDict):
    """`policy`, `version`, `digest`, `content`, `drafted_by`, `act`."""

    policy: str
    version: int
    digest: str
    content: dict[str, object]
    drafted_by: str
    act: FactAct


class PolicyPublishedBody(TypedDict):
    """`policy`, `version`, `published_by`, `self_confirmed`, `act`."""

    policy: str
    version: int
    published_by: str
    self_confirmed: bool
    act: FactAct


class ReceiptReportedBodyReceipt(TypedDict):
    reference: str
    client_id: str
    amount: Money
    value_date: str
    designated_loan_id: NotRequired[str]
    payoff_intent: NotRequired[bool]
    quote_id: NotRequired[str]
    rail: NotRequired[str]
    provider_reference: NotRequired[str]
    context: NotRequired[dict[str, object]]


class ReceiptReportedBodyQuote(TypedDict):
    loan_id: str
    total: Money


class ReceiptReportedBody(TypedDict):
    """`id`, `receipt` (as requested), `quote` (if the Receipt names one)."""

    id: str
    receipt: ReceiptReportedBodyReceipt
    quote: NotRequired[ReceiptReportedBodyQuote]


class ReceiptReversedBody(TypedDict):
    """`receipt` (its reference), `reason`, `act`."""

    receipt: str
    reason: str
    act: FactAct


class RegisteredBody(TypedDict):
    """The members of the registration."""

    actor: str
    basis: str
    context: NotRequired[dict[str, object]]


class ReleasedBody(TypedDict):
    """`basis`, `drop` (the submissions that were dropped), `actor`. It releases a parked book and changes no figures."""

    basis: str
    drop: list[str]
    actor: NotRequired[str]
    origin: NotRequired[FactOrigin]


class RescindedBody(TypedDict):
    """`loan_id`, `event_id`, `on`, `act`"""

    loan_id: str
    event_id: str
    on: str
    act: FactAct


class RestructuredBodyStated(TypedDict):
    term_periods: int
    rate: str
    """Per cent a year."""
    schedule: NotRequired[FactSchedule]
    penalty_rate: NotRequired[str]
    """Per cent a year."""


class RestructuredBody(TypedDict):
    """`loan_id`, `event_id`, `on`, `act`, `stated`: `term_periods`, `rate`, `schedule`, `penalty_rate`"""

    loan_id: str
    event_id: str
    on: str
    act: FactAct
    stated: RestructuredBodyStated
    calendar: str


class RetractedBodyStated(TypedDict):
    event_id: str


class RetractedBody(TypedDict):
    """`loan_id`, `event_id`, `on`, `act`, `stated`: `event_id` (the withdrawn fact)"""

    loan_id: str
    event_id: str
    on: str
    act: FactAct
    stated: RetractedBodyStated


class ReturnedBodyStated(TypedDict):
    amount: Money


class ReturnedBody(TypedDict):
    """`loan_id`, `event_id`, `on`, `act`, `stated`: `amount`"""

    loan_id: str
    event_id: str
    on: str
    act: FactAct
    stated: ReturnedBodyStated


class RolledOverBody(TypedDict):
    """`loan_id`, `event_id`, `on`, `act`"""

    loan_id: str
    event_id: str
    on: str
    act: FactAct
    calendar: str


class SettledForLessBodyStated(TypedDict):
    agreed: Money
    until: NotRequired[str]


class SettledForLessBody(TypedDict):
    """`loan_id`, `event_id`, `on`, `act`, `stated`: `agreed`, `until`"""

    loan_id: str
    event_id: str
    on: str
    act: FactAct
    stated: SettledForLessBodyStated


class SuspendedBodyStated(TypedDict):
    to: str


class SuspendedBody(TypedDict):
    """`loan_id`, `event_id`, `on`, `act`, `stated`: `to`"""

    loan_id: str
    event_id: str
    on: str
    act: FactAct
    stated: SuspendedBodyStated


class SuspensionEndedBodyStated(TypedDict):
    suspension_id: str


class SuspensionEndedBody(TypedDict):
    """`loan_id`, `event_id`, `on`, `act`, `stated`: `suspension_id`"""

    loan_id: str
    event_id: str
    on: str
    act: FactAct
    stated: SuspensionEndedBodyStated


class TenancyClosedBody(TypedDict):
    """`basis`, `keys` (the fingerprints of the keys it revoked: all that were valid), `actor`, `origin`."""

    basis: str
    keys: list[str]
    actor: NotRequired[str]
    origin: NotRequired[FactOrigin]


class TenancyOpenedBody(TypedDict):
    """`name`, `live`, `jurisdiction`, `time_zone`, `bounds`, `actor` (the operator), `origin` (where it was done: `channel`, `address`)."""

    name: str
    live: bool
    jurisdiction: str
    time_zone: str
    bounds: dict[str, object] | None
    actor: NotRequired[str]
    origin: NotRequired[FactOrigin]


class TenancyReopenedBody(TypedDict):
    """`actor`, `origin`. The keys stay revoked."""

    actor: NotRequired[str]
    origin: NotRequired[FactOrigin]


class VoidedBody(TypedDict):
    """`loan_id`, `event_id`, `on`, `act`"""

    loan_id: str
    event_id: str
    on: str
    act: FactAct


class WaivedBodyStated(TypedDict):
    period: int
    charge: str
    amount: Money


class WaivedBody(TypedDict):
    """`loan_id`, `event_id`, `on`, `act`, `stated`: `period`, `charge`, `amount`"""

    loan_id: str
    event_id: str
    on: str
    act: FactAct
    stated: WaivedBodyStated


class WithdrawnBody(TypedDict):
    """`loan_id`, `event_id`, `on`, `act`"""

    loan_id: str
    event_id: str
    on: str
    act: FactAct


class WrittenOffBody(TypedDict):
    """`loan_id`, `event_id`, `on`, `act`"""

    loan_id: str
    event_id: str
    on: str
    act: FactAct


class WriteConfigurationVersionBody(TypedDict):
    values: StatedProductValues
    """All values, by the archetype of the configuration."""


class RehearseBody(TypedDict):
    values: StatedProductValues
    """All values, by the archetype of the configuration."""
    on: str
    limit: NotRequired[int]
    cursor: NotRequired[str]


class ValidatePolicyBody(TypedDict):
    content: StatedPolicyContent


class DraftPolicyVersionBody(TypedDict):
    content: StatedPolicyContent
    reference: str
    actor: str
    basis: str
    context: NotRequired[dict[str, object]]


class ReadLivenessAnswer(TypedDict):
    status: Literal["alive"]
