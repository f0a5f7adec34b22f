/**
 * Publishes every fact once to lending.book-events, in the order of its partition (A8). The end of the topic shows
 * where to continue; events that are no longer in memory are read from Postgres.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#libs/database/database.ts';
import { PublishingLocks } from '#libs/database/publishing-locks.ts';
import { readEventsAfter } from '#libs/database/read-events.ts';
import type { BookEvent, BookEventCodec } from '#libs/kafka/book-event.ts';
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { readLastRecords } from '#libs/kafka/topic-offsets.ts';
import { type OutgoingRecord, TopicWriter } from '#libs/kafka/topic-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { retry } from '#libs/runtime/retry.ts';
import { UnpublishedEventBuffer } from './unpublished-event-buffer.ts';

interface PublishedPartition {
  readonly number: number;
  /** Number of the last event in the topic. Undefined until the lock is held and the topic's end was read. */
  published: number | undefined;
  /** Number of the last committed event. */
  committed: number;
  pending: UnpublishedEventBuffer;
  /** The topic contradicts the database. An operator must investigate before anything more is appended. */
  isStopped: boolean;
}

export interface EventPublisherOptions {
  readonly kafka: KafkaClient;
  readonly codec: BookEventCodec;
  readonly database: Database;
  /** One connection of it is held as long as the process lives. */
  readonly lockDatabase: Database;
  readonly logger: Logger;
}

const topicIsAhead = 'the topic is ahead of the database; its partition is not published';
const factIsMissing = 'a committed fact is missing in the database; its partition is not published';
const maxEventsPerSend = 1_000;
const retryDelayMs = 500;
/** Events are sent in groups: single sends would slow concurrent writes. */
const sendIntervalMs = 100;
const lockRetryMs = 200;

