/**
 * Builds a new database from `lending.book-events`. If a database serves, it goes on serving: new tables are created in a
 * shadow schema, follow the topic, are compared with the serving tables and replace them. Otherwise the topic is the only
 * source.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BookKey } from '#libs/database/books.ts';
import { type Database, inReadSnapshot } from '#libs/database/database.ts';
import { migrate } from '#libs/database/migrate.ts';
import { openOwnerDatabase } from '#libs/database/pool.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { bookEventSchema } from '#libs/kafka/book-event.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { withStoppedProcessors } from '../repair/stopped-processors.ts';
import { compareTables, type RowDifference, type TableComparison } from './compare-tables.ts';
import { cutOver, requireTopicNotAhead } from './cutover.ts';
import { foldBooks } from './fold-books.ts';
import { FoldPool } from './fold-pool.ts';
import { TopicIngest } from './ingest.ts';
import { RebuildError } from './rebuild-error.ts';
import { type CellMember, notLost, type RestoredState, restoreFromTopic } from './restore-from-topic.ts';
import {
  analyzeTables,
  createShadowTables,
  dropIndexes,
  hasFacts,
  hasSameMigrations,
  servingPartitions,
  servingSchema,
  shadowSchema,
  tablesToCopy,
} from './shadow-schema.ts';
import { type NumericBookEvent, writeEvents } from './write-events.ts';

export interface RebuildOptions {
  readonly kafka: KafkaClient;
  readonly schemaRegistryUrl: string;
  /** With the login of the owner of the tables. */
  readonly ownerUrl: string;
  readonly logger: Logger;
  /** The database is empty in place of a lost one. Submissions behind the end of the topic are submitted again. */
  readonly databaseLost?: boolean;
  /** For a lost database beside the home database: what it was in its cell. */
  readonly member?: CellMember;
  /** For a lost database: another database that still holds the tables which no fact describes. */
  readonly secretsUrl?: string;
  /** Cut over although the tables differ, because the serving ones are known to be wrong. */
  readonly acceptDifferences?: boolean;
  /** Compare and change nothing. */
  readonly compareOnly?: boolean;
  readonly onProgress?: (line: string) => void;
  /** Called with the facts that are written, and all there are; then with those that are folded. */
  readonly onFacts?: (done: number, total: number) => void;
}

export interface RebuildResult {
  readonly eventCount: number;
  /** The time for reading, writing and folding everything the topic held at the start. */
  readonly seconds: number;
  readonly differences: readonly RowDifference[];
  /** The schema that holds the previous tables now; undefined if they still serve. */
  readonly previousSchema: string | undefined;
  readonly restored?: RestoredState;
}

interface RebuildContext extends RebuildOptions {
  /** Uses the shadow schema. */
  readonly owner: Database;
  readonly ingest: TopicIngest;
}

export async function rebuild(options: RebuildOptions): Promise<RebuildResult> {
  if (options.databaseLost !== true) return rebuildTables(options);
  const lockDatabase = openOwnerDatabase({ url: options.ownerUrl, name: 'rebuild', connections: 1 }, servingSchema);
  try {
    // Of the topic: a database in place of a lost one may have no tables yet.
    const partitions = options.member?.partitions ?? (await topicOffsets(options.kafka, topics.bookEvents)).keys();
    return await withStoppedProcessors(lockDatabase, [...partitions], () => rebuildTables(options));
  } finally {
    await lockDatabase.end();
  }
}

async function rebuildTables(options: RebuildOptions): Promise<RebuildResult> {
  const { ownerUrl, onProgress, onFacts } = options;
  const owner = openOwnerDatabase({ url: ownerUrl, name: 'rebuild' }, shadowSchema);
  let ingest: TopicIngest | undefined;
  let foldPool: FoldPool | undefined;
  try {
    const isServing = await checkDatabase(owner, options);
    const startedAt = performance.now();
    const elapsed = (): string => `${((performance.now() - startedAt) / 1_000).toFixed(1)} s`;
    foldPool = new FoldPool(ownerUrl);
    const partitionCount = (await topicOffsets(options.kafka, topics.bookEvents)).size;
    await createShadowTables(owner, ownerUrl, partitionCount);
    const createIndexes = await dropIndexes(owner);
    // In place of a lost database there are none yet: it gets those of the topic.
    const partitions = isServing ? await servingPartitions(owner) : options.member?.partitions;
    ingest = await openIngest(owner, options, partitions);
    await ingest.readToEnd(onFacts);
    const { eventCount } = ingest;
    onProgress?.(`read ${eventCount} events after ${elapsed()}`);
    ingest.takeChangedBooks(); // all books are folded below
    await createIndexes();
    onProgress?.(`created the indexes after ${elapsed()}`);
    let folded = 0;
    const onFolded = (facts: number): void => {
      folded += facts;
      onFacts?.(folded, eventCount);
    };
    onFolded(0);
    await foldPool.fold(onFolded);
    const seconds = (performance.now() - startedAt) / 1_000;
    await analyzeTables(owner);
    onProgress?.(`folded all books after ${elapsed()}`);
    const context = { ...options, owner, ingest };
    if (isServing) return { eventCount, seconds, ...(await replaceServingTables(context)) };
    return { eventCount, seconds, differences: [], ...(await restoreFromTopic(context)) };
  } finally {
    await foldPool?.stop();
    await ingest?.stop();
    await owner.end();
  }
}

export interface RestorePlan {
  /** Records of lending.book-events. Each holds a fact; a repaired partition may hold one twice. */
  readonly events: number;
  /** Records of lending.submissions. Those behind the last event would be submitted again. */
  readonly submissions: number;
}

