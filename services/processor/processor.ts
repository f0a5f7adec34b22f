/**
 * Owns partitions and takes the turns of their books. While one batch is being committed the next gathers: load makes
 * the batches, and where there is none nobody waits. What waits already is decided meanwhile, on what the batch before
 * it will leave, and is forgotten again where that one was not committed.
 */

import type { Moment } from '#libs/calendar/moment.ts';
import {
  type BookKey,
  bookKeyText,
  type DeciderFor,
  emptyBook,
  type LoadedBook,
  loadBooks,
  lyingBook,
} from '#libs/database/books.ts';
import { type CommitBatch, type Committed, commitBatch, type FenceRow, tryBatch } from '#libs/database/commit-batch.ts';
import type { Database } from '#libs/database/database.ts';
import { findCommitted } from '#libs/database/evidence.ts';
import { partitionStates, takeOver } from '#libs/database/partitions.ts';
import { findReferences } from '#libs/database/references.ts';
import type { WarnLog } from '#libs/kafka/kafka.ts';
import type { LogRecord } from '#libs/kafka/log-reader.ts';
import type { LogWriter } from '#libs/kafka/log-writer.ts';
import type { SubmissionCodec } from '#libs/kafka/submission.ts';
import type { RecordedReference } from '#libs/ledger/book-decider.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { prepare } from './batch.ts';
import { BookCache } from './book-cache.ts';
import { Deduplicator } from './deduplicator.ts';
import { eventOf } from './event-of.ts';
import { type DecidedBatch, InFlightBatch } from './in-flight-batch.ts';
import { Inbox } from './inbox.ts';
import {
  booksOf,
  type DecodedEntry,
  isOfUnknownSchema,
  isReadable,
  isRelease,
  type LogEntry,
  type PendingItem,
  readRecord,
  unreadable,
} from './log-entry.ts';
import { releasesApart, withKept } from './parked-submissions.ts';
import { park } from './parking.ts';
import { decideBatch, isWhole, referencesOf } from './process-batch.ts';
import type { Publisher } from './publisher.ts';
import type { SnapshotWriter } from './snapshots.ts';
import type { BatchResult } from './turn-state.ts';
import { render, type VerdictPublisher } from './verdict-publisher.ts';

export interface ProcessorOptions {
  readonly name: string;
  readonly kindOf: DeciderFor;
  readonly database: Database;
  readonly codec: SubmissionCodec;
  readonly messenger: VerdictPublisher;
  readonly snapshots: SnapshotWriter;
  readonly publisher: Publisher;
  readonly parkedLog: LogWriter;
  readonly say: WarnLog;
  /** Of the books kept in memory, all together. */
  readonly mostFacts: number;
  /** What must not be mended in silence: the store no longer holds what was committed. */
  readonly onLost: (cause: Error) => void;
  readonly observe?: (batch: CommittedBatch) => void;
  readonly nowMicros?: () => number;
}

/** What is told of a batch once it is committed. */
export interface CommittedBatch {
  readonly submissions: number;
  readonly facts: number;
  readonly parked: number;
  /** It was decided while the one before it was committed. */
  readonly isAhead: boolean;
}

interface OwnedPartition {
  readonly epoch: number;
  nextOffset: number;
  nextEvent: number;
  /** When it became ours. */
  readonly takenAt: number;
}

interface Ahead {
  readonly group: readonly LogEntry[];
  readonly decided: DecidedBatch;
}

const longestPauseMs = 1_000;
const loadedTogether = 128;
const askFirstMs = 1_000;
/** So often a schema that the registry does not know is asked for again: half a second of it. */
const mostUnknown = 5;
/** Longer than a submission has patience: what stands in the log once more after that is contended. */
const newMs = 5_000;

