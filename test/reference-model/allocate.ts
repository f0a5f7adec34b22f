import {
  changeBalance,
  endPlan,
  markSettled,
  pairTotal,
  principalAhead,
  recalculate,
  recomputeInterest,
  settle,
} from './change.ts';
import { type Day, toDay } from './days.ts';
import type { Charge, ReceiptFact } from './input.ts';
import {
  isOpen,
  type Loan,
  lineOf,
  nextInstalment,
  noPair,
  type Pair,
  type PerCharge,
  type Period,
  payoffByPeriod,
  payoffOf,
  perCharge,
  total,
  unpaid,
  unpaidPrincipal,
} from './loan.ts';
import { min, round } from './numbers.ts';

/** What one Receipt did on one Loan. */
export interface LoanShare {
  loan: Loan;
  lines: Map<Period, PerCharge<Pair>>;
  early: bigint;
  discharged: boolean;
  /** What a settlement reached by this Receipt released, period by period. */
  released: { period: Period; owed: PerCharge<Pair> }[];
}

export interface Allocation {
  receipt: ReceiptFact;
  on: Day;
  left: bigint;
  shares: LoanShare[];
  surplus: bigint;
  excess: bigint;
  excessOf: Loan['settlement'];
  payoffShort: boolean;
}

/** fold.md 5. */
export function allocate(loans: Loan[], receipt: ReceiptFact): Allocation {
  const on = toDay(receipt.value_date);
  const money: Allocation = {
    receipt,
    on,
    left: BigInt(receipt.amount),
    shares: [],
    surplus: 0n,
    excess: 0n,
    excessOf: undefined,
    payoffShort: false,
  };
  const currency = receipt.currency ?? 'MXN';
  const reached = loans.filter(
    (loan) =>
      loan.currency === currency &&
      isOpen(loan, on) &&
      (receipt.designated_loan_id === undefined || receipt.designated_loan_id === loan.fact.id),
  );
  const designated = receipt.designated_loan_id === undefined ? undefined : reached[0];
  if (receipt.payoff_intent === true && designated !== undefined && !payOff(money, designated)) {
    money.payoffShort = !agreedIsCovered(money, designated);
  }
  payOverdue(money, reached);
  payInstalments(money, reached);
  payEarly(money, reached);
  for (const share of money.shares) finish(money, share);
  if (money.excessOf !== undefined) money.excess = money.left;
  else money.surplus = money.left;
  if (money.excessOf !== undefined) money.excessOf.excess += money.excess;
  return money;
}

function runningSettlement(loan: Loan, on: Day): Loan['settlement'] {
  const { settlement } = loan;
  return settlement !== undefined && settlement.on <= on && on <= settlement.until ? settlement : undefined;
}

/** What is left of a settlement's `agreed` where one runs on the day. */
export function agreedLeft(loan: Loan, on: Day): bigint | undefined {
  const running = runningSettlement(loan, on);
  return running === undefined ? undefined : running.agreed - running.taken;
}

function agreedIsCovered(money: Allocation, loan: Loan): boolean {
  const left = agreedLeft(loan, money.on);
  return left !== undefined && left <= money.left;
}

/** What this Receipt can still put on the Loan. */
function available(money: Allocation, loan: Loan): bigint {
  if (loan.discharged !== undefined) return 0n;
  const left = agreedLeft(loan, money.on);
  return left === undefined ? money.left : min(money.left, left);
}

function shareOf(money: Allocation, loan: Loan): LoanShare {
  const known = money.shares.find((share) => share.loan === loan);
  if (known !== undefined) return known;
  const share: LoanShare = { loan, lines: new Map(), early: 0n, discharged: false, released: [] };
  money.shares.push(share);
  return share;
}

function take(money: Allocation, loan: Loan, amount: bigint): LoanShare {
  const share = shareOf(money, loan);
  money.left -= amount;
  loan.paid += amount;
  const running = runningSettlement(loan, money.on);
  if (running !== undefined) running.taken += amount;
  return share;
}

/** Pays up to `limit` of one line; of a part, tax round(x T / (A + T)) and the rest on the amount. */
function payLine(money: Allocation, loan: Loan, period: Period, charge: Charge, limit: bigint, upTo?: Day): bigint {
  const { owed } = lineOf(loan, period, charge, upTo);
  const whole = pairTotal(owed);
  const paid = min(whole, limit);
  if (paid <= 0n) return 0n;
  const tax = paid === whole ? owed.tax : round(paid * owed.tax, whole);
  const pair = { amount: paid - tax, tax };
  const share = take(money, loan, paid);
  settle(period, charge, pair);
  const lines = share.lines.get(period) ?? perCharge(noPair);
  share.lines.set(period, lines);
  lines[charge] = { amount: lines[charge].amount + pair.amount, tax: lines[charge].tax + pair.tax };
  if (charge === 'principal') loan.principalReceived += pair.amount;
  return paid;
}

/** Pays a period's whole charge in the configuration's order, as far as the money goes. */
function payPeriod(money: Allocation, loan: Loan, period: Period): void {
  for (const charge of loan.frame.chargeOrder) payLine(money, loan, period, charge, available(money, loan));
  afterPaying(money, loan);
}

function takeEarly(money: Allocation, loan: Loan, amount: bigint): void {
  take(money, loan, amount).early += amount;
  loan.principalReceived += amount;
}

