/** Sends a request to the books it changes and waits for the verdict of each of its items. */
import { promisify } from 'node:util';
import { deflateRaw, deflateRawSync } from 'node:zlib';
import { SpanKind } from '@opentelemetry/api';
import { bytesPerMebibyte } from '#libs/api/route.ts';
import { bookKey, partitionOf } from '#libs/kafka/book-key-partition.ts';
import type {
  SubmissionCodec,
  SubmissionEvidence,
  SubmissionItem,
  SubmissionRecord,
} from '#libs/kafka/submission-record.ts';
import { type OutgoingRecord, queueFullError, type TopicWriter } from '#libs/kafka/topic-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { Namespace } from '#libs/ledger/book-decider.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { mapInParts } from '#libs/runtime/run-in-parts.ts';
import { endSpanAfter, headersBelow, startChildSpan, type TraceHeaders } from '#libs/runtime/tracing.ts';
import type { PendingVerdicts, SubmissionResult } from './pending-verdicts.ts';
import { measureStage } from './stage-times.ts';

/** How long a submission may wait for its decision, counted from its admission. Later it is not decided any more. */
export const submissionTimeoutMs = 2_000;
/** How much longer its verdict is awaited. */
export const verdictGraceMs = 1_000;

export interface SubmissionRequestItem {
  readonly item: number;
  readonly bookId: string;
  readonly namespace?: Namespace | undefined;
  readonly reference?: string | undefined;
  readonly digest: Buffer;
  /** JSON; absent when it is the body of the request. */
  readonly body?: string;
  readonly ids: readonly string[];
  /** JSON of the immutable data the submission refers to, for example a product configuration. */
  readonly resolved?: string;
}

export interface SubmissionRequest {
  readonly requestId: string;
  readonly tenantId: string;
  readonly operation: string;
  readonly params: { readonly [name: string]: string };
  /** Milliseconds since 1970. The signature and its key must be valid at this time. */
  readonly receivedAt: number;
  /** Milliseconds since 1970. The timeout starts here, after the body was read and the rate limiter passed. */
  readonly admittedAt: number;
  readonly callerRequestId?: string | undefined;
  readonly actor?: string;
  readonly evidence: Omit<SubmissionEvidence, 'body_encoding'>;
  readonly items: readonly SubmissionRequestItem[];
  /** Called when the records are queued for Kafka. */
  readonly onQueued?: () => void;
}

/** The items of a request that go to one partition. */
interface PartitionItems {
  readonly key: string;
  readonly items: SubmissionRequestItem[];
}

export interface SubmitterOptions {
  readonly writer: TopicWriter;
  readonly codec: SubmissionCodec;
  readonly pendingVerdicts: PendingVerdicts;
  /** Of the cell. */
  readonly partitionCount: number;
}

/** What is queued for Kafka, and the records of one request. The longest body fits 15 times: once for each of 12 partitions. */
export const maxPendingBytes = 128 * bytesPerMebibyte;
/** Smaller bodies are not worth the time of compressing them. */
const minCompressedBytes = 2_048;
const maxBytesCompressedAtOnce = 256 * 1024;
const deflateRawInPool = promisify(deflateRaw);

/** The records of a batch repeat its body too often. Several smaller batches are accepted. */
export class BatchTooLargeError extends Error {
  override readonly name = 'BatchTooLargeError';
  /** Of a body that compresses as well and has as many Clients. */
  readonly maxBodyBytes: number;

  constructor(maxBodyBytes: number) {
    super(
      `the records of the batch are longer than ${maxPendingBytes} bytes; a body of ${maxBodyBytes} bytes is accepted`,
    );
    this.maxBodyBytes = maxBodyBytes;
  }
}

export class Submitter {
  readonly #options: SubmitterOptions;

  constructor(options: SubmitterOptions) {
    this.#options = options;
  }

