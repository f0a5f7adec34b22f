/** Books that take more memory together, or alone, than a processor may load for one batch. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { newUuid } from '#libs/runtime/uuid.ts';
import { eventually } from '#test/support/tenant.ts';
import { IsolatedProcessor } from './in-process-processor.ts';

let isolated: IsolatedProcessor;
beforeAll(async () => {
  isolated = await IsolatedProcessor.open('book_memory');
});
afterAll(() => isolated.close());
beforeEach(() => isolated.reset());

/** One batch with an entry for each Client; the verdict of each. */
async function addToAll(clients: readonly string[]): Promise<(readonly string[])[]> {
  const requests = clients.map((client) => {
    const requestId = newUuid();
    isolated.deliver(Buffer.from(JSON.stringify({ client, by: 1, requestId })), client);
    return requestId;
  });
  await eventually(() => requests.every((requestId) => isolated.verdictsOf(requestId).length > 0));
  return requests.map((requestId) => isolated.verdictsOf(requestId));
}

test('a batch whose books do not fit into memory together is committed in parts, in order', async () => {
  const clients = ['ana', 'bea', 'carla'];
  for (const client of clients) await isolated.add({ client, by: 5 });
  isolated.bookLimits = { maxBatchBytes: 4_000, maxEntryBytes: 8_000 };
  await isolated.restart();
  expect(await addToAll([...clients, 'ana'])).toEqual([
    ['201 {"after":6}'],
    ['201 {"after":6}'],
    ['201 {"after":6}'],
    ['201 {"after":7}'],
  ]);
  await isolated.waitUntilProcessed();
  expect(isolated.alerts).toEqual([]);
});

test('a book that does not fit into memory is parked with its reason, and other books continue', async () => {
  for (let count = 0; count < 4; count += 1) await isolated.add({ client: 'ana', by: 5 });
  await isolated.add({ client: 'bea', by: 5 });
  isolated.bookLimits = { maxBatchBytes: 4_000, maxEntryBytes: 4_000 };
  await isolated.restart();
  expect(await addToAll(['ana', 'bea', 'ana'])).toEqual([['internal_error'], ['201 {"after":6}'], ['internal_error']]);
  expect(await isolated.bookRow('ana')).toEqual({ sequence: 4, parked: true, facts: 4 });
  expect(isolated.alerts).toContain('processor.book_parked');
});

test('a book that grows too large while it is in memory is parked', async () => {
  isolated.bookLimits = { maxBatchBytes: 4_000, maxEntryBytes: 4_000 };
  await isolated.restart();
  const verdicts: string[] = [];
  for (let count = 0; count < 4; count += 1) verdicts.push(await isolated.add({ client: 'ana', by: 5 }));
  expect(verdicts).toEqual(['201 {"after":5}', '201 {"after":10}', 'internal_error', 'internal_error']);
  expect(await isolated.add({ client: 'bea', by: 5 })).toBe('201 {"after":5}');
  expect(await isolated.bookRow('ana')).toEqual({ sequence: 2, parked: true, facts: 2 });
});
