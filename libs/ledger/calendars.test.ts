import { expect, test } from '@jest/globals';
import { calendarOf } from '#libs/calendar/banking-calendar.ts';
import { type CivilDay, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { admitFact } from '#libs/ledger/admit.ts';
import { NO_BOOK } from '#libs/ledger/book.ts';
import { type Calendars, calendarsOf } from '#libs/ledger/calendars.ts';
import type { RecordedFact } from '#libs/ledger/fact-record.ts';
import { given, issued, restructured } from '#libs/ledger/testing/scenario.ts';
import type { Market } from '#libs/product/markets/market.ts';
import { onlyMarket, STRICT_MARKET } from '#libs/product/markets/testing/made-up-markets.ts';
import { isRefusal } from '#libs/schema/refusals.ts';

const OLD = STRICT_MARKET.calendar;
const restingOn = (day: CivilDay) => calendarOf({ weekend: [], holidays: [day], coversTo: dayOf('2035-12-31') });

function dueDays(entries: Iterable<RecordedFact>, calendars: Calendars): string[] {
  let book = NO_BOOK;
  for (const entry of entries) {
    const added = admitFact(book, entry, calendars);
    if (isRefusal(added)) throw new Error(added.code);
    book = added.book;
  }
  return (book.head.loans[0]?.periods ?? []).map(({ dueOn }) => formatDay(dueOn));
}

test('what was planned anew under a calendar stays planned by it when the law changes its holidays', () => {
  const { book } = given(
    issued({ anchor: '2026-01-01', termPeriods: 3 }),
    restructured('2026-02-20', { termPeriods: 3, rate: '12' }),
  );
  const before = dueDays(book.log.facts(book.length), () =>
    calendarOf({ weekend: [], holidays: [], coversTo: dayOf('2035-12-31') }),
  );
  const firstNew = dayOf(before[3] as string);
  const plain = calendarOf({ weekend: [], holidays: [], coversTo: dayOf('2035-12-31') });
  const changed: Market = {
    ...STRICT_MARKET,
    jurisdiction: 'MX',
    calendar: { ...OLD, value: restingOn(firstNew), version: 2, earlier: new Map([[1, plain]]) },
  };
  expect(dueDays(book.log.facts(book.length), calendarsOf(onlyMarket(changed)))).toEqual(before);
  // Under the new calendar the day would have moved: the law above can fail.
  expect(dueDays(book.log.facts(book.length), () => restingOn(firstNew))).not.toEqual(before);
});
