/** A time of recording: whole microseconds since 1970-01-01T00:00:00Z. Exact as a number until the year 2255. */
export type Moment = number & { readonly [moment]: true };
declare const moment: unique symbol;

const DAY = 86_400_000_000;

/** RFC 3339 in UTC with six decimals, the form of every timestamp of the contract. */
export function formatMoment(at: Moment): string {
  const day = Math.floor(at / DAY);
  const within = at - day * DAY;
  const seconds = Math.floor(within / 1_000_000);
  const time = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
  return `${civil(day)}T${time}.${String(within % 1_000_000).padStart(6, '0')}Z`;
}

// Usually the day is the same as in the last call.
let knownDay = Number.NaN;
let knownText = '';

/** The date of a day since 1970-01-01. Years are counted from March, so that a leap day comes last. */
function civil(day: number): string {
  if (day === knownDay) return knownText;
  const shifted = day + 719_468;
  const era = Math.floor(shifted / 146_097);
  const ofEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (ofEra - Math.floor(ofEra / 1460) + Math.floor(ofEra / 36_524) - Math.floor(ofEra / 146_096)) / 365,
  );
  const ofYear = ofEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const marchMonth = Math.floor((5 * ofYear + 2) / 153);
  const month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9;
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0);
  const dayOfMonth = ofYear - Math.floor((153 * marchMonth + 2) / 5) + 1;
  knownDay = day;
  knownText = `${String(year).padStart(4, '0')}-${two(month)}-${two(dayOfMonth)}`;
  return knownText;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}
