/**
 * What can happen to the house while lenders write. After each: every write that was acknowledged is there once, no
 * reference twice, facts without a gap, snapshots what their facts amount to, the topic told each of them once, and
 * the service is well again without a hand.
 */
import { spawn } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signal } from '#deploy/stack/processes.ts';
import { environmentOf, killService, mustEntry, serviceLaunch, startService } from '#deploy/start/house.ts';
import { type Database, openDatabase, query } from '#libs/database/database.ts';
import { connectKafka } from '#libs/kafka/kafka.ts';
import { LogReader, type LogRecord } from '#libs/kafka/log-reader.ts';
import { LogWriter } from '#libs/kafka/log-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import { namespaces } from '#libs/ledger/book-decider.ts';
import { openRedis } from '#libs/redis/redis.ts';
import { eventually, type House, house, Tenant } from '#test/integration/tenant.ts';
import { findings } from './findings.ts';
import { Lenders, seeded } from './lenders.ts';

// The long form (`npm run faults`) does each more often; a seed that found something is given again to find it again.
const rounds = Number(process.env['FAULT_ROUNDS'] ?? 1);
const seed = Number(process.env['FAULT_SEED'] ?? Date.now() % 1_000_000);
const atOnce = 24;
const withinMs = 60_000 + 60_000 * rounds;

let here: House;
let tenant: Tenant;
let database: Database;
let lenders: Lenders;
let random: () => number;
let lap = 0;
const written = new Set<string>();

beforeAll(async () => {
  here = house();
  database = openDatabase({ url: here.stack.databaseUrl, name: 'faults', connections: 1 });
  tenant = await Tenant.open(here);
  random = seeded(seed);
  console.log(`faults with seed ${seed}`);
});
afterAll(async () => {
  await tenant.close();
  await database.end();
});

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function underLoad(fault: () => Promise<void>): Promise<void> {
  lap += 1;
  lenders = new Lenders({ tenant, seed: seed * 100 + lap, clients: 12, workers: atOnce, doing: 'everything' });
  await lenders.prepare();
  lenders.start();
  try {
    for (let round = 0; round < rounds; round += 1) {
      await reported(atOnce * 2);
      await fault();
      await reported(atOnce * 2);
    }
  } finally {
    await lenders.stop();
  }
  for (const { namespace } of lenders.acknowledged.values()) written.add(namespace);
  expect(lenders.surprises).toEqual([]);
  expect(await findings(here, tenant.id, lenders.acknowledged)).toEqual([]);
}

/** Well again: so many more are acknowledged, by itself. */
async function reported(more: number): Promise<void> {
  const from = lenders.acknowledged.size;
  await eventually(() => lenders.acknowledged.size >= from + more, 45_000).catch((cause) => {
    throw new Error(`what lenders were told instead: ${JSON.stringify(lenders.again)}`, { cause });
  });
}

describe('a processor', () => {
  test(
    'killed at any moment of its work, and started again',
    () =>
      underLoad(async () => {
        for (let kill = 0; kill < 3; kill += 1) {
          await pause(random() * 300);
          await killService(here.services, 'processor');
          await startService(here.services, 'processor');
          await reported(atOnce);
        }
      }),
    withinMs,
  );

  test(
    'that comes and goes beside another, the partitions moving between them',
    () =>
      underLoad(async () => {
        const second = spawnProcessor();
        await eventually(async () => (await owners()) === 2);
        await reported(atOnce * 4);
        await pause(500 + random() * 500);
        second.process.kill(random() < 0.5 ? 'SIGTERM' : 'SIGKILL');
        await second.ended;
      }),
    withinMs,
  );

  test(
    'stopped for longer than its session, which wakes when another has taken its partitions over',
    () =>
      underLoad(async () => {
        const entry = mustEntry(here.services.dir, 'processor');
        const second = spawnProcessor();
        signal(entry, 'SIGSTOP');
        try {
          await reported(atOnce * 2);
        } finally {
          signal(entry, 'SIGCONT');
        }
        await reported(atOnce * 2);
        second.process.kill('SIGTERM');
        await second.ended;
      }),
    withinMs,
  );
});

