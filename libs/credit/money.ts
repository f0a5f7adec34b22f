import type { Minor } from '#libs/money/minor.ts';

/** Money as callers write and read it. The records of this library are JSON, so that they are answered as they were recorded. */
export type Money = { readonly minor_units: number; readonly currency: string };

export function minorOf(money: Money): Minor {
  return BigInt(money.minor_units) as Minor;
}

export function moneyOf(amount: bigint, currency: string): Money {
  return { minor_units: Number(amount), currency };
}
