import { formatDay } from '#libs/calendar/civil-day.ts';
import { formatRate } from '#libs/money/rate.ts';
import type { Market, MarketPenaltyCap, MarketTax, OptionalRule } from '#libs/product/markets/market.ts';

/** What a caller reads of a market's law: each rule with where it comes from, without a value where there is none. */
export function marketAnswer(market: Market) {
  const { calendar, disclosure } = market;
  return {
    jurisdiction: market.jurisdiction,
    currencies: market.currencies,
    penalty_cap: shown(market.penaltyCap, shownCap),
    penalty_base: market.penaltyBase,
    penalty_ceiling_days: market.penaltyCeilingDays,
    penalty_ceiling_bps: market.penaltyCeilingBps,
    capitalises: market.capitalises,
    late_fee_beside_penalty: market.lateFeeBesidePenalty,
    acceleration: shown(market.acceleration, ({ forbidden, missedPeriods, noticeDays }) => ({
      forbidden,
      missed_periods: missedPeriods,
      notice_days: noticeDays,
    })),
    withdrawal_days: market.withdrawalDays,
    tax: shown(market.tax, shownTax),
    disclosure: shown(disclosure, ({ convention, version }) => ({ convention, version })),
    calendar: {
      covers_to: formatDay(calendar.value.coversTo),
      source: calendar.source,
      provisional: calendar.provisional,
    },
    facility_window: market.facilityWindow,
  };
}

function shown<Value, Shown>(rule: OptionalRule<Value> & { value: Value }, show: (value: Value) => Shown) {
  return { value: show(rule.value), source: rule.source, provisional: rule.provisional };
}

function shownCap(cap: MarketPenaltyCap) {
  return cap.form === 'none' ? { form: cap.form } : { form: cap.form, value: formatRate(cap.value) };
}

function shownTax({ rates, on }: MarketTax) {
  return {
    rates: rates.map(({ rate }) => formatRate(rate)),
    ends: rates.flatMap(({ rate, until }) =>
      until === undefined ? [] : [{ rate: formatRate(rate), on: formatDay(until) }],
    ),
    on,
  };
}
