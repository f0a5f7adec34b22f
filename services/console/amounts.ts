/** Money and days in the language of the page. */
import { parseDecimalAmount } from '#libs/money/decimal-amount.ts';
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

/**
 * Minor units of an amount as people of the page's language write it, with thousands apart or not: `20,000.50`. Undefined
 * where it cannot be read: digits that are not grouped by threes may be an amount with another decimal point.
 */
export function parseAmount({ locale }: Texts, text: string, currency: string): number | undefined {
  if (!/^[A-Za-z]{3}$/.test(currency)) return undefined;
  const parts = new Intl.NumberFormat(locale, { useGrouping: 'always' }).formatToParts(1_234.5);
  const separator = (type: 'group' | 'decimal'): string => parts.find((part) => part.type === type)?.value ?? '';
  const [whole = '', ...fractions] = text.trim().split(separator('decimal'));
  const groups = whole.split(separator('group'));
  const isGrouped = groups.slice(1).every((group) => /^\d{3}$/.test(group)) && /^-?\d{1,3}$/.test(groups[0] ?? '');
  if (groups.length > 1 && !isGrouped) return undefined;
  const decimals = fractionDigits(currency);
  const units = parseDecimalAmount([groups.join(''), ...fractions].join('.'), { currency, decimals });
  return typeof units === 'number' ? units : undefined;
}

/** A civil day of the contract, `YYYY-MM-DD`. */
export function formatDay({ locale }: Texts, day: string): string {
  return dayFormat(locale).format(new Date(`${day}T00:00:00Z`));
}
