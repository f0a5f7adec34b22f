/** Time zones of the IANA database, used to find the civil day of a moment. */

import { type CivilDay, fromYearMonthDay } from '#libs/calendar/civil-day.ts';
import type { Moment } from '#libs/calendar/moment.ts';

// Intl also accepts an offset such as +06:00. It is rejected, because it is no zone and has no summer time.
const zoneNamePattern = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/;

const MICROS_PER_MILLI = 1000;

/** Whether the text names a zone of the IANA database. */
export function isTimeZone(name: string): boolean {
  return zoneNamePattern.test(name) && formatterFor(name) !== undefined;
}

/**
 * The civil day of a moment in a time zone. Callers record the result, because the rules of zones change and a bar
 * that was answered once must not move with the next release of the database.
 */
export function dayInZone(moment: Moment, zone: string): CivilDay {
  const formatter = formatterFor(zone);
  if (formatter === undefined) throw new RangeError(`${zone} is not a time zone; use a name of the IANA database`);
  const parts = formatter.formatToParts(Math.floor(moment / MICROS_PER_MILLI));
  const read = (type: 'year' | 'month' | 'day') => Number(parts.find((part) => part.type === type)?.value);
  return fromYearMonthDay(read('year'), read('month'), read('day'));
}

type DayFormatter = ReturnType<typeof createFormatter>;

const formatters = new Map<string, DayFormatter>();

// Creating a formatter costs a hundred times as much as using it.
function formatterFor(zone: string): DayFormatter | undefined {
  // Zone names are case-insensitive. One key per zone bounds the size of the map.
  const name = zone.toLowerCase();
  const known = formatters.get(name);
  if (known !== undefined) return known;
  try {
    const created = createFormatter(zone);
    formatters.set(name, created);
    return created;
  } catch {
    return undefined;
  }
}

function createFormatter(timeZone: string) {
  const calendar = { calendar: 'gregory', numberingSystem: 'latn' } as const;
  const parts = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  // biome-ignore lint/style/noRestrictedGlobals: zone and moment are arguments, so neither the clock nor the machine's zone is read
  return new Intl.DateTimeFormat('en', { timeZone, ...calendar, ...parts });
}
