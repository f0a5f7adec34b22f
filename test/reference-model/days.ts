/** Civil days as whole numbers since 1970-01-01. Independent of libs/calendar, so that an error there is not repeated here. */
export type Day = number;
export type Basis = 'actual_360' | 'actual_365' | 'thirty_360' | 'actual_actual';

const MS_A_DAY = 86_400_000;

export function toDay(text: string): Day {
  const [y, m, d] = text.split('-').map(Number) as [number, number, number];
  return Date.UTC(y, m - 1, d) / MS_A_DAY;
}

const textOf = new Map<Day, string>();

export function toText(day: Day): string {
  const known = textOf.get(day);
  if (known !== undefined) return known;
  const text = new Date(day * MS_A_DAY).toISOString().slice(0, 10);
  textOf.set(day, text);
  return text;
}

export function partsOf(day: Day): { y: number; m: number; d: number } {
  const date = new Date(day * MS_A_DAY);
  return { y: date.getUTCFullYear(), m: date.getUTCMonth() + 1, d: date.getUTCDate() };
}

export function isLeap(y: number): boolean {
  return (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;
}

export function monthLength(y: number, m: number): number {
  if (m === 2) return isLeap(y) ? 29 : 28;
  return m === 4 || m === 6 || m === 9 || m === 11 ? 30 : 31;
}

/** The day `dayOfMonth` (clipped to the month's length) of the month `months` after the one that holds `day`. */
export function inMonthAfter(day: Day, months: number, dayOfMonth: number): Day {
  const { y, m } = partsOf(day);
  const month = y * 12 + (m - 1) + months;
  const year = Math.floor(month / 12);
  const inYear = month - year * 12 + 1;
  return Date.UTC(year, inYear - 1, Math.min(dayOfMonth, monthLength(year, inYear))) / MS_A_DAY;
}

export function addMonths(day: Day, months: number): Day {
  return inMonthAfter(day, months, partsOf(day).d);
}

/** ISO weekday, Monday 1 to Sunday 7. */
export function weekday(day: Day): number {
  return ((((day + 3) % 7) + 7) % 7) + 1;
}

/** The number of parts of a year in which `elapsed` counts, so that every year fraction is a whole number. */
export function partsOfYear(basis: Basis): bigint {
  switch (basis) {
    case 'actual_360':
    case 'thirty_360':
      return 360n;
    case 'actual_365':
      return 365n;
    case 'actual_actual':
      return 365n * 366n;
  }
}

/** yf(a, b) x partsOfYear(basis), for a <= b. */
export function elapsed(basis: Basis, a: Day, b: Day): bigint {
  if (b <= a) return 0n;
  switch (basis) {
    case 'actual_360':
    case 'actual_365':
      return BigInt(b - a);
    case 'thirty_360': {
      const from = partsOf(a);
      const to = partsOf(b);
      return BigInt(360 * (to.y - from.y) + 30 * (to.m - from.m) + Math.min(to.d, 30) - Math.min(from.d, 30));
    }
    case 'actual_actual':
      return BigInt(actualActual(a, b));
  }
}

function actualActual(a: Day, b: Day): number {
  let sum = 0;
  for (let from = a; from < b; ) {
    const { y } = partsOf(from);
    const to = Math.min(b, Date.UTC(y + 1, 0, 1) / MS_A_DAY);
    sum += (to - from) * (isLeap(y) ? 365 : 366);
    from = to;
  }
  return sum;
}

/** Days of a year for penalties. */
export function penaltyYear(basis: Basis): bigint {
  return basis === 'actual_360' || basis === 'thirty_360' ? 360n : 365n;
}

export interface Market {
  weekend: number[];
  covers_to: string;
  holidays?: string[];
  capitalises?: boolean;
  acceleration?: Acceleration;
}

export interface Acceleration {
  forbidden: boolean;
  missed_periods: number;
  notice_days: number;
}

/** The first banking day on or after `day`, or undefined after the end of the calendar. */
export function bankingDay(market: Market, day: Day): Day | undefined {
  const last = toDay(market.covers_to);
  for (let on = day; on <= last; on += 1) {
    if (!market.weekend.includes(weekday(on)) && !(market.holidays ?? []).includes(toText(on))) return on;
  }
  return undefined;
}
