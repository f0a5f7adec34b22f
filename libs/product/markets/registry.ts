/** The markets of this release and their calendars. */
import type { BankingCalendar } from '#libs/calendar/banking-calendar.ts';
import { calendarByName, type Market, type Markets } from '#libs/product/markets/market.ts';
import { MX } from '#libs/product/markets/mx.ts';
import { ZZ } from '#libs/product/markets/zz.ts';

/** The markets of this release. Tests that need another law pass their own map. */
export const MARKETS: Markets = new Map([MX, ZZ].map((market) => [market.jurisdiction, market]));

export function marketOf(jurisdiction: string, markets: Markets = MARKETS): Market | undefined {
  return markets.get(jurisdiction);
}

/**
 * Finds a calendar by the name that facts keep. When the law changes a calendar it gets another name, so that a plan made
 * under the old one always folds to the same days.
 */
export type Calendars = (name: string) => BankingCalendar;

export function calendarsOf(markets: Markets = MARKETS): Calendars {
  return (name) => calendarByName(markets, name);
}
