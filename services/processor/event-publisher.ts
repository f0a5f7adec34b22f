/**
 * Publishes every fact once to lending.book-events, in the order of its partition (A8). The end of the topic shows
 * where to continue; events that are no longer in memory are read from Postgres.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#libs/database/database.ts';
import { partitionsHere } from '#libs/database/partitions.ts';
import { PublishingLocks } from '#libs/database/publishing-locks.ts';
import { countEventsWithin, isRecorded, readEventsAfter } from '#libs/database/read-events.ts';
import type { BookEvent, BookEventCodec } from '#libs/kafka/book-event.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { AppendNotConfirmedError, PartitionAppender, RecordsRefusedError } from '#libs/kafka/partition-appender.ts';
import { type CheckedEnd, readTopicEnds } from '#libs/kafka/topic-end.ts';
import { topics } from '#libs/kafka/topics.ts';
import { withTimeout } from '#libs/kafka/with-timeout.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { retry } from '#libs/runtime/retry.ts';
import { recordPublishSpans } from './batch-trace.ts';
import { DatabaseSetBackError, setBackRemedy } from './partition-ownership.ts';
import { type EventBatch, eventBatch, PublishedPartition } from './published-partition.ts';
import { measureStage } from './stage-times.ts';

export interface EventPublisherOptions {
  readonly kafka: KafkaClient;
  readonly codec: BookEventCodec;
  /** Of the cell. */
  readonly partitionCount: number;
  readonly database: Database;
  /** One connection of it is held as long as the process lives. */
  readonly lockDatabase: Database;
  readonly logger: Logger;
  /** The topic holds an event that the database does not. */
  readonly onDatabaseSetBack: (cause: DatabaseSetBackError) => void;
  /** After this time a topic that contradicts the database, or was not locked, is compared again: it may be repaired. */
  readonly recheckIntervalMs?: number;
}

const topicHasGap =
  'events are missing in the topic; its partition is not published until `lending topic repair` was run';
const unexpectedOffset = 'events were appended at another offset than expected; the end of the topic is read again';
const topicIsShorter =
  'the topic lost records at its end; its partition is not published until `lending topic repair --partition` was run for it';
const topicIsAhead = 'the topic is ahead of the database; its partition is not published';
const eventIsUnreadable = 'a committed event cannot be read or encoded; its partition is not published';
const factIsMissing = 'a committed fact is missing in the database; its partition is not published';
const eventIsRefused = 'Kafka refuses events; their partition is not published until it takes them';
const maxEventsPerSend = 1_000;
const retryDelayMs = 500;
/** Events are sent in groups: single sends would slow concurrent writes. */
const sendIntervalMs = 100;
const lockRetryMs = 200;
const defaultRecheckIntervalMs = 30_000;

export class EventPublisher {
  readonly #options: EventPublisherOptions;
  readonly #partitions = new Map<number, PublishedPartition>();
  /** Partitions that were assigned away; their locks are released when nothing is in flight. */
  readonly #leaving = new Set<number>();
  readonly #locks: PublishingLocks;
  readonly #recheckIntervalMs: number;
  #appender: PartitionAppender | undefined;
  /** A batch was given up unconfirmed: this producer would append the next one under the same sequence numbers. */
  #appenderIsStale = false;
  #running: Promise<void> | undefined;
  #isStopped = false;

  constructor(options: EventPublisherOptions) {
    this.#options = options;
    this.#recheckIntervalMs = options.recheckIntervalMs ?? defaultRecheckIntervalMs;
    this.#locks = new PublishingLocks(options.lockDatabase, 'bookEvents', () => this.#onLocksLost());
  }

