/**
 * Checks that everything stored and published follows from the signed requests: signatures, decisions, the fold,
 * snapshots in Postgres and Redis, references, the feed, the listings and the two topics of facts. It works in parts, each
 * with a short snapshot, while the services go on (decision 0085).
 */
import type { DeciderFor } from '#libs/database/books.ts';
import type { Database } from '#libs/database/database.ts';
import type { SnapshotCache } from '#libs/database/snapshot-cache.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { type BookEvent, bookEventSchema } from '#libs/kafka/book-event.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { type MovementRecord, movementSchema } from '#libs/kafka/movement.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { auditPartition } from './audit-partition.ts';
import {
  type AuditCounts,
  type AuditOutcome,
  newPartitionProgress,
  newTablesProgress,
  type PartitionProgress,
  sumOfCounts,
  type TablesProgress,
  type TopicProgress,
} from './audit-progress.ts';
import { type AuditStart, AuditStateError, findChangeSince, lastEventsOf, readAuditStart } from './audit-start.ts';
import { AuditState } from './audit-state.ts';
import { searchFeeds, searchUnknownPartitions, tableTasks } from './audit-tables.ts';
import { auditTenancies } from './audit-tenancies.ts';
import { auditNumberedTopic, auditTopic, type TopicAuditResult } from './audit-topic.ts';
import { ExpectedMovements } from './expected-movements.ts';
import { type Finding, Findings, mergeFindings } from './findings.ts';
import { PartRunner } from './part-runner.ts';
import { ResolvedData, readResolvedData } from './read-ingress-lookups.ts';
import { type Positions, type ReadSnapshot, ShortSnapshots } from './snapshots.ts';
import { defaultPartSizes, type PartSizes, type StoredAudit } from './stored-audit.ts';
import { StoredRequests } from './stored-requests.ts';
import { TenancyKeys } from './tenancy-keys.ts';

export interface AuditOptions {
  /** Of the primary, or of a standby. As many connections as parts run at once, and two more. */
  readonly database: Database;
  /** Absent: snapshots in Redis are not checked. */
  readonly cache?: SnapshotCache;
  readonly kafka: KafkaClient;
  readonly schemaRegistryUrl: string;
  readonly deciderFor: DeciderFor;
  readonly logger: Logger;
  /** Do not read the submission topic. Facts that need its resolved data are then not decided again. */
  readonly skipSubmissionTopic?: boolean;
  /** How many findings are listed. All are counted. */
  readonly maxFindings?: number;
  /** Called after each part, with the facts that are checked and all there are. */
  readonly onProgress?: (facts: number, total: number) => void;
  /** The state is kept in this folder; an interrupted audit in it is continued. */
  readonly stateFolder?: string;
  /** Audits only these partitions, and nothing else but the books of Tenancies. Default: everything. */
  readonly partitions?: readonly number[];
  /** How many parts run at once. */
  readonly parallel?: number;
  /** Called after each part with its duration; the next part waits for it. */
  readonly pause?: (partMs: number) => Promise<void>;
  readonly sizes?: PartSizes;
}

export interface AuditResult extends Readonly<AuditCounts> {
  readonly findings: readonly Finding[];
  /** Also those that are not listed. */
  readonly findingCount: number;
  readonly events: number;
  readonly movements: number;
  /** Records of both topics that repeat an earlier one: consumers drop them. */
  readonly repeatedRecords: number;
  /** Partitions of the topics that could not be read to their end. */
  readonly unreadPartitions: readonly number[];
  readonly seconds: number;
  /** How long the longest snapshot of the database was open. */
  readonly longestSnapshotSeconds: number;
}

const defaultMaxFindings = 20;
const defaultParallel = 2;
/** Movements are computed where processor time is to spare. */
const movementStallTimeoutMs = 60_000;

export async function audit(options: AuditOptions): Promise<AuditResult> {
  const startedAt = performance.now();
  const state = new AuditState(options.stateFolder);
  try {
    const snapshots = new ShortSnapshots(options.database);
    const result = await auditIn(state, snapshots, options);
    return {
      ...result,
      longestSnapshotSeconds: snapshots.longestSeconds,
      seconds: (performance.now() - startedAt) / 1_000,
    };
  } finally {
    state.close();
  }
}

