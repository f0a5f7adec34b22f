/**
 * Logarithm and exponential as whole numbers over 2^256, precise enough to decide the last rounding of a figure. The
 * truncations below cost about the last twenty bits, never more than thirty-two.
 */
export const PRECISION = 256n;
const ONE = 1n << PRECISION;

// The exponent is halved so many times before its series, and the result squared as many times.
const HALVINGS = 8n;

const LN_2 = 2n * inverseHyperbolicTangent(1n, 3n);

/** ln(num / den) over 2^256, for a fraction of at least one. */
export function naturalLog(num: bigint, den: bigint): bigint {
  if (den <= 0n || num < den) throw new RangeError('the logarithm is defined here for fractions of at least one');
  // Scaled by a power of two into [2/3, 4/3), where each term of the series adds at least four bits.
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
  if (exponent < 0n) throw new RangeError(`invalid exponent ${exponent}; expected at least zero`);
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
