/**
 * Publishes the movement of every fact once to lending.movements, in the order of its partition. The end of the topic
 * shows where to continue; facts are read from Postgres. Runs beside the processor and never in its way (decision 0079).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { DeciderFor } from '#libs/database/books.ts';
import type { Database } from '#libs/database/database.ts';
import { oldestUnpublishedSeconds } from '#libs/database/oldest-unpublished.ts';
import { readPartitionPositions } from '#libs/database/partitions.ts';
import { PublishingLocks } from '#libs/database/publishing-locks.ts';
import { isRecorded, type PartitionFact, readFactsAfter } from '#libs/database/read-events.ts';
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import type { MovementCodec } from '#libs/kafka/movement.ts';
import { AppendNotConfirmedError, PartitionAppender } from '#libs/kafka/partition-appender.ts';
import { type CheckedEnd, readTopicEnds, type TopicEnd } from '#libs/kafka/topic-end.ts';
import { topics } from '#libs/kafka/topics.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { type MovementBookLimits, MovementBooks } from './movement-books.ts';

export interface MovementFollowerOptions {
  readonly kafka: KafkaClient;
  readonly codec: MovementCodec;
  readonly database: Database;
  /** One connection of it is held as long as the process lives. */
  readonly lockDatabase: Database;
  readonly deciderFor: DeciderFor;
  readonly logger: Logger;
  readonly bookLimits: MovementBookLimits;
  /** How many facts of a partition are read at once. */
  readonly maxFacts?: number;
  /** Of the encoded movements that are appended at once; one larger movement is appended alone. */
  readonly maxBatchBytes?: number;
  /** After this time a stopped partition is tried again. */
  readonly recheckIntervalMs?: number;
  /** Called after each round and each pause in it, except where it has no partition. */
  readonly onRound?: (state: FollowerState) => void;
  /** In which share of the time movements are published: nothing else must wait for them. */
  readonly timeShare?: () => number;
}

export interface FollowerState {
  /** Committed facts of the owned partitions whose movements are not in the topic, as far as its end was ever known. */
  readonly behind: number;
  /** Owned partitions that cannot be continued. */
  readonly stoppedPartitions: number;
  /** Owned partitions of which it is not known how far they are published. */
  readonly unknownPartitions: number;
  /** Time since the oldest fact was recorded whose movement waits, as far as the end was ever known. Without stopped partitions. */
  readonly oldestSeconds: number;
}

interface Batch {
  readonly messages: readonly { readonly key: string; readonly value: Buffer }[];
  readonly lastSequence: number;
  /** Why the movement after the last one could not be computed. */
  readonly failure?: unknown;
}

interface FollowedPartition {
  /** As it was read a while ago: events are published first, so that what a database loses has no movement yet. */
  committed: number;
  /** What was read last, and when, by `performance.now()`. */
  seen: { readonly committed: number; readonly at: number } | undefined;
  /** Undefined until the lock is held and the topic was read. */
  end: TopicEnd | undefined;
  /** The last end that was known, also when it must be read again. */
  lastKnownEnd: TopicEnd | undefined;
  /** Appended, but perhaps not confirmed: nothing else may be appended before it. */
  unconfirmed: Batch | undefined;
  /** When it is tried again, by `performance.now()`. */
  stoppedUntil: number | undefined;
}

const pollIntervalMs = 500;
/** So old is what is published: several times what the event of a fact takes to reach its topic. */
const settleMs = 1_500;
const retryDelayMs = 1_000;
const defaultRecheckIntervalMs = 30_000;
const defaultMaxFacts = 300;
/** How long one partition is computed before the next: a long book with many back-dated facts must not hold up the others. */
const maxComputeMs = 1_000;
/** A rebuild that claims the partitions waits five seconds for them. */
const maxPauseMs = 3_000;
const maxFactBytes = 4 * 1024 * 1024;
const defaultMaxBatchBytes = 4 * 1024 * 1024;
const topicIsAhead = 'the topic of movements is ahead of the database; its partition is not continued';
const factIsMissing = 'a committed fact is missing in the database; its movements are not continued';
const notComputable = 'a movement could not be computed; its partition is not continued';
const notAccepted = 'Kafka refused movements; their partition is not continued';
const topicHasGap =
  'movements are missing in the topic; its partition is not continued until `lending rebuild --movements` was run';
