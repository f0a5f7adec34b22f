/**
 * `npm run bench:rebuild`: records facts, rebuilds a database from the published topic and audits it. The baselines of the
 * same run are reading the topic alone, and copying the same rows inside Postgres.
 */
import { rmSync } from 'node:fs';
import pg from 'pg';
import type { BackingServiceAddresses } from '#deploy/dev/backing-services.ts';
import { auditCell } from '#libs/cli/audit.ts';
import { rebuildCell } from '#libs/cli/rebuild.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { readTopic } from '#libs/kafka/topic-follower.ts';
import { topics } from '#libs/kafka/topics.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { type BenchEnvironment, printComment, withBenchEnvironment } from './bench-environment.ts';
import { createBenchLender } from './bench-lender.ts';
import { sendAll, waitUntilPublished } from './record-receipts.ts';

const factCount = Number(process.env['BENCH_FACTS'] ?? 200_000);
const clientCount = 1_000;
const receiptsPerRequest = 100;
const connectionCount = 4;

await withBenchEnvironment(bench);

async function bench({ stack, port }: BenchEnvironment): Promise<void> {
  const published = await recordFacts(stack, port);
  const rebuildSeconds = await timed('rebuild', async () => {
    const { isReplaced } = await rebuildCell(stack, printComment);
    return isReplaced;
  });
  const auditSeconds = await timed('audit', async () => {
    const { isClean } = await auditCell(stack, { maxFindings: 20, skipSubmissionTopic: false }, printComment);
    return isClean;
  });
  console.log('\n| | facts/s |\n| - | - |');
  for (const [name, seconds] of [
    ['rebuild, comparison and cutover', rebuildSeconds],
    ['audit', auditSeconds],
    ['baseline: read the topic', await timeTopicRead(stack)],
    ['baseline: copy the rows in Postgres', await timeCopy(stack)],
  ] as const) {
    console.log(`| ${name} | ${Math.round(published / seconds).toLocaleString('en')} |`);
  }
}

/** Records the facts and waits until they are published; returns their number. */
async function recordFacts(stack: BackingServiceAddresses, port: number): Promise<number> {
  const lender = await createBenchLender(stack, port, clientCount);
  const requestCount = Math.ceil(factCount / receiptsPerRequest);
  const requests = Array.from({ length: requestCount }, () => lender.batch(receiptsPerRequest));
  await sendAll(port, requests, connectionCount);
  return waitUntilPublished(stack);
}

async function timed(name: string, work: () => Promise<boolean>): Promise<number> {
  const start = performance.now();
  if (!(await work())) throw new Error(`${name} failed`);
  return (performance.now() - start) / 1_000;
}

async function timeTopicRead({ kafkaBrokers }: BackingServiceAddresses): Promise<number> {
  const start = performance.now();
  const kafka = connectKafka(kafkaBrokers, 'bench');
  await readTopic({ kafka, topic: topics.bookEvents, logger: silentLogger, onRecords: async () => undefined });
  return (performance.now() - start) / 1_000;
}

/** Copies server-side files into tables with the same indexes: no client, no JSON, no fold. */
async function timeCopy({ databaseUrl }: BackingServiceAddresses): Promise<number> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const tables = ['facts', 'request_evidence', 'reference_hashes', 'books', 'snapshots'];
  const file = (table: string): string => `/tmp/lending-bench-${process.pid}-${table}`;
  for (const table of tables) {
    await database.query(`COPY (SELECT * FROM ${table}) TO '${file(table)}'`);
    await database.query(`CREATE TABLE copied_${table} (LIKE ${table} INCLUDING ALL)`);
  }
  const start = performance.now();
  for (const table of tables) await database.query(`COPY copied_${table} FROM '${file(table)}'`);
  const seconds = (performance.now() - start) / 1_000;
  await database.end();
  for (const table of tables) rmSync(file(table), { force: true });
  return seconds;
}
