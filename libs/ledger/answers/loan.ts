/** The answer to reading a Loan, and the standing that its listing row shows as well. */

import { formatDay } from '#libs/calendar/civil-day.ts';
import { loanInBook } from '#libs/ledger/admit.ts';
import { moneyFigure, type OwedFigure, owedFigure } from '#libs/ledger/answers/amounts-json.ts';
import { type Anomaly, anomaliesOf } from '#libs/ledger/answers/anomalies.ts';
import { type LoanEvent, loanEvents } from '#libs/ledger/answers/loan-events.ts';
import type { FoldedFacts } from '#libs/ledger/book.ts';
import type { LoanRecord } from '#libs/ledger/book-record.ts';
import type { IssuedPeriod } from '#libs/ledger/charges/plan.ts';
import type { FrozenDisclosure } from '#libs/ledger/facts.ts';
import { hasCharges, isOwing, type Loan, type Return } from '#libs/ledger/loan.ts';
import { type LoanState, stateOf } from '#libs/ledger/loan-state.ts';
import type { StatedTerms } from '#libs/ledger/request-bodies.ts';
import { statementOf } from '#libs/ledger/stored-facts.ts';
import { formatRate } from '#libs/money/rate.ts';
import type { LoanTerms, PenaltyBase } from '#libs/product/terms.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';

export type ConfigurationPin = { readonly id: string; readonly version: number };

export type ReturnFigure = {
  readonly act: string;
  readonly on: string;
  readonly amount: MoneyJson;
  readonly unwound_principal: MoneyJson;
  readonly principal_owed_back: MoneyJson;
  readonly interest_owed_back: MoneyJson;
  readonly still_owed: OwedFigure;
  readonly beyond_the_loan: MoneyJson;
  readonly returned_whole: boolean;
};

/** What both a Loan's own read and its row in a listing show. */
export type LoanStanding = {
  readonly state: LoanState;
  readonly rolled_over: number;
  readonly anomalies: readonly Anomaly[];
  readonly paid: MoneyJson;
  readonly totals: { readonly payments: MoneyJson };
  readonly settled_periods: number;
  readonly remaining_periods: number;
  readonly owes: boolean;
  readonly owed_to?: 'tenant' | 'assignee';
  readonly closed_on?: string;
  readonly ceded_on?: string;
};

export type LoanAnswer = LoanStanding & {
  readonly id: string;
  readonly tenant_id: string;
  readonly created_at: string;
  readonly events: readonly LoanEvent[];
  readonly configuration: ConfigurationPin;
  readonly terms: JsonObject;
  readonly periods: readonly IssuedPeriodFigure[];
  readonly disclosure: DisclosureFigure;
  readonly regime: Regime;
  readonly returns?: readonly ReturnFigure[];
  readonly write_off?: { readonly on: string; readonly cost: OwedFigure; readonly recovered: MoneyJson };
};

export type DisclosureFigure = Omit<FrozenDisclosure, 'version'> & { readonly convention_version: number };

export function disclosureFigure({ version, ...rest }: FrozenDisclosure): DisclosureFigure {
  return { ...rest, convention_version: version };
}

export function loanStanding(book: FoldedFacts, loan: Loan): LoanStanding {
  const { currency } = loan.terms;
  const state = stateOf(loan);
  const owes = owesAnything(loan, state);
  return {
    state,
    rolled_over: loan.rollovers.length,
    anomalies: anomaliesOf(book, loan),
    paid: moneyFigure(loan.paid, currency),
    totals: { payments: moneyFigure(totalPayments(loan.issued), currency) },
    settled_periods: loan.periods.filter((period) => period.settledOn !== undefined).length,
    remaining_periods: remainingPeriods(loan),
    owes,
    ...(owes ? { owed_to: state === 'ceded' ? 'assignee' : 'tenant' } : {}),
    ...(state === 'closed' && loan.discharged !== undefined ? { closed_on: formatDay(loan.discharged.on) } : {}),
    ...(state === 'ceded' && loan.cession !== undefined ? { ceded_on: formatDay(loan.cession.on) } : {}),
  };
}

function owesAnything(loan: Loan, state: LoanState): boolean {
  switch (state) {
    case 'active':
    case 'restructured':
    case 'ceded':
      return true;
    case 'written_off':
      return loan.discharged === undefined;
    default:
      return false;
  }
}

/** The periods that have charges and are not fully settled. */
function remainingPeriods(loan: Loan): number {
  if (loan.undone !== undefined || loan.cancelled || loan.voided) return 0;
  return loan.periods.filter((period) => hasCharges(period) && isOwing(period)).length;
}

