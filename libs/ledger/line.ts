/** A line: what one charge of one period comes to, what was settled and waived of it, and its tax. */

import { halfEven } from '#libs/money/minor.ts';
import { RATE_SCALE, type Rate } from '#libs/money/rate.ts';

/**
 * `own` is what this period charges itself and can be recomputed; `moved` is what an act moved here from other periods,
 * with its tax unchanged. `charged` and `tax` are both together, before waivers. `waivedTax` is the tax on the waived
 * amount, so that charged + tax - waived - waivedTax is to be paid.
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

export const EMPTY_LINE: Line = {
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

/** An amount of a charge and the tax on it. */
export type Taxed = { readonly amount: bigint; readonly tax: bigint };

export const ZERO_TAXED: Taxed = { amount: 0n, tax: 0n };

export function taxOn(amount: bigint, rate: Rate): bigint {
  return rate === 0n || amount === 0n ? 0n : halfEven(amount * rate, RATE_SCALE);
}

const larger = (a: bigint, b: bigint): bigint => (a > b ? a : b);
const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b);

/**
 * The line with another own charge. It never charges less than was settled and waived of it; its tax is that of the
 * recomputed charge, but never less than was settled of it.
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
  const payable = larger(left, line.settledTax);
  const tax = larger(full, payable);
  return { ...line, own, charged, tax, waivedTax: tax - payable };
}

/** A line of a charge of the period's own. */
export function newLine(own: bigint, taxRate: Rate): Line {
  return own === 0n ? EMPTY_LINE : { ...EMPTY_LINE, own, charged: own, tax: taxOn(own, taxRate) };
}

/** A line of what an act moved here. */
export function lineOfMoved(moved: Taxed): Line {
  return moveInto(EMPTY_LINE, moved, 0n as Rate);
}

/** The line with what an act moves into it. */
export function moveInto(line: Line, { amount, tax }: Taxed, taxRate: Rate): Line {
  if (amount === 0n && tax === 0n) return line;
  const combined = { ...line, moved: line.moved + amount, movedTax: line.movedTax + tax };
  return recharge(combined, line.own, taxRate);
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

export function owedTotal(line: Line): bigint {
  return line === EMPTY_LINE
    ? 0n
    : line.charged - line.waived - line.settled + line.tax - line.waivedTax - line.settledTax;
}

/**
 * Whether the line owes anything. Cheaper than computing how much: a line is never settled or waived beyond its charge.
 */
export function isOwed(line: Line): boolean {
  if (line === EMPTY_LINE) return false;
  return line.waived === 0n ? line.charged > line.settled || line.tax > line.settledTax : owedTotal(line) > 0n;
}

export function owedTaxed(line: Line): Taxed {
  return { amount: owedAmount(line), tax: owedTax(line) };
}

/** What the money pays of a line that owes `due`: of the tax its share, of the amount the rest. */
export function payablePart(due: Taxed, money: bigint): Taxed {
  const total = due.amount + due.tax;
  if (money >= total) return due;
  const tax = halfEven(money * due.tax, total);
  return { amount: money - tax, tax };
}

export function settle(line: Line, paid: Taxed): Line {
  return { ...line, settled: line.settled + paid.amount, settledTax: line.settledTax + paid.tax };
}

/** How much more was settled of a line, and of its tax, than it would charge with another own amount. */
export function settledBeyondCharge(line: Line, own: bigint, taxRate: Rate): Taxed {
  return {
    amount: above(line.settled, line.moved + own),
    tax: above(line.settledTax, line.movedTax + taxOn(own, taxRate)),
  };
}

function above(settled: bigint, charge: bigint): bigint {
  return settled > charge ? settled - charge : 0n;
}
