/** The yearly rate at which a plan's payments are worth the amount disbursed, rounded without floating-point error. */
import { decay, naturalLog, PRECISION } from '#libs/money/fixed-point.ts';

/** A payment of zero or more, `num / den` years after the disbursement. */
export type TimedPayment = { readonly amount: bigint; readonly num: number; readonly den: number };

export type CashFlows = { readonly disbursed: bigint; readonly payments: readonly TimedPayment[] };

/** The distance between 1 and the next double. */
const ULP = 2 ** -52;

// A difference below 2^-128 of the payments counts as equality: plans can meet a rounding boundary exactly.
const TIE_BITS = 128n;

const maxNewtonSteps = 500;

/**
 * The yearly rate in units of 1 / `unitsOfOne`, rounded half up; zero if no more is paid than was disbursed; undefined
 * above `max` units. The present value falls as the rate rises, so there is exactly one root.
 *
 * Doubles find the rate and bound their own error; a rounding boundary within that bound is decided in 256-bit integers.
 */
export function yearlyRate(flows: CashFlows, unitsOfOne: number, max: number): number | undefined {
  const payments = flows.payments.filter(({ amount }) => amount > 0n);
  const nonZero = { disbursed: flows.disbursed, payments };
  if (totalOf(payments) <= flows.disbursed) return 0;
  const { force, error } = approximateForce(nonZero);
  if (force - error > Math.log1p((max + 1) / unitsOfOne)) return undefined;
  const units = unitsOfOne * Math.expm1(force);
  // The error in the force as an error in the rate, plus the rounding of exp and expm1.
  const margin = unitsOfOne * Math.exp(force) * 2 * error + 8 * ULP * units;
  let rounded = Math.floor(Math.max(0, units - margin) + 0.5);
  if (units + margin >= rounded + 0.5) {
    while (rounded <= max && isYearlyRateAtLeast(nonZero, 2 * rounded + 1, 2 * unitsOfOne)) rounded += 1;
  }
  return rounded > max ? undefined : rounded;
}

/** Whether the yearly rate is num / den or more, that is, whether at that rate the payments are worth the disbursement. */
export function isYearlyRateAtLeast({ disbursed, payments }: CashFlows, num: number, den: number): boolean {
  const force = naturalLog(BigInt(den + num), BigInt(den));
  let worth = 0n;
  for (const payment of payments) {
    worth += payment.amount * decay((force * BigInt(payment.num)) / BigInt(payment.den));
  }
  const tie = (totalOf(payments) << PRECISION) >> TIE_BITS;
  return worth - (disbursed << PRECISION) >= -tie;
}

function totalOf(payments: readonly TimedPayment[]): bigint {
  return payments.reduce((sum, { amount }) => sum + amount, 0n);
}

/**
 * ln(1 + i) and a bound on its error, by Newton's method on the logarithm of the present value. That function falls and
 * is convex, so every step from zero stays below the root, and it is almost straight, so few steps are needed.
 */
function approximateForce({ disbursed, payments }: CashFlows): { force: number; error: number } {
  const weights = payments.map(({ amount }) => Number(amount) / Number(disbursed));
  const times = payments.map(({ num, den }) => num / den);
  const soonest = Math.min(...times);
  const latest = Math.max(...times);
  let force = 0;
  let residual = Number.POSITIVE_INFINITY;
  for (let step = 0; step < maxNewtonSteps; step += 1) {
    let worth = 0;
    let duration = 0;
    for (let j = 0; j < times.length; j += 1) {
      const part = (weights[j] as number) * Math.exp(-force * (times[j] as number));
      worth += part;
      duration += part * (times[j] as number);
    }
    residual = Math.log(worth);
    const next = force + (residual * worth) / duration;
    // Doubles converge no further; the error bound covers the rest of the residual.
    if (!(next > force * (1 + 4 * ULP))) break;
    force = next;
  }
  // Rounding of each part's weight, exponent and exponential, and one per addition.
  const rounding = ULP * (times.length + 16 + 4 * force * latest);
  // The slope of the logarithm is at least the time of the soonest payment.
  return { force, error: (Math.abs(residual) + rounding) / soonest };
}
