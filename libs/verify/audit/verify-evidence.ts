/**
 * Verifies the answer of `GET …/evidence` with nothing but the answer: signatures, digests, fingerprints, times, the order
 * of the facts, and that each fact contains what its request signed. It cannot show that no fact is missing, nor verify
 * what the service added unsigned. It needs no network and no database.
 */
import { isDeepStrictEqual } from 'node:util';
import { splitPath, tenantIdIn } from '#libs/api/route-matcher.ts';
import { fingerprint, fromBase64url, maxClockSkewSeconds } from '#libs/auth/signing-scheme.ts';
import { isObject, type Json } from '#libs/schema/json.ts';
import { contentFault, type EvidenceSubject, type FactContent, isFirstFactKind } from './evidence-facts.ts';
import { reconstructRequest } from './reconstruct-request.ts';
import {
  canonicalStringOf,
  type RecordedKey,
  type RecordedRequest,
  sha256,
  signatureFault,
} from './request-signature.ts';

export interface VerifiedEvidence {
  /** As signed, except for the id of a Loan, which the service assigned. */
  readonly subject: EvidenceSubject;
  readonly facts: number;
  /** The fingerprints of the keys that signed the requests. */
  readonly keys: readonly string[];
}

/** What is checked of each fact, in this order. */
export const evidenceChecks = ['key', 'request', 'signature', 'moment', 'order', 'content'] as const;
export type EvidenceCheck = (typeof evidenceChecks)[number];

interface FactFault {
  readonly check: EvidenceCheck;
  readonly fault: string;
}

export class EvidenceError extends Error {
  override readonly name = 'EvidenceError';
  /** The fact and its check that failed; absent where the answer is malformed. */
  readonly at: (FactFault & { readonly sequence: number }) | undefined;

  constructor(message: string, at?: EvidenceError['at']) {
    super(message);
    this.at = at;
  }
}

/** Public keys by fingerprint, known from another source than the answer. */
export type PinnedKeys = ReadonlyMap<string, Uint8Array>;

interface EvidenceFact extends FactContent {
  readonly sequence: number;
  readonly recorded_at: string;
  readonly log: { readonly partition: number; readonly offset: number; readonly item: number };
  readonly event: { readonly partition: number; readonly sequence: number };
  readonly submission: EvidenceSubmission;
}

interface EvidenceSubmission {
  readonly request_id: string;
  readonly taken_in_at: string;
  readonly canonical: string;
  readonly fp: string;
  readonly public_key: string;
  readonly key_created_at: string;
  readonly key_revoked_at?: string;
  readonly signature: string;
  readonly body: string;
}

/** Throws an EvidenceError that names the first invalid fact and its fault. */
export function verifyEvidence(answer: unknown, pinnedKeys: PinnedKeys = new Map()): VerifiedEvidence {
  return verifyFacts(answer, { pinnedKeys, isContinuation: false });
}

/** The same for a part of an answer. Of a continuation, the first fact of the Loan or Receipt is in an earlier part. */
export function verifyEvidencePart(answer: unknown, isContinuation: boolean): VerifiedEvidence {
  return verifyFacts(answer, { pinnedKeys: new Map(), isContinuation });
}

function verifyFacts(answer: unknown, expected: Pick<Verification, 'pinnedKeys' | 'isContinuation'>): VerifiedEvidence {
  const { facts, subject } = parseAnswer(answer);
  const verification: Verification = { subject, ...expected, tenancies: new Set(), requests: new Map() };
  let previous: EvidenceFact | undefined;
  for (const fact of facts) {
    const fault = factFault(fact, previous, verification);
    if (fault !== undefined) {
      const { sequence, kind } = fact;
      throw new EvidenceError(`fact ${sequence} (${kind}): ${fault.fault}`, { sequence, ...fault });
    }
    previous = fact;
  }
  return { subject, facts: facts.length, keys: [...new Set(facts.map(({ submission }) => submission.fp))] };
}

/** What the facts are compared with, and what the facts so far contained. */
interface Verification {
  readonly subject: EvidenceSubject;
  readonly pinnedKeys: PinnedKeys;
  /** Whether other facts of the subject come before. */
  readonly isContinuation: boolean;
  readonly tenancies: Set<string | undefined>;
  /** By canonical string, the sequence of the fact it was shown with. */
  readonly requests: Map<string, number>;
}

