import { expect, test } from '@jest/globals';
import type { SubmissionCodec, SubmissionRecord } from '#libs/kafka/submission-record.ts';
import { decodeRecord, isDecoded } from './log-entry.ts';
import { decodedEntry } from './testing/decoded-entry.ts';

/** The submission of a record with this body. */
async function submissionWith(body: string) {
  const { record, source } = decodedEntry({ requestId: 'r', offset: 1, sentAt: 0, items: [{ body: {} }] });
  const sent: SubmissionRecord = { ...record, items: record.items.map((item) => ({ ...item, body })) };
  const entry = await decodeRecord({ decode: () => sent } as object as SubmissionCodec, 3, source);
  return isDecoded(entry) ? entry.items[0]?.submission : undefined;
}

test('a short body is parsed once', async () => {
  const submission = await submissionWith('{"by":1}');
  expect(submission?.body).toEqual({ by: 1 });
  expect(submission?.body).toBe(submission?.body);
});

test('a long body is parsed whenever it is read: its values are not kept while it waits', async () => {
  const body = { by: 1, context: 'x'.repeat(4_000) };
  const submission = await submissionWith(JSON.stringify(body));
  expect(submission?.body).toEqual(body);
  expect(submission?.body).not.toBe(submission?.body);
});
