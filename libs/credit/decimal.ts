import Big from 'big.js';

/** A number of a policy or an application, exactly as stated. */
export type Decimal = Big;

/** As the caller writes it: an integer, or a decimal string of at most eight places. It is echoed as it was written. */
export type Stated = number | string;

// Strict, so that a `<` between two of them throws: it would compare their texts.
const Exact = Big();
Exact.strict = true;
const NOTHING = new Exact(0n);

const FORM = /^-?(?:0|[1-9][0-9]{0,63})(?:\.[0-9]{1,8})?$/;

export const decimalForm = 'an integer, or a decimal string of at most 8 places';

export function parseDecimal(stated: unknown): Decimal | undefined {
  if (typeof stated === 'number') return Number.isSafeInteger(stated) ? decimalOf(stated) : undefined;
  return typeof stated === 'string' && FORM.test(stated) ? new Exact(stated) : undefined;
}

/** The least whole number that is not below it. */
export function ceiling(value: Decimal): Decimal {
  return value.round(0, value.gt(NOTHING) ? Big.roundUp : Big.roundDown);
}

export function decimalOf(whole: number): Decimal {
  return new Exact(BigInt(whole));
}
