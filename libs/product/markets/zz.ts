/**
 * ZZ, a market for tests and trials: it sets every option of a market, so that each one can be seen through the API.
 * It has no law. A live Tenancy cannot be opened in it, and no other market shares a currency with it.
 */
import { calendarOf } from '#libs/calendar/banking-calendar.ts';
import { dayOf, fromYearMonthDay } from '#libs/calendar/civil-day.ts';
import { rateOf } from '#libs/money/rate.ts';
import type { Market, MarketRule } from '#libs/product/markets/market.ts';
import { discloseCat } from '#libs/product/markets/mx-cat.ts';

const FIRST_YEAR = 2020;
const LAST_YEAR = 2040;

const YEARS = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, index) => FIRST_YEAR + index);

export const ZZ: Market = {
  jurisdiction: 'ZZ',
  isForTests: true,
  // ISO 4217 reserves both codes: no country has them.
  currencies: rule(['XTS', 'XXX'], 'two currencies that no country has'),
  penaltyCap: rule(
    { form: 'multiple_of_rate', value: rateOf('1.5') },
    'a penalty rate is at most one and a half times the contract rate',
  ),
  penaltyBase: rule(
    ['overdue_instalment', 'overdue_principal'],
    'a penalty accrues on the whole overdue instalment, or on its principal where the product says so',
  ),
  penaltyCeilingDays: rule(90, 'a period bears penalty for 90 days at most'),
  penaltyCeilingBps: rule(2_000, 'the penalty of a Loan is at most a fifth of its principal'),
  capitalises: rule(true, 'a restructure makes owed interest principal'),
  lateFeeBesidePenalty: rule(true, 'a late fee and a penalty may be charged together'),
  acceleration: rule(
    { forbidden: false, missedPeriods: 3, noticeDays: 15 },
    'the balance may be called after three missed periods and 15 days of notice',
  ),
  withdrawalDays: rule(14, 'the borrower may withdraw for 14 days'),
  tax: rule(
    {
      rates: [{ rate: rateOf('0') }, { rate: rateOf('10') }, { rate: rateOf('5'), until: dayOf('2025-12-31') }],
      on: ['fee', 'late_fee'],
    },
    'fees are taxed and interest is not; one rate has ended',
  ),
  disclosure: rule(
    { convention: 'zz-rate', version: 1, disclose: discloseCat },
    'the yearly figure is computed as in Mexico',
  ),
  facilityWindow: rule(365, 'a facility is open for 365 days at most'),
  calendar: {
    ...rule(
      calendarOf({
        weekend: [5, 6],
        holidays: YEARS.flatMap((year) => [fromYearMonthDay(year, 1, 1), fromYearMonthDay(year, 3, 15)]),
        coversTo: dayOf('2040-12-31'),
      }),
      'banks close on Fridays, Saturdays, 1 January and 15 March',
    ),
    version: 1,
  },
};

function rule<const Value>(value: Value, text: string): MarketRule<Value> {
  return { value, source: `A rule of the test market ZZ, no law: ${text}`, provisional: true };
}
