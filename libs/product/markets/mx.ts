/** Mexico: its law on consumer credit as data, and its bank holidays. */
import { calendarOf, easterSunday } from '#libs/calendar/banking-calendar.ts';
import { addDays, type CivilDay, dayOf, fromYearMonthDay, weekday } from '#libs/calendar/civil-day.ts';
import { rateOf } from '#libs/money/rate.ts';
import type { Market } from '#libs/product/markets/market.ts';
import { discloseCat } from '#libs/product/markets/mx-cat.ts';

const FIRST_YEAR = 1900;
const LAST_YEAR = 2040;
const MONDAY = 1;

const YEARS = Array.from({ length: LAST_YEAR - FIRST_YEAR + 1 }, (_, index) => FIRST_YEAR + index);

export const MX: Market = {
  jurisdiction: 'MX',
  currencies: {
    value: ['MXN'],
    source: 'Ley Monetaria de los Estados Unidos Mexicanos, art. 1',
    provisional: false,
  },
  penaltyCap: {
    value: { form: 'none' },
    source: 'Código de Comercio, art. 362: the penalty rate is what the parties agree; no statute caps it',
    provisional: false,
  },
  penaltyBase: {
    value: ['overdue_principal'],
    source: 'Código de Comercio, arts. 362 and 363: from the day after the due day, and not on unpaid interest',
    provisional: false,
  },
  penaltyCeilingDays: { source: 'No statute ends a penalty after a number of days', provisional: false },
  penaltyCeilingBps: { source: 'No statute bounds a penalty by the principal', provisional: false },
  capitalises: {
    value: false,
    source: 'Código de Comercio, art. 363: unpaid interest bears none unless the parties agree to capitalise it',
    provisional: false,
  },
  lateFeeBesidePenalty: {
    value: false,
    source:
      'Ley para la Transparencia y Ordenamiento de los Servicios Financieros, and the rules on commissions of the ' +
      'Banco de México under it: one event of lateness is charged once',
    provisional: false,
  },
  acceleration: {
    value: { forbidden: false, missedPeriods: 1, noticeDays: 0 },
    source: 'The contract decides it; Código Civil Federal, art. 1959, for where it is silent',
    provisional: true,
  },
  withdrawalDays: {
    source:
      'Ley para la Transparencia y Ordenamiento de los Servicios Financieros, art. 11 Bis 1: the grace to cancel ends ' +
      'with the first use of the credit, so none is left once the money is handed over',
    provisional: false,
  },
  tax: {
    value: {
      rates: [{ rate: rateOf('16') }, { rate: rateOf('8'), until: dayOf('2026-12-31') }],
      on: ['interest', 'fee', 'penalty', 'late_fee'],
    },
    source:
      'Ley del Impuesto al Valor Agregado, art. 1; at the borders the decrees on fiscal stimulus of 31 December 2018 ' +
      'and 30 December 2020, as extended year by year since',
    // Extended every year so far. The end of the current year is assumed; check it against the next decree.
    provisional: true,
  },
  disclosure: {
    value: { convention: 'mx-cat', version: 2, disclose: discloseCat },
    source: 'Banco de México, Circular 21/2009: costo anual total',
    provisional: false,
  },
  facilityWindow: { source: 'No statute bounds how long a line of credit stays open', provisional: false },
  calendar: {
    value: calendarOf({
      weekend: [6, 7],
      holidays: YEARS.flatMap(mexicanBankHolidays),
      coversTo: dayOf('2040-12-31'),
    }),
    source: 'Comisión Nacional Bancaria y de Valores: yearly list of days on which banks close, by the rule it follows',
    // The list is published one year at a time; later years follow the same rule.
    provisional: true,
    version: 1,
  },
};

/** The days other than weekends on which Mexican banks close, by the rule that the supervisor's yearly list follows. */
export function mexicanBankHolidays(year: number): CivilDay[] {
  const easter = easterSunday(year);
  const holidays = [
    fromYearMonthDay(year, 1, 1),
    nthMonday(1, year, 2),
    nthMonday(3, year, 3),
    addDays(easter, -3),
    addDays(easter, -2),
    fromYearMonthDay(year, 5, 1),
    fromYearMonthDay(year, 9, 16),
    fromYearMonthDay(year, 11, 2),
    nthMonday(3, year, 11),
    fromYearMonthDay(year, 12, 12),
    fromYearMonthDay(year, 12, 25),
  ];
  // Since 2024 a President takes office on 1 October, every six years.
  if (year >= 2024 && (year - 2024) % 6 === 0) holidays.push(fromYearMonthDay(year, 10, 1));
  return holidays;
}

function nthMonday(nth: number, year: number, month: number): CivilDay {
  const first = fromYearMonthDay(year, month, 1);
  const toMonday = (MONDAY - weekday(first) + 7) % 7;
  return addDays(first, toMonday + 7 * (nth - 1));
}
