import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { openDay, penaltyBy } from '#libs/ledger/charges/accrue-to.ts';
import { debtOn, sumOf } from '#libs/ledger/charges/debt.ts';
import { interestOn } from '#libs/ledger/charges/interest.ts';
import type { Taxed } from '#libs/ledger/line.ts';
import { type Loan, stands } from '#libs/ledger/loan.ts';
import type { LoanShare } from '#libs/ledger/receipts/allocation.ts';
import { CHARGES, type Charge } from '#libs/product/terms.ts';

export type MovementKind = 'charged' | 'moved' | 'received' | 'released' | 'ceded';

/** Something that changed what a Loan owes: by a fact, or by the passing of time. */
export type Movement = {
  readonly on: CivilDay;
  readonly kind: MovementKind;
  readonly charge: Charge;
  readonly amount: bigint;
  readonly tax: bigint;
  /** Of interest and penalty charged: they make one line a period, whatever made them grow. */
  readonly period?: number;
};

type PeriodDebt = ReadonlyMap<number, { readonly [charge in Charge]: Taxed }>;

const NONE: PeriodDebt = new Map();

/** What the Loan owes on the day, period by period. The day must be open. */
function debts(loan: Loan, on: CivilDay): PeriodDebt {
  if (!stands(loan) || (loan.cession !== undefined && loan.cession.on < on)) return NONE;
  return new Map(loan.periods.map((period) => [period.index, debtOn(loan, period, on)]));
}

const NO_MONEY: Taxed = { amount: 0n, tax: 0n };

function of(debt: PeriodDebt, period: number, charge: Charge): Taxed {
  return debt.get(period)?.[charge] ?? NO_MONEY;
}

function less(a: Taxed, b: Taxed): Taxed {
  return { amount: a.amount - b.amount, tax: a.tax - b.tax };
}

function isNothing({ amount, tax }: Taxed): boolean {
  return amount === 0n && tax === 0n;
}

/** What time alone charged between two days of a Loan that no fact touched, later opened. */
export function charged(before: Loan, after: Loan, from: CivilDay, to: CivilDay): Movement[] {
  if (to <= from) return [];
  const was = debts(before, from);
  const is = debts(after, to);
  const opened = openedOnce(before);
  const found: Movement[] = [];
  after.periods.forEach((period, at) => {
    for (const charge of CHARGES) {
      const grew = less(of(is, period.index, charge), of(was, period.index, charge));
      if (isNothing(grew)) continue;
      // A late fee arises on the day its period becomes late; what grows is dated when it last grew.
      const on =
        charge === 'late_fee' ? (period.lateSince ?? to) : lastGrowth(levelOf(before, at, charge, opened), from, to);
      const line = { on, kind: 'charged' as const, charge, ...grew };
      found.push(linesOfPeriod(charge) ? { ...line, period: period.index } : line);
    }
  });
  return found;
}

type Level = (on: CivilDay) => bigint;

/** What the charge of one period had come to by a day, by time alone. */
function levelOf(before: Loan, at: number, charge: Charge, opened: (on: CivilDay) => Loan): Level {
  return (on) => {
    const period = before.periods[at];
    if (period === undefined) return 0n;
    if (charge === 'interest') return sizeOf(interestOn(before, period, on));
    // Under a ceiling on the whole Loan the periods share what is left; else each grows by itself.
    const alone = before.terms.penaltyCeilingBps === undefined;
    if (alone && charge === 'penalty') return sizeOf(penaltyBy(before, period, on));
    return sizeOf((opened(on).periods[at] ?? period)[charge]);
  };
}

function sizeOf({ charged: amount, tax }: { readonly charged: bigint; readonly tax: bigint }): bigint {
  return amount + tax;
}

/** Opening the whole Loan on a day is asked for by every period that grew: each day once. */
function openedOnce(before: Loan): (on: CivilDay) => Loan {
  const known = new Map<CivilDay, Loan>();
  return (on) => {
    const found = known.get(on) ?? openDay(before, on);
    known.set(on, found);
    return found;
  };
}

export function linesOfPeriod(charge: Charge): boolean {
  return charge === 'interest' || charge === 'penalty';
}

