/** A rate in units of 1e-8 per cent a year: every decimal a caller may state is whole in it. */
export type Rate = bigint & { readonly [rate]: true };
declare const rate: unique symbol;

/** A rate over this is the fraction of one: 36 per cent is 3_600_000_000 over 10_000_000_000. */
export const RATE_SCALE = 10_000_000_000n;

const DECIMALS = 8;
const PER_CENT = 100_000_000n;
const FORM = /^(0|[1-9][0-9]{0,5})(?:\.([0-9]{1,8}))?$/;

/** A caller's rate in per cent a year, or undefined where it is none. */
export function parseRate(text: string): Rate | undefined {
  const parts = FORM.exec(text);
  if (parts === null) return undefined;
  return (BigInt(parts[1] as string) * PER_CENT + BigInt((parts[2] ?? '').padEnd(DECIMALS, '0'))) as Rate;
}

/** For constants and stored data: anything but a rate is our own mistake. */
export function rateOf(text: string): Rate {
  const parsed = parseRate(text);
  if (parsed === undefined) throw new RangeError(`not a rate: ${text}`);
  return parsed;
}

/** Per cent a year without trailing zeros. */
export function formatRate(value: Rate): string {
  const fraction = (value % PER_CENT).toString().padStart(DECIMALS, '0').replace(/0+$/, '');
  return fraction === '' ? `${value / PER_CENT}` : `${value / PER_CENT}.${fraction}`;
}
