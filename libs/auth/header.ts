import { fromBase64url, toBase64url } from '#libs/auth/base64url.ts';

/** The credential as the header carries it. */
export interface Presented {
  readonly fp: string;
  readonly ts: string;
  readonly signature: Uint8Array;
}

const form = /^Service-Ed25519 fp=([0-9a-f]{32}),ts=(0|[1-9][0-9]{0,15}),sig=([A-Za-z0-9_-]{86})$/;

export const signatureBytes = 64;

/** Exactly the three parameters, in their order, without a space to spare; anything else is no credential. */
export function parseAuthorization(value: string): Presented | undefined {
  const [, fp, ts, sig] = form.exec(value) ?? [];
  if (fp === undefined || ts === undefined || sig === undefined) return undefined;
  const signature = fromBase64url(sig, signatureBytes);
  return signature && { fp, ts, signature };
}

export function formatAuthorization({ fp, ts, signature }: Presented): string {
  return `Service-Ed25519 fp=${fp},ts=${ts},sig=${toBase64url(signature)}`;
}

/** How far the caller's clock may be off. */
export const skewSeconds = 300;

export function isTimely(ts: string, nowMs: number): boolean {
  return Math.abs(Math.floor(nowMs / 1000) - Number(ts)) <= skewSeconds;
}
