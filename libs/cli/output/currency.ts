/** Amounts of money as text. Nothing is rounded and no separator is guessed: an ambiguous amount is invalid. */

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

type InvalidAmount = { readonly fault: string };

/** Undefined text stays undefined: the service reports the missing field. */
export function parseMinorUnits(text: string | undefined): number | undefined | InvalidAmount {
  if (text === undefined) return undefined;
  const units = /^-?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(units)) return units;
  return { fault: `minor_units is a whole number, not ${JSON.stringify(text)}` };
}

/** `1035.61` of a currency with two decimals is 103561. */
export function parseDecimalAmount(text: string, currency: string | undefined): number | InvalidAmount {
  const match = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(text);
  if (match === null) return { fault: `amount is a decimal such as 1035.61, not ${JSON.stringify(text)}` };
  const decimals = decimalsOf(currency);
  if (decimals === undefined) return { fault: `${JSON.stringify(currency ?? '')} is not an ISO 4217 currency` };
  const [, sign = '', whole = '', fraction = ''] = match;
  if (fraction.length > decimals) return { fault: `${currency} has ${decimals} decimals, and ${text} has more` };
  const units = Number(`${sign}${whole}${fraction.padEnd(decimals, '0')}`);
  return Number.isSafeInteger(units) ? units : { fault: `${text} is too large to be exact` };
}
