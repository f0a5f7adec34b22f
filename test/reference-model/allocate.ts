/** Allocation of a Receipt over the Loans of a Client. */
import { type Day, toDay } from './days.ts';
import type { Charge, ReceiptFact } from './input.ts';
import {
  canReceivePayment,
  type Loan,
  lineOf,
  nextInstalment,
  type PerCharge,
  type Period,
  payoffByPeriod,
  payoffOf,
  perCharge,
  type TaxedAmount,
  total,
  unpaid,
  unpaidPrincipal,
  zeroAmount,
} from './loan.ts';
import { min, round } from './numbers.ts';
import {
  amountWithTax,
  changeBalance,
  endPlan,
  markSettled,
  principalAhead,
  recalculate,
  recomputeInterest,
  settleLine,
} from './period-changes.ts';

/** What one Receipt settled on one Loan. */
export interface LoanAllocation {
  loan: Loan;
  lines: Map<Period, PerCharge<TaxedAmount>>;
  earlyPrincipal: bigint;
  discharged: boolean;
  /** What was released by period, when this Receipt reached the agreed amount of a settlement. */
  released: { period: Period; owed: PerCharge<TaxedAmount> }[];
}

export interface Allocation {
  receipt: ReceiptFact;
  on: Day;
  remaining: bigint;
  loans: LoanAllocation[];
  surplus: bigint;
  excess: bigint;
  excessOf: Loan['settlement'];
  payoffShort: boolean;
}

/** Section 5 of fold.md. */
export function allocate(loans: Loan[], receipt: ReceiptFact): Allocation {
  const on = toDay(receipt.value_date);
  const allocation: Allocation = {
    receipt,
    on,
    remaining: BigInt(receipt.amount),
    loans: [],
    surplus: 0n,
    excess: 0n,
    excessOf: undefined,
    payoffShort: false,
  };
  const currency = receipt.currency ?? 'MXN';
  const reached = loans.filter(
    (loan) =>
      loan.currency === currency &&
      canReceivePayment(loan, on) &&
      (receipt.designated_loan_id === undefined || receipt.designated_loan_id === loan.fact.id),
  );
  const designated = receipt.designated_loan_id === undefined ? undefined : reached[0];
  if (receipt.payoff_intent === true && designated !== undefined && !payOff(allocation, designated)) {
    allocation.payoffShort = !agreedIsCovered(allocation, designated);
  }
  payOverdue(allocation, reached);
  payInstalments(allocation, reached);
  payEarly(allocation, reached);
  for (const onLoan of allocation.loans) finishLoan(allocation, onLoan);
  if (allocation.excessOf !== undefined) allocation.excess = allocation.remaining;
  else allocation.surplus = allocation.remaining;
  if (allocation.excessOf !== undefined) allocation.excessOf.excess += allocation.excess;
  return allocation;
}

function runningSettlement(loan: Loan, on: Day): Loan['settlement'] {
  const { settlement } = loan;
  return settlement !== undefined && settlement.on <= on && on <= settlement.until ? settlement : undefined;
}

/** What remains of the agreed amount of a settlement that runs on the day. */
export function remainingAgreed(loan: Loan, on: Day): bigint | undefined {
  const running = runningSettlement(loan, on);
  return running === undefined ? undefined : running.agreed - running.taken;
}

function agreedIsCovered(allocation: Allocation, loan: Loan): boolean {
  const left = remainingAgreed(loan, allocation.on);
  return left !== undefined && left <= allocation.remaining;
}

/** What this Receipt can still settle on the Loan. */
function available(allocation: Allocation, loan: Loan): bigint {
  if (loan.discharged !== undefined) return 0n;
  const left = remainingAgreed(loan, allocation.on);
  return left === undefined ? allocation.remaining : min(allocation.remaining, left);
}

function loanAllocationOf(allocation: Allocation, loan: Loan): LoanAllocation {
  const known = allocation.loans.find((onLoan) => onLoan.loan === loan);
  if (known !== undefined) return known;
  const onLoan: LoanAllocation = { loan, lines: new Map(), earlyPrincipal: 0n, discharged: false, released: [] };
  allocation.loans.push(onLoan);
  return onLoan;
}

