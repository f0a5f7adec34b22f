import { formatDay } from '#libs/calendar/civil-day.ts';
import { loanAt } from '#libs/ledger/admit.ts';
import { type Anomaly, anomaliesOf } from '#libs/ledger/answers/anomalies.ts';
import { type LoanEvent, loanEvents } from '#libs/ledger/answers/events.ts';
import { type Money, money, type Owed, owedFigure } from '#libs/ledger/answers/figures.ts';
import { issuedPeriods, type PeriodFigure, totalPayments } from '#libs/ledger/answers/issued.ts';
import { type Regime, regimeOf } from '#libs/ledger/answers/regime.ts';
import type { Book } from '#libs/ledger/book.ts';
import type { LoanRecord } from '#libs/ledger/fact-record.ts';
import type { Disclosed } from '#libs/ledger/facts.ts';
import { chargesSomething, isOwing, type Loan, type Return } from '#libs/ledger/loan.ts';
import { type LoanState, stateOf } from '#libs/ledger/state.ts';
import type { JsonObject } from '#libs/schema/json.ts';

export type ConfigurationPin = { readonly id: string; readonly version: number };

export type ReturnFigure = {
  readonly act: string;
  readonly on: string;
  readonly amount: Money;
  readonly unwound_principal: Money;
  readonly principal_owed_back: Money;
  readonly interest_owed_back: Money;
  readonly still_owed: Owed;
  readonly beyond_the_loan: Money;
  readonly returned_whole: boolean;
};

/** What a Loan's read and its row in a listing both say, folded from all that is recorded. */
export type Standing = {
  readonly state: LoanState;
  readonly rolled_over: number;
  readonly anomalies: readonly Anomaly[];
  readonly paid: Money;
  readonly totals: { readonly payments: Money };
  readonly settled_periods: number;
  readonly remaining_periods: number;
  readonly owes: boolean;
  readonly owed_to?: 'tenant' | 'assignee';
  readonly closed_on?: string;
  readonly ceded_on?: string;
};

export type LoanAnswer = Standing & {
  readonly id: string;
  readonly tenant_id: string;
  readonly created_at: string;
  readonly events: readonly LoanEvent[];
  readonly configuration: ConfigurationPin;
  readonly terms: JsonObject;
  readonly periods: readonly PeriodFigure[];
  readonly disclosure: DisclosureFigure;
  readonly regime: Regime;
  readonly returns?: readonly ReturnFigure[];
  readonly write_off?: { readonly on: string; readonly cost: Owed; readonly recovered: Money };
};

export type DisclosureFigure = Omit<Disclosed, 'version'> & { readonly convention_version: number };

export function disclosureFigure({ version, ...rest }: Disclosed): DisclosureFigure {
  return { ...rest, convention_version: version };
}

export function standing(book: Book, loan: Loan): Standing {
  const { currency } = loan.terms;
  const state = stateOf(loan);
  const owes = owesSomething(loan, state);
  return {
    state,
    rolled_over: loan.rollovers.length,
    anomalies: anomaliesOf(book, loan),
    paid: money(loan.paid, currency),
    totals: { payments: money(totalPayments(loan.issued), currency) },
    settled_periods: loan.periods.filter((period) => period.settledOn !== undefined).length,
    remaining_periods: remainingPeriods(loan),
    owes,
    ...(owes ? { owed_to: state === 'ceded' ? 'assignee' : 'tenant' } : {}),
    ...(state === 'closed' && loan.discharged !== undefined ? { closed_on: formatDay(loan.discharged.on) } : {}),
    ...(state === 'ceded' && loan.cession !== undefined ? { ceded_on: formatDay(loan.cession.on) } : {}),
  };
}

function owesSomething(loan: Loan, state: LoanState): boolean {
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

/** Periods still charged and not settled entire. */
function remainingPeriods(loan: Loan): number {
  if (loan.undone !== undefined || loan.cancelled || loan.voided) return 0;
  return loan.periods.filter((period) => chargesSomething(period) && isOwing(period)).length;
}

export function loanAnswer(book: Book, order: number, tenantId: string): LoanAnswer {
  const record = book.loans[order] as LoanRecord;
  const loan = loanAt(book, order);
  const { currency } = loan.terms;
  const { told, at } = record.recorded;
  const { configuration, terms } = told as unknown as IssuanceTold;
  return {
    id: loan.id,
    tenant_id: tenantId,
    ...standing(book, loan),
    created_at: at,
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

/** What an issuance told: its terms as stated, and the version it pins. */
export type IssuanceTold = { readonly configuration: ConfigurationPin; readonly terms: JsonObject };

export function returnFigure(entry: Return, currency: string): ReturnFigure {
  return {
    act: entry.reference,
    on: formatDay(entry.on),
    amount: money(entry.amount, currency),
    unwound_principal: money(entry.unwound, currency),
    principal_owed_back: money(entry.principalOwedBack, currency),
    interest_owed_back: money(entry.interestOwedBack, currency),
    still_owed: owedFigure(entry.stillOwed, currency),
    beyond_the_loan: money(entry.beyond, currency),
    returned_whole: entry.whole,
  };
}

function writeOffFigure({ on, cost, recovered }: NonNullable<Loan['writeOff']>, currency: string) {
  return { on: formatDay(on), cost: owedFigure(cost, currency), recovered: money(recovered, currency) };
}
