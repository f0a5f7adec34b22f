/**
 * `npm run bench:capacity`: the bytes that a Receipt takes in Postgres, in its write-ahead log and in the topics, and what
 * a year of Receipts needs; and those of one batch with a large body. BENCH_RECEIPTS sets how many are measured in each form.
 */
import { randomBytes, randomInt } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import type { BackingServices } from '#deploy/dev/backing-services.ts';
import { developmentPartitions } from '#deploy/dev/dev-files.ts';
import { topics } from '#libs/kafka/topics.ts';
import { type BenchEnvironment, printComment, withBenchEnvironment } from './bench-environment.ts';
import { type BenchLender, createBenchLender } from './bench-lender.ts';
import { type BytesPerReceipt, markdownTable, provisioningRows, type YearlyNeed } from './provisioning.ts';
import { sendAll, waitUntilPublished } from './record-receipts.ts';

const receiptCount = Number(process.env['BENCH_RECEIPTS'] ?? 50_000);
/** At the end each has some 25 Receipts. Snapshots of longer books are larger, and add to the log. */
const clientCount = 5_000;
const receiptsPerBatch = 100;
/** The tables have some free space by then. */
const warmUpReceipts = 20_000;
/** Receipts between two checkpoints where each changes pages that are not in the log yet. */
const receiptsPerCheckpoint = 25;
const checkpointCount = 40;
const largeBatchReceipts = Number(process.env['BENCH_BATCH_RECEIPTS'] ?? 480);
/** The contexts of a batch near the largest that is accepted where it does not compress: with 12 partitions 7.2 MiB, with 48 half. */
const largeContexts = {
  'order lines': () => ({ lines: Array.from({ length: 160 }, orderLine) }),
  noise: () => ({ noise: randomBytes(11_700).toString('base64') }),
};
const requestLog = 'request log';
const shownTables = ['facts', 'request_evidence', 'request_bodies', 'reference_hashes', 'snapshots'];

await withBenchEnvironment(bench);

async function bench({ stack, port }: BenchEnvironment): Promise<void> {
  const lender = await createBenchLender(stack, port, clientCount);
  const database = new pg.Client({ connectionString: stack.databaseUrl });
  await database.connect();
  try {
    await measureAll(stack, port, lender, database);
  } finally {
    await database.end();
  }
}

async function measureAll(
  stack: BackingServices,
  port: number,
  lender: BenchLender,
  database: pg.Client,
): Promise<void> {
  const singles = (count: number): Buffer[] => Array.from({ length: count }, () => lender.receiptOfNextClient());
  const batches = (count: number): Buffer[] =>
    Array.from({ length: count / receiptsPerBatch }, () => lender.batch(receiptsPerBatch));
  await sendAll(port, batches(warmUpReceipts), 4);
  const measure = async (
    requests: readonly Buffer[],
    connectionCount: number,
    parts = receiptCount,
  ): Promise<BytesPerReceipt> => {
    await waitUntilPublished(stack);
    await database.query('CHECKPOINT');
    const before = await readSizes(database, stack);
    await sendAll(port, requests, connectionCount);
    await waitUntilPublished(stack);
    const after = await readSizes(database, stack);
    return new Map([...after].map(([part, bytes]) => [part, (bytes - (before.get(part) ?? 0)) / parts]));
  };
  const single = await measure(singles(receiptCount), 64);
  const batched = await measure(batches(receiptCount), 4);
  const sparse = {
    plain: await measureSparseWal(database, port, singles),
    compressed: await withCompressedPages(database, () => measureSparseWal(database, port, singles)),
  };
  printComment(`${receiptCount} Receipts of ${clientCount} Clients in each column`);
  const rows = [...single.keys()].map((part) => [part, formatBytes(single, part), formatBytes(batched, part)]);
  rows.push(
    ['write-ahead log, each page for the first time', formatCount(sparse.plain), ''],
    ['the same with wal_compression = on', formatCount(sparse.compressed), ''],
  );
  printTable(['bytes per Receipt', 'single', `batches of ${receiptsPerBatch}`], rows);
  for (const [name, sizes] of [
    ['single Receipts', single],
    [`batches of ${receiptsPerBatch}`, batched],
  ] as const) {
    printTable([name, '10 million a year', 'a billion a year'], yearlyCells(sizes, sparse.compressed));
  }
  for (const [content, contextOf] of Object.entries(largeContexts)) {
    const large = lender.batch(largeBatchReceipts, undefined, contextOf);
    const sizes = await measure([large], 1, 1);
    printTable(
      [`one batch of ${content}, ${developmentPartitions} partitions`, formatMebibytes(large.length)],
      [...sizes].map(([part, bytes]) => [part, formatMebibytes(bytes)]),
    );
  }
}