function settleOnLoan(allocation: Allocation, loan: Loan, amount: bigint): LoanAllocation {
  const onLoan = loanAllocationOf(allocation, loan);
  allocation.remaining -= amount;
  loan.paid += amount;
  const running = runningSettlement(loan, allocation.on);
  if (running !== undefined) running.taken += amount;
  return onLoan;
}

/** Pays up to `limit` of one line. Of a partial payment x, round(x T / (A + T)) is tax. */
function payLine(
  allocation: Allocation,
  loan: Loan,
  period: Period,
  charge: Charge,
  limit: bigint,
  upTo?: Day,
): bigint {
  const { owed } = lineOf(loan, period, charge, upTo);
  const owedTotal = amountWithTax(owed);
  const paid = min(owedTotal, limit);
  if (paid <= 0n) return 0n;
  const tax = paid === owedTotal ? owed.tax : round(paid * owed.tax, owedTotal);
  const pair = { amount: paid - tax, tax };
  const onLoan = settleOnLoan(allocation, loan, paid);
  settleLine(period, charge, pair);
  const lines = onLoan.lines.get(period) ?? perCharge(zeroAmount);
  onLoan.lines.set(period, lines);
  lines[charge] = { amount: lines[charge].amount + pair.amount, tax: lines[charge].tax + pair.tax };
  if (charge === 'principal') loan.principalReceived += pair.amount;
  return paid;
}

/** Pays the charges of a period in the product's order, as far as the money goes. */
function payPeriod(allocation: Allocation, loan: Loan, period: Period): void {
  for (const charge of loan.product.chargeOrder) payLine(allocation, loan, period, charge, available(allocation, loan));
  afterPaying(allocation, loan);
}

function takeEarly(allocation: Allocation, loan: Loan, amount: bigint): void {
  settleOnLoan(allocation, loan, amount).earlyPrincipal += amount;
  loan.principalReceived += amount;
}

/** A Receipt that reaches the agreed amount of a settlement discharges the Loan and releases the rest. */
function afterPaying(allocation: Allocation, loan: Loan): void {
  const running = runningSettlement(loan, allocation.on);
  if (running === undefined || running.taken < running.agreed || loan.discharged !== undefined) return;
  const onLoan = loanAllocationOf(allocation, loan);
  if (loan.periods.some((period) => unpaid(loan, period) > 0n)) {
    onLoan.released = payoffByPeriod(loan, allocation.on);
    // Days and charges of ended periods stay. Worked book 40 also counts the periods this Receipt paid as ended.
    for (const period of loan.periods) if (period.settledOn === undefined) period.alive = false;
  }
  loan.discharged = { on: allocation.on, byReceipt: true };
  allocation.excessOf ??= running;
}

/** Step 1: payoff. */
function payOff(allocation: Allocation, loan: Loan): boolean {
  const { on } = allocation;
  const owed = total(payoffOf(loan, on));
  const agreed = remainingAgreed(loan, on);
  if (allocation.remaining < owed || (agreed !== undefined && agreed < owed)) return false;
  for (const period of loan.periods) {
    if (period.alive && period.scheduledOn <= on) payWhole(allocation, loan, period);
  }
  const principal = principalAhead(loan, on);
  const running = endPlan(loan, on);
  if (principal > 0n) takeEarly(allocation, loan, principal);
  if (running !== undefined) payWhole(allocation, loan, running);
  afterPaying(allocation, loan);
  return true;
}

function payWhole(allocation: Allocation, loan: Loan, period: Period): void {
  for (const charge of loan.product.chargeOrder) payLine(allocation, loan, period, charge, allocation.remaining);
}

