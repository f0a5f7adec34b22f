/** What a Loan owes: in full, by period, to pay it off. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { interestOn } from '#libs/ledger/charges/interest.ts';
import { type Line, owedAmount, owedTaxed, owedTotal, payablePart, type Taxed, ZERO_TAXED } from '#libs/ledger/line.ts';
import { type Debt, type Loan, type Period, runningSettlement } from '#libs/ledger/loan.ts';
import { CHARGES, type Charge } from '#libs/product/terms.ts';

export const NO_DEBT: Debt = {
  principal: ZERO_TAXED,
  interest: ZERO_TAXED,
  fee: ZERO_TAXED,
  penalty: ZERO_TAXED,
  late_fee: ZERO_TAXED,
};

export function debtTotal(debt: Debt): bigint {
  let total = 0n;
  for (const charge of CHARGES) total += debt[charge].amount + debt[charge].tax;
  return total;
}

function plus(a: Taxed, b: Taxed): Taxed {
  if (b === ZERO_TAXED) return a;
  return a === ZERO_TAXED ? b : { amount: a.amount + b.amount, tax: a.tax + b.tax };
}

export function sumDebts(debts: readonly Debt[]): Debt {
  return debts.reduce(both, NO_DEBT);
}

function both(one: Debt, other: Debt): Debt {
  if (other === NO_DEBT) return one;
  if (one === NO_DEBT) return other;
  return {
    principal: plus(one.principal, other.principal),
    interest: plus(one.interest, other.interest),
    fee: plus(one.fee, other.fee),
    penalty: plus(one.penalty, other.penalty),
    late_fee: plus(one.late_fee, other.late_fee),
  };
}

function due(line: Line): Taxed {
  return owedTotal(line) === 0n ? ZERO_TAXED : owedTaxed(line);
}

/** What the period owes of its full charge. */
export function periodDebt(period: Period): Debt {
  if (!period.alive || period.settledOn !== undefined) return NO_DEBT;
  return {
    principal: due(period.principal),
    interest: due(period.interest),
    fee: due(period.fee),
    penalty: due(period.penalty),
    late_fee: due(period.late_fee),
  };
}

/** What discharging the period on the day takes: its interest as far as it has accrued. */
export function periodDebtOn(loan: Loan, period: Period, on: CivilDay): Debt {
  const debt = periodDebt(period);
  if (debt === NO_DEBT) return debt;
  const interest = interestOn(loan, period, on);
  return interest === period.interest ? debt : { ...debt, interest: due(interest) };
}

/** Everything that discharging the Loan on the day takes. */
export function payoff(loan: Loan, on: CivilDay): Debt {
  return sumDebts(payoffByPeriod(loan, on));
}

export function payoffByPeriod(loan: Loan, on: CivilDay): readonly Debt[] {
  return loan.periods.map((period) => periodDebtOn(loan, period, on));
}

export type DebtLine = { readonly at: number; readonly charge: Charge; readonly due: Taxed };

/** The lines of the debt in the order in which money pays them, as if everything had fallen due. */
export function debtLines(loan: Loan, on: CivilDay): DebtLine[] {
  const order = loan.periods.map((period, at) => ({ period, at })).filter(({ period }) => period.alive);
  order.sort((a, b) => a.period.dueOn - b.period.dueOn || a.period.index - b.period.index);
  return order.flatMap(({ period, at }) => {
    const debt = periodDebtOn(loan, period, on);
    return loan.terms.chargeOrder.map((charge) => ({ at, charge, due: debt[charge] }));
  });
}

/** What is left to pay of a running settlement, where that is less than the debt. */
export function settlementLeft(loan: Loan, on: CivilDay): bigint | undefined {
  const settlement = runningSettlement(loan, on);
  if (settlement === undefined) return undefined;
  const left = settlement.agreed - settlement.taken;
  return left < debtTotal(payoff(loan, on)) ? left : undefined;
}

/** The payoff on the day: the debt, or what is left of a settlement, on the lines that sum would pay. */
export function quotedPayoff(loan: Loan, on: CivilDay): Debt {
  return sumDebts(quotedPayoffByPeriod(loan, on));
}

export function quotedPayoffByPeriod(loan: Loan, on: CivilDay): readonly Debt[] {
  const left = settlementLeft(loan, on);
  if (left === undefined) return payoffByPeriod(loan, on);
  const parts = loan.periods.map(() => NO_DEBT);
  for (const { at, charge, due: paid } of linesPaidBy(loan, on, left)) {
    parts[at] = both(parts[at] ?? NO_DEBT, { ...NO_DEBT, [charge]: paid });
  }
  return parts;
}

/** The lines that a sum smaller than the debt pays, in the order in which money pays them. */
function linesPaidBy(loan: Loan, on: CivilDay, sum: bigint): DebtLine[] {
  let left = sum;
  const lines: DebtLine[] = [];
  for (const line of debtLines(loan, on)) {
    const share = payablePart(line.due, left);
    if (share.amount + share.tax === 0n) continue;
    lines.push({ ...line, due: share });
    left -= share.amount + share.tax;
  }
  return lines;
}

/** Principal still owed, fallen due or not. */
export function unpaidPrincipal(loan: Loan): bigint {
  return loan.periods.reduce((sum, period) => (period.alive ? sum + owedAmount(period.principal) : sum), 0n);
}
