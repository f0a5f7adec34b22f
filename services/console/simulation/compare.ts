/** Compares the book as it is with the simulated one: figures of each Loan, their sums, and the periods of its plan. */
import type { ClientBook, LoanPaymentOptions, Money, ScheduledPeriod } from '#libs/sdk/src/contract/shapes.ts';

export const comparedFigures = ['overdue', 'late', 'instalment', 'payoff', 'paid'] as const;
export type ComparedFigure = (typeof comparedFigures)[number];

export interface Compared {
  readonly is: Money;
  readonly wouldBe: Money;
  readonly difference: Money;
}

export interface ComparedLoan {
  readonly id: string;
  readonly reference: string;
  readonly state: { readonly is: string; readonly wouldBe: string };
  readonly figures: Readonly<Record<ComparedFigure, Compared>>;
  readonly periods: readonly ComparedPeriod[];
  readonly isChanged: boolean;
}

/** A period of the plan before, after, or both. */
export interface ComparedPeriod {
  readonly index: number;
  readonly is: ScheduledPeriod | undefined;
  readonly wouldBe: ScheduledPeriod | undefined;
  readonly isChanged: boolean;
}

export interface CurrencyTotals {
  readonly currency: string;
  readonly loans: number;
  readonly figures: Readonly<Record<ComparedFigure, Compared>>;
}

type BookLoan = ClientBook['loans'][number];

export function compareLoans(is: ClientBook, wouldBe: ClientBook): readonly ComparedLoan[] {
  const simulated = new Map(wouldBe.loans.map((each) => [each.loan.id, each]));
  return is.loans.flatMap((before) => {
    const after = simulated.get(before.loan.id);
    return after === undefined ? [] : [compareLoan(before, after)];
  });
}

function compareLoan(before: BookLoan, after: BookLoan): ComparedLoan {
  const figures = figuresBy((figure) => compare(figureOf(before, figure), figureOf(after, figure)));
  const periods = comparePeriods(before.schedule.periods, after.schedule.periods);
  const state = { is: before.loan.state, wouldBe: after.loan.state };
  const isChanged =
    state.is !== state.wouldBe ||
    periods.some((period) => period.isChanged) ||
    comparedFigures.some((figure) => figures[figure].difference.minor_units !== 0);
  return { id: before.loan.id, reference: before.loan.terms.reference, state, figures, periods, isChanged };
}

/** A figure that is absent, as that of a Loan that is not late, counts as nothing. */
function figureOf({ loan, payment_options: options }: BookLoan, figure: ComparedFigure): Money {
  const nothing = { minor_units: 0, currency: loan.terms.principal.currency };
  return (figure === 'paid' ? loan.paid : owedOf(options, figure)) ?? nothing;
}

function owedOf(options: LoanPaymentOptions, figure: Exclude<ComparedFigure, 'paid'>): Money | undefined {
  return figure === 'overdue' ? options.overdue?.total : options[figure]?.owed.total;
}

function compare(is: Money, wouldBe: Money): Compared {
  return { is, wouldBe, difference: { ...is, minor_units: wouldBe.minor_units - is.minor_units } };
}

function figuresBy(of: (figure: ComparedFigure) => Compared): Readonly<Record<ComparedFigure, Compared>> {
  return {
    overdue: of('overdue'),
    late: of('late'),
    instalment: of('instalment'),
    payoff: of('payoff'),
    paid: of('paid'),
  };
}

function comparePeriods(
  is: readonly ScheduledPeriod[],
  wouldBe: readonly ScheduledPeriod[],
): readonly ComparedPeriod[] {
  const before = new Map(is.map((period) => [period.index, period]));
  const after = new Map(wouldBe.map((period) => [period.index, period]));
  const indexes = [...new Set([...before.keys(), ...after.keys()])].sort((a, b) => a - b);
  return indexes.map((index) => {
    const periods = { is: before.get(index), wouldBe: after.get(index) };
    return { index, ...periods, isChanged: JSON.stringify(periods.is) !== JSON.stringify(periods.wouldBe) };
  });
}

/** The sums over all Loans of a currency: the API states none for a simulated book. */
export function totalsByCurrency(loans: readonly ComparedLoan[]): readonly CurrencyTotals[] {
  const currencies = [...new Set(loans.map(({ figures }) => figures.payoff.is.currency))].sort();
  return currencies.map((currency) => {
    const ofCurrency = loans.filter(({ figures }) => figures.payoff.is.currency === currency);
    const figures = figuresBy((figure) =>
      compare(
        sum(
          ofCurrency.map((loan) => loan.figures[figure].is),
          currency,
        ),
        sum(
          ofCurrency.map((loan) => loan.figures[figure].wouldBe),
          currency,
        ),
      ),
    );
    return { currency, loans: ofCurrency.length, figures };
  });
}

function sum(amounts: readonly Money[], currency: string): Money {
  return { currency, minor_units: amounts.reduce((total, { minor_units }) => total + minor_units, 0) };
}