  /**
   * Rejects with a DependencyUnavailableError when Kafka did not accept the request or no verdict came in time, and with a
   * BatchTooLargeError when it never will.
   */
  async submit(request: SubmissionRequest): Promise<ReadonlyMap<number, SubmissionResult>> {
    const { pendingVerdicts, writer } = this.#options;
    const { requestId, admittedAt, items } = request;
    const span = startChildSpan(`append ${topics.submissions}`, SpanKind.PRODUCER, { 'messaging.system': 'kafka' });
    const records = await this.#encodeRecords(request, headersBelow(span));
    const deadline = admittedAt + submissionTimeoutMs;
    const verdicts = measureStage('verdict', () =>
      pendingVerdicts.waitFor(requestId, items.length, deadline + verdictGraceMs - Date.now()),
    );
    let unavailable = 'kafka';
    const appended = endSpanAfter(
      span,
      measureStage('append', () => writer.appendAll(records, deadline)),
    ).then(() => {
      unavailable = 'verdict';
    });
    request.onQueued?.();
    try {
      // The caller is answered at the deadline even if Kafka has neither accepted nor rejected the records by then.
      await Promise.race([appended, verdicts]);
    } catch (cause) {
      pendingVerdicts.cancel(requestId);
      throw cause;
    }
    const results = await verdicts;
    if (results.size === 0) throw new DependencyUnavailableError(unavailable);
    return results;
  }

  /** Throws when the writer's queue has no room, which is checked before each expensive step. */
  async #encodeRecords(request: SubmissionRequest, headers: TraceHeaders | undefined): Promise<OutgoingRecord[]> {
    const { body } = request.evidence;
    this.#requireRoom(body.length);
    const partitions = itemsByPartition(request, this.#options.partitionCount);
    const isCompressed = body.length > minCompressedBytes;
    const evidence: SubmissionEvidence = {
      ...request.evidence,
      body: isCompressed ? await compress(body) : body,
      body_encoding: isCompressed ? 'deflate' : 'identity',
    };
    // An item without a body of its own has that of the request. It is repeated only where the evidence is compressed.
    const defaultBody = isCompressed ? body : undefined;
    if (partitions.size > 1) {
      const bytes = evidence.body.length * partitions.size + bodiesLength(request.items);
      if (bytes > maxPendingBytes) throw new BatchTooLargeError(Math.floor((body.length * maxPendingBytes) / bytes));
      this.#requireRoom(bytes);
    }
    return mapInParts(partitions, ([partition, { key, items }]) => {
      const recordItems = items.map((item) => recordItem(item, defaultBody));
      const value = this.#options.codec.encode(this.#record(request, evidence, recordItems));
      return { topic: topics.submissions, partition, key, value, headers };
    });
  }

  #requireRoom(bytes: number): void {
    if (!this.#options.writer.hasRoom(bytes)) throw queueFullError();
  }

  #record(
    request: SubmissionRequest,
    evidence: SubmissionEvidence,
    items: readonly SubmissionItem[],
  ): SubmissionRecord {
    return {
      request_id: request.requestId,
      ingress: this.#options.pendingVerdicts.address,
      tenant_id: request.tenantId,
      operation: request.operation,
      params: request.params,
      taken_in_at: request.receivedAt * 1_000,
      patience_ends_at: (request.admittedAt + submissionTimeoutMs) * 1_000,
      actor: request.actor ?? null,
      caller_request_id: request.callerRequestId ?? null,
      evidence,
      items,
    };
  }
}

/** A long body on a thread of Node's pool; for a short one that takes longer than compressing it. */
async function compress(body: Buffer): Promise<Buffer> {
  return body.length > maxBytesCompressedAtOnce
    ? deflateRawInPool(body, { level: 1 })
    : deflateRawSync(body, { level: 1 });
}

/** One record per partition keeps the items of a book in order and repeats the evidence as little as possible. */
function itemsByPartition({ tenantId, items }: SubmissionRequest, partitionCount: number): Map<number, PartitionItems> {
  const partitions = new Map<number, PartitionItems>();
  for (const item of items) {
    const key = bookKey(tenantId, item.bookId);
    const partition = partitionOf(key, partitionCount);
    const existing = partitions.get(partition);
    if (existing === undefined) partitions.set(partition, { key, items: [item] });
    else existing.items.push(item);
  }
  return partitions;
}

/** In UTF-16 units: close to the encoded size and never above it. */
function bodiesLength(items: readonly SubmissionRequestItem[]): number {
  let length = 0;
  for (const { body = '' } of items) length += body.length;
  return length;
}

function recordItem(
  { item, bookId, namespace, reference, digest, body, ids, resolved }: SubmissionRequestItem,
  defaultBody: Buffer | undefined,
): SubmissionItem {
  return {
    item,
    book_id: bookId,
    namespace: namespace ?? null,
    reference: reference ?? null,
    digest,
    body: body ?? defaultBody?.toString('utf8') ?? null,
    ids,
    resolved: resolved ?? null,
  };
}
