/** Amounts of money as text. Nothing is rounded and no separator is guessed: an ambiguous amount is invalid. */
import { type InvalidAmount, parseDecimalAmount } from '#libs/money/decimal-amount.ts';

/** The decimals of a currency by ISO 4217; undefined for an unknown currency. */
function decimalsOf(currency: string | undefined): number | undefined {
  if (currency === undefined || !Intl.supportedValuesOf('currency').includes(currency)) return undefined;
  return new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits;
}

/** 103561 minor units of MXN are `1,035.61`. */
export function formatAmount(minorUnits: number, currency: string): string {
  const decimals = decimalsOf(currency) ?? 0;
  const digits = String(Math.abs(minorUnits)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals).replace(/\B(?=([0-9]{3})+$)/g, ',');
  const fraction = decimals === 0 ? '' : `.${digits.slice(-decimals)}`;
  return `${minorUnits < 0 ? '-' : ''}${whole}${fraction}`;
}

/** Undefined text stays undefined: the service reports the missing field. */
export function parseMinorUnits(text: string | undefined): number | undefined | InvalidAmount {
  if (text === undefined) return undefined;
  const units = /^-?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(units)) return units;
  return { fault: `minor_units is a whole number, not ${JSON.stringify(text)}` };
}

/** A decimal such as `1035.61` in minor units of the currency. */
export function parseAmount(text: string, currency: string | undefined): number | InvalidAmount {
  const decimals = decimalsOf(currency);
  if (currency === undefined || decimals === undefined) {
    return { fault: `${JSON.stringify(currency ?? '')} is not an ISO 4217 currency` };
  }
  return parseDecimalAmount(text, { currency, decimals });
}
