/**
 * The answer of `GET …/evidence`, checked by whoever has nothing but the answer: every signature, digest, fingerprint
 * and moment, the order of the facts, and that each fact says what its request said, of what the answer is said to be
 * of. Not that no fact was left out, nor what the service added unsigned. No network, no database.
 */
import { isDeepStrictEqual } from 'node:util';
import { pathPieces, tenantOf } from '#libs/api/route-matcher.ts';
import { fromBase64url } from '#libs/auth/base64url.ts';
import { skewSeconds } from '#libs/auth/header.ts';
import { isObject, type Json, type JsonObject } from '#libs/schema/json.ts';
import { type About, isBeginning, type Said, sayingFault } from './evidence-said.ts';
import { askedBy } from './reconstruct-request.ts';
import { canonicalOf, type SignedRequest, sha256, signatureFault } from './signature.ts';

export interface Proven {
  /** As signed, but for the id of a Loan, which the service gave it. */
  readonly about: About;
  readonly facts: number;
  /** Fingerprints of the keys it was signed with. */
  readonly keys: readonly string[];
}

export class EvidenceFault extends Error {
  override readonly name = 'EvidenceFault';
}

/** By fingerprint, the public keys that whoever asks knows from elsewhere. */
export type PinnedKeys = ReadonlyMap<string, Uint8Array>;

interface ShownFact extends Said {
  readonly sequence: number;
  readonly recorded_at: string;
  readonly log: { readonly partition: number; readonly offset: number; readonly item: number };
  readonly event: { readonly partition: number; readonly sequence: number };
  readonly submission: ShownSubmission;
}

