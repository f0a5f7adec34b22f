/**
 * One processor for each database of the cell (decision 0089): a batch never spans two databases, and one that does not answer
 * stops its own partitions only.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoadedBook } from '#libs/database/books.ts';
import type { Database } from '#libs/database/database.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { type PartitionPosition, partitionsHere } from '#libs/database/partitions.ts';
import type { TopicRecord } from '#libs/kafka/topic-consumer.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { retry } from '#libs/runtime/retry.ts';
import type { EventPublisher } from './event-publisher.ts';
import type { Processor } from './processor.ts';

/** What works for the partitions of one database. */
export interface DatabaseProcessor {
  readonly database: Database;
  readonly processor: Processor;
  readonly publisher: EventPublisher;
}

export interface ProcessorGroupOptions {
  readonly databases: PartitionDatabases;
  /** In the order of the databases. */
  readonly members: readonly DatabaseProcessor[];
  readonly logger: Logger;
  /** Reads these partitions of the present assignment, too. */
  readonly onTakenOver: (offsets: ReadonlyMap<number, number>) => Promise<void>;
  /** Nothing more is delivered of the present assignment, and all of it is taken over again. */
  readonly onChanged: () => void;
}

export type PublisherState = Pick<
  EventPublisher,
  'unpublishedEvents' | 'unknownPartitions' | 'stoppedPartitions' | 'firstUnpublished'
>;

const arrivalPollMs = 100;
const takeoverRetry = { firstDelayMs: 50, maxDelayMs: 1_000 };

export class ProcessorGroup {
  readonly #options: ProcessorGroupOptions;
  readonly #processors: readonly Processor[];
  readonly #byDatabase: ReadonlyMap<Database, Processor>;
  #assignment = new AbortController();

  constructor(options: ProcessorGroupOptions) {
    this.#options = options;
    this.#processors = options.members.map(({ processor }) => processor);
    this.#byDatabase = new Map(options.members.map(({ database, processor }) => [database, processor]));
    options.databases.onChanged(options.onChanged);
  }

  /** As the consumer calls it. With several databases none waits for another: the offsets follow. */
  async takeOver(partitions: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const { databases } = this.#options;
    const [only] = this.#processors;
    if (only !== undefined && !databases.hasSeveral) return only.takeOver(partitions);
    this.#assignment.abort();
    this.#assignment = new AbortController();
    const groups = databases.groupByPartition(partitions);
    const known = [...groups.values()].flat();
    if (known.length < partitions.length)
      this.#options.logger.error(
        { event: 'placement.unknown_database', partitions: partitions.filter((each) => !known.includes(each)) },
        'partitions are on a database that was added after the start of this process; start it again',
      );
    for (const [database, processor] of this.#byDatabase) {
      void this.#takeOverWhenPossible(database, processor, groups.get(database) ?? []);
    }
    return new Map();
  }

  async #takeOverWhenPossible(database: Database, processor: Processor, partitions: readonly number[]): Promise<void> {
    const { signal } = this.#assignment;
    let taken: readonly number[] = [];
    let offsets: ReadonlyMap<number, number> | undefined;
    const attempt = async (): Promise<void> => {
      // Once per assignment: where another member is the owner by now, a second takeover would fence it.
      if (offsets === undefined) {
        taken = await partitionsHere(database, partitions);
        // Another assignment may have taken them over meanwhile.
        signal.throwIfAborted();
        offsets = await processor.takeOver(taken);
      }
      if (!signal.aborted) await this.#options.onTakenOver(offsets);
    };
    const onRetry = (err: unknown): void =>
      this.#options.logger.warn(
        { event: 'kafka.takeover_failed', err, partitions },
        'assigned partitions could not be taken over; retrying',
      );
    await retry(attempt, { ...takeoverRetry, signal, onRetry }).catch((cause: unknown) => {
      if (!signal.aborted) throw cause;
    });
    if (taken.length < partitions.length) await this.#waitForArrival(database, partitions, taken.length, signal);
  }

  /** A partition that is being moved here is taken over when it has come, together with the others. */
  async #waitForArrival(
    database: Database,
    partitions: readonly number[],
    taken: number,
    signal: AbortSignal,
  ): Promise<void> {
    while (!signal.aborted) {
      await sleep(arrivalPollMs, undefined, { signal }).catch(() => undefined);
      const here = await partitionsHere(database, partitions).catch(() => []);
      if (!signal.aborted && here.length > taken) return this.#options.onChanged();
    }
  }

  deliver(partition: number, records: readonly TopicRecord[]): Promise<void> | undefined {
    return this.#byDatabase.get(this.#options.databases.ofPartition(partition))?.deliver(partition, records);
  }

  learnProcessed(offsets: ReadonlyMap<number, number>): void {
    for (const processor of this.#processors) processor.learnProcessed(offsets);
  }

  cachedBook(key: string): LoadedBook<unknown> | undefined {
    for (const processor of this.#processors) {
      const book = processor.cachedBook(key);
      if (book !== undefined) return book;
    }
    return undefined;
  }

  /** Of all owned partitions: the next offset of each in the topic. */
  get topicOffsets(): Map<number, number> {
    return new Map(this.#processors.flatMap(({ topicOffsets }) => [...topicOffsets]));
  }

  get partitions(): ReadonlyMap<number, PartitionPosition> {
    return new Map(this.#processors.flatMap(({ partitions }) => [...partitions]));
  }

  get publisherState(): PublisherState {
    const publishers = this.#options.members.map(({ publisher }) => publisher);
    const sum = (count: (publisher: EventPublisher) => number): number =>
      publishers.reduce((total, publisher) => total + count(publisher), 0);
    return {
      unpublishedEvents: sum((publisher) => publisher.unpublishedEvents),
      unknownPartitions: sum((publisher) => publisher.unknownPartitions),
      stoppedPartitions: sum((publisher) => publisher.stoppedPartitions),
      firstUnpublished: new Map(publishers.flatMap(({ firstUnpublished }) => [...firstUnpublished])),
    };
  }

  /** Before the group is left: what has not been taken over belongs to the next owner. */
  endTakeovers(): void {
    this.#assignment.abort();
  }

  async stop(): Promise<void> {
    this.#assignment.abort();
    await Promise.all(this.#processors.map((processor) => processor.stop()));
    await Promise.all(this.#options.members.map(({ publisher }) => publisher.stop()));
  }
}
