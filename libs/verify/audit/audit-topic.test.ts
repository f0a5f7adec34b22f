import { afterEach, expect, test } from '@jest/globals';
import type { Queryable } from '#libs/database/database.ts';
import type { BookEventCodec } from '#libs/kafka/book-event.ts';
import { fakeKafka, releaseStuckCalls } from '#libs/kafka/testing/fake-kafka.ts';
import { auditTopic } from './audit-topic.ts';
import { Findings } from './findings.ts';

afterEach(() => releaseStuckCalls());

test('a partition that cannot be read is reported as unread and not as a finding', async () => {
  const { options } = fakeKafka('reading');
  const findings = new Findings(10);
  const codec = {} as BookEventCodec;
  const database = {} as Queryable;
  const lastEvents = new Map([[0, 2]]);
  const result = await auditTopic({ ...options, codec, database, findings, lastEvents, stallTimeoutMs: 10 });
  expect([result, findings.listed]).toEqual([{ events: 0, unreadPartitions: [0] }, []]);
});
