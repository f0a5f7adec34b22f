import { type CivilDay, fromYearMonthDay } from '#libs/calendar/civil-day.ts';

/** Easter Sunday of a Gregorian year, by the anonymous computus (Nature, 1876; Meeus, Astronomical Algorithms). */
export function easterSunday(year: number): CivilDay {
  const golden = year % 19;
  const century = Math.trunc(year / 100);
  const inCentury = year % 100;
  const moonShift = Math.trunc((century - Math.trunc((century + 8) / 25) + 1) / 3);
  const epact = (19 * golden + century - Math.trunc(century / 4) - moonShift + 15) % 30;
  const toSunday = (32 + 2 * (century % 4) + 2 * Math.trunc(inCentury / 4) - epact - (inCentury % 4)) % 7;
  const correction = Math.trunc((golden + 11 * epact + 22 * toSunday) / 451);
  const marchDay = epact + toSunday - 7 * correction + 22;
  // A day past 31 March counts on into April.
  return fromYearMonthDay(year, 3, marchDay);
}