/** A settlement reached discharges the Loan at once and releases the rest. */
function afterPaying(money: Allocation, loan: Loan): void {
  const running = runningSettlement(loan, money.on);
  if (running === undefined || running.taken < running.agreed || loan.discharged !== undefined) return;
  const share = shareOf(money, loan);
  if (loan.periods.some((period) => unpaid(loan, period) > 0n)) {
    share.released = payoffByPeriod(loan, money.on);
    // As with every act that ends periods, their days and charges stay. The worked book 40 counts what this Receipt paid as ended too.
    for (const period of loan.periods) if (period.settledOn === undefined) period.alive = false;
  }
  loan.discharged = { on: money.on, byReceipt: true };
  money.excessOf ??= running;
}

/** Step 1. */
function payOff(money: Allocation, loan: Loan): boolean {
  const { on } = money;
  const owed = total(payoffOf(loan, on));
  const agreed = agreedLeft(loan, on);
  if (money.left < owed || (agreed !== undefined && agreed < owed)) return false;
  for (const period of loan.periods) {
    if (period.alive && period.scheduledOn <= on) payWhole(money, loan, period);
  }
  const principal = principalAhead(loan, on);
  const running = endPlan(loan, on);
  if (principal > 0n) takeEarly(money, loan, principal);
  if (running !== undefined) payWhole(money, loan, running);
  afterPaying(money, loan);
  return true;
}

function payWhole(money: Allocation, loan: Loan, period: Period): void {
  for (const charge of loan.frame.chargeOrder) payLine(money, loan, period, charge, money.left);
}

/** Step 2. */
function payOverdue(money: Allocation, loans: Loan[]): void {
  const due = loans.flatMap((loan) =>
    loan.periods
      .filter((period) => period.alive && period.dueOn <= money.on && unpaid(loan, period) > 0n)
      .map((period) => ({ loan, period })),
  );
  due.sort((a, b) => a.period.dueOn - b.period.dueOn || a.loan.order - b.loan.order || a.period.index - b.period.index);
  for (const { loan, period } of due) payPeriod(money, loan, period);
}

function byNextInstalment(loans: Loan[], on: Day): { loan: Loan; period: Period }[] {
  const next: { loan: Loan; period: Period }[] = [];
  for (const loan of loans) {
    const period = loan.discharged === undefined ? nextInstalment(loan, on) : undefined;
    if (period !== undefined) next.push({ loan, period });
  }
  return next.sort((a, b) => a.period.dueOn - b.period.dueOn || a.loan.order - b.loan.order);
}

/** Step 3: Loan by Loan, first its ended periods, then at most one that has not ended. */
function payInstalments(money: Allocation, loans: Loan[]): void {
  const { on } = money;
  for (const { loan } of byNextInstalment(loans, on)) {
    for (let period = nextInstalment(loan, on); period !== undefined; period = nextInstalment(loan, on)) {
      if (available(money, loan) === 0n) break;
      const ended = period.scheduledOn <= on;
      if (!ended && (on < period.actionableFrom || available(money, loan) < unpaid(loan, period))) break;
      payPeriod(money, loan, period);
      if (!ended) break;
    }
  }
}

/** Step 4: Loan by Loan in the order of their next instalments as step 3 left them. */
function payEarly(money: Allocation, loans: Loan[]): void {
  for (const { loan, period } of byNextInstalment(loans, money.on)) {
    if (available(money, loan) === 0n || loan.fixed) continue;
    if (loan.frame.treatment === 'settles_next') settleNext(money, loan);
    else prepay(money, loan, period);
  }
}

function settleNext(money: Allocation, loan: Loan): void {
  for (let next = nextInstalment(loan, money.on); next !== undefined; next = nextInstalment(loan, money.on)) {
    if (available(money, loan) === 0n) return;
    const principal = unpaidPrincipal(next);
    const whole = available(money, loan) >= unpaid(loan, next);
    payPeriod(money, loan, next);
    if (whole) continue;
    lowerBalance(money.on, loan, next, principal - unpaidPrincipal(next));
    return;
  }
}

/** The balance falls by the principal paid; interest settled whole is kept, any other is recomputed over its segments. */
function lowerBalance(on: Day, loan: Loan, period: Period, principal: bigint): void {
  if (principal === 0n || loan.discharged !== undefined) return;
  const balance = period.segments.findLast((segment) => segment.from <= Math.max(on, period.from))?.balance ?? 0n;
  changeBalance(period, on, balance - principal);
  if (pairTotal(lineOf(loan, period, 'interest').owed) > 0n) recomputeInterest(loan, period);
}

/** reduces_principal and shortens_term. */
function prepay(money: Allocation, loan: Loan, next: Period): void {
  const { on } = money;
  if (loan.frame.archetype === 'payday') {
    for (const charge of loan.frame.chargeOrder) {
      if (charge === 'fee' || charge === 'interest') payLine(money, loan, next, charge, available(money, loan), on);
    }
    afterPaying(money, loan);
  }
  const principal = principalAhead(loan, on);
  const paid = min(principal, available(money, loan));
  if (paid === 0n) return;
  takeEarly(money, loan, paid);
  if (paid < principal) {
    recalculate(loan, on, principal - paid, loan.frame.treatment === 'reduces_principal');
  } else {
    const running = endPlan(loan, on);
    if (running !== undefined) payPeriod(money, loan, running);
  }
  afterPaying(money, loan);
}

function finish(money: Allocation, share: LoanShare): void {
  const { loan } = share;
  if (share.released.length === 0) markSettled(loan, money.on, true);
  share.discharged = loan.discharged !== undefined;
}
