/** Writes the events of `lending.book-events` into tables, in order, until it is stopped. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BookKey } from '#libs/database/books.ts';
import type { AvroCodec } from '#libs/kafka/avro-codec.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import type { TopicRecord } from '#libs/kafka/topic-consumer.ts';
import { followTopic, stallError, type TopicFollower } from '#libs/kafka/topic-follower.ts';
import { topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { waitForCompletion } from '#libs/kafka/with-timeout.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import type { NumericBookEvent } from './write-events.ts';

export interface TopicIngestOptions {
  readonly kafka: KafkaClient;
  readonly codec: AvroCodec<NumericBookEvent>;
  readonly logger: Logger;
  /** Writes events of one partition. */
  readonly write: (events: readonly NumericBookEvent[]) => Promise<void>;
  /** By partition, the last event that is already stored. It is compared, and those up to it are not written. */
  readonly stored?: ReadonlyMap<number, number>;
  readonly compareStored?: (event: NumericBookEvent) => Promise<void>;
  /** Those of the database. Default: all. */
  readonly partitions?: ReadonlySet<number>;
}

/** The last event of a partition that was written, and the last submission in it that recorded anything. */
export interface PartitionProgress {
  readonly sequence: number;
  /** The highest one seen: submissions of a released book are recorded later than their offset. */
  readonly offset: number;
  /** Undefined where all items of the submission are processed. */
  readonly item?: number;
  /** Microseconds since 1970. */
  readonly recordedAt: number;
}

const eventsPerStatement = 2_000;
const recentPositions = 100;
const pollIntervalMs = 10;
/** How long no record may arrive while the topic holds more. */
const stallTimeoutMs = 60_000;

export class TopicIngest {
  readonly #options: TopicIngestOptions;
  readonly #progress = new Map<number, PartitionProgress>();
  /** By partition, the offset after the last written record. */
  readonly #nextOffsets = new Map<number, number>();
  #changedBooks = new Map<string, BookKey>();
  /** By partition, the number of the last event that is stored or was received. */
  readonly #lastReceived: Map<number, number>;
  /** By partition, the event with the highest number in the topic so far. */
  readonly #highest = new Map<number, NumericBookEvent>();
  /** By partition and position. */
  readonly #recent = new Map<number, Map<number, string>>();
  /** By partition, the batch that is being written. */
  readonly #writing = new Map<number, Promise<void>>();
  #pause: Promise<void> | undefined;
  #failure: unknown;
  #follower: TopicFollower | undefined;
  #eventCount = 0;

  private constructor(options: TopicIngestOptions) {
    this.#options = options;
    this.#lastReceived = new Map(options.stored);
  }