const topicIsShorter =
  'the topic of movements lost records at its end; its partition is not continued until `lending rebuild --movements` was run';

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
  /** When it was read last, by `performance.now()`: it grows until the next round that succeeds. */
  #oldest = { seconds: 0, readAt: performance.now() };
  readonly #running: Promise<void>;

  constructor(options: MovementFollowerOptions) {
    this.#options = options;
    this.#locks = new PublishingLocks(options.lockDatabase, 'movements');
    this.#books = new MovementBooks(options.database, options.deciderFor, options.bookLimits);
    this.#running = this.#run();
  }

  get state(): FollowerState {
    let [behind, stoppedPartitions, unknownPartitions] = [0, 0, 0];
    for (const { committed, end, lastKnownEnd, stoppedUntil } of this.#partitions.values()) {
      behind += Math.max(committed - (lastKnownEnd?.sequence ?? committed), 0);
      if (stoppedUntil !== undefined) stoppedPartitions += 1;
      else if (end === undefined) unknownPartitions += 1;
    }
    const { seconds, readAt } = this.#oldest;
    const oldestSeconds = this.#firstUnpublished().size === 0 ? 0 : seconds + (performance.now() - readAt) / 1_000;
    return { behind, stoppedPartitions, unknownPartitions, oldestSeconds };
  }

  /** By partition, the number of the first fact that waits. Without stopped partitions and those of which no end is known. */
  #firstUnpublished(): Map<number, number> {
    const first = new Map<number, number>();
    for (const [number, { committed, lastKnownEnd, stoppedUntil }] of this.#partitions) {
      if (stoppedUntil !== undefined || lastKnownEnd === undefined || lastKnownEnd.sequence >= committed) continue;
      first.set(number, lastKnownEnd.sequence + 1);
    }
    return first;
  }

  /** Called with all partitions that are owned now. */
  assign(partitions: readonly number[]): void {
    for (const partition of partitions) {
      this.#leaving.delete(partition);
      if (this.#partitions.has(partition)) continue;
      this.#partitions.set(partition, {
        committed: 0,
        seen: undefined,
        end: undefined,
        lastKnownEnd: undefined,
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
      // Without a partition there is nothing to report: before the first assignment, all partitions are unknown.
      if (this.#partitions.size > 0) this.#options.onRound?.(this.state);
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
    }
  }

  /** The next facts of each partition. Whether there are more. What is committed meanwhile waits: few appends take many. */
  async #round(): Promise<boolean> {
    if (this.#appenderIsStale) await this.#reset();
    for (const partition of this.#leaving) {
      this.#leaving.delete(partition);
      await this.#locks.release(partition);
    }
    if (await this.#hasGivenWay()) return false;
    await this.#readCommitted();
    await this.#readTopicEnds();
    let hasMore = false;
    for (const [number, partition] of this.#partitions) {
      if (this.#stop.signal.aborted) break;
      // The partitions before it may have taken longer than a rebuild waits.
      if (hasMovements(partition) && (await this.#hasGivenWay())) return false;
      const from = performance.now();
      const hasAppended = await this.#publish(number, partition);
      if (hasAppended && hasMovements(partition)) hasMore = true;
      if (hasAppended) await this.#pauseAfter(performance.now() - from);
    }
    const seconds = await oldestUnpublishedSeconds(this.#options.database, this.#firstUnpublished());
    this.#oldest = { seconds, readAt: performance.now() };
    return hasMore;
  }

  async #pauseAfter(workedMs: number): Promise<void> {
    const share = this.#options.timeShare?.() ?? 1;
    if (share === 1) return;
    const pauseMs = Math.min(workedMs * (1 / share - 1), maxPauseMs);
    await sleep(pauseMs, undefined, { signal: this.#stop.signal }).catch(() => undefined);
    // A round takes too long now to be reported at its end alone.
    this.#options.onRound?.(this.state);
  }

  /** Between two appends: a rebuild that ended this session might remove records while one is under way. */
  async #hasGivenWay(): Promise<boolean> {
    if (!(await this.#locks.isClaimed())) return false;
    for (const [number, partition] of this.#partitions) {
      this.#forgetEnd(partition);
      await this.#locks.release(number);
    }
    return true;
  }

  async #readCommitted(): Promise<void> {
    const positions = await readPartitionPositions(this.#options.database, [...this.#partitions.keys()]);
    for (const [number, { nextEvent }] of positions) {
      const partition = this.#partitions.get(number);
      if (partition === undefined) continue;
      if (nextEvent - 1 < partition.committed) {
        // A database that was set back: the topic's end must be compared with it again.
        this.#forgetEnd(partition);
        partition.lastKnownEnd = undefined;
        partition.seen = undefined;
        partition.committed = nextEvent - 1;
      }
      const now = performance.now();
      if (partition.seen !== undefined && now < partition.seen.at + settleMs) continue;
      partition.committed = partition.seen?.committed ?? 0;
      partition.seen = { committed: nextEvent - 1, at: now };
    }
  }

  async #readTopicEnds(): Promise<void> {
    const unread = new Map<number, TopicEnd | undefined>();
    for (const [number, partition] of this.#partitions) {
      // Another instance may have published while the lock was not held.
      if (!this.#locks.holds(number)) this.#forgetEnd(partition);
      if (partition.stoppedUntil !== undefined && performance.now() < partition.stoppedUntil) continue;
      partition.stoppedUntil = undefined;
      if (partition.end !== undefined || !(await this.#locks.acquire(number))) continue;
      unread.set(number, partition.lastKnownEnd);
    }
    if (unread.size === 0) return;
    const { kafka, codec } = this.#options;
    const ends = await readTopicEnds({ kafka, codec, topic: topics.movements }, unread);
    for (const [number, end] of ends) await this.#continueFrom(number, end);
  }

  async #continueFrom(number: number, found: CheckedEnd): Promise<void> {
    const partition = this.#partitions.get(number);
    if (partition === undefined) return;
    const { last, sequence, nextOffset, missing, replaced, isShorter } = found;
    const known = partition.lastKnownEnd;
    const stop = (what: object, message: string) => this.#stopPartition(number, partition, what, message);
    if (isShorter) stop({ expected: known?.nextOffset, found: nextOffset }, topicIsShorter);
    else if (replaced !== undefined) stop({ published: known?.sequence, replaced }, topicIsShorter);
    else if (last !== undefined && !(await isRecorded(this.#options.database, last)))
      stop({ published: sequence }, topicIsAhead);
    else if (missing !== undefined) stop({ missing }, topicHasGap);
    else this.#setEnd(partition, { sequence, nextOffset });
  }

  #setEnd(partition: FollowedPartition, end: TopicEnd): void {
    partition.end = end;
    partition.lastKnownEnd = end;
  }

  /** False where nothing was appended. */
  async #publish(number: number, partition: FollowedPartition): Promise<boolean> {
    if (partition.end === undefined || partition.stoppedUntil !== undefined) return false;
    if (partition.unconfirmed !== undefined) return this.#append(number, partition, partition.unconfirmed);
    const facts = await this.#nextFacts(number, partition, partition.end.sequence);
    for await (const batch of this.#batches(facts)) {
      const { messages, lastSequence, failure } = batch;
      if (messages.length > 0 && !(await this.#append(number, partition, batch))) return false;
      if (failure === undefined) continue;
      if (failure instanceof DependencyUnavailableError) throw failure;
      this.#stopPartition(number, partition, { event_number: lastSequence + 1, err: failure }, notComputable);
      return false;
    }
    return facts.length > 0;
  }

  /** Empty where there is nothing to publish. */
  async #nextFacts(number: number, partition: FollowedPartition, published: number): Promise<PartitionFact[]> {
    const { committed } = partition;
    if (published >= committed) return [];
    const { database, maxFacts = defaultMaxFacts } = this.#options;
    // None that was committed since: a database that is set back by a failover may lose it.
    const maxEvents = Math.min(maxFacts, committed - published);
    const facts = await readFactsAfter(database, number, published, { maxEvents, maxBytes: maxFactBytes });
    const gap = facts.findIndex(({ event_number }, index) => event_number !== published + 1 + index);
    const contiguous = gap === -1 ? facts : facts.slice(0, gap);
    if (contiguous.length === 0) this.#stopPartition(number, partition, { missing: published + 1 }, factIsMissing);
    return contiguous;
  }

  /**
   * The movements of these facts, as many as are computed in time. The last batch holds those before the one that could not
   * be computed, and may be empty.
   */
  async *#batches(facts: readonly PartitionFact[]): AsyncGenerator<Batch> {
    const { codec, maxBatchBytes = defaultMaxBatchBytes } = this.#options;
    let messages: Batch['messages'][number][] = [];
    let bytes = 0;
    const until = performance.now() + maxComputeMs;
    let lastSequence = (facts[0]?.event_number ?? 1) - 1;
    try {
      for await (const record of this.#books.movements(facts)) {
        const message = { key: bookKey(record.tenant_id, record.book_id), value: codec.encode(record) };
        if (messages.length > 0 && bytes + message.value.length > maxBatchBytes) {
          yield { messages, lastSequence };
          messages = [];
          bytes = 0;
        }
        messages.push(message);
        bytes += message.value.length;
        lastSequence = record.sequence;
        if (performance.now() > until) break;
      }
      yield { messages, lastSequence };
    } catch (failure) {
      this.#books.forgetAll();
      yield { messages, lastSequence, failure };
    }
  }

  /** False where the next batch must wait. A batch that is not confirmed is appended again in the next round. */
  async #append(number: number, partition: FollowedPartition, batch: Batch): Promise<boolean> {
    this.#appender ??= await PartitionAppender.open(this.#options.kafka, topics.movements);
    await this.#locks.confirmHeld([number]);
    const { end } = partition;
    if (end === undefined) return false;
    partition.unconfirmed = batch;
    try {
      const firstOffset = await this.#appender.append(number, batch.messages);
      // Assigned away meanwhile.
      if (partition.unconfirmed !== batch) return false;
      partition.unconfirmed = undefined;
      if (firstOffset === end.nextOffset) {
        this.#setEnd(partition, {
          sequence: batch.lastSequence,
          nextOffset: firstOffset + batch.messages.length,
        });
        return true;
      }
      this.#options.logger.warn(
        { event: 'movements.unexpected_offset', partition: number, expected: end.nextOffset, found: firstOffset },
        'movements were appended at another offset than expected; the end of the topic is read again',
      );
      this.#forgetEnd(partition);
    } catch (err) {
      if (partition.unconfirmed !== batch) return false;
      if (!(err instanceof AppendNotConfirmedError)) {
        this.#stopPartition(number, partition, { event_number: end.sequence + 1, err }, notAccepted);
        return false;
      }
      this.#options.logger.warn(
        { event: 'movements.append_not_confirmed', partition: number, err },
        'Kafka did not confirm movements; appending them again',
      );
    }
    return false;
  }

  #stopPartition(number: number, partition: FollowedPartition, found: object, message: string): void {
    this.#forgetEnd(partition);
    partition.stoppedUntil = performance.now() + (this.#options.recheckIntervalMs ?? defaultRecheckIntervalMs);
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

/** That can be published now. */
function hasMovements({ committed, end, stoppedUntil }: FollowedPartition): boolean {
  return end !== undefined && stoppedUntil === undefined && end.sequence < committed;
}
