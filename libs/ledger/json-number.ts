/** Amounts of any size as JSON numbers. */

declare global {
  /** Members of ES2025 that TypeScript's library does not declare yet. */
  interface JSON {
    rawJSON(text: string): number;
    isRawJSON(value: unknown): value is { readonly rawJSON: string };
  }
}

/**
 * The amount as a JSON number, with all its digits where a JavaScript number cannot hold them: penalty has no upper bound,
 * and no figure may be rounded.
 */
export function jsonNumber(amount: bigint): number {
  const number = Number(amount);
  return Number.isSafeInteger(number) ? number : JSON.rawJSON(amount.toString());
}

/** The amount of such a number. A raw one cannot be added or compared. */
export function amountOfJsonNumber(value: number): bigint {
  return JSON.isRawJSON(value) ? BigInt(value.rawJSON) : BigInt(value);
}
