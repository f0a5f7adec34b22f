/**
 * Publishes the movement of every fact once to lending.movements, in the order of its partition. The end of the topic
 * shows where to continue; facts are read from Postgres. Runs beside the processor and never in its way (decision 0079).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeciderFor } from '#libs/database/books.ts';
import type { Database } from '#libs/database/database.ts';
import { readPartitionPositions } from '#libs/database/partitions.ts';
import { PublishingLocks } from '#libs/database/publishing-locks.ts';
import { isRecorded, readFactsAfter } from '#libs/database/read-events.ts';
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import { highestRecord } from '#libs/kafka/highest-record.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import type { MovementCodec, MovementRecord } from '#libs/kafka/movement.ts';
import { AppendNotConfirmedError, PartitionAppender } from '#libs/kafka/partition-appender.ts';
import { readTopicTails, type TopicTail } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { MovementBooks } from './movement-books.ts';

export interface MovementFollowerOptions {
  readonly kafka: KafkaClient;
  readonly codec: MovementCodec;
  readonly database: Database;
  /** One connection of it is held as long as the process lives. */
  readonly lockDatabase: Database;
  readonly deciderFor: DeciderFor;
  readonly logger: Logger;
  readonly maxCachedBytes: number;
  /** How many facts are published at once. */
  readonly maxFacts?: number;
  /** Called after each round. */
  readonly onRound?: (state: FollowerState) => void;
}

export interface FollowerState {
  /** Committed facts of the owned partitions whose movements are not in the topic, as far as its end was ever known. */
  readonly behind: number;
  /** Owned partitions that cannot be continued. */
  readonly stoppedPartitions: number;
}

interface Batch {
  readonly messages: readonly { readonly key: string; readonly value: Buffer }[];
  readonly lastSequence: number;
}

interface FollowedPartition {
  committed: number;
  /** Undefined until the lock is held and the topic was read. */
  end: { readonly sequence: number; readonly nextOffset: number } | undefined;
  lastKnown: number | undefined;
  /** Appended, but perhaps not confirmed: nothing else may be appended before it. */
  unconfirmed: Batch | undefined;
  /** When it is tried again, by `performance.now()`. */
  stoppedUntil: number | undefined;
}

const pollIntervalMs = 500;
const retryDelayMs = 1_000;
const recheckIntervalMs = 30_000;
const defaultMaxFacts = 300;
const maxFactBytes = 4 * 1024 * 1024;
/** How many records are read at the end of a partition. A former owner may have repeated some as the last ones. */
const lastRecords = 100;
const topicIsAhead = 'the topic of movements is ahead of the database; its partition is not continued';
const factIsMissing = 'a committed fact is missing in the database; its movements are not continued';
const notComputable = 'a movement could not be computed; its partition is not continued';

export class MovementFollower {
  readonly #options: MovementFollowerOptions;
  readonly #locks: PublishingLocks;
  readonly #books: MovementBooks;
  readonly #partitions = new Map<number, FollowedPartition>();
  /** Partitions that were assigned away; their locks are released before the next round. */
  readonly #leaving = new Set<number>();
  readonly #stop = new AbortController();
  #appender: PartitionAppender | undefined;
  /** A batch was given up unconfirmed: this producer would append the next one under the same sequence numbers. */
  #appenderIsStale = false;
  readonly #running: Promise<void>;

  constructor(options: MovementFollowerOptions) {
    this.#options = options;
    this.#locks = new PublishingLocks(options.lockDatabase, 'movements');
    this.#books = new MovementBooks(options.database, options.deciderFor, options.maxCachedBytes);
    this.#running = this.#run();
  }

  get state(): FollowerState {
    let [behind, stoppedPartitions] = [0, 0];
    for (const { committed, lastKnown, stoppedUntil } of this.#partitions.values()) {
      behind += Math.max(committed - (lastKnown ?? committed), 0);
      if (stoppedUntil !== undefined) stoppedPartitions += 1;
    }
    return { behind, stoppedPartitions };
  }

