import { afterEach, expect, test } from '@jest/globals';
import type { Queryable } from '#libs/database/database.ts';
import type { BookEventCodec } from '#libs/kafka/book-event.ts';
import { driver, letGo } from '#libs/kafka/testing/stuck-driver.ts';
import { auditTopic } from './audited-topic.ts';
import { Findings } from './finding.ts';

afterEach(() => letGo());

test('what is not read of a topic is told and is no finding: nothing is known of what it holds', async () => {
  const { options } = driver('reading');
  const findings = new Findings(10);
  const codec = {} as BookEventCodec;
  const on = {} as Queryable;
  const lasts = new Map([[0, 2]]);
  const audited = await auditTopic({ ...options, codec, on, findings, lasts, patientForMs: 10 });
  expect([audited, findings.listed]).toEqual([{ events: 0, unread: [0] }, []]);
});
