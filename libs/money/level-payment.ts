import { halfEven } from './minor.ts';

/** An exact fraction, not necessarily in lowest terms. The denominator is above zero. */
export type Ratio = { readonly num: bigint; readonly den: bigint };

// With more factors than this, reducing the fractions first is faster than multiplying ever larger numbers.
const MAX_UNREDUCED_FACTORS = 24;

/**
 * The amount that repays `balance` in as many equal payments as there are growth factors, rounded half to even.
 * `growth[k]` is 1 + i of period k, above zero. Computed in whole numbers throughout: with a fixed number of digits an
 * exact half could not be distinguished from its neighbours.
 */
export function levelPayment(balance: bigint, growth: readonly Ratio[]): bigint {
  return levelPaymentOf({ num: balance, den: 1n }, growth);
}

/** The same for a present value that is a fraction: a balance and the discounted interest accrued on it so far. */
export function levelPaymentOf(present: Ratio, growth: readonly Ratio[]): bigint {
  if (growth.length === 0) throw new RangeError('no growth factors; a plan has at least one period');
  // Backwards: the annuity of the later periods and one more payment, discounted by one period.
  let paid = 0n;
  let over = 1n;
  for (const { num, den } of growth.length > MAX_UNREDUCED_FACTORS ? reduced(growth).reverse() : growth.toReversed()) {
    paid = den * (over + paid);
    over *= num;
  }
  return halfEven(present.num * over, present.den * paid);
}

// A plan has few distinct factors (one for each length of a month), so each is reduced once.
function reduced(growth: readonly Ratio[]): Ratio[] {
  const known: { readonly from: Ratio; readonly to: Ratio }[] = [];
  return growth.map((from) => {
    const seen = known.find((entry) => entry.from.num === from.num && entry.from.den === from.den);
    if (seen !== undefined) return seen.to;
    const divisor = greatestCommonDivisor(from.num, from.den);
    const to = { num: from.num / divisor, den: from.den / divisor };
    known.push({ from, to });
    return to;
  });
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  let [a, b] = [one, other];
  while (b !== 0n) [a, b] = [b, a % b];
  return a;
}
