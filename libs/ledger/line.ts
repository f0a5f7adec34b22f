import type { Rate } from '#libs/money/rate.ts';
import { RATE_SCALE } from '#libs/money/rate.ts';
import { halfEven } from '#libs/money/round.ts';

/**
 * One charge of one period. `own` is what this period charges by itself, recomputed at will; `moved` is what an act
 * carried in from elsewhere, with its tax as it stood. `charged` and `tax` are what that comes to, before waivers;
 * `waivedTax` is the tax that fell with the waived amount, so that charged + tax - waived - waivedTax is what is asked.
 */
export type Line = {
  readonly own: bigint;
  readonly moved: bigint;
  readonly movedTax: bigint;
  readonly charged: bigint;
  readonly tax: bigint;
  readonly settled: bigint;
  readonly settledTax: bigint;
  readonly waived: bigint;
  readonly waivedTax: bigint;
};

export const NO_LINE: Line = {
  own: 0n,
  moved: 0n,
  movedTax: 0n,
  charged: 0n,
  tax: 0n,
  settled: 0n,
  settledTax: 0n,
  waived: 0n,
  waivedTax: 0n,
};

/** An amount of a charge and the tax that rides on it. */
export type Taxed = { readonly amount: bigint; readonly tax: bigint };

export const NOTHING: Taxed = { amount: 0n, tax: 0n };

export function taxOn(amount: bigint, rate: Rate): bigint {
  return rate === 0n || amount === 0n ? 0n : halfEven(amount * rate, RATE_SCALE);
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/**
 * The line charging `own` by itself from now on. What was settled and waived of it stands: a charge recomputed below
 * that stays at that, with the tax of the recomputed charge but never less than was settled of it.
 */
export function recharge(line: Line, own: bigint, taxRate: Rate): Line {
  const computed = line.moved + own;
  const full = line.movedTax + taxOn(own, taxRate);
  const charged = larger(computed, line.settled + line.waived);
  if (line.waived === 0n) {
    const tax = larger(full, line.settledTax);
    return { ...line, own, charged, tax, waivedTax: 0n };
  }
  const left = smaller(full, taxOn(larger(computed - line.waived, 0n), taxRate));
  const asked = larger(left, line.settledTax);
  const tax = larger(full, asked);
  return { ...line, own, charged, tax, waivedTax: tax - asked };
}

/** A new line that charges `own`. */
export function charging(own: bigint, taxRate: Rate): Line {
  return own === 0n ? NO_LINE : { ...NO_LINE, own, charged: own, tax: taxOn(own, taxRate) };
}

/** A new line of what an act carried in. */
export function movedIn(what: Taxed): Line {
  return carry(NO_LINE, what, 0n as Rate);
}

/** The line with what an act carried into it. */
export function carry(line: Line, what: Taxed, taxRate: Rate): Line {
  if (what.amount === 0n && what.tax === 0n) return line;
  const moved = { ...line, moved: line.moved + what.amount, movedTax: line.movedTax + what.tax };
  return recharge(moved, line.own, taxRate);
}

export function waive(line: Line, amount: bigint, taxRate: Rate): Line {
  return recharge({ ...line, waived: line.waived + amount }, line.own, taxRate);
}

export function owedAmount(line: Line): bigint {
  return line.charged - line.waived - line.settled;
}

export function owedTax(line: Line): bigint {
  return line.tax - line.waivedTax - line.settledTax;
}

export function owedOf(line: Line): bigint {
  return line === NO_LINE
    ? 0n
    : line.charged - line.waived - line.settled + line.tax - line.waivedTax - line.settledTax;
}

/** Whether a line owes anything: never is more settled or waived than charged, so that comparing does without sums. */
export function isOwed(line: Line): boolean {
  if (line === NO_LINE) return false;
  return line.waived === 0n ? line.charged > line.settled || line.tax > line.settledTax : owedOf(line) > 0n;
}

export function owed(line: Line): Taxed {
  return { amount: owedAmount(line), tax: owedTax(line) };
}

/** What `money`, at most all of it, pays of a line that owes `due`: the tax its share, the amount the rest. */
export function shareOf(due: Taxed, money: bigint): Taxed {
  const whole = due.amount + due.tax;
  if (money >= whole) return due;
  const tax = halfEven(money * due.tax, whole);
  return { amount: money - tax, tax };
}

export function settle(line: Line, paid: Taxed): Line {
  return { ...line, settled: line.settled + paid.amount, settledTax: line.settledTax + paid.tax };
}
