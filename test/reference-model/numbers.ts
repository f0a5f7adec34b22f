/** Exact numbers: whole minor units, rates in 10^-8 percent, rounding half to even. */
export const RATE_ONE = 10n ** 10n; // 100 percent in 10^-8 percent
export const LARGEST = 2n ** 53n - 1n;

export function max(a: bigint, b: bigint): bigint {
  return a > b ? a : b;
}

export function min(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}

export function sum(values: Iterable<bigint>): bigint {
  let total = 0n;
  for (const value of values) total += value;
  return total;
}

/** n / d to a whole number, half to even; d > 0. */
export function round(n: bigint, d: bigint): bigint {
  let quotient = n / d;
  let remainder = n - quotient * d;
  if (remainder < 0n) {
    quotient -= 1n;
    remainder += d;
  }
  const doubled = remainder * 2n;
  if (doubled > d || (doubled === d && quotient % 2n !== 0n)) return quotient + 1n;
  return quotient;
}

/** A rate in percent per year as a whole number of 10^-8 percent. */
export function rateOf(text: string): bigint {
  const [whole, fraction = ''] = text.split('.');
  return BigInt((whole ?? '0') + fraction.padEnd(8, '0'));
}

/** round(amount x rate / 100) */
export function applyRate(amount: bigint, rate: bigint): bigint {
  return amount === 0n || rate === 0n ? 0n : round(amount * rate, RATE_ONE);
}

/** An exact fraction, not reduced: the numbers stay small enough. */
export interface Fraction {
  n: bigint;
  d: bigint;
}

/**
 * The level amount that pays back `balance`, and interest `carried` (exact, before its tax) owed at the first date, over periods
 * whose interest factors are `factors`; `loading` is 1 + t. round((B + X (1+t) v1) / sum of products of v), v = 1 / (1 + i (1+t)).
 */
export function levelAmount(balance: bigint, carried: Fraction, factors: Fraction[], loading: Fraction): bigint {
  let annuity: Fraction = { n: 0n, d: 1n };
  let first: Fraction = { n: 1n, d: 1n };
  for (let k = factors.length - 1; k >= 0; k -= 1) {
    const factor = factors[k] as Fraction;
    const one = factor.d * loading.d;
    first = { n: one, d: one + factor.n * loading.n };
    annuity = { n: first.n * (annuity.d + annuity.n), d: first.d * annuity.d };
  }
  const owed = {
    n: balance * carried.d * loading.d * first.d + carried.n * loading.n * first.n,
    d: carried.d * loading.d * first.d,
  };
  return round(owed.n * annuity.d, owed.d * annuity.n);
}
