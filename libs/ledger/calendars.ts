import type { BankingCalendar } from '#libs/calendar/banking-calendar.ts';
import { calendarNamed, type Markets } from '#libs/product/markets/market.ts';
import { MARKETS } from '#libs/product/markets/registry.ts';

/**
 * A calendar by the name that the fact keeps which planned days by it: a law's calendar changes, and what was planned
 * under the old one must fold to the same days for ever.
 */
export type Calendars = (name: string) => BankingCalendar;

export function calendarsOf(markets: Markets = MARKETS): Calendars {
  return (name) => calendarNamed(markets, name);
}
