/** Money in whole minor units of one currency. Exact at any size; the API limits the amounts a caller may state. */
export type Minor = bigint & { readonly [minor]: true };
declare const minor: unique symbol;

export const ZERO = 0n as Minor;

/** The largest amount that may be stated or planned: the last integer that JSON readers hold exactly. */
export const MAX_AMOUNT = BigInt(Number.MAX_SAFE_INTEGER) as Minor;

/** The nearest whole number; a half is rounded to the even neighbour. */
export function halfEven(numerator: bigint, denominator: bigint): bigint {
  const below = floorDiv(numerator, denominator);
  const twice = 2n * (numerator - below * denominator);
  if (twice === denominator) return below % 2n === 0n ? below : below + 1n;
  return twice > denominator ? below + 1n : below;
}

/** The nearest whole number; a half is rounded up, towards positive infinity. */
export function halfUp(numerator: bigint, denominator: bigint): bigint {
  return floorDiv(2n * numerator + denominator, 2n * denominator);
}

/** The largest whole number not above the fraction. The denominator is above zero. */
export function floorDiv(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError(`invalid denominator ${denominator}; expected a whole number above zero`);
  const quotient = numerator / denominator;
  // BigInt division truncates towards zero, which is one too high for a negative fraction.
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient;
}
