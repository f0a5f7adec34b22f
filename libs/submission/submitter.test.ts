import { expect, test } from '@jest/globals';
import type { LogWriter } from '#libs/log/log-writer.ts';
import type { SubmissionCodec, SubmissionRecord } from '#libs/log/submission.ts';
import { Submitter } from './submitter.ts';
import type { Outcome, VerdictDesk } from './verdict-desk.ts';

test('patience is counted from when a request was let in, and what is recorded is when it came', async () => {
  const records: SubmissionRecord[] = [];
  const codec = { encode: (record: SubmissionRecord) => Buffer.alloc(records.push(record)) };
  const untils: number[] = [];
  const writer = { appendAll: async (_: unknown, until: number) => void untils.push(until) };
  const told = new Map<number, Outcome>([[0, { status: 201, body: '{}' }]]);
  const submitter = new Submitter({
    codec: codec as unknown as SubmissionCodec,
    writer: writer as unknown as LogWriter,
    desk: { address: 'here', await: async () => told } as unknown as VerdictDesk,
  });
  const admittedAt = Date.now();
  await submitter.submit({
    requestId: 'r',
    tenantId: 'acme',
    operation: 'reportReceipt',
    params: {},
    takenInAt: admittedAt - 13_000,
    admittedAt,
    evidence: {
      method: 'POST',
      target: '/',
      ts: null,
      fp: null,
      signature: null,
      idempotency_key: null,
      body: Buffer.from('{}'),
    },
    items: [{ item: 0, bookId: 'c/ana', digest: Buffer.alloc(32), ids: [] }],
  });
  expect(records).toMatchObject([
    { taken_in_at: (admittedAt - 13_000) * 1_000, patience_ends_at: (admittedAt + 2_000) * 1_000 },
  ]);
  expect(untils).toEqual([admittedAt + 2_000]);
});
