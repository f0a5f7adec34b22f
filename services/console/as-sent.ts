/** JSON values of the book on a page: amounts as money, texts as they are, the rest as JSON. */
import type { Money } from '#libs/sdk/src/contract/shapes.ts';
import { formatMoney } from './amounts.ts';
import type { Texts } from './texts/en.ts';

export function formatAsSent(texts: Texts, value: unknown): string {
  if (typeof value === 'string') return value;
  return isMoney(value) ? formatMoney(texts, value) : JSON.stringify(value);
}

export function isMoney(value: unknown): value is Money {
  const { minor_units: units, currency } = (value ?? {}) as Partial<Money>;
  return Number.isSafeInteger(units) && typeof currency === 'string' && /^[A-Z]{3}$/.test(currency);
}
