/** Money in whole minor units of one currency. Exact at any size; the API limits the amounts a caller may state. */
export type Minor = bigint & { readonly [minor]: true };
declare const minor: unique symbol;

export const ZERO = 0n as Minor;

/** The largest amount that may be stated or planned: the last integer that JSON readers hold exactly. */
export const MAX_AMOUNT = BigInt(Number.MAX_SAFE_INTEGER) as Minor;
