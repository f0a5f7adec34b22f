/** How far one partition is published, and what of it waits or is being appended. */
import type { BookEvent, BookEventCodec } from '#libs/kafka/book-event.ts';
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import type { TopicEnd } from '#libs/kafka/topic-end.ts';
import { heapShareBytes } from '#libs/runtime/heap-shares.ts';
import type { TraceHeaders } from '#libs/runtime/tracing.ts';
import { traceOfEvent } from './batch-trace.ts';
import { UnpublishedEventBuffer } from './unpublished-event-buffer.ts';

const maxBatchBytes = 4 * 1024 * 1024;
/** What the partitions of a process hold of the events that wait, all together. */
const maxUnpublishedBytes = heapShareBytes('unpublishedEvents');

interface EventMessage {
  readonly key: string;
  readonly value: Buffer;
  readonly headers?: { [name: string]: string };
}

export interface EventBatch {
  readonly messages: readonly EventMessage[];
  readonly lastSequence: number;
  /** Of the requests that caused the events, where they are recorded, with the index of their first message. */
  readonly traces: ReadonlyMap<TraceHeaders, number>;
  /** By `performance.now()`. */
  readonly createdAt: number;
}

export class PublishedPartition {
  readonly number: number;
  /** Number of the last committed event. */
  committed: number;
  pending: UnpublishedEventBuffer;
  /** Undefined until the lock is held and the topic was read. */
  end: TopicEnd | undefined;
  /** The last end that was known, also when it must be read again. */
  lastKnownEnd: TopicEnd | undefined;
  /** Appended, but perhaps not confirmed: nothing else may be appended before it. */
  unconfirmed: EventBatch | undefined;
  /** The topic contradicted the database when it was checked last, or Kafka refused an event. Nothing is appended. */
  isStopped = false;
  /** A stopped partition is compared again with the database. It counts as stopped until it agreed. */
  isRechecked = false;
  /** Since the last confirmed append. */
  failedAppends = 0;
  readonly #maxPendingBytes: number;

  /** Of `partitionCount` partitions, which share the memory. */
  constructor(number: number, committed: number, partitionCount: number) {
    this.number = number;
    this.committed = committed;
    this.#maxPendingBytes = Math.floor(maxUnpublishedBytes / partitionCount);
    this.pending = this.#emptyBuffer();
  }

  /** What is read back at once. */
  get maxReadBytes(): number {
    return Math.min(maxBatchBytes, this.#maxPendingBytes);
  }

  /** Nothing is read or appended. */
  get isPaused(): boolean {
    return this.isStopped && !this.isRechecked;
  }

  get hasWork(): boolean {
    if (this.isStopped) return this.isRechecked;
    return this.end === undefined || this.end.sequence < this.committed;
  }

  /** Everything was published when the end of the topic was known last. */
  get isPublished(): boolean {
    return this.lastKnownEnd !== undefined && this.lastKnownEnd.sequence >= this.committed;
  }

  /** Committed events that are not in the topic, as far as its end was ever known. A stopped partition counts at least 1. */
  get unpublishedEvents(): number {
    const published = this.lastKnownEnd?.sequence ?? this.committed;
    return Math.max(this.committed - published, this.isStopped ? 1 : 0);
  }

  /** The number of the first event that waits, as far as it is known. A stopped partition waits for an operator. */
  get firstUnpublished(): number | undefined {
    const published = this.lastKnownEnd?.sequence;
    if (this.isStopped || published === undefined || published >= this.committed) return undefined;
    return published + 1;
  }

  setEnd(end: TopicEnd): void {
    this.end = end;
    this.lastKnownEnd = end;
  }

  /** The end of the topic must be read before anything is appended. */
  forgetEnd(): void {
    this.end = undefined;
    this.unconfirmed = undefined;
  }

  /** Reads the end of the topic again, and the facts that follow it. */
  recheck(): void {
    this.isRechecked = true;
    this.end = undefined;
  }

  /** The topic and the database agree, and Kafka takes what waits. */
  resume(): void {
    this.isStopped = false;
    this.isRechecked = false;
  }

  stop(): void {
    this.isStopped = true;
    this.isRechecked = false;
    this.forgetPending();
    this.unconfirmed = undefined;
  }

  /** What was committed is read back from the database. */
  forgetPending(): void {
    this.pending = this.#emptyBuffer();
  }

  #emptyBuffer(): UnpublishedEventBuffer {
    return new UnpublishedEventBuffer(this.#maxPendingBytes);
  }
}

/** As many of the events as one append may hold, but at least one. */
export function eventBatch(codec: BookEventCodec, events: readonly BookEvent<number>[]): EventBatch {
  const messages: EventMessage[] = [];
  const traces = new Map<TraceHeaders, number>();
  let bytes = 0;
  for (const event of events) {
    const value = codec.encode(event);
    bytes += value.length;
    if (messages.length > 0 && bytes > maxBatchBytes) break;
    const message = { key: bookKey(event.tenant_id, event.book_id), value };
    const trace = traceOfEvent(event);
    if (trace !== undefined && !traces.has(trace)) traces.set(trace, messages.length);
    messages.push(trace === undefined ? message : { ...message, headers: { ...trace } });
  }
  const lastSequence = events[messages.length - 1]?.sequence ?? 0;
  return { messages, lastSequence, traces, createdAt: performance.now() };
}
