/** Money and days in the language of the page. */
import type { Money } from '#libs/sdk/src/contract/shapes.ts';
import type { Texts } from './texts/en.ts';

/** Exact for every amount of the contract: the decimal text is formatted, not a floating-point number. */
export function formatMoney({ locale }: Texts, { minor_units, currency }: Money): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 0;
  const sign = minor_units < 0 ? '-' : '';
  const text = String(Math.abs(minor_units)).padStart(digits + 1, '0');
  const whole = text.slice(0, text.length - digits);
  const fraction = digits === 0 ? '' : `.${text.slice(-digits)}`;
  return format.format(`${sign}${whole}${fraction}` as Intl.StringNumericLiteral);
}

/** A civil day of the contract, `YYYY-MM-DD`. */
export function formatDay({ locale }: Texts, day: string): string {
  const form = { dateStyle: 'medium', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(locale, form).format(new Date(`${day}T00:00:00Z`));
}
