/**
 * Processes the submissions of the partitions this instance owns. One batch is committed at a time; what arrives
 * meanwhile forms the next batch, which is decided ahead where it does not depend on the commit.
 */
import type { Moment } from '#libs/calendar/moment.ts';
import type { DeciderFor, LoadedBook } from '#libs/database/books.ts';
import { type CommitResult, type CommittedResult, commitBatch } from '#libs/database/commit-batch.ts';
import type { CommitRows } from '#libs/database/commit-row-types.ts';
import type { Database } from '#libs/database/database.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import type { PartitionPosition } from '#libs/database/partitions.ts';
import { findReferencesInCell, reserveReferences } from '#libs/database/reserved-references.ts';
import type { SubmissionCodec } from '#libs/kafka/submission-record.ts';
import type { TopicRecord } from '#libs/kafka/topic-consumer.ts';
import type { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { retry } from '#libs/runtime/retry.ts';
import { BatchDecider } from './batch-decider.ts';
import { BatchQueue } from './batch-queue.ts';
import { recordBatchSpans } from './batch-trace.ts';
import { BookCache } from './book-cache.ts';
import type { SnapshotWriter } from './book-snapshot-writer.ts';
import { toBookEvents } from './commit-rows.ts';
import { Deduplicator } from './deduplicator.ts';
import type { EventPublisher } from './event-publisher.ts';
import { markFailures } from './failure-isolation.ts';
import { type DecidedBatch, InFlightBatch } from './in-flight-batch.ts';
import type { LogEntry } from './log-entry.ts';
import { logParked, publishParkedRecords } from './park-submissions.ts';
import { DatabaseSetBackError, PartitionOwnership } from './partition-ownership.ts';
import type { BookMemoryLimits } from './plan-book-loading.ts';
import { measureStage } from './stage-times.ts';
import { renderAnswers, type VerdictPublisher } from './verdict-publisher.ts';

export interface ProcessorOptions {
  readonly instanceName: string;
  readonly deciderFor: DeciderFor;
  /** That of the partitions. */
  readonly database: Database;
  /** All of the cell, where it has several. */
  readonly databases?: PartitionDatabases;
  readonly codec: SubmissionCodec;
  readonly verdictPublisher: VerdictPublisher;
  readonly snapshotWriter: SnapshotWriter;
  readonly eventPublisher: EventPublisher;
  readonly parkedTopic: TopicWriter;
  readonly logger: Logger;
  /** Of all cached books together. */
  readonly maxCachedBytes: number;
  readonly bookLimits: BookMemoryLimits;
  /** The database no longer holds what was committed. The processor has stopped and must not be restarted blindly. */
  readonly onDataLoss: (cause: Error) => void;
  /** Another instance took over partitions that the group may still assign to this one. */
  readonly onFenced?: () => void;
  readonly onCommitted?: (batch: CommittedBatch) => void;
  readonly nowMicros?: () => number;
}

export interface CommittedBatch {
  readonly submissions: number;
  readonly facts: number;
  readonly parked: number;
  readonly wasDecidedAhead: boolean;
}

type BatchResult = CommitResult | { readonly outcome: 'reference_unreachable' };

interface BatchAhead {
  /** As the queue holds them. */
  readonly entries: readonly LogEntry[];
  readonly batch: DecidedBatch;
}

const commitRetry = { firstDelayMs: 20, maxDelayMs: 1_000 };

export class Processor {
  readonly #options: ProcessorOptions;
  readonly #ownership: PartitionOwnership;
  readonly #cache: BookCache;
  readonly #deduplicator: Deduplicator;
  readonly #decider: BatchDecider;
  readonly #queue: BatchQueue;
  readonly #databases: PartitionDatabases;
  /** Records that were copied to the topic of parked records. */
  readonly #copied = new WeakSet<TopicRecord>();
  /** The first batch of the queue, decided while the batch before it was committed. */
  #decidedAhead: BatchAhead | undefined;
  #running: Promise<void> | undefined;
  #takeover: Promise<unknown> = Promise.resolve();
  /** Rises with every assignment. Batches that were collected under an earlier one are dropped. */
  #assignment = 0;
  #isStopped = false;

  constructor(options: ProcessorOptions) {
    const { database, codec, deciderFor, logger } = options;
    const databases = options.databases ?? PartitionDatabases.of(database);
    this.#options = options;
    this.#databases = databases;
    this.#ownership = new PartitionOwnership(database, options.instanceName, () => databases.hasSeveral);
    this.#cache = new BookCache({
      database,
      deciderFor,
      maxBytes: options.maxCachedBytes,
      limits: options.bookLimits,
    });
    this.#deduplicator = new Deduplicator(database);
    this.#queue = new BatchQueue(codec, logger);
    this.#decider = new BatchDecider({
      database,
      findReferences: (names) =>
        findReferencesInCell(databases, names, {
          own: database,
          onUnreachable: (unreachable) => this.#decider.contendReferences(unreachable),
        }),
      codec,
      deciderFor,
      ownership: this.#ownership,
      deduplicator: this.#deduplicator,
      books: this.#cache,
      now: () => this.#now(),
    });
  }

  /** Up to which offsets of the topic the group has processed its partitions: the database must not be behind them. */
  learnProcessed(offsets: ReadonlyMap<number, number>): void {
    this.#ownership.learnProcessed(offsets);
  }

  /** The next position of every owned partition. */
  get offsets(): Map<number, number> {
    return new Map([...this.#ownership.partitions].map(([partition, { nextOffset }]) => [partition, nextOffset]));
  }

  get partitions(): ReadonlyMap<number, PartitionPosition> {
    return this.#ownership.partitions;
  }

  cachedBook(key: string): LoadedBook<unknown> | undefined {
    return this.#cache.peek(key);
  }

  /** The same as offsets in the present topic. */
  get topicOffsets(): Map<number, number> {
    const { partitions } = this.#ownership;
    return new Map([...partitions].map(([partition, { nextOffset, logStart }]) => [partition, nextOffset - logStart]));
  }

  /**
   * Called at every assignment, in their order: raises the epochs and answers from which offsets of the topic to read.
   */
  takeOver(partitions: readonly number[]): Promise<Map<number, number>> {
    this.#assignment += 1;
    const taken = this.#takeover.then(() => this.#takeOver(partitions));
    this.#takeover = taken.catch(() => undefined);
    return taken;
  }

  async #takeOver(partitions: readonly number[]): Promise<Map<number, number>> {
    this.#dropUncommitted();
    await this.#running;
    this.#dropUncommitted();
    const unchanged = await this.#unlessSetBack(() => this.#ownership.takeOver(partitions));
    if (unchanged === undefined) return new Map();
    this.#cache.keepPartitions(unchanged);
    this.#options.eventPublisher.assign(this.#ownership.partitions);
    return this.topicOffsets;
  }

  /** Settles when the consumer may deliver more: after the batch of these records has been sent to the database. */
  deliver(partition: number, records: readonly TopicRecord[]): Promise<void> {
    this.#queue.add(partition, this.#withPositions(partition, records));
    this.#start();
    return this.#queue.untilResumed();
  }

  #withPositions(partition: number, records: readonly TopicRecord[]): readonly TopicRecord[] {
    const logStart = this.#ownership.partitions.get(partition)?.logStart ?? 0;
    return logStart === 0 ? records : records.map((record) => ({ ...record, offset: record.offset + logStart }));
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#dropUncommitted();
    await this.#running;
  }

  #start(): void {
    if (this.#isStopped || this.#running !== undefined || this.#queue.isEmpty) return;
    this.#running = this.#run().finally(() => {
      this.#running = undefined;
      this.#start();
    });
  }

  async #run(): Promise<void> {
    // Partitions delivered in the same turn of the event loop share a transaction.
    await undefined;
    while (!this.#isStopped) {
      const batch = await this.#queue.peek();
      if (batch === undefined || this.#isStopped) break;
      this.#queue.removeFirst();
      await this.#process(batch);
    }
    this.#queue.resumeConsumer();
  }

  /** Retries while the partitions are owned: an environment failure never becomes a refusal (A9). */
  async #process(entries: readonly LogEntry[]): Promise<void> {
    const assignment = this.#assignment;
    let rest = entries;
    const processRest = async (attempt: number): Promise<void> => {
      if (attempt > 1) rest = await this.#unprocessed(rest).catch(() => rest);
      while (rest.length > 0 && assignment === this.#assignment) {
        rest = await this.#commitOnce(rest).catch((cause) => this.#isolateFailure(rest, cause, assignment));
      }
    };
    const onRetry = (err: unknown): void => {
      const fields = { event: 'processor.commit_failed', err, records: rest.length } as const;
      this.#options.logger.warn(fields, 'failed to commit a batch; retrying');
    };
    await retry(processRest, { ...commitRetry, isRetryable: () => !this.#isStopped, onRetry }).catch((cause) => {
      if (!this.#isStopped) throw cause;
    });
  }

  /** Where an entry makes the batch fail: what is left to process. Rethrows a failure after which all is tried again. */
  async #isolateFailure(
    entries: readonly LogEntry[],
    cause: unknown,
    assignment: number,
  ): Promise<readonly LogEntry[]> {
    const { database, logger } = this.#options;
    const [first, ...others] = entries;
    if (this.#isStopped || cause instanceof DependencyUnavailableError || first === undefined) throw cause;
    if (others.length > 0) {
      const fields = { event: 'processor.batch_split', err: cause, records: entries.length } as const;
      logger.error(fields, 'batch failed; committing its entries one by one to find the cause');
      for (const entry of entries) await this.#process([entry]);
      return [];
    }
    const failed = { event: 'processor.commit_failed', err: cause, records: 1 } as const;
    logger.warn(failed, 'failed to commit an entry; finding the submission at fault');
    const isCurrent = (): boolean => assignment === this.#assignment && !this.#isStopped;
    const marked = await markFailures({ database, decider: this.#decider, isCurrent }, first, cause);
    if (marked === undefined) throw cause;
    return [marked];
  }

  /** Decides and commits. Returns the entries that are left to process. */
  async #commitOnce(entries: readonly LogEntry[]): Promise<readonly LogEntry[]> {
    const { verdictPublisher, parkedTopic } = this.#options;
    const batch = this.#takeDecidedAhead(entries) ?? (await this.#decider.decide(entries, undefined));
    if (batch === undefined) return [];
    const { decision, commit } = batch;
    await publishParkedRecords(parkedTopic, decision, this.#copied);
    commit.rows.verdicts.push(...verdictPublisher.rowsIfRedisUnavailable(decision.verdicts));
    const committingSince = performance.now();
    const result = await this.#whileCommitting(
      batch,
      measureStage('commit', () => this.#commit(commit.rows)),
      committingSince,
    );
    switch (result.outcome) {
      case 'committed':
        this.#remember(batch);
        return batch.remaining;
      case 'fenced':
        return this.#unprocessed([...batch.entries, ...batch.remaining]);
      case 'reference_taken':
        this.#decider.lookUpReferencesFirst();
        return [...batch.entries, ...batch.remaining];
      case 'reference_unreachable':
        return [...batch.entries, ...batch.remaining];
      case 'repeated':
        return this.#deduplicator.withoutCommitted([...batch.entries, ...batch.remaining]);
    }
  }

  async #commit(rows: CommitRows): Promise<BatchResult> {
    const { database } = this.#options;
    if (this.#databases.hasSeveral) {
      const { isTaken, unreachable } = await reserveReferences(this.#databases, database, rows.facts);
      if (isTaken) return { outcome: 'reference_taken' };
      if (unreachable.length > 0) {
        // The other submissions of the batch must not wait for it.
        this.#decider.contendReferences(unreachable);
        return { outcome: 'reference_unreachable' };
      }
    }
    return commitBatch(database, rows);
  }

  #takeDecidedAhead(entries: readonly LogEntry[]): DecidedBatch | undefined {
    const ahead = this.#decidedAhead;
    this.#decidedAhead = undefined;
    return ahead?.entries === entries ? ahead.batch : undefined;
  }

  /** While the database commits: renders the answers and decides the next batch. */
  async #whileCommitting(
    batch: DecidedBatch,
    committing: Promise<BatchResult>,
    committingSince: number,
  ): Promise<BatchResult> {
    const assignment = this.#assignment;
    const deciding = this.#decideNext(batch);
    let isCommitted = false;
    try {
      const result = await committing;
      isCommitted = result.outcome === 'committed';
      // Neither callers nor consumers must wait for the next batch to be decided.
      if (result.outcome === 'committed') this.#announce(batch, result, committingSince);
      return result;
    } finally {
      const decidedAhead = await deciding;
      this.#decidedAhead = isCommitted && assignment === this.#assignment ? decidedAhead : undefined;
    }
  }

  /** Never rejects: a batch that fails here is decided again, and fails, in its turn. */
  async #decideNext(committing: DecidedBatch): Promise<BatchAhead | undefined> {
    const inFlight = new InFlightBatch(committing);
    // The commit must have been sent before this thread becomes busy.
    await new Promise(setImmediate);
    try {
      renderAnswers(committing.decision.verdicts);
      if (this.#isStopped || committing.remaining.length > 0 || !inFlight.leavesMemoryForNext) return undefined;
      if (this.#queue.isEmpty && inFlight.allowsReadingAhead) this.#queue.resumeConsumer();
      const entries = await this.#queue.peek();
      if (this.#isStopped || entries === undefined || !inFlight.allowsDecidingAhead(entries)) return undefined;
      const batch = await this.#decider.decide(entries, inFlight);
      return batch && { entries, batch };
    } catch {
      return undefined;
    }
  }

  /** To callers and consumers, immediately after the commit. */
  #announce(batch: DecidedBatch, committed: CommittedResult, committingSince: number): void {
    const { decision, commit } = batch;
    const { verdictPublisher, eventPublisher, logger } = this.#options;
    // First: what fails after them must find the state of the database. The next batch has the same books and positions.
    this.#ownership.advance(commit.rows.fences);
    for (const { partition, ...book } of commit.books) this.#cache.set(partition, book);
    logParked(logger, decision);
    void measureStage('verdict', () => verdictPublisher.publish(decision.verdicts));
    if (commit.rows.keys.length > 0 || commit.rows.tenancies.length > 0) verdictPublisher.notifyKeysChanged();
    if (committed.tenantsWithNewEvents.length > 0) verdictPublisher.notifyFeedAdvanced(committed.tenantsWithNewEvents);
    const events = toBookEvents(decision, committed);
    recordBatchSpans(batch, events, committingSince);
    eventPublisher.enqueue(events);
  }

  /** After the next batch was decided: that one compares its entries with those of this one by itself. */
  #remember({ entries, decision, commit, wasDecidedAhead }: DecidedBatch): void {
    this.#deduplicator.remember(entries, this.#now());
    this.#options.snapshotWriter.enqueue(commit.books);
    const { verdicts, facts, parked } = decision;
    const counts = { submissions: verdicts.length, facts: facts.length, parked: parked.length };
    this.#options.onCommitted?.({ ...counts, wasDecidedAhead });
  }

  /** After a failure: without what was committed nevertheless, and without what another instance owns now. */
  async #unprocessed(entries: readonly LogEntry[]): Promise<LogEntry[]> {
    const stale = await this.#unlessSetBack(() => this.#ownership.refresh());
    if (stale === undefined) return [];
    this.#cache.dropPartitions(stale);
    if ([...stale].some((partition) => !this.#ownership.owns(partition))) this.#options.onFenced?.();
    this.#options.eventPublisher.assign(this.#ownership.partitions);
    const { offsets } = this;
    const isCommitted = ({ partition, offset }: LogEntry): boolean => offset < (offsets.get(partition) ?? 0);
    this.#deduplicator.remember(entries.filter(isCommitted), this.#now());
    return entries.filter((entry) => offsets.has(entry.partition) && !isCommitted(entry));
  }

  /** Undefined where the database was found set back and this processor has stopped. */
  async #unlessSetBack<Result>(work: () => Promise<Result>): Promise<Result | undefined> {
    try {
      return await work();
    } catch (cause) {
      if (!(cause instanceof DatabaseSetBackError)) throw cause;
      this.stopAfterDataLoss(cause);
      return undefined;
    }
  }

  /** Going on would skip the submissions between the restored and the known position, and number other facts alike. */
  stopAfterDataLoss(cause: Error): void {
    if (this.#isStopped) return;
    this.#isStopped = true;
    this.#dropUncommitted();
    this.#ownership.releaseAll();
    this.#options.eventPublisher.assign(this.#ownership.partitions);
    this.#options.onDataLoss(cause);
  }

  #dropUncommitted(): void {
    this.#queue.clear();
    this.#decidedAhead = undefined;
  }

  #now(): Moment {
    return (this.#options.nowMicros?.() ?? Date.now() * 1_000) as Moment;
  }
}
