/** The answers to submissions that are not decided in time or cannot be decided, and what is recorded. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { requireProcess, sendSignal } from '#deploy/dev/process-control.ts';
import { bookKey } from '#libs/kafka/book-key-partition.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import { minimalValues } from '#libs/product/testing/example-products.ts';
import { partitionCount, partitionOf } from '#test/support/partitions.ts';
import { registerClient } from '#test/support/request-bodies.ts';
import { eventually, Tenant, type TestEnvironment, testEnvironment } from '#test/support/tenant.ts';
import { type OpenedDatabases, openTestDatabases, queryAll } from '#test/support/test-databases.ts';

let here: TestEnvironment;
let tenant: Tenant;
let opened: OpenedDatabases;
beforeAll(async () => {
  here = testEnvironment();
  opened = await openTestDatabases(here, { name: 'turns' });
  tenant = await Tenant.open(here);
});
afterAll(async () => {
  await tenant.close();
  await opened.close();
});

function receipt(client_id: string, reference: string): object {
  return { reference, client_id, amount: { minor_units: 100, currency: 'MXN' }, value_date: '2026-03-01' };
}

async function recorded(reference: string): Promise<number> {
  const text = "SELECT 1 FROM recorded_references WHERE tenant_id = $1 AND namespace = 'receipts' AND reference = $2";
  return (await queryAll(opened.databases, 'recorded', text, [tenant.id, reference])).length;
}

/** Runs `work` while the processor is paused. */
async function whileProcessorPaused<T>(work: () => Promise<T>): Promise<T> {
  const entry = requireProcess(here.services.dir, 'processor');
  sendSignal(entry, 'SIGSTOP');
  try {
    return await work();
  } finally {
    sendSignal(entry, 'SIGCONT');
  }
}

/** Appends a record of the book that cannot be decoded. */
async function appendInvalidRecord(tenantId: string, bookId: string): Promise<void> {
  const key = bookKey(tenantId, bookId);
  const writer = await TopicWriter.open(connectKafka(here.stack.kafkaBrokers, 'turns'));
  await writer.append({
    topic: topics.submissions,
    partition: partitionOf(key),
    key,
    value: Buffer.from('not a record'),
  });
  await writer.close();
}

describe('a submission', () => {
  test('decided after its deadline is refused as contended, and nothing is recorded', async () => {
    await registerClient(tenant, 'impatient');
    const paused = whileProcessorPaused(async () => {
      const response = tenant.post('/receipts', receipt('impatient', 'late'));
      // After the deadline of the submission, and before the gateway stops waiting for the verdict.
      await new Promise((resolve) => setTimeout(resolve, 2_300));
      return { response };
    });
    expect(await (await paused).response).toMatchObject({ status: 409, body: { code: 'contended', retry: 'as_is' } });
    expect(await recorded('late')).toBe(0);
    expect(await tenant.post('/receipts', receipt('impatient', 'late'))).toMatchObject({ status: 201 });
  });

  test('without a verdict is answered 503, and repeating it under the same reference shows the result', async () => {
    await registerClient(tenant, 'unanswered');
    const response = await whileProcessorPaused(() => tenant.post('/receipts', receipt('unanswered', 'unknown')));
    expect(response).toMatchObject({ status: 503, body: { code: 'unavailable', retry: 'as_is', retry_after: 5 } });
    expect(response.headers['retry-after']).toBe('5');
    await eventually(async () =>
      [200, 201].includes((await tenant.post('/receipts', receipt('unanswered', 'unknown'))).status),
    );
    expect(await recorded('unknown')).toBe(1);
  });

  test('behind a record that cannot be decoded is answered 500 for the same book only', async () => {
    const partition = partitionOf(bookKey(tenant.id, 'c/invalid'));
    await registerClient(tenant, 'invalid');
    // Other Clients of the same partition.
    const others = Array.from({ length: 40 * partitionCount }, (_, index) => `other-${index}`).filter(
      (client) => partitionOf(bookKey(tenant.id, `c/${client}`)) === partition,
    );
    await appendInvalidRecord(tenant.id, 'c/invalid');
    expect(await tenant.post('/receipts', receipt('invalid', 'behind'))).toMatchObject({
      status: 500,
      body: { code: 'internal_error' },
    });
    expect(await recorded('behind')).toBe(0);
    expect(others.length).toBeGreaterThan(10);
    for (const client of others) expect(await registerClient(tenant, client)).toMatchObject({ status: 201 });
  });
});

describe('a request under an Idempotency-Key', () => {
  const product = { archetype: 'bnpl', values: minimalValues.bnpl };
  const create = (idempotencyKey: string, by = tenant) =>
    by.post('/product-configurations', product, { idempotencyKey });

  test('without an answer can be repeated under the same key and creates one product', async () => {
    const before = (await tenant.get('/product-configurations')).body.configurations.length;
    const first = await whileProcessorPaused(() => create('unanswered'));
    expect(first).toMatchObject({ status: 503, body: { code: 'unavailable', retry: 'as_is' } });
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    await eventually(async () => (await create('unanswered')).status === 201);
    const repeated = await create('unanswered');
    expect(repeated).toMatchObject({ status: 201, headers: { 'idempotent-replayed': 'true' } });
    const after = (await tenant.get('/product-configurations')).body.configurations;
    expect(after).toHaveLength(before + 1);
    expect(after[0].id).toBe(repeated.body.id);
  });

  test('answered with an internal error gets the same answer for every repeat under its key', async () => {
    const parked = await Tenant.open(here);
    await appendInvalidRecord(parked.id, 't');
    for (const replayed of [undefined, 'true']) {
      const response = await create('parked', parked);
      expect(response).toMatchObject({ status: 500, body: { code: 'internal_error', retry: 'after_change' } });
      expect(response.headers['idempotent-replayed']).toBe(replayed);
    }
    await parked.close();
  });
});
