import { calendarOf } from '#libs/calendar/banking-calendar.ts';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { rateOf } from '#libs/money/rate.ts';
import type { Market, Markets } from '#libs/product/markets/market.ts';
import { discloseCat } from '#libs/product/markets/mx-cat.ts';

const source = 'Made up for tests';
const rule = <Value>(value: Value) => ({ value, source, provisional: true });
const noRule = { source, provisional: true };

const mildAcceleration = { forbidden: false, missedPeriods: 1, noticeDays: 0 };

/** The market of a worked book: its calendar, its stated rules, and no other limit. */
export type WorkedBookLaw = {
  readonly weekend: readonly number[];
  readonly covers_to: string;
  readonly holidays?: readonly string[];
  readonly capitalises?: boolean;
  readonly acceleration?: {
    readonly forbidden: boolean;
    readonly missed_periods: number;
    readonly notice_days: number;
  };
};

export function workedBookMarket({ weekend, covers_to, holidays, capitalises, acceleration }: WorkedBookLaw): Market {
  return {
    jurisdiction: 'MX',
    currencies: rule(['MXN']),
    penaltyCap: rule({ form: 'none' }),
    penaltyBase: rule(['overdue_principal', 'overdue_instalment']),
    penaltyCeilingDays: noRule,
    penaltyCeilingBps: noRule,
    capitalises: rule(capitalises ?? false),
    lateFeeBesidePenalty: rule(true),
    acceleration: rule(
      acceleration === undefined
        ? mildAcceleration
        : {
            forbidden: acceleration.forbidden,
            missedPeriods: acceleration.missed_periods,
            noticeDays: acceleration.notice_days,
          },
    ),
    withdrawalDays: noRule,
    tax: rule({
      rates: [{ rate: rateOf('0') }, { rate: rateOf('8') }, { rate: rateOf('16') }],
      on: ['interest', 'fee', 'penalty', 'late_fee'],
    }),
    disclosure: rule({ convention: 'mx-cat', version: 2, disclose: discloseCat }),
    facilityWindow: noRule,
    calendar: {
      ...rule(calendarOf({ weekend, holidays: (holidays ?? []).map(dayOf), coversTo: dayOf(covers_to) })),
      version: 1,
    },
  };
}

export function onlyMarket(market: Market): Markets {
  return new Map([[market.jurisdiction, market]]);
}
