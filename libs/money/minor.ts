/** Money in whole minor units of one currency. Exact at any size; what a caller may state is bounded at the edge. */
export type Minor = bigint & { readonly [minor]: true };
declare const minor: unique symbol;

export const ZERO = 0n as Minor;

/** The most that a stated amount, or a figure of a plan, may be: the last integer JSON carries without loss. */
export const MOST = BigInt(Number.MAX_SAFE_INTEGER) as Minor;
