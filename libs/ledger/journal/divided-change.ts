/** Divides the change of one charge over its periods into what was charged, received or released, and what only moved. */

import type { MovementKind } from '#libs/ledger/answers/movements.ts';
import { type Taxed, ZERO_TAXED } from '#libs/ledger/line.ts';
import { isZero, minus, plus } from './period-debts.ts';

/** A part of the change of one period's debt. */
export type ChangePart = { readonly period: number; readonly kind: MovementKind } & Taxed;

export class DividedChange {
  readonly parts: ChangePart[] = [];
  /** By period, what no part explains yet. */
  readonly #rest: Map<number, Taxed>;

  constructor(periods: readonly number[], changes: readonly Taxed[]) {
    this.#rest = new Map(periods.map((period, at) => [period, changes[at] ?? ZERO_TAXED]));
  }

  restOf(period: number): Taxed {
    return this.#rest.get(period) ?? ZERO_TAXED;
  }

  get total(): Taxed {
    return [...this.#rest.values()].reduce(plus, ZERO_TAXED);
  }

  /** The part of one period. */
  add(kind: MovementKind, period: number, part: Taxed): void {
    if (isZero(part)) return;
    this.parts.push({ period, kind, amount: part.amount, tax: part.tax });
    this.#rest.set(period, minus(this.restOf(period), part));
  }

  /** Takes `total` from the periods whose rest goes the same way, in their order. */
  spread(kind: MovementKind, total: Taxed): void {
    if (isZero(total)) return;
    let left = total;
    const periods = [...this.#rest.keys()];
    for (const [nth, period] of periods.entries()) {
      const rest = this.restOf(period);
      const isLast = nth === periods.length - 1;
      // The last period takes what no other one can, so that the parts always sum to the total.
      const part = isLast ? left : { amount: common(rest.amount, left.amount), tax: common(rest.tax, left.tax) };
      left = minus(left, part);
      this.add(kind, period, part);
    }
  }

  /** What is left sums to zero: it moved between periods. */
  moveRest(): void {
    for (const [period, rest] of this.#rest) this.add('moved', period, rest);
  }
}

/** The smaller of two amounts of the same sign, zero where the signs differ. */
function common(one: bigint, other: bigint): bigint {
  if (one > 0n && other > 0n) return one < other ? one : other;
  if (one < 0n && other < 0n) return one > other ? one : other;
  return 0n;
}
