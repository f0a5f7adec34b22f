import type { Parameter } from '#libs/api/query.ts';
import { type CivilDay, formatDay, LAST_DAY, parseDay } from '#libs/calendar/civil-day.ts';

const form =
  /^(\d{4}-\d\d-\d\d)[Tt]([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

const minutesADay = 24 * 60;

/**
 * An RFC 3339 moment as the service writes its own: UTC, six decimals, `Z`, so that moments order as text. Decimals
 * beyond the sixth are cut off: nothing is recorded between. A leap second is the end of the second before it: our clock
 * knows none, and what was recorded in it stands there.
 */
export function parseTimestamp(text: string): string | undefined {
  const [, date, hour, minute, second, fraction = '', sign, offsetHour, offsetMinute] = form.exec(text) ?? [];
  const day = date === undefined ? undefined : parseDay(date);
  if (day === undefined) return undefined;
  const offset = sign === undefined ? 0 : (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -1 : 1);
  const isLeap = second === '60';
  const minutes = Number(hour) * 60 + Number(minute) - offset;
  // It is put in where a day ends in UTC and nowhere else.
  if (isLeap && (minutes + 1) % minutesADay !== 0) return undefined;
  const seconds = day * 86_400 + minutes * 60 + (isLeap ? 59 : Number(second));
  const decimals = isLeap ? '999999' : fraction.slice(0, 6).padEnd(6, '0');
  const inUtc = Math.floor(seconds / 86_400) as CivilDay;
  if (inUtc > LAST_DAY) return undefined;
  const within = seconds - inUtc * 86_400;
  const time = [within / 3600, (within / 60) % 60, within % 60].map((part) =>
    String(Math.floor(part)).padStart(2, '0'),
  );
  return `${formatDay(inUtc)}T${time.join(':')}.${decimals}Z`;
}

export const momentParameter: Parameter<string> = {
  schema: { type: 'string', format: 'date-time' },
  bound: 'an RFC 3339 timestamp',
  read: parseTimestamp,
};