describe('a backing service', () => {
  test(
    'the broker killed and started again',
    () =>
      underLoad(async () => {
        await here.stack.kill('kafka');
        await pause(random() * 1_000);
        await here.stack.start('kafka');
      }),
    withinMs,
  );

  test(
    'Postgres killed in the middle of transactions and started again',
    () =>
      underLoad(async () => {
        await here.stack.kill('postgres');
        await pause(random() * 1_000);
        await here.stack.start('postgres');
      }),
    withinMs,
  );

  test(
    'Redis emptied, killed and started again',
    () =>
      underLoad(async () => {
        const redis = openRedis(here.stack.redisUrl, 'faults');
        await eventually(() => redis.status === 'ready');
        await redis.flushall();
        redis.disconnect();
        await here.stack.kill('redis');
        await reported(atOnce);
        await here.stack.start('redis');
      }),
    withinMs,
  );
});

describe('the log and the ingress', () => {
  test('everything the log holds is appended to it a second time', () => underLoad(repeatTheLog), 120_000);

  test('the reader set back to where the log begins, and given everything again', () => underLoad(setBack), withinMs);

  test(
    'the ingress killed while callers wait',
    () =>
      underLoad(async () => {
        await killService(here.services, 'gateway');
        await startService(here.services, 'gateway');
      }),
    withinMs,
  );
});

test('and all the while they wrote under references of every kind', () => {
  expect([...written].sort()).toEqual([...namespaces].sort());
});

/** How many processors share the partitions. */
async function owners(): Promise<number> {
  const rows = await query<{ owners: number }>(
    database,
    'owners',
    'SELECT count(DISTINCT owner)::int AS owners FROM partitions',
    [],
  );
  return rows[0]?.owners ?? 0;
}

function spawnProcessor() {
  const { command, args, cwd } = serviceLaunch('processor', {});
  const env = { ...process.env, ...environmentOf(here.stack), METRICS_PORT: '0', LOG_LEVEL: 'error' };
  const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
  return { process: child, ended: new Promise((resolve) => child.once('exit', resolve)) };
}

/** What Kafka keeps of how far the processors read says nothing: what counts is kept with the data. */
async function setBack(): Promise<void> {
  await killService(here.services, 'processor');
  const admin = connectKafka(here.stack.kafkaBrokers, 'faults').admin();
  await admin.connect();
  // The group is there until its session has ended, and takes no other offsets before.
  const earliest = { groupId: 'lending-processors', topic: topics.submissions, earliest: true };
  await eventually(() => isDone(admin.resetOffsets(earliest)), 30_000);
  await admin.disconnect();
  await startService(here.services, 'processor');
}

function isDone(work: Promise<unknown>): Promise<boolean> {
  return work.then(
    () => true,
    () => false,
  );
}

/** What stands in the log is appended to it again, record by record: as if every send had been retried for nothing. */
async function repeatTheLog(): Promise<void> {
  const log = connectKafka(here.stack.kafkaBrokers, 'faults');
  const writer = await LogWriter.open(log);
  const held: { partition: number; record: LogRecord }[] = [];
  const reader = await LogReader.open({
    kafka: log,
    groupId: `repeat-${Date.now()}`,
    topic: topics.submissions,
    say: { warn: () => undefined, error: () => undefined },
    takeOver: async (partitions) => new Map(partitions.map((partition) => [partition, 0])),
    deliver(partition, records) {
      for (const record of records) held.push({ partition, record });
      return undefined;
    },
    onLost: (cause) => {
      throw cause;
    },
    onCrash: (cause) => {
      throw cause;
    },
  });
  await eventually(() => held.length >= lenders.acknowledged.size);
  await reader.stop();
  // The latest first: they are the ones whose patience has not ended.
  const appended = held.reverse().map(({ partition, record }) =>
    writer.append({
      topic: topics.submissions,
      partition,
      key: String(record.key),
      value: record.value ?? Buffer.alloc(0),
    }),
  );
  await Promise.all(appended);
  await writer.close();
}
