/**
 * Checks that everything stored and published follows from the signed requests: signatures, decisions, the fold,
 * snapshots in Postgres and Redis, references, the feed, the listings and the two topics of facts. It reads Postgres as of one moment
 * while the services go on.
 */
import type { Moment } from '#libs/calendar/moment.ts';
import type { DeciderFor } from '#libs/database/books.ts';
import { type Database, inReadSnapshot, type Queryable } from '#libs/database/database.ts';
import { readAllPositions } from '#libs/database/partitions.ts';
import type { SnapshotCache } from '#libs/database/snapshot-cache.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { type BookEvent, bookEventSchema } from '#libs/kafka/book-event.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { type MovementRecord, movementSchema } from '#libs/kafka/movement.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { auditBook, auditTenancyTables } from './audit-book.ts';
import type { AuditCounts, BookAuditContext, StoredBook } from './audit-context.ts';
import { auditNumberedTopic, auditTopic } from './audit-topic.ts';
import { checkConsistency } from './consistency-queries.ts';
import { ExpectedMovements } from './expected-movements.ts';
import { type Finding, Findings } from './findings.ts';
import { ResolvedData, readResolvedData } from './read-ingress-lookups.ts';
import { type BookPage, bookLabel, readBookPages, readCachedBooks } from './read-stored-books.ts';
import { StoredRequests, TenancyKeys } from './stored-requests.ts';

export interface AuditOptions {
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
  /** Called after each page of books, with the facts that are checked and all there are. */
  readonly onProgress?: (facts: number, total: number) => void;
}

export interface AuditResult extends Readonly<AuditCounts> {
  readonly findings: readonly Finding[];
  /** Also those that are not listed. */
  readonly findingCount: number;
  readonly signatures: number;
  readonly events: number;
  readonly movements: number;
  /** Records of both topics that repeat an earlier one: consumers drop them. */
  readonly repeatedRecords: number;
  /** Partitions of the topics that could not be read to their end. */
  readonly unreadPartitions: readonly number[];
  readonly seconds: number;
}

const defaultMaxFindings = 20;
/** Movements are computed where processor time is to spare. */
const movementStallTimeoutMs = 60_000;

export function audit(options: AuditOptions): Promise<AuditResult> {
  return inReadSnapshot(options.database, (transaction) => auditIn(transaction, options));
}

async function auditIn(transaction: Queryable, options: AuditOptions): Promise<AuditResult> {
  const startedAt = performance.now();
  const { kafka, schemaRegistryUrl, logger } = options;
  const registry = new SchemaRegistry(schemaRegistryUrl);
  const positions = await readAllPositions(transaction);
  const lastEvents = new Map([...positions].map(([partition, { nextEvent }]) => [partition, nextEvent - 1]));
  const resolvedData = new ResolvedData(options.database);
  if (options.skipSubmissionTopic !== true)
    await readResolvedData({ kafka, registry, logger, positions }, resolvedData);
  const total = [...lastEvents.values()].reduce((sum, events) => sum + events, 0);
  const onFacts = (facts: number): void => options.onProgress?.(facts, total);
  const movements = new ExpectedMovements(lastEvents);
  const { findings, ...counts } = await auditStored(transaction, { ...options, onFacts, movements }, resolvedData);
  const codec = await AvroCodec.open<BookEvent, BookEvent<number>>(registry, bookEventSchema);
  const topicResult = await auditTopic({
    kafka,
    topic: topics.bookEvents,
    codec,
    logger,
    database: transaction,
    findings,
    lastEvents,
  });
  const movementCodec = await AvroCodec.open<MovementRecord, MovementRecord<number>>(registry, movementSchema);
  const movementResult = await auditNumberedTopic(
    { kafka, logger, findings, lastEvents, stallTimeoutMs: movementStallTimeoutMs },
    {
      topic: topics.movements,
      recordName: 'a movement',
      decode: (bytes) => movementCodec.decode(bytes),
      compare: movements.compare,
    },
  );
  return {
    ...counts,
    findings: findings.listed,
    findingCount: findings.count,
    events: topicResult.events,
    movements: movementResult.events,
    repeatedRecords: topicResult.repeats + movementResult.repeats,
    unreadPartitions: [...new Set([...topicResult.unreadPartitions, ...movementResult.unreadPartitions])],
    seconds: (performance.now() - startedAt) / 1_000,
  };
}

