import { type CivilDay, fromYearMonthDay, isLeapYear, yearMonthDay } from '#libs/calendar/civil-day.ts';

export type DayCountBasis = 'actual_360' | 'actual_365' | 'thirty_360' | 'actual_actual';

export const DAY_COUNT_BASES: readonly DayCountBasis[] = ['actual_360', 'actual_365', 'thirty_360', 'actual_actual'];

// actual_actual weighs a day of a common year by 366 and one of a leap year by 365, so both stand over 365 x 366.
const DENOMINATORS: Readonly<Record<DayCountBasis, number>> = {
  actual_360: 360,
  actual_365: 365,
  thirty_360: 360,
  actual_actual: 365 * 366,
};

const YEAR_DENOMINATORS = mapped((basis) => BigInt(DENOMINATORS[basis]));
const PENALTY_YEARS = mapped((basis) => (DENOMINATORS[basis] === 360 ? 360n : 365n));

function mapped<T>(value: (basis: DayCountBasis) => T): Readonly<Record<DayCountBasis, T>> {
  return {
    actual_360: value('actual_360'),
    actual_365: value('actual_365'),
    thirty_360: value('thirty_360'),
    actual_actual: value('actual_actual'),
  };
}

/** What a year fraction of this basis is over. */
export function yearDenominator(basis: DayCountBasis): bigint {
  return YEAR_DENOMINATORS[basis];
}

/** One day of penalty is one over this. */
export function penaltyYear(basis: DayCountBasis): bigint {
  return PENALTY_YEARS[basis];
}

/** The numerator of the year fraction from `from` to `to`, over `yearDenominator(basis)`. */
export function yearFraction(basis: DayCountBasis, from: CivilDay, to: CivilDay): bigint {
  return BigInt(yearFractionNumber(basis, from, to));
}

/** The same numerator as a number: exact for any two days a caller can state. */
export function yearFractionNumber(basis: DayCountBasis, from: CivilDay, to: CivilDay): number {
  switch (basis) {
    case 'actual_360':
    case 'actual_365':
      return to - from;
    case 'thirty_360':
      return thirty(to) - thirty(from);
    case 'actual_actual':
      return weighed(to) - weighed(from);
  }
}

// 30E/360 splits into one position for each day, which is why it adds up however a stretch is cut.
function thirty(civil: CivilDay): number {
  const { year, month, day } = yearMonthDay(civil);
  return 360 * year + 30 * month + Math.min(day, 30);
}

// The weight of all days before this one. Every whole year weighs 365 x 366, leap or not.
function weighed(civil: CivilDay): number {
  const { year } = yearMonthDay(civil);
  const daysIntoYear = civil - fromYearMonthDay(year, 1, 1);
  return year * (365 * 366) + daysIntoYear * (isLeapYear(year) ? 365 : 366);
}
