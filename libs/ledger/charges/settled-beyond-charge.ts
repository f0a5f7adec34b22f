import { type Line, type Taxed, taxOn } from '#libs/ledger/line.ts';
import type { Rate } from '#libs/money/rate.ts';

/** What was settled of a line above the charge recomputed as `own`, its tax likewise. What was waived was not settled. */
export function settledAbove(line: Line, own: bigint, taxRate: Rate): Taxed {
  return {
    amount: above(line.settled, line.moved + own),
    tax: above(line.settledTax, line.movedTax + taxOn(own, taxRate)),
  };
}

function above(settled: bigint, charge: bigint): bigint {
  return settled > charge ? settled - charge : 0n;
}
