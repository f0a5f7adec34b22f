/** Movements of a Loan's debt: what time charged and what each fact received, released, moved, charged or ceded. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { accrueTo, penaltyOn } from '#libs/ledger/charges/accrue-to.ts';
import { periodDebtOn, sumDebts } from '#libs/ledger/charges/debt.ts';
import { interestOn } from '#libs/ledger/charges/interest.ts';
import { type Taxed, ZERO_TAXED } from '#libs/ledger/line.ts';
import { type Debt, isInForce, type Loan } from '#libs/ledger/loan.ts';
import type { LoanAllocation } from '#libs/ledger/receipts/allocation.ts';
import { CHARGES, type Charge } from '#libs/product/terms.ts';

export type MovementKind = 'charged' | 'moved' | 'received' | 'released' | 'ceded';

/** A change of what a Loan owes, caused by a fact or by time. */
export type Movement = {
  readonly on: CivilDay;
  readonly kind: MovementKind;
  readonly charge: Charge;
  readonly amount: bigint;
  readonly tax: bigint;
  /** Present on charged interest and penalty, which a statement shows as one line per period. */
  readonly period?: number;
};

/** Whether a statement shows the charge as one line per period. */
export function isListedPerPeriod(charge: Charge): boolean {
  return charge === 'interest' || charge === 'penalty';
}

/** What time charged between two days without a fact. `after` is the Loan `before`, accrued to the later day. */
export function chargesOverTime(before: Loan, after: Loan, from: CivilDay, to: CivilDay): Movement[] {
  if (to <= from) return [];
  const debtBefore = debtsByPeriod(before, from);
  const debtAfter = debtsByPeriod(after, to);
  const accruedTo = memoizedAccrual(before);
  const movements: Movement[] = [];
  for (const [at, { index, lateSince }] of after.periods.entries()) {
    for (const charge of CHARGES) {
      const growth = minus(debtOf(debtAfter, index, charge), debtOf(debtBefore, index, charge));
      if (isZero(growth)) continue;
      // A late fee is dated when its period became late. Other charges are dated when they last grew.
      const on =
        charge === 'late_fee'
          ? (lateSince ?? to)
          : lastGrowthDay((day) => chargedBy(before, at, charge, day, accruedTo), from, to);
      const movement = { on, kind: 'charged' as const, charge, ...growth };
      movements.push(isListedPerPeriod(charge) ? { ...movement, period: index } : movement);
    }
  }
  return movements;
}

/** What a Receipt received and released. Interest that it settled before it was due is charged first. */
export function receiptMovements(before: Loan, after: Loan, on: CivilDay, share: LoanAllocation): Movement[] {
  const debtBefore = debtsByPeriod(before, on);
  const debtAfter = debtsByPeriod(after, on);
  const received = new Map(share.lines.map((line) => [`${line.period} ${line.charge}`, line]));
  // Principal paid ahead is on no line, but it has lowered the principal of the periods.
  const released = new Map<Charge, Taxed>([['principal', { amount: -share.early, tax: 0n }]]);
  const movements: Movement[] = [];
  for (const index of new Set([...debtBefore.keys(), ...debtAfter.keys()])) {
    for (const charge of CHARGES) {
      const change = minus(debtOf(debtAfter, index, charge), debtOf(debtBefore, index, charge));
      const unexplained = plus(change, received.get(`${index} ${charge}`) ?? ZERO_TAXED);
      if (isZero(unexplained)) continue;
      const isEarlyInterest = charge === 'interest' && unexplained.amount + unexplained.tax > 0n;
      if (isEarlyInterest) movements.push({ on, kind: 'charged', charge, ...unexplained, period: index });
      else released.set(charge, minus(released.get(charge) ?? ZERO_TAXED, unexplained));
    }
  }
  for (const charge of CHARGES) {
    movements.push(...movementOf(on, 'received', charge, receivedOn(share, charge)));
    movements.push(...movementOf(on, 'released', charge, released.get(charge) ?? ZERO_TAXED));
  }
  return movements;
}

/** What an act released or charged, by charge. With `isMove` it only moved debt between charges and periods. */
export function actMovements(before: Loan, after: Loan, on: CivilDay, isMove: boolean): Movement[] {
  const debtBefore = totalDebt(before, on);
  const debtAfter = totalDebt(after, on);
  return CHARGES.flatMap((charge): Movement[] => {
    const change = minus(debtAfter[charge], debtBefore[charge]);
    if (isMove) return movementOf(on, 'moved', charge, change);
    if (change.amount + change.tax > 0n) return movementOf(on, 'charged', charge, change);
    return movementOf(on, 'released', charge, minus(ZERO_TAXED, change));
  });
}