export class Processor {
  readonly #options: ProcessorOptions;
  readonly #shelf: BookCache;
  readonly #inbox = new Inbox();
  readonly #repeats = new Deduplicator();
  /** Of the batch that is being decided: never on the shelf, for a release or a repair may stand them up the next time. */
  readonly #unsound = new Map<string, LoadedBook<unknown>>();
  #lanes = new Map<number, OwnedPartition>();
  /** Read and not settled: each is committed by itself. */
  #groups: LogEntry[][] = [];
  #onItsWay: InFlightBatch | undefined;
  /** The first of the groups, decided while the one before it was committed. */
  #ahead: Ahead | undefined;
  #working: Promise<void> | undefined;
  #takingOver: Promise<unknown> = Promise.resolve();
  /** Rises with every assignment: what was gathered before it is dropped. */
  #generation = 0;
  /** Where references were found taken a moment ago, more of them are: each found late is a batch done twice. */
  #askFirstUntil = 0;
  #stopped = false;

  constructor(options: ProcessorOptions) {
    this.#options = options;
    this.#shelf = new BookCache(options.mostFacts);
  }

  /** Next offset of every partition that is ours, for display. */
  get offsets(): Map<number, number> {
    return new Map([...this.#lanes].map(([partition, { nextOffset }]) => [partition, nextOffset]));
  }

  /** A book as it was committed last, if it is in memory. */
  shelved(name: string): LoadedBook<unknown> | undefined {
    return this.#shelf.peek(name);
  }

  /** For the reader: raises the epochs, and says from where to read. */
  takeOver(partitions: readonly number[]): Promise<Map<number, number>> {
    this.#generation += 1;
    // One after the other: the lanes are those of the last that was asked for.
    const taken = this.#takingOver.then(() => this.#takeOver(partitions));
    this.#takingOver = taken.catch(() => undefined);
    return taken;
  }

  async #takeOver(partitions: readonly number[]): Promise<Map<number, number>> {
    this.#dropUnsettled();
    await this.#working;
    this.#dropUnsettled();
    const before = this.#lanes;
    this.#lanes = new Map();
    const owned = await takeOver(this.#options.database, this.#options.name, partitions);
    const kept = new Set<number>();
    for (const [partition, { epoch, epochBefore, nextOffset, nextEvent }] of owned) {
      const lane = before.get(partition);
      // Where nobody owned it between, the books in memory are still the books.
      if (lane?.epoch === epochBefore && lane.nextOffset === nextOffset) kept.add(partition);
      this.#lanes.set(partition, { epoch, nextOffset, nextEvent, takenAt: performance.now() });
    }
    this.#shelf.keepPartitions(kept);
    this.#options.publisher.own(this.#lanes);
    return this.offsets;
  }

  /** For the reader. A promise where it has to wait. */
  deliver(partition: number, records: readonly LogRecord[]): undefined | Promise<void> {
    this.#inbox.put(partition, records);
    this.#wake();
    // Until the batch of these is on its way: read any sooner, the same records would come in smaller pieces.
    return this.#inbox.untilReadOn();
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#working;
  }

  #wake(): void {
    if (this.#stopped || this.#working !== undefined || this.#inbox.isEmpty) return;
    this.#working = this.#work().finally(() => {
      this.#working = undefined;
      this.#wake();
    });
  }

  async #work(): Promise<void> {
    // Partitions delivered in the same turn of the loop share a transaction.
    await undefined;
    for (let group = await this.#next(); group !== undefined; group = await this.#next()) {
      if (this.#stopped) break;
      this.#groups.shift();
      await this.#settle(group);
    }
    this.#inbox.letReadOn();
  }

  /** The group that is to be settled next, and stays where it is. */
  async #next(): Promise<readonly LogEntry[] | undefined> {
    if (this.#groups.length === 0 && !this.#inbox.isEmpty) {
      const generation = this.#generation;
      const taken: LogEntry[] = [];
      for (const { partition, source } of this.#inbox.take()) {
        const read = await this.#read(partition, source, generation);
        if (read !== undefined) taken.push(read);
      }
      if (generation === this.#generation) this.#groups = releasesApart(taken);
    }
    return this.#groups[0];
  }

