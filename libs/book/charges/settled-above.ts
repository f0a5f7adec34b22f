import { type Line, type Taxed, taxOn } from '#libs/book/line.ts';
import type { Rate } from '#libs/money/rate.ts';

/** What was settled of a line above what it charges by itself once that is recomputed to `own`, each with its tax. */
export function settledAbove(line: Line, own: bigint, taxRate: Rate): Taxed {
  const charge = line.moved + own - line.waived;
  const asked = charge > 0n ? charge : 0n;
  const full = line.movedTax + taxOn(own, taxRate);
  const tax = line.waived === 0n ? full : least(full, taxOn(asked, taxRate));
  return { amount: above(line.settled, asked), tax: above(line.settledTax, tax) };
}

function above(settled: bigint, asked: bigint): bigint {
  return settled > asked ? settled - asked : 0n;
}

function least(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
