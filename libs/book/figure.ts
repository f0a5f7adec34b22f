// In the language since ES2025; the types come later.
const { rawJSON } = JSON as unknown as { rawJSON(text: string): number };

/**
 * A whole figure as JSON carries it. Past what a number holds exactly it is served digit for digit: what time adds to a
 * debt has no bound, and no figure is rounded in silence.
 */
export function figure(amount: bigint): number {
  const number = Number(amount);
  return Number.isSafeInteger(number) ? number : rawJSON(amount.toString());
}