  static async open(options: TopicIngestOptions): Promise<TopicIngest> {
    const ingest = new TopicIngest(options);
    const { kafka, logger } = options;
    ingest.#follower = await followTopic({
      kafka,
      topic: topics.bookEvents,
      logger,
      from: ({ low, high }, partition) => (ingest.#reads(partition) ? low : high),
      onRecords: (partition, records) => ingest.#receive(partition, records),
    });
    ingest.#follower.failed.catch((cause: unknown) => ingest.#fail(cause));
    return ingest;
  }

  get eventCount(): number {
    return this.#eventCount;
  }

  /** By partition, the requests of the last positions that recorded facts. */
  get recent(): ReadonlyMap<number, readonly string[]> {
    return new Map([...this.#recent].map(([partition, requests]) => [partition, [...requests.values()]]));
  }

  /** By partition, the event with the highest number that was read from the topic. */
  get highest(): ReadonlyMap<number, NumericBookEvent> {
    return this.#highest;
  }

  get progress(): ReadonlyMap<number, PartitionProgress> {
    return this.#progress;
  }

  /** The books that received events since the last call. */
  takeChangedBooks(): BookKey[] {
    const books = [...this.#changedBooks.values()];
    this.#changedBooks = new Map();
    return books;
  }

  /** Runs `work` while nothing is written. Batches in progress are completed first. */
  async whilePaused<T>(work: () => Promise<T>): Promise<T> {
    const { promise, resolve: resume } = Promise.withResolvers<void>();
    this.#pause = promise;
    try {
      await Promise.all(this.#writing.values());
      return await work();
    } finally {
      this.#pause = undefined;
      resume();
    }
  }

  /** Resolves when everything is written that the topic holds at the time of the call. `onRead` gets its events read and all. */
  async readToEnd(onRead?: (read: number, total: number) => void): Promise<void> {
    const all = await topicOffsets(this.#options.kafka, topics.bookEvents);
    const offsets = new Map([...all].filter(([partition]) => this.#reads(partition)));
    const nextOffset = (partition: number): number => this.#nextOffsets.get(partition) ?? 0;
    const total = [...offsets.values()].reduce((sum, { low, high }) => sum + high - low, 0);
    const readCount = (): number =>
      [...offsets].reduce((sum, [at, { low, high }]) => sum + Math.max(low, Math.min(nextOffset(at), high)) - low, 0);
    const unfinished = (): number[] =>
      [...offsets].flatMap(([partition, { low, high }]) =>
        high > low && nextOffset(partition) < high ? [partition] : [],
      );
    const isComplete = await waitForCompletion({
      isDone: () => {
        this.#throwIfFailed();
        onRead?.(readCount(), total);
        return unfinished().length === 0;
      },
      progress: () => unfinished().reduce((sum, partition) => sum + nextOffset(partition), 0),
      isWorking: () => unfinished().some((partition) => this.#writing.has(partition)),
      stallTimeoutMs,
      failed: (this.#follower as TopicFollower).failed,
    });
    if (!isComplete) throw stallError(topics.bookEvents, stallTimeoutMs);
  }

  /** True once every partition is written up to the given event; false if that takes too long. */
  async waitForEvents(sequences: ReadonlyMap<number, number>, timeoutMs: number): Promise<boolean> {
    const hasAll = (): boolean =>
      [...sequences].every(([partition, sequence]) => (this.#progress.get(partition)?.sequence ?? 0) >= sequence);
    for (const deadline = performance.now() + timeoutMs; ; ) {
      this.#throwIfFailed();
      if (hasAll()) return true;
      if (performance.now() > deadline) return false;
      await sleep(pollIntervalMs);
    }
  }

  async stop(): Promise<void> {
    await this.#follower?.stop();
  }

  #reads(partition: number): boolean {
    return this.#options.partitions?.has(partition) ?? true;
  }

  #fail(cause: unknown): void {
    this.#failure ??= cause;
  }

  #throwIfFailed(): void {
    if (this.#failure !== undefined) throw this.#failure;
  }

  async #receive(partition: number, records: readonly TopicRecord[]): Promise<void> {
    if (!this.#reads(partition)) return;
    while (this.#pause !== undefined) await this.#pause;
    const writing = this.#write(partition, records);
    this.#writing.set(partition, writing);
    await writing;
    this.#writing.delete(partition);
  }

  async #write(partition: number, records: readonly TopicRecord[]): Promise<void> {
    if (this.#failure !== undefined) return;
    try {
      const events: NumericBookEvent[] = [];
      for (const { offset, value } of records) {
        const decoded = this.#options.codec.decode(value ?? Buffer.alloc(0));
        const event = decoded instanceof Promise ? await decoded : decoded;
        if (event.sequence === this.#options.stored?.get(partition)) await this.#options.compareStored?.(event);
        if (this.#isNext(partition, offset, event)) events.push(event);
      }
      for (let start = 0; start < events.length; start += eventsPerStatement) {
        await this.#options.write(events.slice(start, start + eventsPerStatement));
      }
      this.#noteWritten(events);
      this.#nextOffsets.set(partition, (records.at(-1)?.offset ?? 0) + 1);
    } catch (cause) {
      this.#fail(cause);
    }
  }

  /** False for a repeated event. Throws for a gap, or for an event of another partition. */
  #isNext(partition: number, offset: number, event: NumericBookEvent): boolean {
    const expected = (this.#lastReceived.get(partition) ?? 0) + 1;
    if (event.partition !== partition || event.sequence > expected) {
      const found = `${topics.bookEvents} partition ${partition} offset ${offset} holds event ${event.sequence} of partition ${event.partition}, expected event ${expected}`;
      throw new Error(event.partition === partition ? `${found}: ${gapRemedy(partition, event.sequence - 1)}` : found);
    }
    if (event.sequence > (this.#highest.get(partition)?.sequence ?? 0)) this.#highest.set(partition, event);
    if (event.sequence < expected) return false;
    this.#lastReceived.set(partition, expected);
    return true;
  }

  #noteWritten(events: readonly NumericBookEvent[]): void {
    this.#eventCount += events.length;
    for (const { tenant_id: tenantId, book_id: bookId } of events) {
      this.#changedBooks.set(`${tenantId}/${bookId}`, { tenantId, bookId });
    }
    for (const { partition, sequence, offset, item, request_id: requestId, recorded_at: recordedAt } of events) {
      this.#noteRequest(partition, offset, requestId);
      const known = this.#progress.get(partition);
      const isFurther = known === undefined || offset >= known.offset;
      this.#progress.set(partition, isFurther ? { sequence, offset, item, recordedAt } : { ...known, sequence });
    }
  }

  /** The first one of a position. A release records others after its own, under ids that are not in the log. */
  #noteRequest(partition: number, position: number, requestId: string): void {
    const recent = this.#recent.get(partition) ?? new Map<number, string>();
    this.#recent.set(partition, recent);
    if (recent.has(position)) return;
    recent.set(position, requestId);
    const [first] = recent.keys();
    if (recent.size > recentPositions && first !== undefined) recent.delete(first);
  }
}

function gapRemedy(partition: number, lastMissing: number): string {
  return (
    `those between are missing in the topic. If the database holds them, run \`lending topic repair --partition ${partition}\`. ` +
    `Otherwise restore the database again, to a later moment at which it holds event ${lastMissing} ` +
    '(docs/operations/runbooks/restore.md, "Restore again"), and run `lending reconcile`'
  );
}