function parseAnswer(value: unknown): { readonly facts: readonly EvidenceFact[]; readonly subject: EvidenceSubject } {
  const answer = value as Json;
  if (!isObject(answer)) throw new EvidenceError('this is not the answer of an evidence route');
  const { facts, client_id, loan_id, receipt } = answer;
  if (!Array.isArray(facts) || facts.length === 0) throw new EvidenceError('the answer contains no facts');
  return { facts: facts.map(parseFact), subject: parseSubject({ client_id, loan_id, receipt }) };
}

/** Other members of the answer are ignored: nothing that was signed is about them. */
function parseSubject({ client_id, loan_id, receipt }: { readonly [name: string]: Json | undefined }): EvidenceSubject {
  if (typeof client_id !== 'string') throw new EvidenceError('the answer has no client_id');
  if (typeof loan_id === 'string') return { loan_id, client_id };
  if (typeof receipt === 'string') return { receipt, client_id };
  throw new EvidenceError('the answer has no loan_id and no receipt');
}

const requiredMembers: { readonly [name: string]: 'string' | 'number' } = {
  sequence: 'number',
  kind: 'string',
  recorded_at: 'string',
  'log.partition': 'number',
  'log.offset': 'number',
  'log.item': 'number',
  'event.partition': 'number',
  'event.sequence': 'number',
  'submission.request_id': 'string',
  'submission.taken_in_at': 'string',
  'submission.canonical': 'string',
  'submission.fp': 'string',
  'submission.public_key': 'string',
  'submission.key_created_at': 'string',
  'submission.signature': 'string',
  'submission.body': 'string',
};

function parseFact(value: Json, index: number): EvidenceFact {
  if (isEvidenceFact(value)) return value;
  throw new EvidenceError(`fact ${index + 1} of the answer has no ${missingMember(value)}`);
}

function isEvidenceFact(value: Json): value is Json & EvidenceFact {
  return missingMember(value) === undefined;
}

function missingMember(fact: Json): string | undefined {
  for (const [path, type] of Object.entries(requiredMembers)) {
    let value: Json | undefined = fact;
    for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
    if (typeof value !== type) return path;
  }
  return isObject(fact) && isObject(fact['body']) ? undefined : 'body';
}

function factFault(
  fact: EvidenceFact,
  previous: EvidenceFact | undefined,
  verification: Verification,
): FactFault | undefined {
  const { submission } = fact;
  const failed = (check: EvidenceCheck, fault: string | undefined) =>
    fault === undefined ? undefined : { check, fault };
  const key = parseKey(submission, verification.pinnedKeys);
  if (typeof key === 'string') return failed('key', key);
  const signature = fromBase64url(submission.signature, 64);
  const request = parseRequest(submission, signature ?? new Uint8Array());
  if (typeof request === 'string') return failed('request', request);
  if (signature === undefined) return failed('signature', 'its signature is not 64 bytes in base64url');
  return (
    failed('signature', signatureFault(request, key)) ??
    failed('moment', recordingTimeFault(fact, request)) ??
    failed('order', orderFault(fact, previous)) ??
    failed('content', requestFault(fact, request, verification))
  );
}

/** The key that signed the request, or why it cannot be used. */
function parseKey(submission: EvidenceSubmission, pinnedKeys: PinnedKeys): RecordedKey | string {
  const { fp, public_key, key_created_at, key_revoked_at } = submission;
  const publicKey = fromBase64url(public_key, 32);
  if (publicKey === undefined) return 'its public key is not 32 bytes in base64url';
  const pinned = pinnedKeys.get(fp);
  if (pinnedKeys.size > 0 && pinned === undefined)
    return `it was signed with ${fp}, which is not one of the given keys`;
  if (pinned !== undefined && !isDeepStrictEqual(Buffer.from(pinned), Buffer.from(publicKey))) {
    return `the public key shown for ${fp} differs from the given one`;
  }
  if (fingerprint(publicKey) !== fp) return 'the fingerprint does not match the key';
  const createdAt = parseMicros(key_created_at);
  const revokedAt = key_revoked_at === undefined ? null : parseMicros(key_revoked_at);
  if (createdAt === undefined || revokedAt === undefined)
    return 'key_created_at or key_revoked_at is not a valid moment';
  return { publicKey, createdAt, revokedAt };
}