  /** Called with all partitions that are owned now. */
  assign(partitions: readonly number[]): void {
    for (const partition of partitions) {
      this.#leaving.delete(partition);
      if (this.#partitions.has(partition)) continue;
      this.#partitions.set(partition, {
        committed: 0,
        end: undefined,
        lastKnown: undefined,
        unconfirmed: undefined,
        stoppedUntil: undefined,
      });
    }
    for (const [number, partition] of this.#partitions) {
      if (partitions.includes(number)) continue;
      this.#forgetEnd(partition);
      this.#partitions.delete(number);
      this.#leaving.add(number);
    }
  }

  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#running;
    await this.#appender?.close();
    this.#locks.close();
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      let pauseMs = 0;
      try {
        if (!(await this.#round())) pauseMs = pollIntervalMs;
      } catch (err) {
        this.#options.logger.warn({ event: 'movements.publish_failed', err }, 'failed to publish movements; retrying');
        await this.#reset();
        pauseMs = retryDelayMs;
      }
      this.#options.onRound?.(this.state);
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** One batch of each partition. False where there was nothing to append. */
  async #round(): Promise<boolean> {
    if (this.#appenderIsStale) await this.#reset();
    for (const partition of this.#leaving) {
      this.#leaving.delete(partition);
      await this.#locks.release(partition);
    }
    await this.#readCommitted();
    await this.#readTopicEnds();
    let hasAppended = false;
    for (const [number, partition] of this.#partitions) {
      if (this.#stop.signal.aborted) break;
      if (await this.#publish(number, partition)) hasAppended = true;
    }
    return hasAppended;
  }

  async #readCommitted(): Promise<void> {
    const positions = await readPartitionPositions(this.#options.database, [...this.#partitions.keys()]);
    for (const [number, { nextEvent }] of positions) {
      const partition = this.#partitions.get(number);
      if (partition === undefined) continue;
      // A database that was set back: the topic's end must be compared with it again.
      if (nextEvent - 1 < partition.committed) this.#forgetEnd(partition);
      partition.committed = nextEvent - 1;
    }
  }

  async #readTopicEnds(): Promise<void> {
    const unread: number[] = [];
    for (const [number, partition] of this.#partitions) {
      // Another instance may have published while the lock was not held.
      if (!this.#locks.holds(number)) this.#forgetEnd(partition);
      if (partition.stoppedUntil !== undefined && performance.now() < partition.stoppedUntil) continue;
      partition.stoppedUntil = undefined;
      if (partition.end === undefined && (await this.#locks.acquire(number))) unread.push(number);
    }
    if (unread.length === 0) return;
    const { kafka } = this.#options;
    const tails = await readTopicTails(kafka, topics.movements, unread, (_, { high }) => high - lastRecords);
    for (const [number, tail] of tails) await this.#checkEnd(number, tail);
  }

  async #checkEnd(number: number, { records, nextOffset }: TopicTail): Promise<void> {
    const partition = this.#partitions.get(number);
    if (partition === undefined) return;
    const { codec, database } = this.#options;
    const last = await highestRecord(codec, records);
    const sequence = Number(last?.sequence ?? 0);
    if (last !== undefined && !(await isRecorded(database, last))) {
      this.#stopPartition(number, partition, { published: sequence }, topicIsAhead);
      return;
    }
    partition.end = { sequence, nextOffset };
    partition.lastKnown = sequence;
  }

  async #publish(number: number, partition: FollowedPartition): Promise<boolean> {
    if (partition.end === undefined || partition.stoppedUntil !== undefined) return false;
    partition.unconfirmed ??= await this.#nextBatch(number, partition, partition.end.sequence);
    const batch = partition.unconfirmed;
    if (batch === undefined) return false;
    this.#appender ??= await PartitionAppender.open(this.#options.kafka, topics.movements);
    await this.#locks.confirmHeld([number]);
    try {
      const firstOffset = await this.#appender.append(number, batch.messages);
      partition.unconfirmed = undefined;
      if (firstOffset === partition.end.nextOffset) {
        partition.end = { sequence: batch.lastSequence, nextOffset: firstOffset + batch.messages.length };
        partition.lastKnown = batch.lastSequence;
        return true;
      }
      this.#options.logger.warn(
        {
          event: 'movements.unexpected_offset',
          partition: number,
          expected: partition.end.nextOffset,
          found: firstOffset,
        },
        'movements were appended at another offset than expected; the end of the topic is read again',
      );
      this.#forgetEnd(partition);
      return true;
    } catch (err) {
      if (!(err instanceof AppendNotConfirmedError)) throw err;
      this.#options.logger.warn(
        { event: 'movements.append_not_confirmed', partition: number, err },
        'Kafka did not confirm movements; appending them again',
      );
      return false;
    }
  }

  /** Undefined where there is nothing to publish. */
  async #nextBatch(number: number, partition: FollowedPartition, published: number): Promise<Batch | undefined> {
    // Read before the query: facts committed during it are beyond what is checked for gaps.
    const { committed } = partition;
    if (published >= committed) return undefined;
    const { codec, database, maxFacts = defaultMaxFacts } = this.#options;
    const facts = await readFactsAfter(database, number, published, { maxEvents: maxFacts, maxBytes: maxFactBytes });
    const gap = facts.findIndex(({ event_number }, index) => event_number !== published + 1 + index);
    const contiguous = gap === -1 ? facts : facts.slice(0, gap);
    const last = contiguous.at(-1);
    if (last === undefined) {
      this.#stopPartition(number, partition, { missing: published + 1 }, factIsMissing);
      return undefined;
    }
    const records = await this.#compute(number, partition, contiguous);
    if (records === undefined) return undefined;
    const messages = records.map((record) => ({
      key: bookKey(record.tenant_id, record.book_id),
      value: codec.encode(record),
    }));
    return { messages, lastSequence: last.event_number };
  }

  /** Undefined where a book cannot be folded. Other partitions continue. */
  async #compute(
    number: number,
    partition: FollowedPartition,
    facts: Parameters<MovementBooks['movementsOf']>[0],
  ): Promise<MovementRecord<number>[] | undefined> {
    try {
      return await this.#books.movementsOf(facts);
    } catch (err) {
      this.#books.forgetAll();
      if (err instanceof DependencyUnavailableError) throw err;
      const between = { first: facts[0]?.event_number, last: facts.at(-1)?.event_number };
      this.#stopPartition(number, partition, { ...between, err }, notComputable);
      return undefined;
    }
  }

  #stopPartition(number: number, partition: FollowedPartition, found: object, message: string): void {
    this.#forgetEnd(partition);
    partition.stoppedUntil = performance.now() + recheckIntervalMs;
    const { committed } = partition;
    this.#options.logger.error(
      { event: 'movements.partition_stopped', partition: number, committed, ...found },
      message,
    );
  }

  /** The end of the topic must be read before anything is appended. */
  #forgetEnd(partition: FollowedPartition): void {
    if (partition.unconfirmed !== undefined) this.#appenderIsStale = true;
    partition.unconfirmed = undefined;
    if (partition.end === undefined) return;
    partition.end = undefined;
    this.#books.forgetAll();
  }

  /** Only the topic knows whether an unconfirmed batch arrived. */
  async #reset(): Promise<void> {
    for (const partition of this.#partitions.values()) this.#forgetEnd(partition);
    this.#appenderIsStale = false;
    const appender = this.#appender;
    this.#appender = undefined;
    await appender?.close().catch(() => undefined);
  }
}
