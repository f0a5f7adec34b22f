import type { BankingCalendar } from '#libs/calendar/banking-calendar.ts';
import { calendarByName, type Markets } from '#libs/product/markets/market.ts';
import { MARKETS } from '#libs/product/markets/registry.ts';

/**
 * Finds a calendar by the name that facts keep. When the law changes a calendar it gets another name, so that a plan made
 * under the old one always folds to the same days.
 */
export type Calendars = (name: string) => BankingCalendar;

export function calendarsOf(markets: Markets = MARKETS): Calendars {
  return (name) => calendarByName(markets, name);
}