/** Step 2: overdue periods of all Loans. */
function payOverdue(allocation: Allocation, loans: Loan[]): void {
  const due = loans.flatMap((loan) =>
    loan.periods
      .filter((period) => period.alive && period.dueOn <= allocation.on && unpaid(loan, period) > 0n)
      .map((period) => ({ loan, period })),
  );
  due.sort((a, b) => a.period.dueOn - b.period.dueOn || a.loan.order - b.loan.order || a.period.index - b.period.index);
  for (const { loan, period } of due) payPeriod(allocation, loan, period);
}

function byNextInstalment(loans: Loan[], on: Day): { loan: Loan; period: Period }[] {
  const next: { loan: Loan; period: Period }[] = [];
  for (const loan of loans) {
    const period = loan.discharged === undefined ? nextInstalment(loan, on) : undefined;
    if (period !== undefined) next.push({ loan, period });
  }
  return next.sort((a, b) => a.period.dueOn - b.period.dueOn || a.loan.order - b.loan.order);
}

/** Step 3: instalments, Loan by Loan: first ended periods, then at most one that has not ended. */
function payInstalments(allocation: Allocation, loans: Loan[]): void {
  const { on } = allocation;
  for (const { loan } of byNextInstalment(loans, on)) {
    for (let period = nextInstalment(loan, on); period !== undefined; period = nextInstalment(loan, on)) {
      if (available(allocation, loan) === 0n) break;
      const ended = period.scheduledOn <= on;
      if (!ended && (on < period.actionableFrom || available(allocation, loan) < unpaid(loan, period))) break;
      payPeriod(allocation, loan, period);
      if (!ended) break;
    }
  }
}

/** Step 4: early money, Loan by Loan in the order of the next instalments after step 3. */
function payEarly(allocation: Allocation, loans: Loan[]): void {
  for (const { loan, period } of byNextInstalment(loans, allocation.on)) {
    if (available(allocation, loan) === 0n || loan.fixed) continue;
    if (loan.product.treatment === 'settles_next') settleNext(allocation, loan);
    else prepay(allocation, loan, period);
  }
}

function settleNext(allocation: Allocation, loan: Loan): void {
  for (let next = nextInstalment(loan, allocation.on); next !== undefined; next = nextInstalment(loan, allocation.on)) {
    if (available(allocation, loan) === 0n) return;
    const principal = unpaidPrincipal(next);
    const coversAll = available(allocation, loan) >= unpaid(loan, next);
    payPeriod(allocation, loan, next);
    if (coversAll) continue;
    lowerBalance(allocation.on, loan, next, principal - unpaidPrincipal(next));
    return;
  }
}

/** Lowers the balance by the principal paid. Interest is recomputed unless it is completely settled. */
function lowerBalance(on: Day, loan: Loan, period: Period, principal: bigint): void {
  if (principal === 0n || loan.discharged !== undefined) return;
  const balance = period.segments.findLast((segment) => segment.from <= Math.max(on, period.from))?.balance ?? 0n;
  changeBalance(period, on, balance - principal);
  if (amountWithTax(lineOf(loan, period, 'interest').owed) > 0n) recomputeInterest(loan, period);
}

/** The treatments reduces_principal and shortens_term. */
function prepay(allocation: Allocation, loan: Loan, next: Period): void {
  const { on } = allocation;
  if (loan.product.archetype === 'payday') {
    for (const charge of loan.product.chargeOrder) {
      if (charge === 'fee' || charge === 'interest')
        payLine(allocation, loan, next, charge, available(allocation, loan), on);
    }
    afterPaying(allocation, loan);
  }
  const principal = principalAhead(loan, on);
  const paid = min(principal, available(allocation, loan));
  if (paid === 0n) return;
  takeEarly(allocation, loan, paid);
  if (paid < principal) {
    recalculate(loan, on, principal - paid, loan.product.treatment === 'reduces_principal');
  } else {
    const running = endPlan(loan, on);
    if (running !== undefined) payPeriod(allocation, loan, running);
  }
  afterPaying(allocation, loan);
}

function finishLoan(allocation: Allocation, onLoan: LoanAllocation): void {
  const { loan } = onLoan;
  if (onLoan.released.length === 0) markSettled(loan, allocation.on, true);
  onLoan.discharged = loan.discharged !== undefined;
}
