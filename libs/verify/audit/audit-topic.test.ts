import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from '@jest/globals';
import type { BookEventCodec } from '#libs/kafka/book-event.ts';
import type { MovementRecord } from '#libs/kafka/movement.ts';
import { eventLoopTurns, fakeKafka, releaseStuckCalls } from '#libs/kafka/testing/fake-kafka.ts';
import type { TopicProgress } from './audit-progress.ts';
import { AuditState } from './audit-state.ts';
import { auditNumberedTopic, auditTopic } from './audit-topic.ts';
import { ExpectedMovements } from './expected-movements.ts';
import { Findings } from './findings.ts';
import type { ReadSnapshot } from './snapshots.ts';

afterEach(() => releaseStuckCalls());

test('a partition that cannot be read is reported as unread and not as a finding', async () => {
  const { options } = fakeKafka('reading');
  const findings = new Findings(10);
  const codec = {} as BookEventCodec;
  const readSnapshot: ReadSnapshot = () => Promise.reject(new Error('nothing is read'));
  const lastEvents = new Map([[0, 2]]);
  const result = await auditTopic({ ...options, codec, readSnapshot, findings, lastEvents, stallTimeoutMs: 10 });
  expect([result, findings.listed]).toEqual([{ events: 0, repeats: 0, unreadPartitions: [0] }, []]);
});

test('a pause that is longer than the publisher may need does not count as the end of the topic', async () => {
  const stallTimeoutMs = 100;
  const codec = { decode: () => Promise.reject(new Error('no event')) } as unknown as BookEventCodec;
  const progress = new Map<number, TopicProgress>();
  const { options, deliver } = fakeKafka('reading');
  const result = auditTopic({
    ...options,
    codec,
    readSnapshot: () => Promise.reject(new Error('nothing is read')),
    findings: new Findings(10),
    lastEvents: new Map([[0, 2]]),
    progress,
    stallTimeoutMs,
    pause: () => sleep(3 * stallTimeoutMs),
  });
  await eventLoopTurns(20);
  await deliver(['0']);
  await deliver(['1']);
  await result;
  expect(progress.get(0)?.nextOffset).toBe(2);
});

test('a topic that ends before the database is found while another partition is written to', async () => {
  const codec = { decode: () => Promise.reject(new Error('no event')) } as unknown as BookEventCodec;
  const findings = new Findings(10);
  const { options, deliver } = fakeKafka('reading', [0, 1]);
  const result = auditTopic({
    ...options,
    codec,
    readSnapshot: () => Promise.reject(new Error('nothing is read')),
    findings,
    lastEvents: new Map([
      [0, 3],
      [1, 0],
    ]),
    stallTimeoutMs: 50,
    pause: () => sleep(20),
  });
  let isEnded = false;
  void result.then(() => {
    isEnded = true;
  });
  await eventLoopTurns(20);
  await deliver();
  await deliver(['0', '1'], 1);
  const writingEndsAt = performance.now() + 2_000;
  for (let offset = 2; !isEnded && performance.now() < writingEndsAt; offset += 1) {
    await deliver([String(offset)], 1);
    await eventLoopTurns(1);
  }
  expect(isEnded).toBe(true);
  expect(findings.listed).toContainEqual(expect.objectContaining({ what: 'the topic ends before the database' }));
});

test('events of a damaged topic whose numbers are far apart are read in short ranges', async () => {
  const sequences = [10_000_000n, 1n];
  let decoded = 0;
  const codec = { decode: async () => ({ ...movement, sequence: sequences[decoded++], fact: 1n }) };
  const ranges: unknown[] = [];
  const database = {
    query: async ({ values }: { readonly values: readonly unknown[] }) => {
      ranges.push(values.slice(1));
      return { rows: [] };
    },
  };
  await auditTopic({
    ...fakeKafka('nothing').options,
    codec: codec as unknown as BookEventCodec,
    readSnapshot: (read) => read(database as never, {} as never),
    findings: new Findings(10),
    lastEvents: new Map([[0, 10_000_000]]),
    stallTimeoutMs: 10,
  });
  expect(ranges).toEqual([
    [9_999_999, 1],
    [0, 1],
  ]);
});

const movement = {
  partition: 0,
  tenant_id: 't',
  book_id: 'c/b',
  client_id: 'b',
  kind: 'loan_issued',
  request_id: 'r',
  item: 0,
  loans: [],
};

test.each([
  ['equal to its original is counted and no finding', movement, []],
  [
    'of other content is a finding',
    { ...movement, kind: 'loan_ceded' },
    ['the movement differs from the fold of the facts'],
  ],
])('a repeated record %s', async (_what, repeated, expected) => {
  const findings = new Findings(10);
  const lastEvents = new Map([[0, 1]]);
  const state = new AuditState(undefined);
  const movements = new ExpectedMovements((partition) => state.digestFile(partition), lastEvents);
  movements.add({ ...movement, sequence: 1, fact: 1, recorded_at: 1 });
  const records = [movement, repeated].map((each) => ({ ...each, sequence: 1n, fact: 1n, recorded_at: 1n }));
  let decoded = 0;
  const result = await auditNumberedTopic<MovementRecord>(
    { ...fakeKafka('nothing').options, findings, lastEvents },
    {
      topic: 't',
      recordName: 'a movement',
      decode: () => records[decoded++] as MovementRecord,
      compare: movements.compare,
    },
  );
  state.close();
  expect(result).toEqual({ events: 2, repeats: 1, unreadPartitions: [] });
  expect(findings.listed.map(({ what }) => what)).toEqual(expected);
});

/** Reads the two records of the fake topic, the events 1 and 2. */
async function auditAgain(progress: Map<number, TopicProgress>) {
  const findings = new Findings(10);
  const read: bigint[] = [];
  const saved: number[] = [];
  let decoded = 0;
  const result = await auditNumberedTopic<MovementRecord>(
    {
      ...fakeKafka('nothing').options,
      findings,
      lastEvents: new Map([[0, 2]]),
      progress,
      onProgress: (partition) => saved.push(partition),
    },
    {
      topic: 't',
      recordName: 'a movement',
      decode: () => ({ ...movement, sequence: BigInt(++decoded), fact: 1n, recorded_at: 1n }),
      compare: (_partition, records) => void read.push(...records.map(({ sequence }) => sequence)),
    },
  );
  return { result, read, saved, findings };
}

const finding = { what: 'w', where: 't partition 0' };
const halfRead: TopicProgress = {
  low: 0,
  nextOffset: 2,
  lastSeen: 2,
  compared: 2,
  repeats: 1,
  isComplete: true,
  findings: { listed: [finding], count: 1 },
};

test('a partition that an interrupted audit has read is not read again, and its findings stay', async () => {
  const { result, read, findings } = await auditAgain(new Map([[0, halfRead]]));
  expect(result).toEqual({ events: 2, repeats: 1, unreadPartitions: [] });
  expect(read).toEqual([]);
  expect(findings.listed).toEqual([finding]);
});

test('a partition whose topic was written again meanwhile is read from its beginning', async () => {
  const { result, read, saved, findings } = await auditAgain(new Map([[0, { ...halfRead, low: 7 }]]));
  expect(result.events).toBe(2);
  expect(read).toEqual([1n, 2n]);
  expect(saved).toContain(0);
  expect(findings.listed).toEqual([]);
});
