/**
 * A processor that loses its database connection at the worst points: when the response to a commit is lost, while it looks
 * up what became of the commit, and while it takes partitions over. Its assumptions must never be committed.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openDatabase } from '#libs/database/pool.ts';
import type { TopicRecord } from '#libs/kafka/topic-consumer.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import { eventually } from '#test/support/tenant.ts';
import { InterceptedDatabase, IsolatedProcessor, partition } from './in-process-processor.ts';
import { NetworkProxy } from './network-proxy.ts';
import { tenantId } from './sum-book.ts';

const connectionReset = Object.assign(new Error('connection reset'), { code: 'ECONNRESET' });
const loseRequest = async (): Promise<never> => {
  throw connectionReset;
};
const loseResponse = async (execute: () => Promise<unknown>): Promise<never> => {
  await execute();
  throw connectionReset;
};

let isolated: IsolatedProcessor;
beforeAll(async () => {
  isolated = await IsolatedProcessor.open('connection_loss');
});
afterAll(() => isolated.close());
beforeEach(() => isolated.reset());

test('when the response to a commit and to its lookup are lost, the submission counts as committed and processing goes on', async () => {
  expect(await isolated.add({ client: 'ana', by: 5 })).toBe('201 {"after":5}');
  isolated.intercepted.intercept('commit_batch', loseResponse);
  isolated.intercepted.intercept('partition_states', loseRequest);
  const requestId = newUuid();
  const reference = newUuid();
  isolated.deliver(Buffer.from(JSON.stringify({ client: 'ana', by: 7, reference, requestId })), 'ana');
  await isolated.waitUntilProcessed();
  expect(await isolated.add({ client: 'ana', by: 7, reference })).toBe('200 {"after":12}');
  expect(await isolated.add({ client: 'bea', by: 1 })).toBe('201 {"after":1}');
  expect(await isolated.bookRow('ana')).toEqual({ sequence: 2, parked: false, facts: 2 });
  expect(await isolated.bookRow('bea')).toEqual({ sequence: 1, parked: false, facts: 1 });
  const { rows } = await isolated.database.query(
    'SELECT next_event, (SELECT max(event_number) FROM facts WHERE partition = $1) AS last FROM partitions WHERE partition = $1',
    [partition],
  );
  expect(rows[0].next_event).toBe(rows[0].last + 1);
});

test('a committed submission that is in the topic twice is not decided again, even if the response to its commit was lost', async () => {
  await isolated.add({ client: 'ana', by: 5 });
  isolated.intercepted.intercept('commit_batch', loseResponse);
  const requestId = newUuid();
  const repeated = { client: 'ana', by: -5, requestId };
  isolated.deliver(Buffer.from(JSON.stringify(repeated)), 'ana');
  await isolated.waitUntilProcessed();
  isolated.deliver(Buffer.from(JSON.stringify(repeated)), 'ana');
  await isolated.waitUntilProcessed();
  expect(isolated.verdictsOf(requestId)).toEqual([]);
  expect(await isolated.bookRow('ana')).toEqual({ sequence: 2, parked: false, facts: 2 });
});

test('a committed submission that is in the topic twice is not decided again after a takeover', async () => {
  await isolated.add({ client: 'ana', by: 5 });
  const requestId = newUuid();
  const repeated = { client: 'ana', by: -5, requestId };
  expect(await isolated.add(repeated)).toBe('201 {"after":0}');
  await isolated.restart();
  isolated.deliver(Buffer.from(JSON.stringify(repeated)), 'ana');
  await isolated.waitUntilProcessed();
  expect(isolated.verdictsOf(requestId)).toEqual(['201 {"after":0}']);
});

test('a record that is delivered again is ignored, and the next offset never decreases', async () => {
  const repeated = { client: 'ana', by: 5, requestId: newUuid() };
  const { offset } = isolated;
  await isolated.add(repeated);
  await isolated.add({ client: 'ana', by: 6 });
  await isolated.restart();
  const committedOffsets: number[] = [];
  for (let commit = 0; commit < 2; commit += 1) {
    isolated.intercepted.intercept('commit_batch', async (execute) => {
      const result = await execute();
      committedOffsets.push(await isolated.nextOffset());
      return result;
    });
  }
  const key = Buffer.from(`${tenantId}/${isolated.bookOf('ana')}`);
  void isolated.processor.deliver(partition, [{ offset, key, value: Buffer.from(JSON.stringify(repeated)) }]);
  // Time for a wrong commit of the repeated record.
  await sleep(200);
  expect(await isolated.add({ client: 'ana', by: 7 })).toBe('201 {"after":18}');
  expect(committedOffsets).toEqual([isolated.offset]);
  expect(isolated.verdictsOf(repeated.requestId)).toEqual(['201 {"after":5}']);
});

test('after a failed takeover books are loaded again, because another processor may have written to them', async () => {
  await isolated.add({ client: 'ana', by: 5 });
  isolated.intercepted.intercept('take_over', loseRequest);
  await expect(isolated.processor.takeOver([partition])).rejects.toThrow();
  const first = isolated.processor;
  isolated.processor = isolated.createProcessor(new InterceptedDatabase(isolated.database));
  await isolated.processor.takeOver([partition]);
  expect(await isolated.add({ client: 'ana', by: 100 })).toBe('201 {"after":105}');
  isolated.processor = first;
  await isolated.processor.takeOver([partition]);
  expect(await isolated.add({ client: 'ana', by: -50 })).toBe('201 {"after":55}');
  expect(await isolated.bookRow('ana')).toEqual({ sequence: 3, parked: false, facts: 3 });
});

test('a record that cannot be decoded parks its book without changing it, even if the book is not in memory', async () => {
  await isolated.add({ client: 'ana', by: 5 });
  await isolated.add({ client: 'ana', by: 6 });
  await isolated.restart();
  isolated.deliver(Buffer.from('not a record'), 'ana');
  await isolated.waitUntilProcessed();
  expect(await isolated.bookRow('ana')).toEqual({ sequence: 2, parked: true, facts: 2 });
});

test('the verdict of a committed submission is sent before the next batch is decided', async () => {
  const secondLoad = Promise.withResolvers<void>();
  const first = newUuid();
  // The first is committed while the book of the second is still loading.
  isolated.intercepted.intercept('commit_batch', (execute) => execute());
  isolated.intercepted.intercept('load_books', (execute) => execute());
  isolated.intercepted.intercept('load_books', async (execute) => {
    await secondLoad.promise;
    return execute();
  });
  const records = [newUuid(), newUuid()].map((requestId, index): TopicRecord => {
    const client = index === 0 ? 'ana' : 'bea';
    const padding = 'x'.repeat(512 * 1024);
    const value = Buffer.from(JSON.stringify({ client, by: 1, requestId: index === 0 ? first : requestId, padding }));
    return { offset: isolated.offset + index, key: Buffer.from(`${tenantId}/${isolated.bookOf(client)}`), value };
  });
  isolated.offset += 2;
  void isolated.processor.deliver(partition, records);
  await eventually(() => isolated.verdictsOf(first).length > 0);
  secondLoad.resolve();
  await isolated.waitUntilProcessed();
  expect(await isolated.bookRow('bea')).toMatchObject({ sequence: 1 });
});

test('a commit on a connection that went silent is looked up on another connection after a timeout', async () => {
  const proxy = await NetworkProxy.open(isolated.url);
  const database = openDatabase({ url: proxy.address, name: 'silent', maxHoldMs: 1_000 });
  try {
    isolated.processor = isolated.createProcessor(new InterceptedDatabase(database));
    await isolated.processor.takeOver([partition]);
    expect(await isolated.add({ client: 'ana', by: 5 })).toBe('201 {"after":5}');
    proxy.muteAll();
    expect(await isolated.add({ client: 'ana', by: 7 })).toBe('201 {"after":12}');
    expect(await isolated.bookRow('ana')).toEqual({ sequence: 2, parked: false, facts: 2 });
    await isolated.processor.stop();
  } finally {
    await database.end();
    proxy.close();
  }
});