interface ShownSubmission {
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

/** Throws an `EvidenceFault` that names the first fact that does not hold and why. */
export function verifyEvidence(answer: unknown, pinned: PinnedKeys = new Map()): Proven {
  const { facts, about } = shapeOf(answer);
  const shown: Shown = { about, pinned, tenancies: new Set(), requests: new Map() };
  let before: ShownFact | undefined;
  for (const fact of facts) {
    const fault = faultOf(fact, before, shown);
    if (fault !== undefined) throw new EvidenceFault(`fact ${fact.sequence} (${fact.kind}): ${fault}`);
    before = fact;
  }
  return { about, facts: facts.length, keys: [...new Set(facts.map(({ submission }) => submission.fp))] };
}

/** What the facts are held to, and what those before said. */
interface Shown {
  readonly about: About;
  readonly pinned: PinnedKeys;
  readonly tenancies: Set<string | undefined>;
  /** By the canonical string, the fact that was shown with it. */
  readonly requests: Map<string, number>;
}

function shapeOf(answer: unknown): { readonly facts: readonly ShownFact[]; readonly about: About } {
  if (!isObject(answer as Json)) throw new EvidenceFault('this is no answer of an evidence route');
  const { facts, client_id, loan_id, receipt } = answer as JsonObject;
  if (!Array.isArray(facts) || facts.length === 0) throw new EvidenceFault('it holds no facts');
  for (const [at, fact] of facts.entries()) {
    const missing = missingFrom(fact as Json);
    if (missing !== undefined) throw new EvidenceFault(`fact ${at + 1} of the answer has no ${missing}`);
  }
  return { facts: facts as unknown as ShownFact[], about: aboutOf({ client_id, loan_id, receipt }) };
}

/** Any other member is passed over: nothing that was signed speaks of it. */
function aboutOf({ client_id, loan_id, receipt }: { readonly [name: string]: Json | undefined }): About {
  if (typeof client_id !== 'string') throw new EvidenceFault('it has no client_id');
  if (typeof loan_id === 'string') return { loan_id, client_id };
  if (typeof receipt === 'string') return { receipt, client_id };
  throw new EvidenceFault('it has no loan_id and no receipt');
}

const members: { readonly [name: string]: 'string' | 'number' } = {
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

function missingFrom(fact: Json): string | undefined {
  for (const [path, type] of Object.entries(members)) {
    let value: Json | undefined = fact;
    for (const name of path.split('.')) value = isObject(value) ? value[name] : undefined;
    if (typeof value !== type) return path;
  }
  return isObject((fact as JsonObject)['body']) ? undefined : 'body';
}

function faultOf(fact: ShownFact, before: ShownFact | undefined, shown: Shown): string | undefined {
  const { submission } = fact;
  const { pinned } = shown;
  const publicKey = fromBase64url(submission.public_key, 32);
  const signature = fromBase64url(submission.signature, 64);
  if (publicKey === undefined) return 'its public key is not 32 bytes in base64url';
  if (signature === undefined) return 'its signature is not 64 bytes in base64url';
  const trusted = pinned.get(submission.fp);
  if (pinned.size > 0 && trusted === undefined) return `it was signed with ${submission.fp}, which is no key you named`;
  if (trusted !== undefined && !isDeepStrictEqual(Buffer.from(trusted), Buffer.from(publicKey))) {
    return `${submission.fp} is shown with another public key than you named`;
  }
  const request = requestOf(submission, signature);
  if (typeof request === 'string') return request;
  const [createdAt, revokedAt] = [submission.key_created_at, submission.key_revoked_at].map(microsOf);
  if (Number.isNaN(createdAt) || Number.isNaN(revokedAt)) return 'a moment of its key is none';
  const key = { publicKey, createdAt: createdAt as number, revokedAt: revokedAt ?? null };
  return (
    signatureFault(request, key) ??
    momentFault(fact, request) ??
    orderFault(fact, before) ??
    askedFault(fact, request, shown)
  );
}

/** The fact against what its request asks for, and the request against those before. */
function askedFault(fact: ShownFact, { method, target, body }: Requested, shown: Shown): string | undefined {
  const { canonical } = fact.submission;
  const tenantId = tenantOf(pathPieces(target));
  if (shown.tenancies.add(tenantId).size > 1) return 'its request went to another Tenancy';
  const known = shown.requests.get(canonical);
  if (known !== undefined) return `its request is that of fact ${known}`;
  shown.requests.set(canonical, fact.sequence);
  const asked = askedBy({ method, target, tenantId: tenantId ?? '', body, isSigned: true }, fact.log.item);
  if (asked === undefined) return 'what was signed asks for nothing that is recorded';
  return sayingFault(fact, asked, shown.about) ?? beginningFault(fact, shown.requests.size === 1);
}

function beginningFault(fact: ShownFact, isFirst: boolean): string | undefined {
  if (isFirst === isBeginning(fact)) return undefined;
  return isFirst ? 'it stands first, and its Client was not signed with it' : 'it begins what had begun';
}

interface Requested extends SignedRequest {
  readonly body: Buffer;
}

/** The request that the canonical string is of, or why it is of none. */
function requestOf({ canonical, fp, body, taken_in_at }: ShownSubmission, signature: Uint8Array) {
  const lines = canonical.split('\n');
  const [method, target, ts, digest, idempotencyKey] = lines;
  if (method === undefined || target === undefined || ts === undefined || digest === undefined || lines.length > 5) {
    return 'its canonical string has not four lines, or five';
  }
  const bytes = Buffer.from(body, 'base64');
  if (bytes.toString('base64') !== body) return 'its body is not base64';
  if (sha256(bytes) !== digest) return 'the digest that was signed is not that of the body';
  const takenInAt = microsOf(taken_in_at) as number;
  const request: Requested = { method, target, ts, fp, signature, idempotencyKey, body: bytes, takenInAt };
  return canonicalOf(request) === canonical ? request : 'its canonical string is not that of its request';
}

/** Exact to the microsecond, which a Date is not. */
function microsOf(moment: string | undefined): number | undefined {
  if (moment === undefined) return undefined;
  const [, seconds, fraction] = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)\.(\d{6})Z$/.exec(moment) ?? [];
  return seconds === undefined ? Number.NaN : Date.parse(`${seconds}Z`) * 1_000 + Number(fraction);
}

/** The moment of recording is not signed; the one of signing is, and bounds it. */
function momentFault({ recorded_at }: ShownFact, { ts, takenInAt }: SignedRequest): string | undefined {
  const recordedAt = microsOf(recorded_at) as number;
  if (Number.isNaN(recordedAt)) return 'its moment of recording is none';
  if (recordedAt >= Math.max(Number(ts) * 1_000_000, takenInAt) - skewSeconds * 1_000_000) return undefined;
  return `it was recorded more than ${skewSeconds} s before its request was signed or taken in`;
}

function orderFault(fact: ShownFact, before: ShownFact | undefined): string | undefined {
  if (before === undefined) return undefined;
  if (fact.sequence <= before.sequence) return `it stands after fact ${before.sequence}`;
  // The facts of one submission share their moment.
  if ((microsOf(fact.recorded_at) as number) < (microsOf(before.recorded_at) as number)) {
    return `it was recorded before fact ${before.sequence}`;
  }
  if (fact.log.partition !== before.log.partition || fact.event.partition !== before.event.partition) {
    return `it stands in another partition than fact ${before.sequence}: a book stands in one`;
  }
  if (fact.log.offset < before.log.offset) return `its place in the log is before that of fact ${before.sequence}`;
  if (fact.event.sequence <= before.event.sequence) return `its event is not after that of fact ${before.sequence}`;
  return undefined;
}
