import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import type { LogWriter } from '#libs/kafka/log-writer.ts';
import type { SubmissionCodec, SubmissionRecord } from '#libs/kafka/submission.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import type { PendingVerdicts, SubmissionOutcome } from './pending-verdicts.ts';
import { type Request, Submitter } from './submitter.ts';

test('patience is counted from when a request was let in, and what is recorded is when it came', async () => {
  const records: SubmissionRecord[] = [];
  const codec = { encode: (record: SubmissionRecord) => Buffer.alloc(records.push(record)) };
  const untils: number[] = [];
  const writer = { hasRoom: () => true, appendAll: async (_: unknown, until: number) => void untils.push(until) };
  const told = new Map<number, SubmissionOutcome>([[0, { status: 201, body: '{}' }]]);
  const submitter = new Submitter({
    codec: codec as unknown as SubmissionCodec,
    writer: writer as unknown as LogWriter,
    desk: { address: 'here', await: async () => told } as unknown as PendingVerdicts,
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

/** A batch with a long receipt for each of many Clients, before a log that has so much room. */
function batchBefore(room: number) {
  const asked: number[] = [];
  const did: string[] = [];
  const hasRoom = (bytes: number): boolean => asked.push(bytes) > 0 && bytes <= room;
  const awaited = async (): Promise<ReadonlyMap<number, SubmissionOutcome>> => {
    did.push('awaited');
    return new Map([[0, { status: 201, body: '{}' }]]);
  };
  const submitter = new Submitter({
    codec: { encode: () => Buffer.alloc(did.push('encoded')) } as unknown as SubmissionCodec,
    writer: { hasRoom, appendAll: async () => undefined } as unknown as LogWriter,
    desk: { address: 'here', await: awaited, forget: () => undefined } as unknown as PendingVerdicts,
  });
  const receipts = Array.from({ length: 64 }, () => JSON.stringify({ context: randomBytes(2_048).toString('hex') }));
  const body = Buffer.from(`{"receipts":[${receipts.join(',')}]}`);
  const request: Request = {
    requestId: 'r',
    tenantId: 'acme',
    operation: 'reportReceipt',
    params: {},
    takenInAt: Date.now(),
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
  return { submitted: submitter.submit(request), asked, did, bytes: body.length };
}

test('what the log has no room for is refused before any of it is encoded, and nobody awaits its verdict', async () => {
  const { submitted, did } = batchBefore(0);
  await expect(submitted).rejects.toThrow(DependencyUnavailableError);
  expect(did).toEqual([]);
});

test('a batch over many Clients needs room for its evidence in every one of its records', async () => {
  // There would be for the whole of it twice.
  const { submitted, asked, did, bytes } = batchBefore(600_000);
  await expect(submitted).rejects.toThrow(DependencyUnavailableError);
  expect(did).toEqual([]);
  // Hexadecimal deflates to a little more than half of itself; it travels twelve times, the receipts once.
  expect(Math.max(...asked)).toBeGreaterThan(7 * bytes);
});
