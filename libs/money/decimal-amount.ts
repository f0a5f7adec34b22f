/** Amounts as decimal text. Nothing is rounded and no separator is guessed: an ambiguous amount is invalid. */

export type InvalidAmount = { readonly fault: string };

/** `1035.61` of a currency with two decimals is 103561. */
export function parseDecimalAmount(
  text: string,
  { currency, decimals }: { readonly currency: string; readonly decimals: number },
): number | InvalidAmount {
  const match = /^(-?)([0-9]+)(?:\.([0-9]+))?$/.exec(text);
  if (match === null) return { fault: `amount is a decimal such as 1035.61, not ${JSON.stringify(text)}` };
  const [, sign = '', whole = '', fraction = ''] = match;
  if (fraction.length > decimals) return { fault: `${currency} has ${decimals} decimals, and ${text} has more` };
  const units = Number(`${sign}${whole}${fraction.padEnd(decimals, '0')}`);
  return Number.isSafeInteger(units) ? units : { fault: `${text} is too large to be exact` };
}