async function auditIn(
  state: AuditState,
  snapshots: ShortSnapshots,
  options: AuditOptions,
): Promise<Omit<AuditResult, 'seconds' | 'longestSnapshotSeconds'>> {
  const { kafka, schemaRegistryUrl, logger, maxFindings = defaultMaxFindings, onProgress } = options;
  const registry = new SchemaRegistry(schemaRegistryUrl);
  const { start, positions } = await snapshots.read((database, read) => {
    requirePartitions(options.partitions ?? [], read);
    return findStart(state, database, read);
  });
  const allLastEvents = lastEventsOf(start);
  snapshots.startAt(allLastEvents);
  const wanted = options.partitions ?? [...allLastEvents.keys()];
  const lastEvents = new Map([...allLastEvents].filter(([partition]) => wanted.includes(partition)));
  const resolvedData = new ResolvedData(options.database);
  if (options.skipSubmissionTopic !== true)
    await readResolvedData({ kafka, registry, logger, positions }, resolvedData);
  const partitions = new Map([...lastEvents.keys()].map((each) => [each, state.readPartition(each)]));
  const savePartition = (partition: number): void => {
    const progress = partitions.get(partition);
    if (progress !== undefined) state.writePartition(partition, progress);
  };
  const movements = new ExpectedMovements((partition) => state.digestFile(partition), lastEvents);
  const total = [...lastEvents.values()].reduce((sum, events) => sum + events, 0);
  const storedOptions = { parallel: defaultParallel, ...options, movements };
  const storedAudit = createStoredAudit(snapshots.read, start, storedOptions, resolvedData);
  const stored = await runStoredAudit(storedAudit, {
    partitions,
    tables: options.partitions === undefined ? state.readTables() : undefined,
    savePartition,
    saveTables: (tables) => state.writeTables(tables),
    onFacts: (facts) => onProgress?.(facts, total),
  });
  const findings = mergeFindings([stored.findings], maxFindings);
  const topicAudit = new TopicAudits({ kafka, logger, findings, lastEvents }, partitions, savePartition);
  const events = await topicAudit.run(topics.bookEvents, async (read) =>
    auditTopic({
      ...read,
      topic: topics.bookEvents,
      codec: await AvroCodec.open<BookEvent, BookEvent<number>>(registry, bookEventSchema),
      readSnapshot: snapshots.read,
    }),
  );
  const movementCodec = await AvroCodec.open<MovementRecord, MovementRecord<number>>(registry, movementSchema);
  const moved = await topicAudit.run(topics.movements, (read) =>
    auditNumberedTopic(
      { ...read, stallTimeoutMs: movementStallTimeoutMs },
      {
        topic: topics.movements,
        recordName: 'a movement',
        decode: (bytes) => movementCodec.decode(bytes),
        compare: movements.compare,
      },
    ),
  );
  const unreadPartitions = [...new Set([...events.unreadPartitions, ...moved.unreadPartitions])];
  if (options.partitions === undefined && unreadPartitions.length === 0) state.clear(allLastEvents.keys());
  return {
    ...stored.counts,
    findings: findings.listed,
    findingCount: findings.count,
    events: events.events,
    movements: moved.events,
    repeatedRecords: events.repeats + moved.repeats,
    unreadPartitions,
  };
}

function requirePartitions(wanted: readonly number[], positions: Positions): void {
  const unknown = wanted.find((partition) => !positions.has(partition));
  if (unknown === undefined) return;
  throw new Error(`the cell has no partition ${unknown}: expected 0 to ${positions.size - 1}`);
}

/** The start of the interrupted audit, or this moment. */
async function findStart(
  state: AuditState,
  database: Parameters<typeof readAuditStart>[0],
  positions: Positions,
): Promise<{ readonly start: AuditStart; readonly positions: Positions }> {
  const interrupted = state.readStart();
  if (interrupted === undefined)
    return { start: state.writeStart(await readAuditStart(database, positions)), positions };
  const change = await findChangeSince(database, positions, interrupted);
  if (change !== undefined) throw new AuditStateError(state.folder, change);
  return { start: interrupted, positions };
}

type TopicReading = Pick<Parameters<typeof auditTopic>[0], 'kafka' | 'logger' | 'findings' | 'lastEvents'>;

/** Reads the topics, with the progress of each partition. */
class TopicAudits {
  readonly #reading: TopicReading;
  readonly #partitions: ReadonlyMap<number, PartitionProgress>;
  readonly #save: (partition: number) => void;

