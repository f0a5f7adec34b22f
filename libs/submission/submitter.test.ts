import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { SubmissionCodec, SubmissionRecord } from '#libs/kafka/submission-record.ts';
import type { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { PendingVerdicts, SubmissionResult } from './pending-verdicts.ts';
import { BatchTooLargeError, type SubmissionRequest, Submitter } from './submitter.ts';

test('the deadline counts from admission, and the record carries the time of arrival', async () => {
  const records: SubmissionRecord[] = [];
  const codec = { encode: (record: SubmissionRecord) => Buffer.alloc(records.push(record)) };
  const deadlines: number[] = [];
  const writer = {
    hasRoom: () => true,
    appendAll: async (_: unknown, deadline: number) => void deadlines.push(deadline),
  };
  const results = new Map<number, SubmissionResult>([[0, { status: 201, body: '{}' }]]);
  const submitter = new Submitter({
    codec: codec as unknown as SubmissionCodec,
    writer: writer as unknown as TopicWriter,
    pendingVerdicts: { address: 'here', waitFor: async () => results } as unknown as PendingVerdicts,
    partitionCount: 12,
  });
  const admittedAt = Date.now();
  await submitter.submit({
    requestId: 'r',
    tenantId: 'acme',
    operation: 'reportReceipt',
    params: {},
    receivedAt: admittedAt - 13_000,
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
  expect(deadlines).toEqual([admittedAt + 2_000]);
});

/** Submits a batch with a long receipt for each of many Clients to a writer with `room` bytes free. */
function submitBatch(room: number, { partitionCount = 12, contextBytes = 2_048 } = {}) {
  const roomRequests: number[] = [];
  const calls: string[] = [];
  const hasRoom = (bytes: number): boolean => roomRequests.push(bytes) > 0 && bytes <= room;
  const waitFor = async (): Promise<ReadonlyMap<number, SubmissionResult>> => {
    calls.push('awaited');
    return new Map([[0, { status: 201, body: '{}' }]]);
  };
  const submitter = new Submitter({
    codec: { encode: () => Buffer.alloc(calls.push('encoded')) } as unknown as SubmissionCodec,
    writer: { hasRoom, appendAll: async () => undefined } as unknown as TopicWriter,
    pendingVerdicts: { address: 'here', waitFor, cancel: () => undefined } as unknown as PendingVerdicts,
    partitionCount,
  });
  const context = () => randomBytes(contextBytes).toString('hex');
  const receipts = Array.from({ length: 64 }, () => JSON.stringify({ context: context() }));
  const body = Buffer.from(`{"receipts":[${receipts.join(',')}]}`);
  const request: SubmissionRequest = {
    requestId: 'r',
    tenantId: 'acme',
    operation: 'reportReceipt',
    params: {},
    receivedAt: Date.now(),
    admittedAt: Date.now(),
    evidence: { method: 'POST', target: '/', ts: null, fp: null, signature: null, idempotency_key: null, body },
    items: receipts.map((each, item) => ({
      item,
      bookId: `c/${item}`,
      digest: Buffer.alloc(32),
      body: each,
      ids: [],
    })),
  };
  return { submitted: submitter.submit(request), roomRequests, calls, bytes: body.length };
}

test('a request the writer has no room for is refused before it is encoded, and no verdict is awaited', async () => {
  const { submitted, calls } = submitBatch(0);
  await expect(submitted).rejects.toThrow(DependencyUnavailableError);
  expect(calls).toEqual([]);
});

test('a batch for many Clients needs room for its evidence in the record of each partition', async () => {
  // Enough room for the request twice.
  const { submitted, roomRequests, calls, bytes } = submitBatch(600_000);
  await expect(submitted).rejects.toThrow(DependencyUnavailableError);
  expect(calls).toEqual([]);
  // Hexadecimal text compresses to a little more than half; the evidence is sent twelve times, the receipts once.
  expect(Math.max(...roomRequests)).toBeGreaterThan(7 * bytes);
});

test('a batch whose records could fill the queue alone is refused, and a part of it is accepted', async () => {
  const large = submitBatch(Number.POSITIVE_INFINITY, { partitionCount: 48, contextBytes: 60_000 });
  const refusal = await large.submitted.catch((cause: unknown) => cause);
  expect(refusal).toBeInstanceOf(BatchTooLargeError);
  expect(large.calls).toEqual([]);
  const { maxBodyBytes } = refusal as BatchTooLargeError;
  expect(maxBodyBytes).toBeLessThan(large.bytes);
  const contextBytes = Math.floor(maxBodyBytes / 64 / 2) - 20;
  await submitBatch(Number.POSITIVE_INFINITY, { partitionCount: 48, contextBytes }).submitted;
});

test('the longest batch is accepted in a cell of 12 partitions, however little it compresses', async () => {
  const { submitted, bytes } = submitBatch(Number.POSITIVE_INFINITY, { contextBytes: 65_000 });
  await submitted;
  expect(bytes).toBeGreaterThan(8_300_000);
});
