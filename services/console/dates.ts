/** Moments in the language of the page. */
import { minuteFormat, secondFormat } from './formatters.ts';
import type { Texts } from './texts/en.ts';

/** Of a timestamp of the API, to the millisecond. */
export function formatPreciseTimestamp({ locale }: Texts, timestamp: string): string {
  const moment = new Date(timestamp);
  const milliseconds = String(moment.getUTCMilliseconds()).padStart(3, '0');
  const parts = secondFormat(locale).formatToParts(moment);
  return `${parts.map(({ type, value }) => (type === 'second' ? `${value}.${milliseconds}` : value)).join('')} UTC`;
}

/** From microseconds since 1970, in UTC. */
export function formatInstant({ locale }: Texts, microseconds: number): string {
  return `${minuteFormat(locale).format(microseconds / 1_000)} UTC`;
}

/** Like `formatInstant`, to the second. */
export function formatMoment({ locale }: Texts, microseconds: number): string {
  return `${secondFormat(locale).format(microseconds / 1_000)} UTC`;
}

/** From a timestamp of the contract: RFC 3339 in UTC. */
export function formatTimestamp({ locale }: Texts, timestamp: string): string {
  return `${secondFormat(locale).format(new Date(timestamp))} UTC`;
}

/** How long to wait until something is possible: in seconds, from a minute on in minutes that are begun. */
export function formatWait({ locale }: Texts, ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1_000));
  const [value, unit] = seconds < 60 ? [seconds, 'second'] : [Math.ceil(seconds / 60), 'minute'];
  return new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' }).format(value);
}

const ageUnits = [
  { unit: 'day', ms: 86_400_000 },
  { unit: 'hour', ms: 3_600_000 },
  { unit: 'minute', ms: 60_000 },
] as const;

/** How long ago, in the largest unit that is at least one: "3 hours ago". */
export function formatAge({ locale }: Texts, instant: Date, now: Date): string {
  const age = Math.max(now.getTime() - instant.getTime(), 0);
  const { unit, ms } = ageUnits.find((each) => age >= each.ms) ?? { unit: 'second', ms: 1_000 };
  return new Intl.RelativeTimeFormat(locale).format(-Math.floor(age / ms), unit);
}
