import { expect, test } from '@jest/globals';
import type { Moment } from '#libs/calendar/moment.ts';
import { publishParkedRecords } from './park-submissions.ts';
import { decodedEntry } from './testing/decoded-entry.ts';

const entry = decodedEntry({
  requestId: 'r-1',
  offset: 7,
  sentAt: 0 as Moment,
  deadline: 1,
  items: [{ body: { by: 1 } }],
});
const parked = [{ entry, book: undefined, item: undefined, cause: undefined }];

test('a batch that is tried again copies its parked records once', async () => {
  const copied = new WeakSet<typeof entry.source>();
  const appended: number[] = [];
  const topic = {
    append: async ({ partition }: { readonly partition: number }) => {
      appended.push(partition);
    },
  };
  await publishParkedRecords(topic, { parked }, copied);
  // The next attempt has decided the batch again, with other entries for the same records.
  await publishParkedRecords(topic, { parked: [{ ...parked[0], entry: { ...entry } }] as typeof parked }, copied);
  expect(appended).toHaveLength(1);
});

test('a record that could not be copied is copied by the next attempt', async () => {
  const copied = new WeakSet<typeof entry.source>();
  const down = { append: () => Promise.reject(new Error('Kafka does not answer')) };
  await expect(publishParkedRecords(down, { parked }, copied)).rejects.toThrow('does not answer');
  expect(copied.has(entry.source)).toBe(false);
});
