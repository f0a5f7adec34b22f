/** A number of a policy or an application in units of 1e-8: whatever may be stated is whole in it, so comparing is exact. */
export type Decimal = bigint & { readonly [decimal]: true };
declare const decimal: unique symbol;

/** As the caller writes it: an integer, or a decimal string of at most eight places. It is echoed as it was written. */
export type Stated = number | string;

const PLACES = 8;
const ONE = 100_000_000n;
const FORM = /^(-?)(0|[1-9][0-9]{0,63})(?:\.([0-9]{1,8}))?$/;

export const decimalForm = 'an integer, or a decimal string of at most 8 places';

export function parseDecimal(stated: unknown): Decimal | undefined {
  if (typeof stated === 'number') return Number.isSafeInteger(stated) ? ((BigInt(stated) * ONE) as Decimal) : undefined;
  if (typeof stated !== 'string') return undefined;
  const parts = FORM.exec(stated);
  if (parts === null) return undefined;
  const size = BigInt(parts[2] as string) * ONE + BigInt((parts[3] ?? '').padEnd(PLACES, '0'));
  return (parts[1] === '-' ? -size : size) as Decimal;
}

/** The least whole number that is not below it. */
export function ceiling(value: Decimal): bigint {
  // BigInt cuts towards zero, which below zero is already upwards.
  const cut = value / ONE;
  return value > 0n && cut * ONE !== value ? cut + 1n : cut;
}

export function decimalOf(whole: number): Decimal {
  return (BigInt(whole) * ONE) as Decimal;
}
