import { type CivilDay, fromYearMonthDay } from '#libs/calendar/civil-day.ts';
import type { Moment } from '#libs/calendar/moment.ts';

// An offset such as +06:00 is a shape the platform reads too, but it is no zone: it knows no summer and no law.
const SHAPE = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/;

const MICROS_PER_MILLI = 1000;

/** Whether it names a zone of the IANA database. */
export function isTimeZone(name: string): boolean {
  return SHAPE.test(name) && clockOf(name) !== undefined;
}

/**
 * The civil day that a moment fell on in a time zone. Who uses it records the
 * day it found: zones change by law, and a bar that was told must not move with the next release of the database.
 */
export function dayInZone(moment: Moment, zone: string): CivilDay {
  const clock = clockOf(zone);
  if (clock === undefined) throw new RangeError(`not a time zone: ${zone}`);
  const parts = clock.formatToParts(Math.floor(moment / MICROS_PER_MILLI));
  const read = (type: 'year' | 'month' | 'day') => Number(parts.find((part) => part.type === type)?.value);
  return fromYearMonthDay(read('year'), read('month'), read('day'));
}

type Clock = ReturnType<typeof makeClock>;

const clocks = new Map<string, Clock>();

// Making one costs a hundred times what using one does.
function clockOf(zone: string): Clock | undefined {
  // Zones are found whatever their case; kept by one case, there are never more than the database has.
  const name = zone.toLowerCase();
  const known = clocks.get(name);
  if (known !== undefined) return known;
  try {
    const made = makeClock(zone);
    clocks.set(name, made);
    return made;
  } catch {
    return undefined;
  }
}

function makeClock(timeZone: string) {
  const calendar = { calendar: 'gregory', numberingSystem: 'latn' } as const;
  const parts = { year: 'numeric', month: 'numeric', day: 'numeric' } as const;
  // biome-ignore lint/style/noRestrictedGlobals: a table of the language; zone and moment are handed in, so neither the clock nor the machine's own zone is read
  return new Intl.DateTimeFormat('en', { timeZone, ...calendar, ...parts });
}
