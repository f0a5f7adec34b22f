import { afterEach, expect, test } from '@jest/globals';
import type { Queryable } from '#libs/database/database.ts';
import type { BookEventCodec } from '#libs/kafka/book-event.ts';
import type { MovementRecord } from '#libs/kafka/movement.ts';
import { fakeKafka, releaseStuckCalls } from '#libs/kafka/testing/fake-kafka.ts';
import { auditNumberedTopic, auditTopic } from './audit-topic.ts';
import { ExpectedMovements } from './expected-movements.ts';
import { Findings } from './findings.ts';

afterEach(() => releaseStuckCalls());

test('a partition that cannot be read is reported as unread and not as a finding', async () => {
  const { options } = fakeKafka('reading');
  const findings = new Findings(10);
  const codec = {} as BookEventCodec;
  const database = {} as Queryable;
  const lastEvents = new Map([[0, 2]]);
  const result = await auditTopic({ ...options, codec, database, findings, lastEvents, stallTimeoutMs: 10 });
  expect([result, findings.listed]).toEqual([{ events: 0, repeats: 0, unreadPartitions: [0] }, []]);
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
  const movements = new ExpectedMovements(lastEvents);
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
  expect(result).toEqual({ events: 2, repeats: 1, unreadPartitions: [] });
  expect(findings.listed.map(({ what }) => what)).toEqual(expected);
});
