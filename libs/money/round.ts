/** The whole number nearest to the fraction; a half goes to the even neighbour. */
export function halfEven(numerator: bigint, denominator: bigint): bigint {
  const below = floorDiv(numerator, denominator);
  const twice = 2n * (numerator - below * denominator);
  if (twice === denominator) return below % 2n === 0n ? below : below + 1n;
  return twice > denominator ? below + 1n : below;
}

/** The whole number nearest to the fraction; a half goes up, towards positive infinity. */
export function halfUp(numerator: bigint, denominator: bigint): bigint {
  return floorDiv(2n * numerator + denominator, 2n * denominator);
}

/** The greatest whole number not above the fraction. The denominator is above zero. */
export function floorDiv(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new RangeError('a fraction stands over a positive whole number');
  const quotient = numerator / denominator;
  // BigInt cuts towards zero; below zero that is one too high unless it divides.
  return numerator < 0n && quotient * denominator !== numerator ? quotient - 1n : quotient;
}