  /** For as long as its partition is ours: what the registry does not say now it says later. */
  async #read(partition: number, source: LogRecord, generation: number): Promise<LogEntry | undefined> {
    let unknown = 0;
    for (
      let pause = 20;
      generation === this.#generation && !this.#stopped;
      pause = Math.min(pause * 2, longestPauseMs)
    ) {
      try {
        const read = await readRecord(this.#options.codec, partition, source);
        if (!isOfUnknownSchema(read) || unknown === mostUnknown) return read;
        unknown += 1;
      } catch (cause) {
        this.#options.say.warn({ err: cause, partition, offset: source.offset }, 'a record could not be read yet');
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
    return undefined;
  }

  #dropUnsettled(): void {
    this.#inbox.clear();
    this.#groups = [];
    this.#ahead = undefined;
  }

  /** Tried again for as long as the partitions are ours: a fault of the world is never an answer (A9). */
  async #settle(taken: readonly LogEntry[]): Promise<void> {
    const generation = this.#generation;
    let rest: readonly LogEntry[] = taken;
    for (
      let pause = 20;
      generation === this.#generation && rest.length > 0;
      pause = Math.min(pause * 2, longestPauseMs)
    ) {
      try {
        rest = await this.#attempt(rest);
      } catch (cause) {
        if (this.#stopped) return;
        if (!(cause instanceof DependencyUnavailableError) && rest.length > 1) return this.#settleApart(rest, cause);
        this.#options.say.warn({ err: cause, records: rest.length }, 'a batch could not be committed yet');
        rest = await this.#afterFault(rest, cause, pause);
      }
    }
  }

  /** The store refuses something of this batch, and not for want of the world: one record of it does not hold. */
  async #settleApart(taken: readonly LogEntry[], fault: unknown): Promise<void> {
    this.#options.say.error(
      { err: fault, records: taken.length },
      'a batch is taken apart to find the record that breaks it',
    );
    for (const each of taken) await this.#settle([each]);
  }

  async #afterFault(taken: readonly LogEntry[], fault: unknown, pause: number): Promise<readonly LogEntry[]> {
    const [alone] = taken;
    if (!(fault instanceof DependencyUnavailableError) && alone !== undefined && isReadable(alone)) {
      // Of which not even that can be kept: what it says is not looked at any more.
      if (isAllBroken(alone)) return [unreadable(alone, fault)];
      const broken = await this.#brokenOf(alone, fault).catch((cause: unknown) => {
        if (cause instanceof DependencyUnavailableError) return undefined;
        throw cause;
      });
      if (broken !== undefined) return [{ ...alone, broken }];
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    return this.#stillToDo(taken).catch(() => taken);
  }

  /** Which submissions of a record the store cannot hold: each is tried by itself, and taken back. */
  async #brokenOf(taken: DecodedEntry, fault: unknown): Promise<ReadonlyMap<PendingItem, unknown>> {
    const generation = this.#generation;
    const broken = new Map<PendingItem, unknown>();
    // Where those that hold by themselves do not hold together either, none of them is recorded.
    const apart = taken.pending.length > 1 && taken.broken === undefined;
    for (const pending of apart ? taken.pending : []) {
      if (generation !== this.#generation || this.#stopped) throw new DependencyUnavailableError('partitions');
      const found = await this.#faultOf({ ...taken, pending: [pending] });
      if (found !== undefined) broken.set(pending, found);
    }
    return broken.size > 0 ? broken : new Map(taken.pending.map((pending) => [pending, fault]));
  }

  /** One try. Answers what is left to do: nothing where it was committed. */
  async #attempt(group: readonly LogEntry[]): Promise<readonly LogEntry[]> {
    const { database, messenger, parkedLog, say } = this.#options;
    const decided = this.#takeAhead(group) ?? (await this.#decide(group));
    if (decided === undefined) return [];
    const { turn, prepared } = decided;
    await park(parkedLog, say, turn);
    prepared.batch.verdicts.push(...messenger.rowsIfAway(turn.verdicts));
    const committed = await this.#meanwhile(decided, commitBatch(database, prepared.batch));
    return this.#settled(decided, committed);
  }

  async #faultOf(taken: DecodedEntry): Promise<unknown> {
    try {
      const decided = await this.#decide([taken], { isTrial: true });
      if (decided !== undefined) await tryBatch(this.#options.database, decided.prepared.batch);
      return undefined;
    } catch (fault) {
      if (fault instanceof DependencyUnavailableError) throw fault;
      return fault;
    }
  }

  #takeAhead(group: readonly LogEntry[]): DecidedBatch | undefined {
    const ahead = this.#ahead;
    this.#ahead = undefined;
    return ahead?.group === group ? ahead.decided : undefined;
  }

  /** Nothing is known to anyone of what this comes to. Undefined where none of it is ours. */
  async #decide(group: readonly LogEntry[], { isTrial = false } = {}): Promise<DecidedBatch | undefined> {
    const { kindOf } = this.#options;
    const isAhead = this.#onItsWay !== undefined;
    const unrepeated = this.#withoutRepeats(group.filter((taken) => this.#isToDo(taken)));
    if (unrepeated.length === 0) return undefined;
    const ours = unrepeated.some(({ partition }) => this.#isNew(partition))
      ? await this.#withoutCommitted(unrepeated)
      : unrepeated;
    const taken = ours.some(isRelease) ? await withKept({ ...this.#options, clock: this.#clock(isTrial) }, ours) : ours;
    await this.#loadMissing(taken);
    const turn = await this.#turn(taken, isTrial);
    return { taken, turn, prepared: prepare(turn, kindOf, this.#fences(taken, turn)), isAhead };
  }

  /** Ours, and not behind where the partition is: what is delivered again must not take it back there. */
  #isToDo({ partition, offset }: LogEntry): boolean {
    return this.#lanes.has(partition) && offset >= this.#place(partition).nextOffset;
  }

  #withoutRepeats(ours: readonly LogEntry[]): LogEntry[] {
    const before = this.#onItsWay?.taken ?? [];
    return this.#repeats.withoutRepeats([...before, ...ours]).slice(before.length);
  }

  /** Whoever had the partition before may have decided what a retried send put into the log once more. */
  #isNew(partition: number): boolean {
    return performance.now() - this.#lane(partition).takenAt < newMs;
  }

  /** While the store is at work on a batch its answers are rendered, and the next one is decided. */
  async #meanwhile(decided: DecidedBatch, committing: Promise<Committed>): Promise<Committed> {
    const generation = this.#generation;
    this.#onItsWay = new InFlightBatch(decided);
    const deciding = this.#decideNext(decided.turn);
    let isCommitted = false;
    try {
      const committed = await committing;
      isCommitted = committed.outcome === 'committed';
      // Whoever waits for it does not wait for what is decided behind it.
      if (isCommitted) this.#tell(decided.turn);
      return committed;
    } finally {
      const ahead = await deciding;
      this.#onItsWay = undefined;
      this.#ahead = isCommitted && generation === this.#generation ? ahead : undefined;
    }
  }

  #tell({ verdicts }: BatchResult): void {
    const { messenger, say } = this.#options;
    messenger.tell(verdicts).catch((cause) => say.warn({ err: cause }, 'verdicts were not delivered'));
  }

  /** Never rejects: what fails here is decided again, and fails, when it is its turn. */
  async #decideNext({ verdicts }: BatchResult): Promise<Ahead | undefined> {
    // The batch must have left before the thread is busy with anything else.
    await new Promise(setImmediate);
    try {
      render(verdicts);
      // The next is read meanwhile, and is there about when the store is done.
      if (this.#groups.length === 0 && this.#inbox.isEmpty) this.#inbox.letReadOn();
      const group = await this.#next();
      if (this.#stopped || group === undefined || !this.#onItsWay?.leavesRoomFor(group)) return undefined;
      const decided = await this.#decide(group);
      return decided && { group, decided };
    } catch {
      return undefined;
    }
  }

  /** The store is asked for references where a book may hold one, and before anything is refused that carries one. */
  async #turn(taken: readonly LogEntry[], isTrial: boolean): Promise<BatchResult> {
    const { database, kindOf } = this.#options;
    const take = (recorded: ReadonlyMap<string, RecordedReference>): BatchResult =>
      decideBatch({
        records: taken,
        kindOf,
        recorded,
        standing: (name) => this.#standing(name),
        nextEvent: (partition) => this.#place(partition).nextEvent,
        clock: this.#clock(isTrial),
      });
    const names = referencesOf(taken);
    if (names.length === 0) return take(new Map());
    const askFirst =
      isTrial || performance.now() < this.#askFirstUntil || taken.some(isRelease) || this.#mayHold(taken);
    const turn = askFirst ? undefined : take(new Map());
    if (turn !== undefined && isWhole(turn)) return turn;
    const recorded = await findReferences(database, names);
    // What was refused would have been refused either way where none of them was recorded before.
    return turn !== undefined && recorded.size === 0 ? turn : take(recorded);
  }

  #mayHold(taken: readonly LogEntry[]): boolean {
    const { kindOf } = this.#options;
    return taken.some(
      (each) =>
        isReadable(each) &&
        each.pending.some(({ submission }) => {
          const { namespace, reference, bookId } = submission;
          if (namespace === undefined || reference === undefined) return false;
          const kind = kindOf(bookId);
          return (
            kind.mayHoldReference === undefined ||
            kind.mayHoldReference(this.#standing(submission).book, namespace, reference)
          );
        }),
    );
  }

  async #settled(
    { taken, turn, prepared: { batch, standing }, isAhead }: DecidedBatch,
    committed: Committed,
  ): Promise<readonly LogEntry[]> {
    switch (committed.outcome) {
      case 'committed': {
        const { messenger, snapshots, publisher, observe } = this.#options;
        if (batch.keys.length > 0 || batch.tenancies.length > 0) messenger.tellKeysChanged();
        if (committed.fed.length > 0) messenger.tellFed(committed.fed);
        this.#advance(batch.fences);
        this.#repeats.decided(taken, this.#now());
        for (const { partition, ...book } of standing) this.#shelf.put(partition, book);
        this.#shelf.trim();
        snapshots.offer(standing);
        publisher.offer(turn.events.map((event) => eventOf(event, committed)));
        const { verdicts, facts, parked } = turn;
        observe?.({ submissions: verdicts.length, facts: facts.length, parked: parked.length, isAhead });
        return [];
      }
      case 'fenced':
        return this.#stillToDo(taken);
      case 'reference_taken':
        this.#askFirstUntil = performance.now() + askFirstMs;
        return taken;
      case 'repeated':
        return this.#withoutCommitted(taken);
    }
  }

  /** Read on from where it stands now, what lies between would be passed over in silence: whoever begins anew reads it again. */
  #lose(cause: Error): void {
    this.#stopped = true;
    this.#dropUnsettled();
    this.#lanes = new Map();
    this.#options.publisher.own(this.#lanes);
    this.#options.onLost(cause);
  }

  /** After a fault: what was committed all the same, and what another processor owns by now, is not done again. */
  async #stillToDo(taken: readonly LogEntry[]): Promise<LogEntry[]> {
    const states = await partitionStates(this.#options.database, [...this.#lanes.keys()]);
    const moved = new Set<number>();
    for (const [partition, { epoch, nextOffset, nextEvent }] of states) {
      const lane = this.#lane(partition);
      if (epoch > lane.epoch) {
        this.#lanes.delete(partition);
        moved.add(partition);
      } else if (epoch < lane.epoch || nextOffset < lane.nextOffset) {
        const [is, was] = [`${epoch}/${nextOffset}`, `${lane.epoch}/${lane.nextOffset}`];
        this.#lose(new Error(`partition ${partition} stands at ${is} and stood at ${was}: the store was set back`));
        return [];
      } else if (nextOffset > lane.nextOffset) {
        // It was committed though nobody told us: the books have moved on without our copies.
        lane.nextOffset = nextOffset;
        lane.nextEvent = nextEvent;
        moved.add(partition);
      }
    }
    this.#shelf.dropPartitions(moved);
    this.#options.publisher.own(this.#lanes);
    // What was committed is not decided again either, where it stands in the log once more.
    this.#repeats.decided(
      taken.filter(({ partition, offset }) => offset < (this.#lanes.get(partition)?.nextOffset ?? 0)),
      this.#now(),
    );
    return taken.filter(
      ({ partition, offset }) => offset >= (this.#lanes.get(partition)?.nextOffset ?? Number.POSITIVE_INFINITY),
    );
  }

  /** A send that was retried stands in the log twice: the second is passed over, and moves the offset alone. */
  async #withoutCommitted(taken: readonly LogEntry[]): Promise<LogEntry[]> {
    const requests = taken.flatMap((each) => (isReadable(each) ? [each.record.request_id] : []));
    const committed = await findCommitted(this.#options.database, requests);
    return taken.map((each) => {
      const isRepeat = isReadable(each) && committed.has(`${each.record.request_id}/${each.partition}`);
      return isRepeat ? { ...each, pending: [] } : each;
    });
  }

  async #loadMissing(taken: readonly LogEntry[]): Promise<void> {
    const partitions = new Map<string, number>();
    const missing: BookKey[] = [];
    for (const each of taken) {
      for (const { tenantId, bookId } of booksOf(each)) {
        const name = bookKeyText({ tenantId, bookId });
        if (partitions.has(name) || this.#shelf.has(name) || this.#onItsWay?.standing(name)) continue;
        partitions.set(name, each.partition);
        missing.push({ tenantId, bookId });
      }
    }
    this.#unsound.clear();
    if (missing.length === 0) return;
    const { database, kindOf } = this.#options;
    // So many at a time that each statement stays far within what is waited for.
    for (let at = 0; at < missing.length; at += loadedTogether) {
      const some = missing.slice(at, at + loadedTogether);
      const loaded = await loadBooks(database, kindOf, some).catch((fault: unknown) => {
        if (fault instanceof DependencyUnavailableError) throw fault;
        return this.#loadApart(some);
      });
      for (const standing of loaded) this.#shelf.put(partitions.get(bookKeyText(standing)) ?? 0, standing);
    }
  }

  /** One of them cannot be stood up: it is parked where its turn comes, and keeps none of the others. */
  async #loadApart(names: readonly BookKey[]): Promise<LoadedBook<unknown>[]> {
    const { database, kindOf } = this.#options;
    const loaded: LoadedBook<unknown>[] = [];
    for (const name of names) {
      try {
        loaded.push(...(await loadBooks(database, kindOf, [name])));
      } catch (fault) {
        if (fault instanceof DependencyUnavailableError) throw fault;
        this.#unsound.set(bookKeyText(name), await lyingBook(database, kindOf, name, fault));
      }
    }
    return loaded;
  }

  #standing(name: BookKey): LoadedBook<unknown> {
    const key = bookKeyText(name);
    const standing = this.#onItsWay?.standing(key) ?? this.#shelf.find(key) ?? this.#unsound.get(key);
    return standing ?? emptyBook(this.#options.kindOf, name);
  }

  #fences(taken: readonly LogEntry[], turn: BatchResult): FenceRow[] {
    const ends = new Map<number, number>();
    for (const { partition, offset } of taken) ends.set(partition, offset + 1);
    return [...ends].map(([partition, nextOffset]) => {
      const { epoch, nextOffset: fromOffset, nextEvent } = this.#place(partition);
      return { partition, epoch, fromOffset, nextOffset, nextEvent: turn.nextEvents.get(partition) ?? nextEvent };
    });
  }

  #advance(fences: CommitBatch['fences']): void {
    for (const { partition, nextOffset, nextEvent } of fences) {
      const lane = this.#lane(partition);
      lane.nextOffset = nextOffset;
      lane.nextEvent = nextEvent;
    }
  }

  /** Where a partition is, with the batch that is on its way. */
  #place(partition: number): Pick<OwnedPartition, 'epoch' | 'nextOffset' | 'nextEvent'> {
    return this.#onItsWay?.fence(partition) ?? this.#lane(partition);
  }

  #lane(partition: number): OwnedPartition {
    const lane = this.#lanes.get(partition);
    if (lane === undefined) throw new Error(`partition ${partition} is not ours`);
    return lane;
  }

  /** However long the trials take, none of them is contended. */
  #clock(isTrial: boolean): () => Moment {
    return () => (isTrial ? (0 as Moment) : this.#now());
  }

  #now(): Moment {
    return (this.#options.nowMicros?.() ?? Date.now() * 1_000) as Moment;
  }
}

function isAllBroken({ broken, pending }: DecodedEntry): boolean {
  return broken !== undefined && broken.size >= pending.length;
}
