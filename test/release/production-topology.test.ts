/**
 * A production topology: the rights of its logins, and that it loses nothing when a broker and the primary of Postgres are
 * lost. The long form, with every fault, is `npm run faults:cluster`.
 */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type Cluster, startCluster, until } from '#deploy/cluster/cluster.ts';
import { kafkaClientOf } from '#deploy/cluster/kafka-brokers.ts';
import type { KafkaLogin } from '#deploy/cluster/kafka-rights.ts';
import { serviceNames } from '#deploy/cluster/layout.ts';
import { MissingPartError } from '#deploy/cluster/missing-part.ts';
import { installPrograms } from '#deploy/cluster/programs.ts';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { topics } from '#libs/kafka/topics.ts';
import { ClusterControl } from '#test/cluster/cluster-control.ts';
import { runFault } from '#test/cluster/fault-run.ts';
import { selectFaults } from '#test/cluster/faults.ts';
import { type LoadedTenancy, openLoad } from '#test/cluster/lender.ts';
import { announceSkip } from '#test/support/skip.ts';

const dir = join(projectDir, '.data', 'test', `cluster-${process.pid}`);
const perSecond = 30;
const testTimeoutMs = 240_000;
let cluster: Cluster;
/** Opened by the first fault. */
let loaded: LoadedTenancy | undefined;

/** Undefined where this machine has, or can download, every part of the cluster. */
const missingPart = await installPrograms(() => undefined).then(
  () => undefined,
  (cause: unknown) => {
    if (cause instanceof MissingPartError) return cause.message;
    throw cause;
  },
);
if (missingPart !== undefined) announceSkip('the production topology', missingPart);
const testWhereInstalled = missingPart === undefined ? test : test.skip;

beforeAll(async () => {
  if (missingPart === undefined) cluster = await startCluster({ dir, log: () => undefined });
}, testTimeoutMs);
afterAll(async () => {
  if (missingPart === undefined) await cluster.stop();
  rmSync(dir, { recursive: true, force: true });
}, testTimeoutMs);

/** Undefined where Kafka allows it, otherwise the kind of its refusal. */
async function refusal(work: Promise<unknown>): Promise<string | undefined> {
  try {
    await work;
    return undefined;
  } catch (cause) {
    return kindsOf(cause).find((kind) => kind.includes('AUTHORIZATION')) ?? String(cause);
  }
}

/** The driver wraps the answer of the broker, once for each partition. */
function kindsOf(cause: unknown): string[] {
  const { type, cause: inner, partitions } = cause as KafkaFailure;
  const inners = [...(inner === undefined ? [] : [inner]), ...(partitions ?? []).map(({ error }) => error)];
  return [...(type === undefined ? [] : [type]), ...inners.flatMap(kindsOf)];
}

interface KafkaFailure {
  readonly type?: string;
  readonly cause?: unknown;
  readonly partitions?: readonly { readonly error: unknown }[];
}

async function append(login: KafkaLogin, topic: string): Promise<void> {
  const producer = kafkaClientOf(cluster.layout, login).producer({ allowAutoTopicCreation: false });
  await producer.connect();
  try {
    await producer.send({ topic, messages: [{ partition: 0, value: 'not a record of the service' }] });
  } finally {
    await producer.disconnect();
  }
}

/** Removes nothing: the offset is that of the first record. */
async function removeRecords(login: KafkaLogin, topic: string): Promise<void> {
  const admin = kafkaClientOf(cluster.layout, login).admin();
  await admin.connect();
  try {
    const ranges = await admin.fetchTopicOffsets(topic);
    const first = ranges.find(({ partition }) => partition === 0)?.low ?? '';
    await admin.deleteTopicRecords({ topic, partitions: [{ partition: 0, offset: first }] });
  } finally {
    await admin.disconnect();
  }
}

testWhereInstalled(
  'only processors may write events, no processor may write submissions, and only an operator may remove events',
  async () => {
    for (const login of ['gateway', 'console', 'operator'] as const) {
      expect([login, await refusal(append(login, topics.bookEvents))]).toEqual([login, 'TOPIC_AUTHORIZATION_FAILED']);
    }
    expect(await refusal(append('processor', topics.submissions))).toBe('TOPIC_AUTHORIZATION_FAILED');
    expect(await refusal(append('gateway', topics.parked))).toBe('TOPIC_AUTHORIZATION_FAILED');
    expect(await refusal(removeRecords('processor', topics.bookEvents))).toBe('TOPIC_AUTHORIZATION_FAILED');
    expect(await refusal(removeRecords('operator', topics.submissions))).toBe('TOPIC_AUTHORIZATION_FAILED');
    // `lending topic repair` needs it.
    expect(await refusal(removeRecords('operator', topics.bookEvents))).toBeUndefined();
  },
  testTimeoutMs,
);

testWhereInstalled(
  'every service exports the standby of Postgres and the difference from its clock, also with a Postgres before 16',
  async () => {
    for (const name of serviceNames) {
      await until(`the metrics of ${name}`, testTimeoutMs, async () => {
        const response = await fetch(`http://127.0.0.1:${cluster.layout.ports[`${name}.operations`]}/metrics`);
        const text = await response.text();
        return /^lending_database_standbys\{.*\} 1$/m.test(text) && /^lending_clock_offset_seconds\{/m.test(text);
      });
    }
  },
  testTimeoutMs,
);

for (const fault of selectFaults(['coordinator-kill', 'primary-kill'])) {
  testWhereInstalled(
    `no write is lost, doubled, missing in the topic or late at the fault ${fault.name}`,
    async () => {
      loaded ??= await openLoad(cluster, { perSecond, isMixed: false });
      const control = new ClusterControl(cluster);
      const result = await runFault(fault, { ...loaded, control, withAudit: fault.name === 'primary-kill' });
      expect(result.problems).toEqual([]);
      expect(result.acknowledged).toBeGreaterThan(0);
    },
    testTimeoutMs,
  );
}
