import { expect, test } from '@jest/globals';
import { calendarOf } from '#libs/calendar/banking-calendar.ts';
import { type CivilDay, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { admitFact } from '#libs/ledger/admit.ts';
import { EMPTY_BOOK } from '#libs/ledger/book.ts';
import type { RecordedFact } from '#libs/ledger/fact-log.ts';
import { issued, restructured } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import type { Market } from '#libs/product/markets/market.ts';
import { type Calendars, calendarsOf } from '#libs/product/markets/registry.ts';
import { onlyMarket } from '#libs/product/markets/testing/example-markets.ts';
import { ZZ } from '#libs/product/markets/zz.ts';
import { isRefusal } from '#libs/schema/refusals.ts';

const oldCalendar = ZZ.calendar;
const withHoliday = (day: CivilDay) => calendarOf({ weekend: [], holidays: [day], coversTo: dayOf('2035-12-31') });

function dueDays(entries: Iterable<RecordedFact>, calendars: Calendars): string[] {
  let book = EMPTY_BOOK;
  for (const entry of entries) {
    const added = admitFact(book, entry, calendars);
    if (isRefusal(added)) throw new Error(added.code);
    book = added.book;
  }
  return (book.head.loans[0]?.periods ?? []).map(({ dueOn }) => formatDay(dueOn));
}

test('a new plan keeps the days of the calendar it was made under when the law changes its holidays', () => {
  const { book } = given(
    issued({ anchor: '2026-01-01', termPeriods: 3 }),
    restructured('2026-02-20', { termPeriods: 3, rate: '12' }),
  );
  const before = dueDays(book.log.entries(book.length), () =>
    calendarOf({ weekend: [], holidays: [], coversTo: dayOf('2035-12-31') }),
  );
  const firstNew = dayOf(before[3] as string);
  const plain = calendarOf({ weekend: [], holidays: [], coversTo: dayOf('2035-12-31') });
  const changed: Market = {
    ...ZZ,
    jurisdiction: 'MX',
    calendar: { ...oldCalendar, value: withHoliday(firstNew), version: 2, earlier: new Map([[1, plain]]) },
  };
  expect(dueDays(book.log.entries(book.length), calendarsOf(onlyMarket(changed)))).toEqual(before);
  // Under the new calendar the day would move, so the check above can fail.
  expect(dueDays(book.log.entries(book.length), () => withHoliday(firstNew))).not.toEqual(before);
});