function orderLine(_: unknown, index: number): object {
  const unitPrice = { minor_units: randomInt(100, 100_000), currency: 'EUR' };
  return { line: index + 1, sku: `A-${randomInt(1e6)}`, quantity: randomInt(1, 20), unit_price: unitPrice };
}

/**
 * The first change of a page after a checkpoint adds the whole page to the log. At a low rate, or in a large database, that
 * is nearly every change.
 */
async function measureSparseWal(
  database: pg.Client,
  port: number,
  singles: (count: number) => Buffer[],
): Promise<number> {
  let bytes = 0;
  for (let round = 0; round < checkpointCount; round += 1) {
    await database.query('CHECKPOINT');
    const before = await readWalBytes(database);
    await sendAll(port, singles(receiptsPerCheckpoint), 1);
    bytes += (await readWalBytes(database)) - before;
  }
  return bytes / (checkpointCount * receiptsPerCheckpoint);
}

async function withCompressedPages<T>(database: pg.Client, work: () => Promise<T>): Promise<T> {
  await database.query('ALTER SYSTEM SET wal_compression = on');
  await database.query('SELECT pg_reload_conf()');
  try {
    return await work();
  } finally {
    await database.query('ALTER SYSTEM RESET wal_compression');
    await database.query('SELECT pg_reload_conf()');
  }
}

async function readWalBytes(database: pg.Client): Promise<number> {
  const { rows } = await database.query("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 AS bytes");
  return (rows[0] as { bytes: number }).bytes;
}

/** Bytes by part. The request log is not in the total of the store: it is kept for 30 days only. */
async function readSizes(database: pg.Client, stack: BackingServices): Promise<Map<string, number>> {
  const { rows } = await database.query(`
    SELECT CASE relnamespace WHEN 'operations'::regnamespace THEN '${requestLog}'
        ELSE coalesce((SELECT inhparent::regclass::text FROM pg_inherits WHERE inhrelid = t.oid), relname) END AS name,
      sum(pg_total_relation_size(oid))::float8 AS bytes
    FROM pg_class t WHERE relkind = 'r' AND relnamespace IN ('public'::regnamespace, 'operations'::regnamespace) GROUP BY 1`);
  const sizes = new Map(rows.map(({ name, bytes }: { name: string; bytes: number }) => [name, bytes]));
  const sizeOf = (name: string): number => sizes.get(name) ?? 0;
  const store = [...sizes].reduce((sum, [name, bytes]) => (name === requestLog ? sum : sum + bytes), 0);
  const submissions = topicBytes(stack, topics.submissions);
  const events = topicBytes(stack, topics.bookEvents);
  return new Map([
    ...shownTables.map((table) => [`table ${table}`, sizeOf(table)] as const),
    ['other tables', store - shownTables.reduce((sum, table) => sum + sizeOf(table), 0)],
    ['store, total', store],
    [requestLog, sizeOf(requestLog)],
    ['write-ahead log', await readWalBytes(database)],
    [`topic ${topics.submissions}`, submissions],
    [`topic ${topics.bookEvents}`, events],
    ['topics, total, one replica', submissions + events],
  ]);
}

/** Of the log files of the embedded Kafka, the only one whose files are known to lie here. */
function topicBytes({ dir, sources }: BackingServices, topic: string): number {
  if (sources.kafka !== 'embedded') return Number.NaN;
  const data = join(dir, 'kafka', 'data');
  const partitions = readdirSync(data).filter((name) => name.replace(/-\d+$/, '') === topic);
  return partitions
    .flatMap((partition) => readdirSync(join(data, partition)).map((file) => join(data, partition, file)))
    .filter((file) => file.endsWith('.log'))
    .reduce((sum, file) => sum + statSync(file).size, 0);
}

function formatBytes(sizes: BytesPerReceipt, part: string): string {
  return formatCount(sizes.get(part) ?? Number.NaN);
}

function formatCount(bytes: number): string {
  return Math.round(bytes).toLocaleString('en');
}

function formatMebibytes(bytes: number): string {
  return `${(bytes / 2 ** 20).toFixed(1)} MiB`;
}

function yearlyCells(perReceipt: BytesPerReceipt, sparseWalBytes: number): string[][] {
  const need: YearlyNeed = {
    storeBytes: perReceipt.get('store, total') ?? Number.NaN,
    requestLogBytes: perReceipt.get(requestLog) ?? Number.NaN,
    walBytes: perReceipt.get('write-ahead log') ?? Number.NaN,
    sparseWalBytes,
    submissionBytes: perReceipt.get(`topic ${topics.submissions}`) ?? Number.NaN,
    eventBytes: perReceipt.get(`topic ${topics.bookEvents}`) ?? Number.NaN,
  };
  return provisioningRows(need, [10_000_000, 1_000_000_000]);
}

function printTable(columns: readonly string[], rows: readonly (readonly string[])[]): void {
  console.log(`\n${markdownTable(columns, rows)}`);
}