interface SignedRequest extends RecordedRequest {
  readonly body: Buffer;
}

/** The request of the canonical string, or why it does not match. */
function parseRequest(submission: EvidenceSubmission, signature: Uint8Array): SignedRequest | string {
  const { canonical, fp, body, taken_in_at } = submission;
  const lines = canonical.split('\n');
  const [method, target, ts, digest, idempotencyKey] = lines;
  if (method === undefined || target === undefined || ts === undefined || digest === undefined || lines.length > 5) {
    return 'its canonical string must have four or five lines';
  }
  const bytes = Buffer.from(body, 'base64');
  if (bytes.toString('base64') !== body) return 'its body is not base64';
  if (sha256(bytes) !== digest) return 'the signed digest does not match the body';
  // Not a number for an invalid moment, which no time of signing is close to.
  const receivedAt = parseMicros(taken_in_at) ?? Number.NaN;
  const request: SignedRequest = { method, target, ts, fp, signature, idempotencyKey, body: bytes, receivedAt };
  return canonicalStringOf(request) === canonical ? request : 'its canonical string does not match its request';
}

/** Compares the fact with its request, and the request with those of the facts before. */
function requestFault(
  fact: EvidenceFact,
  { method, target, body }: SignedRequest,
  { subject, isContinuation, tenancies, requests }: Verification,
): string | undefined {
  const { canonical } = fact.submission;
  const tenantId = tenantIdIn(splitPath(target));
  if (tenancies.add(tenantId).size > 1) return 'its request was sent to another Tenancy';
  const other = requests.get(canonical);
  if (other !== undefined) return `its request is the same as that of fact ${other}`;
  requests.set(canonical, fact.sequence);
  const request = reconstructRequest({ method, target, tenantId: tenantId ?? '', body, isSigned: true }, fact.log.item);
  if (request === undefined) return 'its request is not a write';
  return contentFault(fact, request, subject) ?? firstFactFault(fact, !isContinuation && requests.size === 1);
}

function firstFactFault(fact: EvidenceFact, isFirst: boolean): string | undefined {
  if (isFirst === isFirstFactKind(fact)) return undefined;
  return isFirst
    ? 'the first fact must be one that is signed with its Client: issued or receipt_reported'
    : 'only the first fact may be issued or receipt_reported';
}

/** Microseconds since 1970, which a Date cannot represent; undefined for an invalid moment. */
function parseMicros(moment: string): number | undefined {
  const [, seconds, fraction] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{6})Z$/.exec(moment) ?? [];
  const micros = Date.parse(`${seconds}Z`) * 1_000 + Number(fraction);
  return Number.isNaN(micros) ? undefined : micros;
}

/** The time of recording is not signed, but it cannot be long before the time of signing, which is. */
function recordingTimeFault({ recorded_at }: EvidenceFact, { ts, receivedAt }: RecordedRequest): string | undefined {
  const recordedAt = parseMicros(recorded_at);
  if (recordedAt === undefined) return 'recorded_at is not a valid moment';
  const earliest = Math.max(Number(ts) * 1_000_000, receivedAt) - maxClockSkewSeconds * 1_000_000;
  if (recordedAt >= earliest) return undefined;
  return `it was recorded more than ${maxClockSkewSeconds} s before its request was signed or received`;
}

function orderFault(fact: EvidenceFact, previous: EvidenceFact | undefined): string | undefined {
  if (previous === undefined) return undefined;
  const { sequence, log, event } = previous;
  if (fact.sequence <= sequence) return `its sequence is not after that of fact ${sequence}`;
  // Facts of one submission have the same moment.
  if ((parseMicros(fact.recorded_at) ?? 0) < (parseMicros(previous.recorded_at) ?? 0)) {
    return `it was recorded before fact ${sequence}`;
  }
  if (fact.log.partition !== log.partition || fact.event.partition !== event.partition) {
    return `it is in another partition than fact ${sequence}; a book has one partition`;
  }
  if (fact.log.offset < log.offset) return `its log offset is before that of fact ${sequence}`;
  if (fact.event.sequence <= event.sequence) return `its event is not after that of fact ${sequence}`;
  return undefined;
}
