/** How far the time in a signature is from when the request was received, and what usually causes such a difference. */

export interface ClockDifference {
  /** Positive where the caller's clock is ahead. */
  readonly seconds: number;
  /** Absent where the difference has no usual cause. */
  readonly cause?: 'milliseconds' | 'timeZone';
}

const secondsPerQuarterHour = 900;
/** Time zones are up to fourteen hours from UTC. */
const maxZoneSeconds = 14 * 3_600;
/** A request is on its way for a moment, and clocks differ a little. */
const toleranceSeconds = 30;

export function clockDifference(ts: string, receivedMs: number): ClockDifference {
  const received = Math.floor(receivedMs / 1_000);
  const seconds = Number(ts) - received;
  if (Math.abs(Number(ts) / 1_000 - received) < maxZoneSeconds) return { seconds, cause: 'milliseconds' };
  const distance = Math.abs(seconds);
  const offHours = Math.abs(distance - Math.round(distance / secondsPerQuarterHour) * secondsPerQuarterHour);
  const isZone = distance >= 3_600 - toleranceSeconds && distance <= maxZoneSeconds + toleranceSeconds;
  return isZone && offHours <= toleranceSeconds ? { seconds, cause: 'timeZone' } : { seconds };
}
