/**
 * Logarithm and exponential in whole numbers over 2^256: what the last rounding of a figure is decided by. The
 * truncations below cost the last twenty bits or so, never more than thirty-two.
 */
export const PRECISION = 256n;
const ONE = 1n << PRECISION;

// Halvings of the exponent before its series, undone by as many squarings.
const HALVINGS = 8n;

const LN_2 = 2n * inverseHyperbolicTangent(1n, 3n);

/** ln(num / den) over 2^256, for a fraction of at least one. */
export function naturalLog(num: bigint, den: bigint): bigint {
  if (den <= 0n || num < den) throw new RangeError('the logarithm is taken of one or more');
  // Scaled by a power of two into [2/3, 4/3), where the series gains four bits or more with each term.
  let doublings = 0n;
  let scaled = den;
  while (3n * num >= 4n * scaled) {
    scaled *= 2n;
    doublings += 1n;
  }
  return doublings * LN_2 + 2n * inverseHyperbolicTangent(num - scaled, num + scaled);
}

/** e to the power of minus `exponent`, both over 2^256, for an exponent of at least zero. */
export function decay(exponent: bigint): bigint {
  if (exponent < 0n) throw new RangeError('a decay has no negative exponent');
  const halfLives = exponent / LN_2;
  const small = (exponent - halfLives * LN_2) >> HALVINGS;
  let sum = ONE;
  let term = ONE;
  for (let n = 1n; term !== 0n; n += 1n) {
    term = ((term * small) >> PRECISION) / n;
    sum += n % 2n === 0n ? term : -term;
  }
  for (let n = 0n; n < HALVINGS; n += 1n) sum = (sum * sum) >> PRECISION;
  return sum >> halfLives;
}

function inverseHyperbolicTangent(num: bigint, den: bigint): bigint {
  const argument = (num << PRECISION) / den;
  const square = (argument * argument) >> PRECISION;
  let power = argument;
  let sum = 0n;
  for (let odd = 1n; ; odd += 2n) {
    const term = power / odd;
    if (term === 0n) return sum;
    sum += term;
    power = (power * square) >> PRECISION;
  }
}
