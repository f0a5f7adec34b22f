import { hash } from 'node:crypto';
import { canonicalString } from '#libs/auth/canonical.ts';
import { isTimely, type Presented, parseAuthorization } from '#libs/auth/header.ts';
import type { KeyRing, RegisteredKey } from '#libs/auth/key-ring.ts';
import { mintKey } from '#libs/auth/sign.ts';
import type { Verify, VerifyingKey } from '#libs/auth/verification-worker.ts';
import { keyObject } from '#libs/auth/verify.ts';
import type { Head } from '#libs/http/request-head.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** The one answer to every presentation that cannot be used: it says nothing of which. */
export const unauthenticated: Refusal = refuse('unauthenticated');

/** A key nobody holds: for a fingerprint nobody knows, the same work is done under it. */
const decoy = nobodysKey();

function nobodysKey(): VerifyingKey {
  const { publicKey } = mintKey('test');
  return { publicKey, verifier: keyObject(publicKey) };
}

/** The request as it was signed, kept with the facts it causes. */
export interface RequestEvidence {
  readonly method: string;
  readonly target: string;
  readonly ts: string;
  readonly fp: string;
  readonly signature: Uint8Array;
  readonly idempotencyKey: string | undefined;
  readonly body: Buffer;
}

/** What can be told from the header alone, before a body is taken in. */
export function presentation({ authorization }: Head, nowMs: number): Presented | undefined {
  const [value] = authorization;
  if (authorization.length !== 1 || value === undefined) return undefined;
  const presented = parseAuthorization(value);
  return presented && isTimely(presented.ts, nowMs) ? presented : undefined;
}

export interface Signed {
  readonly method: string;
  readonly target: string;
  readonly presented: Presented;
  readonly idempotencyKey: string | undefined;
  readonly body: Buffer;
}

export interface Authenticated {
  readonly key: RegisteredKey;
  readonly evidence: RequestEvidence;
}

export async function authenticate(ring: KeyRing, signed: Signed, verify: Verify): Promise<Authenticated | Refusal> {
  const { method, target, presented, idempotencyKey, body } = signed;
  const { fp, ts, signature } = presented;
  const key = ring.find(fp);
  const bodySha256 = hash('sha256', body, 'hex');
  const canonical = canonicalString({ method, target, ts, bodySha256, idempotencyKey });
  const holds = await verify(key ?? decoy, canonical, signature);
  if (key === undefined || !holds) return unauthenticated;
  return { key, evidence: { method, target, ts, fp, signature, idempotencyKey, body } };
}

/** Tenant first, then scope; the scope is judged by the method alone. */
export function permit({ key }: Authenticated, tenantId: string | undefined, method: string): Refusal | undefined {
  if (tenantId !== undefined && tenantId !== key.tenancy.id) return refuse('not_permitted_tenant');
  if (key.scope === 'read' && method !== 'GET' && method !== 'HEAD') return refuse('not_permitted_scope');
  return undefined;
}

const keyForm = /^[ -~]{1,255}$/;

/** The value of `Idempotency-Key` on a route that reads it. */
export function readIdempotencyKey({ idempotencyKey }: Head): { readonly key: string | undefined } | Refusal {
  const [key, ...repeated] = idempotencyKey;
  if (key === undefined) return { key };
  if (repeated.length === 0 && keyForm.test(key)) return { key };
  return refuse('invalid_query', {
    field: 'Idempotency-Key',
    bound: '1 to 255 bytes of visible ASCII and spaces, stated once',
  });
}
