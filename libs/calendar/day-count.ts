import { type CivilDay, fromYearMonthDay, isLeapYear, yearMonthDay } from '#libs/calendar/civil-day.ts';

export type DayCountBasis = 'actual_360' | 'actual_365' | 'thirty_360' | 'actual_actual';

export const DAY_COUNT_BASES: readonly DayCountBasis[] = ['actual_360', 'actual_365', 'thirty_360', 'actual_actual'];

// actual_actual counts a day of a common year as 366 and one of a leap year as 365, so that both are over 365 x 366.
const DENOMINATORS: Readonly<Record<DayCountBasis, number>> = {
  actual_360: 360,
  actual_365: 365,
  thirty_360: 360,
  actual_actual: 365 * 366,
};

const YEAR_DENOMINATORS = byBasis((basis) => BigInt(DENOMINATORS[basis]));
const PENALTY_YEARS = byBasis((basis) => (DENOMINATORS[basis] === 360 ? 360n : 365n));

function byBasis<T>(value: (basis: DayCountBasis) => T): Readonly<Record<DayCountBasis, T>> {
  return {
    actual_360: value('actual_360'),
    actual_365: value('actual_365'),
    thirty_360: value('thirty_360'),
    actual_actual: value('actual_actual'),
  };
}

/** The denominator of a year fraction. */
export function yearDenominator(basis: DayCountBasis): bigint {
  return YEAR_DENOMINATORS[basis];
}

/** Days of a year for penalty: one day of penalty is a year's penalty divided by this. */
export function penaltyYear(basis: DayCountBasis): bigint {
  return PENALTY_YEARS[basis];
}

/** The numerator of the year fraction from `from` to `to`, over `yearDenominator(basis)`. */
export function yearFraction(basis: DayCountBasis, from: CivilDay, to: CivilDay): bigint {
  return BigInt(yearFractionNumber(basis, from, to));
}

/** The numerator as a number, exact for any two days a caller can state. */
export function yearFractionNumber(basis: DayCountBasis, from: CivilDay, to: CivilDay): number {
  switch (basis) {
    case 'actual_360':
    case 'actual_365':
      return to - from;
    case 'thirty_360':
      return thirty360Position(to) - thirty360Position(from);
    case 'actual_actual':
      return weightedDays(to) - weightedDays(from);
  }
}

// 30E/360 gives each day one position, so the fractions of adjacent spans add up.
function thirty360Position(civil: CivilDay): number {
  const { year, month, day } = yearMonthDay(civil);
  return 360 * year + 30 * month + Math.min(day, 30);
}

// The weight of all days before this one. Every full year weighs 365 x 366, leap or not.
function weightedDays(civil: CivilDay): number {
  const { year } = yearMonthDay(civil);
  const daysIntoYear = civil - fromYearMonthDay(year, 1, 1);
  return year * (365 * 366) + daysIntoYear * (isLeapYear(year) ? 365 : 366);
}
