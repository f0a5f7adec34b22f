/** Signed requests as text, to be pasted into the signature check. */
import { authorizationHeader, type Signer } from '#libs/auth/signer.ts';

export interface SentRequest {
  readonly method: string;
  readonly target: string;
  readonly authorization: string;
  readonly body: string;
}

/** The `Authorization` header, as of a time in Unix seconds. */
export function sign(signer: Signer, sent: Omit<SentRequest, 'authorization'>, ts: string): string {
  return authorizationHeader(signer, { ...sent, nowMs: Number(ts) * 1_000 });
}

export function rawRequest({ method, target, authorization, body }: SentRequest): string {
  return `${method} ${target} HTTP/1.1\nAuthorization: ${authorization}\n\n${body}`;
}
