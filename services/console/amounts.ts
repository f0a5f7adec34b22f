/** Money and days in the language of the page. */
import type { Money } from '#libs/sdk/src/contract/shapes.ts';
import { dayFormat, moneyFormat } from './formatters.ts';
import type { Texts } from './texts/en.ts';

/** Exact for every amount of the contract: the decimal text is formatted, not a floating-point number. */
export function formatMoney({ locale }: Texts, money: Money): string {
  const { format, digits } = moneyFormat(locale, money.currency);
  return format.format(decimalText(money, digits) as Intl.StringNumericLiteral);
}

/** The digits after the decimal point of the currency. */
export function fractionDigits(currency: string): number {
  return moneyFormat('en', currency).digits;
}

/** As an input of a form takes it: `1035.61`. */
export function decimalText({ minor_units, currency }: Money, digits = fractionDigits(currency)): string {
  const sign = minor_units < 0 ? '-' : '';
  const text = String(Math.abs(minor_units)).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  return digits === 0 ? `${sign}${whole}` : `${sign}${whole}.${text.slice(-digits)}`;
}

/** A civil day of the contract, `YYYY-MM-DD`. */
export function formatDay({ locale }: Texts, day: string): string {
  return dayFormat(locale).format(new Date(`${day}T00:00:00Z`));
}