/** The last day on which the charge grew, found by halving: between facts nothing shrinks. */
function lastGrowth(levelAt: Level, from: CivilDay, to: CivilDay): CivilDay {
  const reached = levelAt(to);
  let low: number = from;
  let high: number = to;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (levelAt(middle as CivilDay) === reached) high = middle;
    else low = middle;
  }
  return high as CivilDay;
}

/** What a Receipt did: what it settled, interest it settled before its time, and what a settlement reached released. */
export function ofReceipt(before: Loan, after: Loan, on: CivilDay, share: LoanShare): Movement[] {
  const was = debts(before, on);
  const is = debts(after, on);
  const received = new Map<string, Taxed>();
  for (const line of share.lines) received.set(`${line.period} ${line.charge}`, line);
  const found: Movement[] = [];
  const released = new Map<Charge, { amount: bigint; tax: bigint }>();
  const release = (charge: Charge, more: Taxed) => {
    const sum = released.get(charge) ?? { amount: 0n, tax: 0n };
    released.set(charge, { amount: sum.amount + more.amount, tax: sum.tax + more.tax });
  };
  for (const index of new Set([...was.keys(), ...is.keys()])) {
    for (const charge of CHARGES) {
      const paid = received.get(`${index} ${charge}`) ?? NO_MONEY;
      const left = less(of(is, index, charge), of(was, index, charge));
      const rest = { amount: left.amount + paid.amount, tax: left.tax + paid.tax };
      if (isNothing(rest)) continue;
      const early = charge === 'interest' && rest.amount + rest.tax > 0n;
      if (early) found.push({ on, kind: 'charged', charge, ...rest, period: index });
      else release(charge, { amount: -rest.amount, tax: -rest.tax });
    }
  }
  // Principal ahead sits on no line: it is part of what the periods' principal fell by.
  release('principal', { amount: -share.early, tax: 0n });
  for (const charge of CHARGES) {
    const paid = sumLines(share, charge);
    if (!isNothing(paid)) found.push({ on, kind: 'received', charge, ...paid });
    const letGo = released.get(charge) ?? NO_MONEY;
    if (!isNothing(letGo)) found.push({ on, kind: 'released', charge, ...letGo });
  }
  return found;
}

function sumLines(share: LoanShare, charge: Charge): Taxed {
  let { amount, tax } = charge === 'principal' ? { amount: share.early, tax: 0n } : NO_MONEY;
  for (const line of share.lines) {
    if (line.charge !== charge) continue;
    amount += line.amount;
    tax += line.tax;
  }
  return { amount, tax };
}

/** What a fact that is no Receipt did, charge by charge: what it let go, moved, or charged. */
export function ofAct(before: Loan, after: Loan, on: CivilDay, moves: boolean): Movement[] {
  const was = sumOf([...debts(before, on).values()]);
  const is = sumOf([...debts(after, on).values()]);
  return CHARGES.flatMap((charge): Movement[] => {
    const change = less(is[charge], was[charge]);
    if (isNothing(change)) return [];
    if (moves) return [{ on, kind: 'moved', charge, ...change }];
    if (change.amount + change.tax > 0n) return [{ on, kind: 'charged', charge, ...change }];
    return [{ on, kind: 'released', charge, amount: -change.amount, tax: -change.tax }];
  });
}

/** What a cession hands to the assignee at the end of its day. */
export function ofCession(loan: Loan, on: CivilDay): Movement[] {
  const all = sumOf([...debts(loan, on).values()]);
  return CHARGES.flatMap((charge): Movement[] =>
    isNothing(all[charge]) ? [] : [{ on, kind: 'ceded', charge, ...all[charge] }],
  );
}

/** What a Loan that begins to stand is charged: the principal handed over, its fee, and on a confirmation its interest. */
export function ofBeginning(loan: Loan, on: CivilDay): Movement[] {
  const found: Movement[] = [];
  for (const [period, debt] of debts(loan, on)) {
    if (!isNothing(debt.interest)) found.push({ on, kind: 'charged', charge: 'interest', ...debt.interest, period });
  }
  const all = sumOf([...debts(loan, on).values()]);
  for (const charge of ['principal', 'fee'] as const) {
    if (!isNothing(all[charge])) found.push({ on, kind: 'charged', charge, ...all[charge] });
  }
  return found;
}
