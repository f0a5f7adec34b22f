/** Decides who sent a request: the credentials, the signature, and what the key permits. */
import { hash } from 'node:crypto';
import type { KeyRing, RegisteredKey, RegisteredTenancy, Scope } from '#libs/auth/key-ring.ts';
import { generateKey } from '#libs/auth/signer.ts';
import { type Credentials, canonicalString, isWithinClockSkew, parseAuthorization } from '#libs/auth/signing-scheme.ts';
import { createKeyObject, type ParsedKey, type VerifySignature } from '#libs/auth/verify.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** The one answer to all credentials that cannot be used: it does not say what is wrong with them. */
export const unauthenticated: Refusal = refuse('unauthenticated');

/** Verified against when the fingerprint is unknown, so that the time of an answer does not reveal which keys exist. */
const decoyKey = createDecoyKey();

function createDecoyKey(): ParsedKey {
  const { publicKey } = generateKey('test');
  return { publicKey, verifier: createKeyObject(publicKey) };
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

/** Reads the values of the `Authorization` header. Needs no body, so it runs before the body is read. */
export function parseCredentials(authorization: readonly string[], nowMs: number): Credentials | undefined {
  const [value] = authorization;
  if (authorization.length !== 1 || value === undefined) return undefined;
  const credentials = parseAuthorization(value);
  return credentials && isWithinClockSkew(credentials.ts, nowMs) ? credentials : undefined;
}

export interface SignedHttpRequest {
  readonly method: string;
  readonly target: string;
  readonly credentials: Credentials;
  readonly idempotencyKey: string | undefined;
  readonly body: Buffer;
}

export interface AuthenticatedCaller {
  readonly key: RegisteredKey;
  readonly evidence: RequestEvidence;
}

export async function authenticate(
  keyRing: KeyRing,
  request: SignedHttpRequest,
  verify: VerifySignature,
): Promise<AuthenticatedCaller | Refusal> {
  const { method, target, credentials, idempotencyKey, body } = request;
  const { fp, ts, signature } = credentials;
  const key = keyRing.find(fp);
  const bodySha256 = hash('sha256', body, 'hex');
  const canonical = canonicalString({ method, target, ts, bodySha256, idempotencyKey });
  const isValid = await verify(key ?? decoyKey, canonical, signature);
  if (key === undefined || !isValid) return unauthenticated;
  return { key, evidence: { method, target, ts, fp, signature, idempotencyKey, body } };
}

/** What a key permits. */
interface KeyPermissions {
  readonly scope: Scope;
  readonly tenancy: Pick<RegisteredTenancy, 'id'>;
}

/** Checks the Tenancy first, then the scope. The scope depends on the method alone. */
export function authorizationRefusal(
  key: KeyPermissions,
  tenantId: string | undefined,
  method: string,
): Refusal | undefined {
  if (tenantId !== undefined && tenantId !== key.tenancy.id) return refuse('not_permitted_tenant');
  if (key.scope === 'read' && method !== 'GET' && method !== 'HEAD') return refuse('not_permitted_scope');
  return undefined;
}