/** What a cession transfers to the assignee at the end of its day. */
export function cessionMovements(loan: Loan, on: CivilDay): Movement[] {
  const debt = totalDebt(loan, on);
  return CHARGES.flatMap((charge) => movementOf(on, 'ceded', charge, debt[charge]));
}

/** What a Loan is charged when it starts: principal and fee, and after a confirmation the interest since the anchor. */
export function startMovements(loan: Loan, on: CivilDay): Movement[] {
  const movements: Movement[] = [];
  for (const [period, { interest }] of debtsByPeriod(loan, on)) {
    if (!isZero(interest)) movements.push({ on, kind: 'charged', charge: 'interest', ...interest, period });
  }
  const debt = totalDebt(loan, on);
  for (const charge of ['principal', 'fee'] as const) {
    movements.push(...movementOf(on, 'charged', charge, debt[charge]));
  }
  return movements;
}

/** No movement where the amount is zero. */
function movementOf(on: CivilDay, kind: MovementKind, charge: Charge, taxed: Taxed): Movement[] {
  return isZero(taxed) ? [] : [{ on, kind, charge, amount: taxed.amount, tax: taxed.tax }];
}

function receivedOn({ lines, early }: LoanAllocation, charge: Charge): Taxed {
  const start = charge === 'principal' ? { amount: early, tax: 0n } : ZERO_TAXED;
  return lines.reduce((sum, line) => (line.charge === charge ? plus(sum, line) : sum), start);
}

/** By period index. */
type DebtsByPeriod = ReadonlyMap<number, Debt>;

const NO_DEBTS: DebtsByPeriod = new Map();

/** What the Loan owes on the day. The Loan must be accrued to that day. */
function debtsByPeriod(loan: Loan, on: CivilDay): DebtsByPeriod {
  if (!isInForce(loan) || (loan.cession !== undefined && loan.cession.on < on)) return NO_DEBTS;
  return new Map(loan.periods.map((period) => [period.index, periodDebtOn(loan, period, on)]));
}

function totalDebt(loan: Loan, on: CivilDay): Debt {
  return sumDebts([...debtsByPeriod(loan, on).values()]);
}

function debtOf(debts: DebtsByPeriod, period: number, charge: Charge): Taxed {
  return debts.get(period)?.[charge] ?? ZERO_TAXED;
}

/** What one charge of a period amounts to on a day, without any further fact. */
function chargedBy(loan: Loan, at: number, charge: Charge, on: CivilDay, accruedTo: (on: CivilDay) => Loan): bigint {
  const period = loan.periods[at];
  if (period === undefined) return 0n;
  if (charge === 'interest') return withTax(interestOn(loan, period, on));
  // With a penalty ceiling the periods share what is left of it. Without one each period accrues alone.
  const accruesAlone = loan.terms.penaltyCeilingBps === undefined;
  if (accruesAlone && charge === 'penalty') return withTax(penaltyOn(loan, period, on));
  return withTax((accruedTo(on).periods[at] ?? period)[charge]);
}

function withTax({ charged, tax }: { readonly charged: bigint; readonly tax: bigint }): bigint {
  return charged + tax;
}

/** Accrues the Loan at most once per day, even if several periods need it. */
function memoizedAccrual(loan: Loan): (on: CivilDay) => Loan {
  const accrued = new Map<CivilDay, Loan>();
  return (on) => {
    const known = accrued.get(on) ?? accrueTo(loan, on);
    accrued.set(on, known);
    return known;
  };
}

/** The last day on which the charge grew. A binary search is correct because no charge shrinks between facts. */
function lastGrowthDay(chargedOn: (on: CivilDay) => bigint, from: CivilDay, to: CivilDay): CivilDay {
  const final = chargedOn(to);
  let low: number = from;
  let high: number = to;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (chargedOn(middle as CivilDay) === final) high = middle;
    else low = middle;
  }
  return high as CivilDay;
}

function plus(a: Taxed, b: Taxed): Taxed {
  return { amount: a.amount + b.amount, tax: a.tax + b.tax };
}

function minus(a: Taxed, b: Taxed): Taxed {
  return { amount: a.amount - b.amount, tax: a.tax - b.tax };
}

function isZero({ amount, tax }: Taxed): boolean {
  return amount === 0n && tax === 0n;
}
