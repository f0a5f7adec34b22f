/** What a signature covers: the lines of the contract, joined by a single line feed, none at the end. */
export interface Signable {
  /** Upper case. */
  readonly method: string;
  /** The request target exactly as on the request line. */
  readonly target: string;
  /** Unix time in whole seconds, decimal. */
  readonly ts: string;
  /** SHA-256 of the body bytes as sent, lower-case hexadecimal. */
  readonly bodySha256: string;
  /** The header's value, where the request carries the header at all. */
  readonly idempotencyKey?: string | undefined;
}

export function canonicalString({ method, target, ts, bodySha256, idempotencyKey }: Signable): string {
  const four = `${method}\n${target}\n${ts}\n${bodySha256}`;
  return idempotencyKey === undefined ? four : `${four}\n${idempotencyKey}`;
}
