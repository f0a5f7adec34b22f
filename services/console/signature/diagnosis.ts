/** Takes a signed request apart: which check of the service fails, and what was signed instead. Pure. */
import { authorizationRefusal } from '#libs/auth/authenticate.ts';
import { canonicalString, isWithinClockSkew } from '#libs/auth/signing-scheme.ts';
import { createKeyObject, hasCanonicalS, isValidSignature } from '#libs/auth/verify.ts';
import type { VerifyingKey } from '#libs/submission/administration-reads.ts';
import { type ClockDifference, clockDifference } from './clock-difference.ts';
import { contentOf, type Mistake, type SentRequest, signedVariants } from './signed-variants.ts';
import { fingerprintsMeant, readStatedCredentials, type StatedCredentials } from './stated-credentials.ts';

export interface RequestToCheck {
  readonly tenantId: string;
  readonly authorization: readonly string[];
  readonly method: string;
  readonly target: string;
  readonly body: Buffer;
  readonly idempotencyKey?: string | undefined;
  readonly host?: string | undefined;
  /** What the caller states to have signed. */
  readonly signedText?: string | undefined;
  /** When the service received the request, if that is known; otherwise now. */
  readonly receivedMs: number;
  /** The keys of the Tenancy, and of others that the reader may see. */
  readonly keys: readonly VerifyingKey[];
}

/** In the order of the parameters of the header, then as the service checks what the key permits. */
export const checkNames = [
  'header',
  'fingerprint',
  'revocation',
  'timestamp',
  'signatureForm',
  'verification',
  'tenancy',
  'scope',
] as const;
export type CheckName = (typeof checkNames)[number];
export type CheckState = 'passed' | 'failed' | 'unknown';

export interface Diagnosis {
  readonly credentials: StatedCredentials;
  readonly clock: ClockDifference | undefined;
  readonly key: VerifyingKey | undefined;
  readonly checks: Readonly<Record<CheckName, CheckState>>;
  readonly bodySha256: string;
  /** The canonical string that the service verifies; absent where the header has no time. */
  readonly expected: string | undefined;
  readonly signedText: string | undefined;
  /** Whether the signature is valid for what the caller states to have signed. */
  readonly signedTextIsValid: boolean | undefined;
  /** What was signed instead, if one of the usual mistakes explains it; two where both were made. */
  readonly mistakes: readonly Mistake[];
  /** The key of the Tenancy that made the signature, where the header names another one. */
  readonly actualKey: VerifyingKey | undefined;
  /** The Tenancy that the path names. */
  readonly namedTenancyId: string | undefined;
}

/** Node decodes request lines and headers as Latin-1, so that the bytes verified are the bytes sent. */
function asReceived(text: string): string {
  return Buffer.from(text).toString('latin1');
}

export function diagnose(request: RequestToCheck): Diagnosis {
  const { tenantId, authorization, body, keys, receivedMs, idempotencyKey, host } = request;
  const credentials = readStatedCredentials(authorization);
  const { ts, fp, signature } = credentials;
  const sent: SentRequest = {
    method: request.method.toUpperCase(),
    target: asReceived(request.target),
    ts: ts ?? '',
    body,
    ...(idempotencyKey === undefined ? {} : { idempotencyKey: asReceived(idempotencyKey) }),
    host,
  };
  const content = contentOf(sent);
  const canonical = canonicalString(content);
  const meant = fp === undefined ? [] : fingerprintsMeant(fp);
  const key = keys.find((each) => meant.includes(each.fp));
  const namedTenancyId = /^\/v1\/tenants\/([^/?]+)/.exec(request.target)?.[1];
  const verifies = (text: string, by: VerifyingKey | undefined): boolean | undefined =>
    by && signature && isValidSignature(createKeyObject(by.publicKey), text, signature);
  const isValid = ts === undefined ? undefined : verifies(canonical, key);
  const signedText = likelySignedText(request.signedText, (text) => verifies(asReceived(text), key) === true);
  const clock = ts === undefined ? undefined : clockDifference(ts, receivedMs);
  return {
    credentials,
    clock,
    key,
    checks: {
      header: credentials.faults.length === 0 ? 'passed' : 'failed',
      timestamp: clock === undefined ? 'unknown' : stateOf(isWithinClockSkew(ts ?? '', receivedMs)),
      fingerprint: fp === undefined ? 'unknown' : stateOf(key !== undefined && key.fp === fp),
      revocation: key === undefined ? 'unknown' : stateOf(key.revokedAt === null),
      signatureForm: signature === undefined ? 'unknown' : stateOf(hasCanonicalS(signature)),
      verification: isValid === undefined ? 'unknown' : stateOf(isValid),
      ...permissionChecks(key, namedTenancyId, sent.method),
    },
    bodySha256: content.bodySha256,
    expected: ts === undefined ? undefined : canonicalString({ ...content, target: request.target, idempotencyKey }),
    signedText,
    signedTextIsValid: signedText === undefined ? undefined : verifies(asReceived(signedText), key),
    mistakes: key === undefined || isValid !== false ? [] : findMistakes(sent, (text) => verifies(text, key) === true),
    actualKey:
      isValid === true
        ? undefined
        : keys.find((each) => each !== key && each.tenantId === tenantId && verifies(canonical, each) === true),
    namedTenancyId,
  };
}

/** A line feed at the end may have been pasted by accident, or signed by mistake. */
function likelySignedText(stated: string | undefined, isSigned: (text: string) => boolean): string | undefined {
  return stated === undefined || isSigned(stated) ? stated : stated.replace(/\n$/, '');
}

function stateOf(hasPassed: boolean): CheckState {
  return hasPassed ? 'passed' : 'failed';
}

function findMistakes(sent: SentRequest, isSigned: (canonical: string) => boolean): readonly Mistake[] {
  return signedVariants(sent).find(({ canonical }) => isSigned(canonical))?.mistakes ?? [];
}

/** As the service decides: the Tenancy first, then the scope. */
function permissionChecks(
  key: VerifyingKey | undefined,
  namedTenancyId: string | undefined,
  method: string,
): { readonly tenancy: CheckState; readonly scope: CheckState } {
  if (key === undefined) return { tenancy: 'unknown', scope: 'unknown' };
  const refusalFor = (tenantId: string | undefined): string | undefined => {
    return authorizationRefusal({ scope: key.scope, tenancy: { id: key.tenantId } }, tenantId, method)?.code;
  };
  return {
    tenancy: stateOf(refusalFor(namedTenancyId) !== 'not_permitted_tenant'),
    scope: stateOf(refusalFor(key.tenantId) !== 'not_permitted_scope'),
  };
}
