import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { Taxed } from '#libs/ledger/line.ts';
import { settle, shareOf } from '#libs/ledger/line.ts';
import { type Loan, type Period, replacePeriod, runningSettlement, type Settlement } from '#libs/ledger/loan.ts';
import type { Charge } from '#libs/product/terms.ts';

export type SettledLine = {
  readonly period: number;
  readonly charge: Charge;
  readonly amount: bigint;
  readonly tax: bigint;
};

/** What one Receipt did to one Loan. */
export type LoanShare = {
  readonly order: number;
  readonly lines: readonly SettledLine[];
  /** Principal ahead, which sits on no period's line. */
  readonly early: bigint;
  readonly discharged: boolean;
};

/**
 * One Receipt while it is being placed: what is left of it, and the Loans as it leaves them. Local to the placing; what
 * comes out is a value.
 */
export type Till = {
  readonly receipt: string;
  readonly on: CivilDay;
  left: bigint;
  readonly loans: Map<number, Loan>;
  readonly reached: number[];
  readonly lines: Map<number, SettledLine[]>;
  readonly early: Map<number, bigint>;
  /** The settlement for less that this Receipt completed, if any. */
  settlement: string | undefined;
};

export function openTill(receipt: string, on: CivilDay, amount: bigint, loans: readonly Loan[]): Till {
  return {
    receipt,
    on,
    left: amount,
    loans: new Map(loans.map((loan) => [loan.order, loan])),
    reached: [],
    lines: new Map(),
    early: new Map(),
    settlement: undefined,
  };
}

export function loanIn(till: Till, order: number): Loan {
  const loan = till.loans.get(order);
  if (loan === undefined) throw new Error('a Receipt is placed on the Loans it was opened for');
  return loan;
}

/** What of the Receipt this Loan may take: while a settlement runs, at most what is left of it. */
export function available(till: Till, loan: Loan): bigint {
  const settlement = runningSettlement(loan, till.on);
  if (settlement === undefined) return till.left;
  const left = settlement.agreed - settlement.taken;
  return left < till.left ? left : till.left;
}

/** Settles `due` of a line, or the part of it that the Loan's money covers. */
export function payLine(till: Till, order: number, at: number, charge: Charge, due: Taxed): Taxed {
  const loan = loanIn(till, order);
  const paid = shareOf(due, available(till, loan));
  if (paid.amount + paid.tax === 0n) return paid;
  const period = loan.periods[at] as Period;
  const line = settle(period[charge], paid);
  const periods = replacePeriod(loan.periods, at, { ...period, [charge]: line });
  take(till, loan, periods, paid.amount + paid.tax, charge === 'principal' ? paid.amount : 0n);
  note(till, order, { period: period.index, charge, ...paid });
  return paid;
}

/** Takes principal ahead; the caller replans what is left of it. */
export function takeAhead(till: Till, order: number, amount: bigint): void {
  const loan = loanIn(till, order);
  take(till, loan, loan.periods, amount, amount);
  till.early.set(order, (till.early.get(order) ?? 0n) + amount);
}

/** Takes money for the Loan, its periods being as the money leaves them; so much of it is principal. */
function take(till: Till, loan: Loan, periods: readonly Period[], money: bigint, principal: bigint): void {
  till.left -= money;
  if (!till.reached.includes(loan.order)) till.reached.push(loan.order);
  const running = runningSettlement(loan, till.on);
  const paid = loan.paid + money;
  const principalReceived = loan.principalReceived + principal;
  const taken: Loan = { ...loan, periods, paid, principalReceived };
  till.loans.set(
    loan.order,
    running === undefined && loan.writeOff === undefined ? taken : agreedAnew(taken, running, money),
  );
}

/** What was agreed of the Loan, or given up of it, with so much more money. */
function agreedAnew(loan: Loan, running: Settlement | undefined, money: bigint): Loan {
  return {
    ...loan,
    ...(running === undefined ? {} : { settlement: { ...running, taken: running.taken + money } }),
    ...(loan.writeOff === undefined
      ? {}
      : { writeOff: { ...loan.writeOff, recovered: loan.writeOff.recovered + money } }),
  };
}

/** No line is met twice: one that was not paid whole took all the money the Loan could have. */
function note(till: Till, order: number, line: SettledLine): void {
  const lines = till.lines.get(order);
  if (lines === undefined) till.lines.set(order, [line]);
  else lines.push(line);
}

export function shareTotal(share: LoanShare): bigint {
  return share.lines.reduce((sum, line) => sum + line.amount + line.tax, share.early);
}