type StoredDataAudit = AuditCounts & { readonly signatures: number; readonly findings: Findings };

type StoredDataOptions = Pick<AuditOptions, 'deciderFor' | 'cache' | 'maxFindings'> & {
  readonly onFacts?: ((facts: number) => void) | undefined;
  readonly movements?: ExpectedMovements;
};

/** Audits Postgres and Redis, without the topic. */
export async function auditStored(
  transaction: Queryable,
  { deciderFor, cache, maxFindings = defaultMaxFindings, onFacts, movements }: StoredDataOptions,
  resolvedData: ResolvedData,
): Promise<StoredDataAudit> {
  const findings = new Findings(maxFindings);
  const counts: AuditCounts = { books: 0, facts: 0, redecided: 0, notRedecided: 0, snapshots: 0, cachedSnapshots: 0 };
  await checkConsistency(transaction, findings);
  const context = { deciderFor, findings, counts, resolvedData, movements };
  const signatures = await auditBooks(transaction, context, { cache, onFacts });
  return { ...counts, signatures, findings };
}

/** The books of the Tenancies come first: they contain the keys for all signatures. Returns the number of signatures. */
async function auditBooks(
  transaction: Queryable,
  audit: BookAuditContext,
  { cache, onFacts }: Pick<StoredDataOptions, 'onFacts'> & { readonly cache: SnapshotCache | undefined },
): Promise<number> {
  const keys = new TenancyKeys();
  const requests = new StoredRequests(transaction, keys);
  for await (const page of readBookPages(transaction, 'tenancies')) {
    addKeys(keys, audit, page);
    for (const stored of await storedBooks(page, requests, cache)) {
      const audited = await auditBook(audit, stored);
      if (audited !== undefined) {
        await auditTenancyTables(transaction, stored.row.tenant_id, audited.derived, audit.findings);
      }
    }
  }
  for await (const page of readBookPages(transaction, 'clients')) {
    for (const stored of await storedBooks(page, requests, cache)) await auditBook(audit, stored);
    onFacts?.(audit.counts.facts);
  }
  return requests.signatures;
}

/** Collected before the page is audited: requests of a Tenancy's book may be signed with keys of the same book. */
function addKeys(keys: TenancyKeys, { deciderFor }: BookAuditContext, { books, facts }: BookPage): void {
  for (const row of books) {
    const decider = deciderFor(row.book_id);
    const empty = decider.empty(row.tenant_id, row.book_id);
    let book = empty;
    try {
      for (const { sequence, kind, body, recorded_at } of facts.get(bookLabel(row)) ?? []) {
        book = decider.replay(book, { sequence, kind, body, recordedAt: recorded_at as Moment });
      }
    } catch {
      // auditBook reports the fact that cannot be folded.
    }
    for (const key of decider.derive(empty, book).keys ?? []) keys.add(row.tenant_id, key);
  }
}

async function storedBooks(
  page: BookPage,
  storedRequests: StoredRequests,
  cache: SnapshotCache | undefined,
): Promise<StoredBook[]> {
  const requests = await storedRequests.load(page.books.flatMap((row) => page.facts.get(bookLabel(row)) ?? []));
  const cachedBooks = cache === undefined ? [] : await readCachedBooks(cache, page.books);
  return page.books.map((row, index) => ({
    row,
    facts: page.facts.get(bookLabel(row)) ?? [],
    loans: page.loans.get(bookLabel(row)) ?? [],
    dueSpans: page.dueSpans.get(bookLabel(row)) ?? [],
    requests,
    cached: cachedBooks[index],
  }));
}