export function loanAnswer(book: FoldedFacts, order: number, tenantId: string): LoanAnswer {
  const record = book.loans[order] as LoanRecord;
  const loan = loanInBook(book, order);
  const { currency } = loan.terms;
  const { configuration, terms } = statedIssuance(record);
  return {
    id: loan.id,
    tenant_id: tenantId,
    ...loanStanding(book, loan),
    created_at: record.recorded.at,
    events: loanEvents(record, loan),
    configuration,
    terms,
    periods: issuedPeriods(loan.issued, currency),
    disclosure: disclosureFigure(record.issuance.disclosure),
    regime: regimeOf(loan.terms),
    ...(loan.returns.length === 0 ? {} : { returns: loan.returns.map((entry) => returnFigure(entry, currency)) }),
    ...(loan.writeOff === undefined ? {} : { write_off: writeOffFigure(loan.writeOff, currency) }),
  };
}

/** The issuance as the caller stated it. */
export type StatedIssuance = {
  readonly configuration: ConfigurationPin;
  readonly terms: StatedTerms;
};

export function statedIssuance({ recorded }: Pick<LoanRecord, 'recorded'>): StatedIssuance {
  return statementOf(recorded) as StatedIssuance;
}

export function returnFigure(entry: Return, currency: string): ReturnFigure {
  return {
    act: entry.reference,
    on: formatDay(entry.on),
    amount: moneyFigure(entry.amount, currency),
    unwound_principal: moneyFigure(entry.unwound, currency),
    principal_owed_back: moneyFigure(entry.principalOwedBack, currency),
    interest_owed_back: moneyFigure(entry.interestOwedBack, currency),
    still_owed: owedFigure(entry.stillOwed, currency),
    beyond_the_loan: moneyFigure(entry.beyond, currency),
    returned_whole: entry.whole,
  };
}

function writeOffFigure({ on, cost, recovered }: NonNullable<Loan['writeOff']>, currency: string) {
  return { on: formatDay(on), cost: owedFigure(cost, currency), recovered: moneyFigure(recovered, currency) };
}

export type IssuedPeriodFigure = {
  readonly index: number;
  readonly scheduled_on: string;
  readonly due_on: string;
  readonly principal: MoneyJson;
  readonly interest: MoneyJson;
  readonly fee: MoneyJson;
  readonly tax: MoneyJson;
  readonly payment: MoneyJson;
};

function paymentOf({ principal, interest, fee, tax }: IssuedPeriod): bigint {
  return principal + interest + fee + tax;
}

export function totalPayments(periods: readonly IssuedPeriod[]): bigint {
  return periods.reduce((total, period) => total + paymentOf(period), 0n);
}

/** The plan at issuance. Later facts do not change it. */
export function issuedPeriods(periods: readonly IssuedPeriod[], currency: string): readonly IssuedPeriodFigure[] {
  return periods.map((period) => ({
    index: period.index,
    scheduled_on: formatDay(period.scheduledOn),
    due_on: formatDay(period.dueOn),
    principal: moneyFigure(period.principal, currency),
    interest: moneyFigure(period.interest, currency),
    fee: moneyFigure(period.fee, currency),
    tax: moneyFigure(period.tax, currency),
    payment: moneyFigure(paymentOf(period), currency),
  }));
}

/** The market's rules and the product's choices within them, as they were at issuance. */
export type Regime = {
  readonly penalty_rate: string;
  readonly late_fee: MoneyJson;
  readonly tolerance_days: number;
  readonly penalty_base: PenaltyBase;
  readonly capitalises: boolean;
  readonly acceleration: { readonly forbidden: boolean; readonly missed_periods: number; readonly notice_days: number };
  readonly tolerance?: MoneyJson;
  readonly penalty_ceiling_days?: number;
  readonly penalty_ceiling_bps?: number;
};

export function regimeOf(terms: LoanTerms): Regime {
  const { currency, acceleration, tolerance, penaltyCeilingDays, penaltyCeilingBps } = terms;
  return {
    penalty_rate: formatRate(terms.penaltyRate),
    late_fee: moneyFigure(terms.lateFee, currency),
    tolerance_days: terms.toleranceDays,
    penalty_base: terms.penaltyBase,
    capitalises: terms.capitalises,
    acceleration: {
      forbidden: acceleration.forbidden,
      missed_periods: acceleration.missedPeriods,
      notice_days: acceleration.noticeDays,
    },
    // Zero means that there is no tolerance.
    ...(tolerance === 0n ? {} : { tolerance: moneyFigure(tolerance, currency) }),
    ...(penaltyCeilingDays === undefined ? {} : { penalty_ceiling_days: penaltyCeilingDays }),
    ...(penaltyCeilingBps === undefined ? {} : { penalty_ceiling_bps: penaltyCeilingBps }),
  };
}