/** What a rebuild of a lost database would read. Rejects a database that is not lost. Changes nothing. */
export async function planRestore({
  kafka,
  ownerUrl,
}: Pick<RebuildOptions, 'kafka' | 'ownerUrl'>): Promise<RestorePlan> {
  const owner = openOwnerDatabase({ url: ownerUrl, name: 'rebuild' }, shadowSchema);
  try {
    if ((await hasFacts(owner)) === true) throw notLost();
    return {
      events: await countRecords(kafka, topics.bookEvents),
      submissions: await countRecords(kafka, topics.submissions),
    };
  } finally {
    await owner.end();
  }
}

async function countRecords(kafka: KafkaClient, topic: string): Promise<number> {
  const ranges = [...(await topicOffsets(kafka, topic)).values()];
  return ranges.reduce((sum, { low, high }) => sum + high - low, 0);
}

/** True if the database serves, false if it is empty. Creates missing tables of an empty one. */
async function checkDatabase(owner: Database, { ownerUrl, databaseLost }: RebuildOptions): Promise<boolean> {
  const isServing = (await hasFacts(owner)) === true;
  if (isServing && databaseLost === true) throw notLost();
  if (!isServing && databaseLost !== true) {
    throw new RebuildError('the database contains no facts; use --lost if it replaces a lost database');
  }
  if (!isServing) await migrate(ownerUrl);
  return isServing;
}

async function openIngest(
  owner: Database,
  options: RebuildOptions,
  partitions: ReadonlySet<number> | undefined,
): Promise<TopicIngest> {
  const { kafka, schemaRegistryUrl, logger } = options;
  // Rows are written from numbers, which are exact until 2^52 microseconds, in the year 2112.
  const schema = { ...bookEventSchema, exactLongs: false };
  const codec = await AvroCodec.open<NumericBookEvent>(new SchemaRegistry(schemaRegistryUrl), schema);
  return TopicIngest.open({
    kafka,
    codec,
    logger,
    write: (events) => writeEvents(owner, events),
    ...(partitions === undefined ? {} : { partitions }),
  });
}

/** How long commits may be blocked while the last events are read from the topic. */
const maxBlockedMs = 2_000;
const maxCutoverAttempts = 20;
const cutoverPauseMs = 250;

async function replaceServingTables(
  context: RebuildContext,
): Promise<Pick<RebuildResult, 'differences' | 'previousSchema'>> {
  const { owner, ingest, acceptDifferences = false, compareOnly = false, onProgress } = context;
  if (!(await hasSameMigrations(owner))) {
    throw new RebuildError('the serving tables have older migrations; run `lending prepare` first');
  }
  await catchUp(context);
  // Also under the lock of the cutover; here before minutes are spent on a comparison.
  await requireTopicNotAhead(owner);
  const comparison = await compareAllTables(context);
  const { differences, movingBooks } = comparison;
  onProgress?.(`compared: ${differences.length} differences, ${movingBooks.length} books still changing`);
  if (compareOnly || (differences.length > 0 && !acceptDifferences)) return { differences, previousSchema: undefined };
  const copiedTables = await tablesToCopy(owner);
  // Books that changed since the comparison are compared again while commits are blocked.
  const changedBooks = [...movingBooks];
  for (let attempt = 0; attempt < maxCutoverAttempts; attempt += 1) {
    changedBooks.push(...(await catchUp(context)));
    let allDifferences = differences;
    const previousSchema = await cutOver({
      owner,
      copiedTables,
      async isCaughtUp(lastEvents, transaction) {
        if (!(await ingest.waitForEvents(lastEvents, maxBlockedMs))) return false;
        const lastBooks = ingest.takeChangedBooks();
        await foldBooks(owner, lastBooks);
        changedBooks.push(...lastBooks);
        const finalComparison = await compareTables(transaction, changedBooks);
        const unequalBooks = finalComparison.movingBooks.map(unequalBook);
        allDifferences = [...differences, ...finalComparison.differences, ...unequalBooks];
        return allDifferences.length === 0 || acceptDifferences;
      },
    });
    if (previousSchema !== undefined || (allDifferences.length > 0 && !acceptDifferences)) {
      return { differences: allDifferences, previousSchema };
    }
    await sleep(cutoverPauseMs);
  }
  throw new RebuildError(
    `the topic did not catch up with the database in ${maxCutoverAttempts} attempts; nothing was changed, try again`,
  );
}

/** While the ingest is paused, because derived rows can only be compared for the same facts. */
function compareAllTables({ owner, ingest }: RebuildContext): Promise<TableComparison> {
  return ingest.whilePaused(async () => {
    await foldBooks(owner, ingest.takeChangedBooks());
    return inReadSnapshot(owner, async (transaction) => {
      // Statistics of the serving tables may be outdated, and nested loops over whole tables would not end.
      await transaction.query("SET LOCAL enable_nestloop = off; SET LOCAL work_mem = '128MB'");
      return compareTables(transaction);
    });
  });
}

function unequalBook({ tenantId, bookId }: BookKey): RowDifference {
  return { table: 'books', row: `${tenantId} ${bookId}`, serving: 'another number of facts', rebuilt: null };
}

const caughtUpBookCount = 200;

/** Folds the books that changed meanwhile, until only few change between two rounds. Returns all that were folded. */
async function catchUp({ ingest, owner }: RebuildContext): Promise<BookKey[]> {
  const folded: BookKey[] = [];
  for (;;) {
    await ingest.readToEnd();
    const changedBooks = ingest.takeChangedBooks();
    await foldBooks(owner, changedBooks);
    folded.push(...changedBooks);
    if (changedBooks.length < caughtUpBookCount) return folded;
  }
}
