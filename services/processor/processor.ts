/**
 * Processes the submissions of the partitions this instance owns. One batch is committed at a time; what arrives
 * meanwhile forms the next batch, which is decided ahead where it does not depend on the commit.
 */
import type { Moment } from '#libs/calendar/moment.ts';
import type { DeciderFor, LoadedBook } from '#libs/database/books.ts';
import { type CommitResult, commitBatch } from '#libs/database/commit-batch.ts';
import type { Database } from '#libs/database/database.ts';
import type { SubmissionCodec } from '#libs/kafka/submission-record.ts';
import type { TopicRecord } from '#libs/kafka/topic-consumer.ts';
import type { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { BatchDecider } from './batch-decider.ts';
import { BookCache } from './book-cache.ts';
import { BookLoader } from './book-loader.ts';
import { Deduplicator } from './deduplicator.ts';
import { DeliveryQueue } from './delivery-queue.ts';
import type { EventPublisher } from './event-publisher.ts';
import { markFailures } from './failure-isolation.ts';
import { type DecidedBatch, InFlightBatch } from './in-flight-batch.ts';
import { decodeRecord, hasUnknownSchema, type LogEntry } from './log-entry.ts';
import { logParked, publishParkedRecords, splitAtReleases } from './parked-submissions.ts';
import { DatabaseSetBackError, PartitionOwnership } from './partition-ownership.ts';
import { publishedEvent } from './published-events.ts';
import type { SnapshotWriter } from './snapshot-writer.ts';
import { renderAnswers, type VerdictPublisher } from './verdict-publisher.ts';

export interface ProcessorOptions {
  readonly instanceName: string;
  readonly deciderFor: DeciderFor;
  readonly database: Database;
  readonly codec: SubmissionCodec;
  readonly verdictPublisher: VerdictPublisher;
  readonly snapshotWriter: SnapshotWriter;
  readonly eventPublisher: EventPublisher;
  readonly parkedTopic: TopicWriter;
  readonly logger: Logger;
  /** Of all cached books together. */
  readonly maxCachedFacts: number;
  /** The database no longer holds what was committed. The processor has stopped and must not be restarted blindly. */
  readonly onDataLoss: (cause: Error) => void;
  readonly onCommitted?: (batch: CommittedBatch) => void;
  readonly nowMicros?: () => number;
}

export interface CommittedBatch {
  readonly submissions: number;
  readonly facts: number;
  readonly parked: number;
  readonly wasDecidedAhead: boolean;
}

interface DecidedAhead {
  readonly entries: readonly LogEntry[];
  readonly batch: DecidedBatch;
}

const minRetryDelayMs = 20;
const maxRetryDelayMs = 1_000;
/** A schema unknown to the registry is looked up this often before the record counts as undecodable. */
const maxSchemaLookups = 5;

export class Processor {
  readonly #options: ProcessorOptions;
  readonly #ownership: PartitionOwnership;
  readonly #cache: BookCache;
  readonly #deduplicator = new Deduplicator();
  readonly #decider: BatchDecider;
  readonly #queue = new DeliveryQueue();
  /** Batches that are decoded and not committed. */
  #batches: LogEntry[][] = [];
  #inFlight: InFlightBatch | undefined;
  /** The first of `#batches`, decided while the batch before it was committed. */
  #decidedAhead: DecidedAhead | undefined;
  #running: Promise<void> | undefined;
  #takeover: Promise<unknown> = Promise.resolve();
  /** Rises with every assignment. Entries that were collected under an earlier one are dropped. */
  #assignment = 0;
  #isStopped = false;

  constructor(options: ProcessorOptions) {
    const { database, codec, deciderFor, instanceName, maxCachedFacts } = options;
    this.#options = options;
    this.#ownership = new PartitionOwnership(database, instanceName);
    this.#cache = new BookCache(maxCachedFacts);
    this.#decider = new BatchDecider({
      database,
      codec,
      deciderFor,
      ownership: this.#ownership,
      deduplicator: this.#deduplicator,
      books: new BookLoader(database, deciderFor, this.#cache),
      now: () => this.#now(),
    });
  }

  /** The next offset of every owned partition. */
  get offsets(): Map<number, number> {
    return new Map([...this.#ownership.partitions].map(([partition, { nextOffset }]) => [partition, nextOffset]));
  }

  cachedBook(key: string): LoadedBook<unknown> | undefined {
    return this.#cache.peek(key);
  }

  /** Called at every assignment: raises the epochs and answers from which offsets to read. */
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
    const unchanged = await this.#ownership.takeOver(partitions);
    this.#cache.keepPartitions(unchanged);
    this.#options.eventPublisher.assign(this.#ownership.partitions);
    return this.offsets;
  }

  /** Settles when the consumer may deliver more: after the batch of these records has been sent to the database. */
  deliver(partition: number, records: readonly TopicRecord[]): Promise<void> {
    this.#queue.add(partition, records);
    this.#start();
    return this.#queue.untilResumed();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
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
    for (let batch = await this.#nextBatch(); batch !== undefined; batch = await this.#nextBatch()) {
      if (this.#isStopped) break;
      this.#batches.shift();
      await this.#process(batch);
    }
    this.#queue.resumeConsumer();
  }

  /** The next batch; it stays the first of `#batches`. */
  async #nextBatch(): Promise<readonly LogEntry[] | undefined> {
    if (this.#batches.length === 0 && !this.#queue.isEmpty) {
      const assignment = this.#assignment;
      const entries: LogEntry[] = [];
      for (const { partition, source } of this.#queue.takeBatch()) {
        const entry = await this.#decode(partition, source, assignment);
        if (entry !== undefined) entries.push(entry);
      }
      if (assignment === this.#assignment) this.#batches = splitAtReleases(entries);
    }
    return this.#batches[0];
  }

  /** Undefined where the partitions were assigned again meanwhile. */
  async #decode(partition: number, source: TopicRecord, assignment: number): Promise<LogEntry | undefined> {
    let schemaLookups = 0;
    for (let delay = minRetryDelayMs; this.#isCurrent(assignment); delay = Math.min(delay * 2, maxRetryDelayMs)) {
      try {
        const entry = await decodeRecord(this.#options.codec, partition, source);
        if (!hasUnknownSchema(entry) || schemaLookups === maxSchemaLookups) return entry;
        schemaLookups += 1;
      } catch (cause) {
        this.#options.logger.warn(
          { event: 'processor.record_read_failed', err: cause, partition, offset: source.offset },
          'failed to decode a record; retrying',
        );
      }
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
    return undefined;
  }

  /** Retries while the partitions are owned: an environment failure never becomes a refusal (A9). */
  async #process(entries: readonly LogEntry[]): Promise<void> {
    const assignment = this.#assignment;
    let rest = entries;
    for (
      let delay = minRetryDelayMs;
      assignment === this.#assignment && rest.length > 0;
      delay = Math.min(delay * 2, maxRetryDelayMs)
    ) {
      try {
        rest = await this.#attempt(rest);
      } catch (cause) {
        if (this.#isStopped) return;
        if (!(cause instanceof DependencyUnavailableError) && rest.length > 1)
          return this.#processOneByOne(rest, cause);
        this.#options.logger.warn(
          { event: 'processor.commit_failed', err: cause, records: rest.length },
          'failed to commit a batch; retrying',
        );
        rest = await this.#afterFailure(rest, cause, delay, assignment);
      }
    }
  }

  /** One entry makes the batch fail: each is committed alone to find it. */
  async #processOneByOne(entries: readonly LogEntry[], cause: unknown): Promise<void> {
    this.#options.logger.error(
      { event: 'processor.batch_split', err: cause, records: entries.length },
      'batch failed; committing its entries one by one to find the cause',
    );
    for (const entry of entries) await this.#process([entry]);
  }

  /** What is left to process after a failed attempt. */
  async #afterFailure(
    entries: readonly LogEntry[],
    cause: unknown,
    delayMs: number,
    assignment: number,
  ): Promise<readonly LogEntry[]> {
    const [entry] = entries;
    if (!(cause instanceof DependencyUnavailableError) && entry !== undefined) {
      const { database } = this.#options;
      const isCurrent = (): boolean => this.#isCurrent(assignment);
      const marked = await markFailures({ database, decider: this.#decider, isCurrent }, entry, cause);
      if (marked !== undefined) return [marked];
    }
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    return this.#unprocessed(entries).catch(() => entries);
  }

  /** Decides and commits once. Answers the entries that are left to process. */
  async #attempt(entries: readonly LogEntry[]): Promise<readonly LogEntry[]> {
    const { database, verdictPublisher, parkedTopic, logger } = this.#options;
    const batch = this.#takeDecidedAhead(entries) ?? (await this.#decider.decide(entries, undefined));
    if (batch === undefined) return [];
    await publishParkedRecords(parkedTopic, batch.result);
    logParked(logger, batch.result);
    batch.commit.rows.verdicts.push(...verdictPublisher.rowsIfRedisUnavailable(batch.result.verdicts));
    const committed = await this.#whileCommitting(batch, commitBatch(database, batch.commit.rows));
    switch (committed.outcome) {
      case 'committed':
        this.#afterCommit(batch, committed);
        return [];
      case 'fenced':
        return this.#unprocessed(batch.entries);
      case 'reference_taken':
        this.#decider.lookUpReferencesFirst();
        return batch.entries;
      case 'repeated':
        return this.#decider.withoutCommitted(batch.entries);
    }
  }

  #takeDecidedAhead(entries: readonly LogEntry[]): DecidedBatch | undefined {
    const ahead = this.#decidedAhead;
    this.#decidedAhead = undefined;
    return ahead?.entries === entries ? ahead.batch : undefined;
  }

  /** While the database commits: renders the answers and decides the next batch. */
  async #whileCommitting(batch: DecidedBatch, committing: Promise<CommitResult>): Promise<CommitResult> {
    const assignment = this.#assignment;
    this.#inFlight = new InFlightBatch(batch);
    const deciding = this.#decideNext(batch);
    let isCommitted = false;
    try {
      const committed = await committing;
      isCommitted = committed.outcome === 'committed';
      // Callers must not wait for the next batch to be decided.
      if (isCommitted) this.#publishVerdicts(batch);
      return committed;
    } finally {
      const decidedAhead = await deciding;
      this.#inFlight = undefined;
      this.#decidedAhead = isCommitted && assignment === this.#assignment ? decidedAhead : undefined;
    }
  }

  /** Never rejects: a batch that fails here is decided again, and fails, in its turn. */
  async #decideNext({ result }: DecidedBatch): Promise<DecidedAhead | undefined> {
    // The commit must have been sent before this thread becomes busy.
    await new Promise(setImmediate);
    try {
      renderAnswers(result.verdicts);
      if (this.#batches.length === 0 && this.#queue.isEmpty) this.#queue.resumeConsumer();
      const entries = await this.#nextBatch();
      if (this.#isStopped || entries === undefined || !this.#inFlight?.allowsDecidingAhead(entries)) return undefined;
      const batch = await this.#decider.decide(entries, this.#inFlight);
      return batch && { entries, batch };
    } catch {
      return undefined;
    }
  }

  #publishVerdicts({ result }: DecidedBatch): void {
    const { verdictPublisher, logger } = this.#options;
    verdictPublisher
      .publish(result.verdicts)
      .catch((cause) =>
        logger.warn({ event: 'processor.verdict_delivery_failed', err: cause }, 'failed to deliver verdicts'),
      );
  }

  #afterCommit(
    { entries, result, commit, wasDecidedAhead }: DecidedBatch,
    committed: Extract<CommitResult, { readonly outcome: 'committed' }>,
  ): void {
    const { verdictPublisher, snapshotWriter, eventPublisher, onCommitted } = this.#options;
    const { rows, books } = commit;
    if (rows.keys.length > 0 || rows.tenancies.length > 0) verdictPublisher.notifyKeysChanged();
    if (committed.tenantsWithNewEvents.length > 0) verdictPublisher.notifyFeedAdvanced(committed.tenantsWithNewEvents);
    this.#ownership.advance(rows.fences);
    this.#deduplicator.remember(entries, this.#now());
    for (const { partition, ...book } of books) this.#cache.set(partition, book);
    snapshotWriter.enqueue(books);
    eventPublisher.enqueue(result.events.map((event) => publishedEvent(event, committed)));
    const { verdicts, facts, parked } = result;
    onCommitted?.({ submissions: verdicts.length, facts: facts.length, parked: parked.length, wasDecidedAhead });
  }

  /** After a failure: without what was committed nevertheless, and without what another instance owns now. */
  async #unprocessed(entries: readonly LogEntry[]): Promise<LogEntry[]> {
    try {
      const stale = await this.#ownership.refresh();
      this.#cache.dropPartitions(stale);
    } catch (cause) {
      if (!(cause instanceof DatabaseSetBackError)) throw cause;
      this.#stopAfterDataLoss(cause);
      return [];
    }
    this.#options.eventPublisher.assign(this.#ownership.partitions);
    const { offsets } = this;
    const isCommitted = ({ partition, offset }: LogEntry): boolean => offset < (offsets.get(partition) ?? 0);
    this.#deduplicator.remember(entries.filter(isCommitted), this.#now());
    return entries.filter((entry) => offsets.has(entry.partition) && !isCommitted(entry));
  }

  /** Going on would skip the submissions between the restored and the known position. */
  #stopAfterDataLoss(cause: Error): void {
    this.#isStopped = true;
    this.#dropUncommitted();
    this.#ownership.releaseAll();
    this.#options.eventPublisher.assign(this.#ownership.partitions);
    this.#options.onDataLoss(cause);
  }

  #dropUncommitted(): void {
    this.#queue.clear();
    this.#batches = [];
    this.#decidedAhead = undefined;
  }

  #isCurrent(assignment: number): boolean {
    return assignment === this.#assignment && !this.#isStopped;
  }

  #now(): Moment {
    return (this.#options.nowMicros?.() ?? Date.now() * 1_000) as Moment;
  }
}
