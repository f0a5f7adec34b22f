/**
 * `npm run bench:rebuild`: facts through the real topic, a new database made of them and audited, beside the floor of the
 * same machine in the same minutes: the topic read and nothing done with it, and the same rows copied by Postgres alone.
 */
import { rmSync } from 'node:fs';
import pg from 'pg';
import type { StackFacts } from '#deploy/stack/stack.ts';
import { auditCell } from '#libs/cli/audit.ts';
import { rebuildCell } from '#libs/cli/rebuild.ts';
import { connectKafka } from '#libs/kafka/kafka.ts';
import { topicEnds } from '#libs/kafka/topic-ends.ts';
import { readTopic } from '#libs/kafka/topic-follower.ts';
import { topics } from '#libs/kafka/topics.ts';
import { Line } from './caller.ts';
import { type House, inNewHouse, say } from './house.ts';
import { openLender } from './lender.ts';

const facts = Number(process.env['BENCH_FACTS'] ?? 200_000);
const clients = 1_000;
const receiptsEach = 100;
const connections = 4;
const lookEveryMs = 100;

await inNewHouse(bench);

async function bench({ stack, port }: House): Promise<void> {
  const told = await report(stack, port);
  const rebuilt = await timed('rebuild', () => rebuildCell({ ...stack, ownerUrl: stack.databaseUrl }, say));
  const audited = await timed('audit', () => auditCell(stack, { most: 20, withoutLog: false }, say));
  console.log('\n| | facts/s |\n| - | - |');
  for (const [what, seconds] of [
    ['rebuilt, compared and serving', rebuilt],
    ['audited', audited],
    ['floor: the topic read', await readAlone(stack)],
    ['floor: the same rows copied', await copyAlone(stack)],
  ] as const) {
    console.log(`| ${what} | ${Math.round(told / seconds).toLocaleString('en')} |`);
  }
}

/** So many facts recorded and told. */
async function report(stack: StackFacts, port: number): Promise<number> {
  const lender = await openLender(stack, port, clients);
  const requests = Array.from({ length: Math.ceil(facts / receiptsEach) }, () => lender.batch(receiptsEach));
  await Promise.all(
    Array.from({ length: connections }, async () => {
      const line = await Line.open(port);
      for (let request = requests.pop(); request !== undefined; request = requests.pop()) {
        const { status } = await line.send(request);
        if (status !== 200) requests.push(request);
      }
      line.close();
    }),
  );
  return untilTold(stack);
}

async function untilTold({ databaseUrl, kafkaBrokers }: StackFacts): Promise<number> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const { rows } = await database.query('SELECT sum(next_event - 1)::int AS events FROM partitions');
  await database.end();
  const { events } = rows[0] as { events: number };
  const kafka = connectKafka(kafkaBrokers, 'bench');
  for (;;) {
    const ends = await topicEnds(kafka, topics.bookEvents);
    if ([...ends.values()].reduce((sum, { high }) => sum + high, 0) >= events) return events;
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
  }
}

async function timed(what: string, work: () => Promise<boolean>): Promise<number> {
  const began = performance.now();
  if (!(await work())) throw new Error(`${what} did not come to a good end`);
  return (performance.now() - began) / 1_000;
}

async function readAlone({ kafkaBrokers }: StackFacts): Promise<number> {
  const quiet = { warn: () => undefined, error: () => undefined };
  const began = performance.now();
  const kafka = connectKafka(kafkaBrokers, 'bench');
  await readTopic({ kafka, topic: topics.bookEvents, say: quiet, take: async () => undefined });
  return (performance.now() - began) / 1_000;
}

/** From files of the server's own into tables with the same indexes: no client, no JSON, no fold. */
async function copyAlone({ databaseUrl }: StackFacts): Promise<number> {
  const database = new pg.Client({ connectionString: databaseUrl });
  await database.connect();
  const tables = ['facts', 'evidence', 'refs', 'books', 'snapshots'];
  const file = (table: string): string => `/tmp/lending-bench-${process.pid}-${table}`;
  for (const table of tables) {
    await database.query(`COPY ${table} TO '${file(table)}'`);
    await database.query(`CREATE TABLE copied_${table} (LIKE ${table} INCLUDING ALL)`);
  }
  const began = performance.now();
  for (const table of tables) await database.query(`COPY copied_${table} FROM '${file(table)}'`);
  const seconds = (performance.now() - began) / 1_000;
  await database.end();
  for (const table of tables) rmSync(file(table), { force: true });
  return seconds;
}
