/** Signed requests as text, to be pasted into the signature check. */
import { createHash, sign as signBytes } from 'node:crypto';
import type { Signer } from '#libs/auth/signer.ts';
import { canonicalString, formatAuthorization } from '#libs/auth/signing-scheme.ts';

export interface SentRequest {
  readonly method: string;
  readonly target: string;
  readonly authorization: string;
  readonly body: string;
}

/** The `Authorization` header. */
export function sign(signer: Signer, sent: Omit<SentRequest, 'authorization'>, ts: string): string {
  const { method, target, body } = sent;
  const bodySha256 = createHash('sha256').update(body).digest('hex');
  const message = Buffer.from(canonicalString({ method, target, ts, bodySha256 }));
  const signature = signBytes(null, message, signer.privateKey);
  return formatAuthorization({ fp: signer.fp, ts, signature });
}

export function rawRequest({ method, target, authorization, body }: SentRequest): string {
  return `${method} ${target} HTTP/1.1\nAuthorization: ${authorization}\n\n${body}`;
}