  constructor(
    reading: TopicReading,
    partitions: ReadonlyMap<number, PartitionProgress>,
    save: (partition: number) => void,
  ) {
    this.#reading = reading;
    this.#partitions = partitions;
    this.#save = save;
  }

  run(
    topic: string,
    read: (
      reading: TopicReading & {
        readonly progress: Map<number, TopicProgress>;
        readonly onProgress: (partition: number) => void;
      },
    ) => Promise<TopicAuditResult>,
  ): Promise<TopicAuditResult> {
    const progress = new Map<number, TopicProgress>();
    for (const [partition, { topics: known }] of this.#partitions) {
      if (known[topic] !== undefined) progress.set(partition, known[topic]);
    }
    const onProgress = (partition: number): void => {
      const [owner, current] = [this.#partitions.get(partition), progress.get(partition)];
      if (owner === undefined || current === undefined) return;
      owner.topics[topic] = current;
      this.#save(partition);
    };
    return read({ ...this.#reading, progress, onProgress });
  }
}

type StoredDataOptions = Pick<AuditOptions, 'deciderFor' | 'cache' | 'maxFindings' | 'parallel' | 'pause' | 'sizes'> & {
  readonly movements?: ExpectedMovements;
};

/** Audits Postgres and Redis, without the topics and without a state. */
export async function auditStored(
  readSnapshot: ReadSnapshot,
  options: StoredDataOptions,
  resolvedData: ResolvedData,
): Promise<AuditCounts & { readonly findings: Findings }> {
  const start = await readSnapshot(readAuditStart);
  const partitions = new Map([...lastEventsOf(start).keys()].map((each) => [each, newPartitionProgress()]));
  const { counts, findings } = await runStoredAudit(createStoredAudit(readSnapshot, start, options, resolvedData), {
    partitions,
    tables: newTablesProgress(),
  });
  return { ...counts, findings: mergeFindings([findings], options.maxFindings ?? defaultMaxFindings) };
}

function createStoredAudit(
  readSnapshot: ReadSnapshot,
  start: AuditStart,
  options: StoredDataOptions,
  resolvedData: ResolvedData,
): StoredAudit {
  const { deciderFor, cache, movements, maxFindings = defaultMaxFindings, sizes = defaultPartSizes } = options;
  const keys = new TenancyKeys(deciderFor);
  return {
    stored: { readSnapshot, keys, requests: new StoredRequests(keys), cache },
    books: { deciderFor, resolvedData, movements, lastEvents: lastEventsOf(start) },
    feedEnds: start.feedEnds,
    sizes,
    maxFindings,
    newFindings: () => new Findings(maxFindings),
    runner: new PartRunner({ parallel: options.parallel ?? 1, pause: options.pause }),
  };
}

interface StoredProgress {
  readonly partitions: ReadonlyMap<number, PartitionProgress>;
  /** Undefined where only partitions are audited. */
  readonly tables: TablesProgress | undefined;
  readonly savePartition?: (partition: number) => void;
  readonly saveTables?: (tables: TablesProgress) => void;
  /** Called after each part with all facts that are checked. */
  readonly onFacts?: (facts: number) => void;
}

async function runStoredAudit(audit: StoredAudit, progress: StoredProgress): Promise<AuditOutcome> {
  const { partitions, tables, savePartition, saveTables, onFacts } = progress;
  const tenancies = await auditTenancies(audit);
  const outcomes = (): AuditOutcome[] => [...(tables === undefined ? [] : [tables]), tenancies, ...partitions.values()];
  const reportFacts = (): void => onFacts?.(outcomes().reduce((sum, { counts }) => sum + counts.facts, 0));
  const tasks = [...partitions].map(
    ([partition, each]) =>
      () =>
        auditPartition(audit, partition, each, () => {
          savePartition?.(partition);
          reportFacts();
        }),
  );
  if (tables !== undefined) tasks.push(...tableTasks(audit, tables, () => saveTables?.(tables)));
  await audit.runner.runAll(tasks);
  const feedEntries = [...partitions.values()].map((each) => each.feedEntries);
  const searched =
    tables === undefined
      ? []
      : [await searchUnknownPartitions(audit), await searchFeeds(audit, tables.feedEntries, feedEntries)];
  return {
    counts: sumOfCounts(outcomes().map(({ counts }) => counts)),
    findings: mergeFindings([...searched, ...outcomes().map(({ findings }) => findings)], audit.maxFindings),
  };
}
