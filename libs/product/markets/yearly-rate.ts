import { decay, naturalLog, PRECISION } from '#libs/money/fixed-point.ts';

/** A payment, not below zero, and when it is made: num / den years after the handing over, above zero. */
export type TimedPayment = { readonly amount: bigint; readonly num: number; readonly den: number };

export type Flows = { readonly handedOver: bigint; readonly payments: readonly TimedPayment[] };

// The spacing of doubles at one.
const ULP = 2 ** -52;

// A sum this much nearer than any two plans come counts as on the boundary: a plan may meet one exactly.
const TIE_BITS = 128n;

const MOST_STEPS = 500;

/**
 * The yearly rate i at which the payments are worth what was handed over, in units of 1 / `unitsOfOne`, half up; zero
 * where no more is paid than that; undefined above `most` units. What they are worth falls as i rises, so there is one
 * root and none to choose.
 *
 * Doubles find the rate and bound their own error; a rounding boundary within that bound is decided in 256 bits. So no
 * rounding rests on a floating-point result.
 */
export function yearlyRate(flows: Flows, unitsOfOne: number, most: number): number | undefined {
  const payments = flows.payments.filter(({ amount }) => amount > 0n);
  const owing = { handedOver: flows.handedOver, payments };
  if (totalOf(payments) <= flows.handedOver) return 0;
  const { force, error } = approximateForce(owing);
  if (force - error > Math.log1p((most + 1) / unitsOfOne)) return undefined;
  const units = unitsOfOne * Math.expm1(force);
  // What an error in the force makes of the rate, and what the two functions themselves round away.
  const margin = unitsOfOne * Math.exp(force) * 2 * error + 8 * ULP * units;
  let rounded = Math.floor(Math.max(0, units - margin) + 0.5);
  if (units + margin >= rounded + 0.5) {
    while (rounded <= most && isRateAtLeast(owing, 2 * rounded + 1, 2 * unitsOfOne)) rounded += 1;
  }
  return rounded > most ? undefined : rounded;
}

/** Whether the payments' yearly rate is num / den or more: whether at that rate they are worth what was handed over. */
export function isRateAtLeast({ handedOver, payments }: Flows, num: number, den: number): boolean {
  const force = naturalLog(BigInt(den + num), BigInt(den));
  let worth = 0n;
  for (const payment of payments) {
    worth += payment.amount * decay((force * BigInt(payment.num)) / BigInt(payment.den));
  }
  const tie = (totalOf(payments) << PRECISION) >> TIE_BITS;
  return worth - (handedOver << PRECISION) >= -tie;
}

function totalOf(payments: readonly TimedPayment[]): bigint {
  return payments.reduce((sum, { amount }) => sum + amount, 0n);
}

/**
 * ln(1 + i) and a bound on its error. Newton's method on the logarithm of what the payments are worth: it falls and is
 * convex, so from zero every step stays short of the root, and it is almost straight, so there are few.
 */
function approximateForce({ handedOver, payments }: Flows): { force: number; error: number } {
  const weights = payments.map(({ amount }) => Number(amount) / Number(handedOver));
  const times = payments.map(({ num, den }) => num / den);
  const soonest = Math.min(...times);
  const latest = Math.max(...times);
  let force = 0;
  let residual = Number.POSITIVE_INFINITY;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    let worth = 0;
    let duration = 0;
    for (let j = 0; j < times.length; j += 1) {
      const part = (weights[j] as number) * Math.exp(-force * (times[j] as number));
      worth += part;
      duration += part * (times[j] as number);
    }
    residual = Math.log(worth);
    const next = force + (residual * worth) / duration;
    // Nearer than doubles can tell: what is left of the residual is in the bound.
    if (!(next > force * (1 + 4 * ULP))) break;
    force = next;
  }
  // Each part carries the rounding of its weight, its exponent and its exponential; summing adds one for each.
  const lost = ULP * (times.length + 16 + 4 * force * latest);
  // The logarithm falls at least as fast as the soonest payment is away.
  return { force, error: (Math.abs(residual) + lost) / soonest };
}
