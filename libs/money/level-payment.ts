import { halfEven } from '#libs/money/round.ts';

/** An exact fraction. The denominator is above zero; lowest terms are not asked for. */
export type Ratio = { readonly num: bigint; readonly den: bigint };

// Up to here the plain products are faster than reducing them first; beyond it they grow past what that saves.
const REDUCE_BEYOND = 24;

/**
 * The one amount that repays `balance` in as many periods as there are growth factors, to the nearest minor unit (half
 * to even). `growth[k]` is 1 + i of a period, above zero. The quotient is one of whole numbers, taken whole: a half is
 * met exactly, where any fixed number of digits would miss it.
 */
export function levelPayment(balance: bigint, growth: readonly Ratio[]): bigint {
  return levelPaymentOf({ num: balance, den: 1n }, growth);
}

/** The same for a present value that is itself a fraction: a balance and the discounted interest already run up on it. */
export function levelPaymentOf(present: Ratio, growth: readonly Ratio[]): bigint {
  if (growth.length === 0) throw new RangeError('a plan has at least one period');
  // From the last period back: the annuity of what follows, and one more payment, discounted by one period.
  let paid = 0n;
  let over = 1n;
  for (const { num, den } of growth.length > REDUCE_BEYOND ? reduced(growth).reverse() : growth.toReversed()) {
    paid = den * (over + paid);
    over *= num;
  }
  return halfEven(present.num * over, present.den * paid);
}

// A plan has few distinct factors (month lengths), so the divisor of each is sought once.
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