  /** Committed events that are not in the topic yet. A stopped partition counts as at least one. */
  get unpublishedEvents(): number {
    return [...this.#partitions.values()].reduce((sum, { unpublishedEvents }) => sum + unpublishedEvents, 0);
  }

  /** By partition, the number of the first event that waits. Without stopped partitions and those of which no end is known. */
  get firstUnpublished(): Map<number, number> {
    const waiting = [...this.#partitions.values()].map(({ number, firstUnpublished }) => [number, firstUnpublished]);
    return new Map(waiting.filter((each): each is [number, number] => each[1] !== undefined));
  }

  /** Partitions of which it is not known how far they are published. */
  get unknownPartitions(): number {
    return [...this.#partitions.values()].filter(({ end, isStopped }) => end === undefined && !isStopped).length;
  }

  /** Partitions that are not published: the topic contradicts the database, Kafka refuses an event, or a committed one cannot be read. */
  get stoppedPartitions(): number {
    return [...this.#partitions.values()].filter(({ isStopped }) => isStopped).length;
  }

  /** Called with all partitions that are owned now. */
  assign(partitions: ReadonlyMap<number, { readonly nextEvent: number }>): void {
    for (const [partition, { nextEvent }] of partitions) {
      const committed = nextEvent - 1;
      const known = this.#partitions.get(partition);
      if (known === undefined) {
        this.#partitions.set(partition, new PublishedPartition(partition, committed, this.#options.partitionCount));
        continue;
      }
      if (committed < known.committed) {
        // The database was set back: the topic's end must be compared with it again.
        this.#forgetEnd(known);
        known.lastKnownEnd = undefined;
        known.forgetPending();
      }
      known.committed = committed;
    }
    for (const [number, partition] of this.#partitions) if (!partitions.has(number)) this.#leave(partition);
    this.#start();
  }

  #leave(partition: PublishedPartition): void {
    this.#forgetEnd(partition);
    this.#partitions.delete(partition.number);
    this.#leaving.add(partition.number);
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
    if (this.unpublishedEvents > 0) await withTimeout(this.#running ?? Promise.resolve(), timeoutMs);
    this.#isStopped = true;
    await this.#running;
    await this.#appender?.close();
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
    return [...this.#partitions.values()].some(({ hasWork }) => hasWork);
  }

  #run(): Promise<void> {
    const publishAll = async (attempt: number): Promise<void> => {
      if (attempt > 1) await this.#resetAll();
      while (this.#hasWork()) {
        await this.#releaseLeavingPartitions();
        this.#resetUnlockedPartitions();
        if (this.#appenderIsStale) await this.#resetAll();
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
      if (!this.#locks.holds(partition.number)) this.#forgetEnd(partition);
    }
  }

  /**
   * A repair that ended the session may have emptied a partition of which everything was published. It gets the lock
   * first.
   */
  #onLocksLost(): void {
    setTimeout(() => {
      this.#resetUnlockedPartitions();
      this.#start();
    }, this.#recheckIntervalMs).unref();
  }

  #forgetEnd(partition: PublishedPartition): void {
    if (partition.unconfirmed !== undefined) this.#appenderIsStale = true;
    partition.forgetEnd();
  }

  /** Only the topic knows whether an unconfirmed batch arrived. */
  async #resetAll(): Promise<void> {
    for (const partition of this.#partitions.values()) partition.forgetEnd();
    const appender = this.#appender;
    this.#appender = undefined;
    this.#appenderIsStale = false;
    await appender?.close().catch(() => undefined);
  }

  async #readTopicEnds(): Promise<void> {
    const unread: PublishedPartition[] = [];
    for (const partition of this.#partitions.values()) {
      if (partition.isPaused || partition.end !== undefined) continue;
      // Another owner may need the lock, as far as is known here.
      const waits = partition.isPublished;
      if (await this.#locks.acquire(partition.number, { waits })) unread.push(partition);
    }
    if (unread.length === 0) return;
    const known = new Map(unread.map(({ number, lastKnownEnd }) => [number, lastKnownEnd]));
    const { kafka, codec } = this.#options;
    const ends = await readTopicEnds({ kafka, codec, topic: topics.bookEvents }, known);
    for (const partition of unread) {
      const end = ends.get(partition.number);
      if (end !== undefined) await this.#continueFrom(partition, end);
    }
  }

  async #continueFrom(partition: PublishedPartition, found: CheckedEnd): Promise<void> {
    const { last, sequence, nextOffset, missing, replaced, isShorter } = found;
    const known = partition.lastKnownEnd;
    if (isShorter) this.#stopPartition(partition, { expected: known?.nextOffset, found: nextOffset }, topicIsShorter);
    else if (replaced !== undefined)
      this.#stopPartition(partition, { published: known?.sequence, replaced }, topicIsShorter);
    else if (last !== undefined && !(await isRecorded(this.#options.database, last))) {
      // Its new owner in another database publishes.
      if ((await partitionsHere(this.#options.database, [partition.number])).length === 0)
        return this.#leave(partition);
      this.#stopPartition(partition, { published: sequence }, topicIsAhead);
      const holds = `partition ${partition.number} of the topic holds event ${sequence}, which the database does not`;
      this.#options.onDatabaseSetBack(new DatabaseSetBackError(`${holds}: ${setBackRemedy}`));
    } else if (missing !== undefined) this.#stopPartition(partition, { missing }, topicHasGap);
    else partition.setEnd({ sequence, nextOffset });
  }

  /** Other partitions continue. */
  #stopPartition(partition: PublishedPartition, found: object, message: string): void {
    if (partition.unconfirmed !== undefined) this.#appenderIsStale = true;
    partition.stop();
    this.#options.logger.error(
      { event: 'publisher.partition_stopped', partition: partition.number, committed: partition.committed, ...found },
      message,
    );
    setTimeout(() => this.#recheck(partition), this.#recheckIntervalMs).unref();
  }

  #recheck(partition: PublishedPartition): void {
    if (this.#partitions.get(partition.number) !== partition) return;
    partition.recheck();
    this.#start();
  }

  /** Appends the next events of all partitions. False where there was nothing to append. */
  async #publish(): Promise<boolean> {
    const { kafka } = this.#options;
    const sends: { readonly partition: PublishedPartition; readonly batch: EventBatch }[] = [];
    for (const partition of this.#partitions.values()) {
      if (partition.unconfirmed === undefined) await this.#prepareBatch(partition);
      if (partition.unconfirmed !== undefined) sends.push({ partition, batch: partition.unconfirmed });
    }
    if (sends.length === 0) return false;
    this.#appender ??= await PartitionAppender.open(kafka, topics.bookEvents);
    const appender = this.#appender;
    await this.#locks.confirmHeld(sends.map(({ partition }) => partition.number));
    const appended = await Promise.allSettled(sends.map((send) => this.#append(appender, send)));
    const failed = appended.find((result) => result.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return true;
  }

  /** What can be neither read nor encoded, a damaged row for example, stops its own partition. */
  async #prepareBatch(partition: PublishedPartition): Promise<void> {
    try {
      const events = await this.#nextEvents(partition);
      if (events.length > 0) partition.unconfirmed = eventBatch(this.#options.codec, events);
    } catch (err) {
      if (err instanceof DependencyUnavailableError) throw err;
      this.#stopPartition(partition, { published: partition.end?.sequence, err }, eventIsUnreadable);
    }
  }

  /** A batch that is not confirmed is appended again in the next round. */
  async #append(
    appender: PartitionAppender,
    { partition, batch }: { readonly partition: PublishedPartition; readonly batch: EventBatch },
  ): Promise<void> {
    try {
      const firstOffset = await measureStage('publish', () => appender.append(partition.number, batch.messages));
      // Undefined where the partition was reset meanwhile: its end is read again.
      const { end } = partition;
      if (partition.unconfirmed !== batch || end === undefined) return;
      partition.unconfirmed = undefined;
      partition.failedAppends = 0;
      if (firstOffset === end.nextOffset) {
        const { traces, createdAt: from } = batch;
        recordPublishSpans(traces, { from, partition: partition.number, firstOffset });
        partition.resume();
        partition.setEnd({ sequence: batch.lastSequence, nextOffset: firstOffset + batch.messages.length });
        return;
      }
      this.#options.logger.warn(
        {
          event: 'publisher.unexpected_offset',
          partition: partition.number,
          expected: end.nextOffset,
          found: firstOffset,
        },
        unexpectedOffset,
      );
      partition.forgetEnd();
    } catch (err) {
      if (err instanceof RecordsRefusedError) {
        this.#stopPartition(partition, { published: partition.end?.sequence, err }, eventIsRefused);
        return;
      }
      if (!(err instanceof AppendNotConfirmedError)) throw err;
      partition.failedAppends += 1;
      if (partition.failedAppends > 1) return;
      this.#options.logger.warn(
        { event: 'publisher.append_not_confirmed', partition: partition.number, err },
        'Kafka did not confirm events; appending them again',
      );
    }
  }

  async #nextEvents(partition: PublishedPartition): Promise<BookEvent<number>[]> {
    // Read before the query: events committed during it are beyond what is checked for gaps.
    const { number, committed } = partition;
    const published = partition.end?.sequence;
    if (partition.isPaused || published === undefined) return [];
    if (published >= committed) {
      partition.resume();
      return [];
    }
    const pending = partition.pending.takeAfter(published, maxEventsPerSend);
    if (pending.length > 0) return pending;
    const { database } = this.#options;
    const bounds = { maxEvents: maxEventsPerSend, maxBytes: partition.maxReadBytes };
    const count = await countEventsWithin(database, number, published, bounds);
    const events = await readEventsAfter(database, number, published, count);
    const gap = events.findIndex((event, index) => event.sequence !== published + 1 + index);
    const contiguous = gap === -1 ? events.length : gap;
    if (contiguous < Math.min(count, committed - published)) {
      this.#stopPartition(partition, { missing: published + 1 + contiguous }, factIsMissing);
      return [];
    }
    return events;
  }
}
