/** What is decided and read while a batch is committed, and what does not wait for it. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { TopicRecord } from '#libs/kafka/topic-consumer.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import { eventually } from '#test/support/tenant.ts';
import { IsolatedProcessor, partition } from './in-process-processor.ts';
import { tenantId } from './sum-book.ts';

let isolated: IsolatedProcessor;
beforeAll(async () => {
  isolated = await IsolatedProcessor.open('reading_ahead');
});
afterAll(() => isolated.close());
beforeEach(() => isolated.reset());

/** Delivers so many submissions, whose commit waits for `commit`. Returns when the commit was sent. */
async function deliverAndHoldCommit(submissions: number, commit: Promise<void>): Promise<{ readOn: Promise<void> }> {
  const sent = Promise.withResolvers<void>();
  isolated.intercepted.intercept('commit_batch', async (execute) => {
    sent.resolve();
    await commit;
    return execute();
  });
  const records = Array.from({ length: submissions }, (_, index): TopicRecord => {
    const value = Buffer.from(JSON.stringify({ client: 'ana', by: 1, requestId: newUuid() }));
    return { offset: isolated.offset + index, key: Buffer.from(`${tenantId}/${isolated.bookOf('ana')}`), value };
  });
  isolated.offset += submissions;
  const readOn = isolated.processor.deliver(partition, records);
  await sent.promise;
  return { readOn };
}

test('before a batch of 64 submissions is committed, the consumer reads on', async () => {
  const commit = Promise.withResolvers<void>();
  const { readOn } = await deliverAndHoldCommit(64, commit.promise);
  await readOn;
  expect((await isolated.bookRow('ana'))?.facts).toBe(undefined);
  commit.resolve();
  await isolated.waitUntilProcessed();
  expect((await isolated.bookRow('ana'))?.facts).toBe(64);
});

test('after a batch of 63 submissions the consumer reads on when it is committed', async () => {
  const commit = Promise.withResolvers<void>();
  const { readOn } = await deliverAndHoldCommit(63, commit.promise);
  let hasReadOn = false;
  void readOn.then(() => {
    hasReadOn = true;
  });
  // A large batch lets the consumer read on in the second turn.
  for (let turn = 0; turn < 10; turn += 1) await nextTurn();
  expect(hasReadOn).toBe(false);
  commit.resolve();
  await readOn;
  expect((await isolated.bookRow('ana'))?.facts).toBe(63);
});

test('what was committed is published although the next record cannot be decoded yet', async () => {
  const commit = Promise.withResolvers<void>();
  const registry = Promise.withResolvers<void>();
  await deliverAndHoldCommit(1, commit.promise);
  isolated.decodeRecord = async (value) => {
    await registry.promise;
    return isolated.decode(value);
  };
  const next = isolated.add({ client: 'ben', by: 1 });
  commit.resolve();
  await eventually(() => isolated.enqueuedEvents === 1).finally(registry.resolve);
  expect(await next).toMatch(/^201 /);
  expect(isolated.enqueuedEvents).toBe(2);
});
