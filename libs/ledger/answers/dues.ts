import { type Anomaly, bookNotDerivable } from '#libs/ledger/answers/anomalies.ts';
import { type Money, money } from '#libs/ledger/answers/figures.ts';
import type { BookOnDay } from '#libs/ledger/answers/moment.ts';
import { type LoanOptions, loanOptions } from '#libs/ledger/answers/payment-options.ts';
import { amountOf } from '#libs/ledger/figure.ts';

export type DueLoan = Pick<LoanOptions, 'loan_id' | 'reference' | 'overdue' | 'late' | 'instalment'>;

export type DueTotal = { readonly currency: string; readonly overdue: Money; readonly late: Money };

export type ClientDues = {
  readonly client_id: string;
  readonly loans: readonly DueLoan[];
  readonly totals: readonly DueTotal[];
  /** Absent where all is well. */
  readonly anomalies?: readonly Anomaly[];
};

/** What narrows the Loans: that they are late at all, or by so many days. */
export type Narrowing = { readonly onlyLate: boolean; readonly minDaysPastDue?: number };

/** What of the Client's Loans has fallen due and is unpaid on the day; undefined where no Loan is left. */
export function clientDues(moment: BookOnDay, clientId: string, narrowing: Narrowing): ClientDues | undefined {
  const loans = moment.loans
    .map((loan) => loanOptions(moment, loan))
    .filter((options) => amountOf(options.overdue.total.minor_units) > 0n && isWithin(options, narrowing))
    .map(dueLoan);
  return loans.length === 0 ? undefined : { client_id: clientId, loans, totals: totalsOf(loans) };
}

/** Where the Client's book cannot be derived: what is due is known to nobody, nor whether it is within what was asked. */
export function unknownDues(clientId: string): ClientDues {
  return { client_id: clientId, loans: [], totals: [], anomalies: [bookNotDerivable()] };
}

function isWithin({ late }: LoanOptions, { onlyLate, minDaysPastDue }: Narrowing): boolean {
  if (minDaysPastDue !== undefined) return late !== undefined && late.worst_days_past_due >= minDaysPastDue;
  return !onlyLate || late !== undefined;
}

function dueLoan({ loan_id, reference, overdue, late, instalment }: LoanOptions): DueLoan {
  return {
    loan_id,
    reference,
    overdue,
    ...(late === undefined ? {} : { late }),
    ...(instalment === undefined ? {} : { instalment }),
  };
}

function totalsOf(loans: readonly DueLoan[]): readonly DueTotal[] {
  const sums = new Map<string, { overdue: bigint; late: bigint }>();
  for (const { overdue, late } of loans) {
    const { currency } = overdue.total;
    const sum = sums.get(currency) ?? { overdue: 0n, late: 0n };
    sum.overdue += amountOf(overdue.total.minor_units);
    sum.late += amountOf(late?.owed.total.minor_units ?? 0);
    sums.set(currency, sum);
  }
  return [...sums]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([currency, { overdue, late }]) => ({
      currency,
      overdue: money(overdue, currency),
      late: money(late, currency),
    }));
}

/** Of all Clients listed, by currency, with how many Clients it is. */
export function duesTotals(clients: readonly ClientDues[]) {
  const whole = totalsOf(clients.flatMap(({ loans }) => loans));
  return whole.map(({ currency, ...sums }) => {
    const owing = clients.filter(({ totals }) => totals.some((total) => total.currency === currency));
    return { currency, clients: owing.length, ...sums };
  });
}
