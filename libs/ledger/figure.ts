// In the language since ES2025; the types come later.
const { rawJSON, isRawJSON } = JSON as unknown as {
  rawJSON(text: string): number;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
};

/**
 * A whole figure as JSON carries it. Past what a number holds exactly it is served digit for digit: what time adds to a
 * debt has no bound, and no figure is rounded in silence.
 */
export function figure(amount: bigint): number {
  const number = Number(amount);
  return Number.isSafeInteger(number) ? number : rawJSON(amount.toString());
}

/** What a figure says: one past what a number holds is none, and nothing can be added to it or compared with it. */
export function amountOf(told: number): bigint {
  return isRawJSON(told) ? BigInt((told as { readonly rawJSON: string }).rawJSON) : BigInt(told);
}
