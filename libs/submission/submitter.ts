/** Sends a request to the books it wants to change, and answers what came of each of its submissions. */
import { deflateRawSync } from 'node:zlib';
import { bookKey, partitionOf } from '#libs/kafka/book-key.ts';
import { type Append, type LogWriter, noRoom } from '#libs/kafka/log-writer.ts';
import type { SubmissionCodec, SubmissionEvidence, SubmissionItem, SubmissionRecord } from '#libs/kafka/submission.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { Namespace } from '#libs/ledger/book-decider.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { graceMs, patienceMs } from './deadline.ts';
import type { PendingVerdicts, SubmissionOutcome } from './pending-verdicts.ts';

export interface Item {
  readonly item: number;
  readonly bookId: string;
  readonly namespace?: Namespace | undefined;
  readonly reference?: string | undefined;
  readonly digest: Buffer;
  /** JSON; left out where it is the body of the request. */
  readonly body?: string;
  readonly ids: readonly string[];
  /** JSON of the immutable data the submission names. */
  readonly resolved?: string;
}

export interface Request {
  readonly requestId: string;
  readonly tenantId: string;
  readonly operation: string;
  readonly params: { readonly [name: string]: string };
  /** Milliseconds since 1970, when it came: what its signature and its key are held to ever after. */
  readonly takenInAt: number;
  /** Milliseconds since 1970. Patience is counted from here: a slow body and a long line are no book's matter. */
  readonly admittedAt: number;
  readonly callerRequestId?: string | undefined;
  readonly actor?: string;
  readonly evidence: Omit<SubmissionEvidence, 'body_encoding'>;
  readonly items: readonly Item[];
}

/** What goes to one partition. */
interface Share {
  readonly key: string;
  readonly items: Item[];
}

export interface SubmitterOptions {
  readonly writer: LogWriter;
  readonly codec: SubmissionCodec;
  readonly desk: PendingVerdicts;
}

/** Below this compressing costs more than it saves. */
const worthDeflating = 2_048;

export class Submitter {
  readonly #options: SubmitterOptions;

  constructor(options: SubmitterOptions) {
    this.#options = options;
  }

  /** Throws `StoreUnavailable` where the log did not take it, or where nothing was told of any of it in time. */
  async submit(request: Request): Promise<ReadonlyMap<number, SubmissionOutcome>> {
    const { desk, writer } = this.#options;
    const { requestId, admittedAt, items } = request;
    const records = this.#records(request);
    const patienceEnds = admittedAt + patienceMs;
    const awaited = desk.await(requestId, items.length, patienceEnds + graceMs - Date.now());
    let missing = 'log';
    const appended = writer.appendAll(records, patienceEnds).then(() => {
      missing = 'verdict';
    });
    try {
      // Whoever waits is answered when patience ends, however long the log takes to say that it did not take it.
      await Promise.race([appended, awaited]);
    } catch (cause) {
      desk.forget(requestId);
      throw cause;
    }
    const outcomes = await awaited;
    if (outcomes.size === 0) throw new DependencyUnavailableError(missing);
    return outcomes;
  }

  /** Throws where there is no room for them: asked before each step that costs something. */
  #records(request: Request): Append[] {
    const { evidence } = request;
    this.#seekRoom(evidence.body.length);
    const shares = sharesOf(request);
    const deflated = evidence.body.length > worthDeflating;
    const proof: SubmissionEvidence = {
      ...evidence,
      body: deflated ? deflateRawSync(evidence.body, { level: 1 }) : evidence.body,
      body_encoding: deflated ? 'deflate' : 'identity',
    };
    // Deflated evidence is not the item's body as it stands.
    const whole = deflated ? evidence.body : undefined;
    if (shares.size > 1) this.#seekRoom(proof.body.length * shares.size + lengthOf(request.items));
    return Array.from(shares, ([partition, { key, items }]) => {
      const sent = items.map((item) => itemOf(item, whole));
      const value = this.#options.codec.encode(this.#record(request, proof, sent));
      return { topic: topics.submissions, partition, key, value };
    });
  }

  #seekRoom(bytes: number): void {
    if (!this.#options.writer.hasRoom(bytes)) throw noRoom();
  }

  #record(request: Request, evidence: SubmissionEvidence, items: readonly SubmissionItem[]): SubmissionRecord {
    return {
      request_id: request.requestId,
      ingress: this.#options.desk.address,
      tenant_id: request.tenantId,
      operation: request.operation,
      params: request.params,
      taken_in_at: request.takenInAt * 1_000,
      patience_ends_at: (request.admittedAt + patienceMs) * 1_000,
      actor: request.actor ?? null,
      caller_request_id: request.callerRequestId ?? null,
      evidence,
      items,
    };
  }
}

/** One record for each partition, so that the items of a book stay in their order and evidence travels seldom. */
function sharesOf({ tenantId, items }: Request): Map<number, Share> {
  const shares = new Map<number, Share>();
  for (const item of items) {
    const key = bookKey(tenantId, item.bookId);
    const partition = partitionOf(key);
    const share = shares.get(partition);
    if (share === undefined) shares.set(partition, { key, items: [item] });
    else share.items.push(item);
  }
  return shares;
}

/** Nearly what their bodies take, and never more. */
function lengthOf(items: readonly Item[]): number {
  let length = 0;
  for (const { body = '' } of items) length += body.length;
  return length;
}

function itemOf(
  { item, bookId, namespace, reference, digest, body, ids, resolved }: Item,
  whole: Buffer | undefined,
): SubmissionItem {
  return {
    item,
    book_id: bookId,
    namespace: namespace ?? null,
    reference: reference ?? null,
    digest,
    body: body ?? whole?.toString('utf8') ?? null,
    ids,
    resolved: resolved ?? null,
  };
}
