/** Amounts as a table states them. Nothing is rounded and no separator is guessed: what is in doubt is a fault. */
import { decimalsOf } from '../currency.ts';

type Fault = { readonly fault: string };

export function minorUnits(text: string | undefined): number | undefined | Fault {
  if (text === undefined) return undefined;
  const units = /^-?[0-9]+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(units)) return units;
  return { fault: `minor_units is a whole number, not ${JSON.stringify(text)}` };
}

/** `1035.61` of a currency with two decimals is 103561. */
export function decimalAmount(text: string, currency: string | undefined): number | Fault {
  const stated = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(text);
  if (stated === null) return { fault: `amount is a decimal such as 1035.61, not ${JSON.stringify(text)}` };
  const decimals = decimalsOf(currency);
  if (decimals === undefined)
    return { fault: `${JSON.stringify(currency ?? '')} is no currency an amount could be in` };
  const [, sign = '', whole = '', fraction = ''] = stated;
  if (fraction.length > decimals) return { fault: `${currency} has ${decimals} decimals, and ${text} states more` };
  const units = Number(`${sign}${whole}${fraction.padEnd(decimals, '0')}`);
  return Number.isSafeInteger(units) ? units : { fault: `${text} is beyond what can be carried exactly` };
}