export class EventPublisher {
  readonly #options: EventPublisherOptions;
  readonly #partitions = new Map<number, PublishedPartition>();
  /** Partitions that were assigned away; their locks are released when nothing is in flight. */
  readonly #leaving = new Set<number>();
  readonly #locks: PublishingLocks;
  #writer: TopicWriter | undefined;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: EventPublisherOptions) {
    this.#options = options;
    this.#locks = new PublishingLocks(options.lockDatabase);
  }

  /** Committed events that are not in the topic yet. A stopped partition counts as at least one. */
  get unpublishedEvents(): number {
    let events = 0;
    for (const { committed, published, isStopped } of this.#partitions.values()) {
      events += Math.max(published === undefined ? 0 : committed - published, isStopped ? 1 : 0);
    }
    return events;
  }

  /** Called with all partitions that are owned now. */
  assign(partitions: ReadonlyMap<number, { readonly nextEvent: number }>): void {
    for (const [partition, { nextEvent }] of partitions) {
      const committed = nextEvent - 1;
      const known = this.#partitions.get(partition);
      if (known === undefined) {
        const unread = { published: undefined, pending: new UnpublishedEventBuffer(), isStopped: false };
        this.#partitions.set(partition, { number: partition, committed, ...unread });
        continue;
      }
      if (committed < known.committed) {
        // The database was set back: the topic's end must be compared with it again.
        known.published = undefined;
        known.pending = new UnpublishedEventBuffer();
      }
      known.committed = committed;
    }
    for (const partition of this.#partitions.keys()) {
      if (partitions.has(partition)) continue;
      this.#partitions.delete(partition);
      this.#leaving.add(partition);
    }
    this.#start();
  }

  enqueue(events: readonly BookEvent<number>[]): void {
    for (const event of events) {
      const partition = this.#partitions.get(event.partition);
      if (partition === undefined) continue;
      partition.committed = event.sequence;
      if (!partition.isStopped) partition.pending.add(event);
    }
    this.#start();
  }

  /** Publishes what is committed for at most this long, then stops. */
  async stop(timeoutMs = 3_000): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    await Promise.race([this.#running, new Promise((resolve) => (timer = setTimeout(resolve, timeoutMs)))]);
    clearTimeout(timer);
    this.#isStopped = true;
    await this.#running;
    await this.#writer?.close();
    this.#locks.close();
  }

  #start(): void {
    if (this.#isStopped) return;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      if (this.#hasWork()) this.#start();
    });
  }

  #hasWork(): boolean {
    if (this.#isStopped) return false;
    if (this.#leaving.size > 0) return true;
    return [...this.#partitions.values()].some(
      ({ published, committed, isStopped }) => !isStopped && (published === undefined || published < committed),
    );
  }

  #run(): Promise<void> {
    const publishAll = async (attempt: number): Promise<void> => {
      if (attempt > 1) await this.#resetAll();
      while (this.#hasWork()) {
        await this.#releaseLeavingPartitions();
        this.#resetUnlockedPartitions();
        await this.#readTopicEnds();
        await sleep((await this.#publish()) ? sendIntervalMs : lockRetryMs);
      }
    };
    const onRetry = (err: unknown): void =>
      this.#options.logger.warn({ event: 'publisher.publish_failed', err }, 'failed to publish events; retrying');
    return retry(publishAll, { firstDelayMs: retryDelayMs, maxDelayMs: retryDelayMs, onRetry });
  }

  async #releaseLeavingPartitions(): Promise<void> {
    for (const partition of this.#leaving) {
      if (!this.#partitions.has(partition)) await this.#locks.release(partition);
      this.#leaving.delete(partition);
    }
  }

  /** Another instance may have published while the lock was not held. */
  #resetUnlockedPartitions(): void {
    for (const partition of this.#partitions.values()) {
      if (!this.#locks.holds(partition.number)) partition.published = undefined;
    }
  }

  /** Only the topic knows whether a failed send arrived. */
  async #resetAll(): Promise<void> {
    for (const partition of this.#partitions.values()) partition.published = undefined;
    const writer = this.#writer;
    this.#writer = undefined;
    await writer?.close().catch(() => undefined);
  }

  async #readTopicEnds(): Promise<void> {
    const unread: PublishedPartition[] = [];
    for (const partition of this.#partitions.values()) {
      if (partition.isStopped || partition.published !== undefined) continue;
      if (await this.#locks.acquire(partition.number)) unread.push(partition);
    }
    if (unread.length === 0) return;
    const numbers = unread.map(({ number }) => number);
    const lastRecords = await readLastRecords(this.#options.kafka, topics.bookEvents, numbers);
    for (const partition of unread) {
      const record = lastRecords.get(partition.number);
      const last = record === undefined ? undefined : await this.#options.codec.decode(record);
      if (last === undefined || (await this.#isRecorded(partition.number, last)))
        partition.published = Number(last?.sequence ?? 0);
      else this.#stopPartition(partition, { published: Number(last.sequence) }, topicIsAhead);
    }
  }

  /** Compares the content too: a database that was set back may have reached the same number with other facts. */
  async #isRecorded(partition: number, last: BookEvent): Promise<boolean> {
    const sequence = Number(last.sequence);
    const [recorded] = await readEventsAfter(this.#options.database, partition, sequence - 1, 1);
    return recorded?.sequence === sequence && recorded.request_id === last.request_id && recorded.item === last.item;
  }

  /** Other partitions continue. */
  #stopPartition(partition: PublishedPartition, found: object, message: string): void {
    partition.isStopped = true;
    partition.pending = new UnpublishedEventBuffer();
    this.#options.logger.error(
      { event: 'publisher.partition_stopped', partition: partition.number, committed: partition.committed, ...found },
      message,
    );
  }

  /** Sends the next events of all partitions. False where there was nothing to send. */
  async #publish(): Promise<boolean> {
    const { kafka, codec } = this.#options;
    const sends: { readonly partition: PublishedPartition; readonly events: BookEvent<number>[] }[] = [];
    for (const partition of this.#partitions.values()) {
      const events = await this.#nextEvents(partition);
      if (events.length > 0) sends.push({ partition, events });
    }
    if (sends.length === 0) return false;
    const records = sends.flatMap(({ events }) => events.map((event) => outgoingRecord(codec, event)));
    this.#writer ??= await TopicWriter.open(kafka, { idempotent: true });
    const writer = this.#writer;
    await this.#locks.confirmHeld(sends.map(({ partition }) => partition.number));
    await writer.appendAll(records);
    for (const { partition, events } of sends) {
      // Undefined where the partition was reset meanwhile: its end is read again.
      if (partition.published !== undefined) partition.published = events.at(-1)?.sequence ?? partition.published;
    }
    return true;
  }

  async #nextEvents(partition: PublishedPartition): Promise<BookEvent<number>[]> {
    // Read before the query: events committed during it are beyond what is checked for gaps.
    const { number, published, committed, isStopped } = partition;
    if (isStopped || published === undefined || published >= committed) return [];
    const pending = partition.pending.takeAfter(published, maxEventsPerSend);
    if (pending.length > 0) return pending;
    const events = await readEventsAfter(this.#options.database, number, published, maxEventsPerSend);
    const gap = events.findIndex((event, index) => event.sequence !== published + 1 + index);
    const contiguous = gap === -1 ? events.length : gap;
    if (contiguous < Math.min(maxEventsPerSend, committed - published)) {
      this.#stopPartition(partition, { missing: published + 1 + contiguous }, factIsMissing);
      return [];
    }
    return events;
  }
}

function outgoingRecord(codec: BookEventCodec, event: BookEvent<number>): OutgoingRecord {
  return {
    topic: topics.bookEvents,
    partition: event.partition,
    key: bookKey(event.tenant_id, event.book_id),
    value: codec.encode(event),
  };
}
