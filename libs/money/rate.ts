/** A rate in units of 1e-8 per cent a year, so that every rate a caller may state is a whole number. */
export type Rate = bigint & { readonly [rate]: true };
declare const rate: unique symbol;

/** A rate divided by this is a fraction of one: 36 per cent is 3_600_000_000 / 10_000_000_000. */
export const RATE_SCALE = 10_000_000_000n;

const DECIMALS = 8;
const PER_CENT = 100_000_000n;
const FORM = /^(0|[1-9][0-9]{0,5})(?:\.([0-9]{1,8}))?$/;

/** A rate from text in per cent a year. Undefined where the text is not a rate. */
export function parseRate(text: string): Rate | undefined {
  const parts = FORM.exec(text);
  if (parts === null) return undefined;
  return (BigInt(parts[1] as string) * PER_CENT + BigInt((parts[2] ?? '').padEnd(DECIMALS, '0'))) as Rate;
}

/** For constants and stored data, which are known to be rates. */
export function rateOf(text: string): Rate {
  const parsed = parseRate(text);
  if (parsed === undefined)
    throw new RangeError(`invalid rate: ${text}; expected per cent a year with at most 8 decimals`);
  return parsed;
}

/** Per cent a year without trailing zeros. */
export function formatRate(value: Rate): string {
  const fraction = (value % PER_CENT).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
  return fraction === '' ? `${value / PER_CENT}` : `${value / PER_CENT}.${fraction}`;
}
