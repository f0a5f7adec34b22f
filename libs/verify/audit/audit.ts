/**
 * Checks that everything stored and published follows from the signed requests: signatures, decisions, the fold,
 * snapshots in Postgres and Redis, references, the feed, the listings and the two topics of facts. It works in parts, each
 * with a short snapshot, while the services go on (decision 0085).
 */
import type { Database, Queryable } from '#libs/database/database.ts';
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { type BookEvent, bookEventSchema } from '#libs/kafka/book-event.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { type MovementRecord, movementSchema } from '#libs/kafka/movement.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import type { AuditCounts, AuditedPartition, TopicProgress } from './audit-progress.ts';
import { type AuditStart, AuditStateError, findChangeSince, lastEventsOf, readAuditStart } from './audit-start.ts';
import { AuditState } from './audit-state.ts';
import { createStoredAudit, defaultMaxFindings, runStoredAudit, type StoredDataOptions } from './audit-stored.ts';
import { auditNumberedTopic, auditTopic } from './audit-topic.ts';
import { ExpectedMovements } from './expected-movements.ts';
import { type Finding, mergeFindings } from './findings.ts';
import { ResolvedData, readResolvedData } from './read-ingress-lookups.ts';
import { type Positions, ShortSnapshots } from './snapshots.ts';

export interface AuditOptions extends StoredDataOptions {
  /** Of the primary, or of a standby. As many connections as parts run at once, and two more. */
  readonly database: Database;
  /** All of the cell, where it has several: what others record is looked up there. */
  readonly databases?: PartitionDatabases;
  readonly kafka: KafkaClient;
  readonly schemaRegistryUrl: string;
  readonly logger: Logger;
  /** Do not read the submission topic. Facts that need its resolved data are then not decided again. */
  readonly skipSubmissionTopic?: boolean;
  /** Called after each part, with the facts that are checked and all there are. */
  readonly onProgress?: (facts: number, total: number) => void;
  /** The state is kept in this folder; an interrupted audit in it is continued. */
  readonly stateFolder?: string;
  /** Audits only these partitions, and nothing else but the books of Tenancies. Default: everything. */
  readonly partitions?: readonly number[];
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
  const { kafka, schemaRegistryUrl, logger, pause, maxFindings = defaultMaxFindings, onProgress } = options;
  const registry = new SchemaRegistry(schemaRegistryUrl);
  const databases = options.databases ?? PartitionDatabases.of(options.database);
  const { start, positions } = await snapshots.read((database, read) => {
    // Of several databases each has a part of the partitions.
    const count = databases.hasSeveral ? databases.view.placement.partitionCount : read.size;
    requirePartitions(options.partitions ?? [], read, count);
    return findStart(state, database, read);
  });
  const allLastEvents = lastEventsOf(start);
  snapshots.startAt(allLastEvents);
  const wanted = options.partitions ?? [...allLastEvents.keys()];
  const lastEvents = new Map([...allLastEvents].filter(([partition]) => wanted.includes(partition)));
  const others = databases.all.filter((each) => each !== options.database);
  const resolvedData = new ResolvedData(databases);
  if (options.skipSubmissionTopic !== true)
    await readResolvedData({ kafka, registry, logger, positions, pause }, resolvedData);
  const partitions = new Map([...lastEvents.keys()].map((each) => [each, state.readPartition(each)]));
  const savePartition = (partition: number): void => {
    const progress = partitions.get(partition);
    if (progress !== undefined) state.writePartition(partition, progress);
  };
  const movements = new ExpectedMovements((partition) => state.digestFile(partition), lastEvents);
  const total = [...lastEvents.values()].reduce((sum, events) => sum + events, 0);
  const storedOptions = { parallel: defaultParallel, ...options, movements, others };
  const storedAudit = createStoredAudit(snapshots.read, start, storedOptions, resolvedData);
  const stored = await runStoredAudit(storedAudit, {
    partitions,
    tables: options.partitions === undefined ? state.readTables() : undefined,
    savePartition,
    saveTables: (tables) => state.writeTables(tables),
    onFacts: (facts) => onProgress?.(facts, total),
  });
  const findings = mergeFindings([stored.findings], maxFindings);
  const reading = { kafka, logger, findings, lastEvents, pause };
  const events = await auditTopic({
    ...reading,
    ...progressOf(topics.bookEvents, partitions, savePartition),
    topic: topics.bookEvents,
    codec: await AvroCodec.open<BookEvent, BookEvent<number>>(registry, bookEventSchema),
    readSnapshot: snapshots.read,
  });
  const movementCodec = await AvroCodec.open<MovementRecord, MovementRecord<number>>(registry, movementSchema);
  const moved = await auditNumberedTopic(
    {
      ...reading,
      ...progressOf(topics.movements, partitions, savePartition),
      stallTimeoutMs: movementStallTimeoutMs,
    },
    {
      topic: topics.movements,
      recordName: 'a movement',
      decode: (bytes) => movementCodec.decode(bytes),
      compare: movements.compare,
    },
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

function requirePartitions(wanted: readonly number[], positions: Positions, count: number): void {
  const unknown = wanted.find((partition) => !positions.has(partition));
  if (unknown === undefined) return;
  throw new Error(`the cell has no partition ${unknown}: expected 0 to ${count - 1}`);
}

/** The start of the interrupted audit, or this moment. */
async function findStart(
  state: AuditState,
  database: Queryable,
  positions: Positions,
): Promise<{ readonly start: AuditStart; readonly positions: Positions }> {
  const interrupted = state.readStart();
  if (interrupted === undefined)
    return { start: state.writeStart(await readAuditStart(database, positions)), positions };
  const change = await findChangeSince(database, positions, interrupted);
  if (change !== undefined) throw new AuditStateError(state.folder, change);
  return { start: interrupted, positions };
}

/** The progress of one topic, which is part of that of each partition. */
function progressOf(
  topic: string,
  partitions: ReadonlyMap<number, AuditedPartition>,
  savePartition: (partition: number) => void,
): { readonly progress: Map<number, TopicProgress>; readonly onProgress: (partition: number) => void } {
  const progress = new Map<number, TopicProgress>();
  for (const [partition, { topics: known }] of partitions) {
    if (known[topic] !== undefined) progress.set(partition, known[topic]);
  }
  const onProgress = (partition: number): void => {
    const [owner, current] = [partitions.get(partition), progress.get(partition)];
    if (owner === undefined || current === undefined) return;
    owner.topics[topic] = current;
    savePartition(partition);
  };
  return { progress, onProgress };
}
