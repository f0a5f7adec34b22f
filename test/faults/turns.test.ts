/** What a caller is told when the turn of a book is not to be had, and what is true afterwards. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { signal } from '#deploy/stack/processes.ts';
import { mustEntry } from '#deploy/start/house.ts';
import { type Database, openDatabase, query } from '#libs/database/database.ts';
import { bookKey, partitionOf } from '#libs/kafka/book-key.ts';
import { connectKafka } from '#libs/kafka/kafka.ts';
import { LogWriter } from '#libs/kafka/log-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import { leastValues } from '#libs/product/given.ts';
import { register } from '#test/integration/given-loans.ts';
import { eventually, type House, house, Tenant } from '#test/integration/tenant.ts';

let here: House;
let tenant: Tenant;
let database: Database;
beforeAll(async () => {
  here = house();
  database = openDatabase({ url: here.stack.databaseUrl, name: 'turns', connections: 1 });
  tenant = await Tenant.open(here);
});
afterAll(async () => {
  await tenant.close();
  await database.end();
});

function receipt(client_id: string, reference: string): object {
  return { reference, client_id, amount: { minor_units: 100, currency: 'MXN' }, value_date: '2026-03-01' };
}

async function recorded(reference: string): Promise<number> {
  const text = "SELECT 1 FROM refs WHERE tenant_id = $1 AND namespace = 'receipts' AND reference = $2";
  return (await query(database, 'recorded', text, [tenant.id, reference])).length;
}

/** The processor does nothing while this goes on, and is there again afterwards. */
async function whileStopped<T>(work: () => Promise<T>): Promise<T> {
  const entry = mustEntry(here.services.dir, 'processor');
  signal(entry, 'SIGSTOP');
  try {
    return await work();
  } finally {
    signal(entry, 'SIGCONT');
  }
}

/** A record that nobody can read stands in the log, at the turn of this book. */
async function poison(tenantId: string, bookId: string): Promise<void> {
  const key = bookKey(tenantId, bookId);
  const writer = await LogWriter.open(connectKafka(here.stack.kafkaBrokers, 'turns'));
  await writer.append({ topic: topics.submissions, partition: partitionOf(key), key, value: Buffer.from('no record') });
  await writer.close();
}

describe('the turn of a book', () => {
  test('that came after the patience of a submission was contended, and nothing was written', async () => {
    await register(tenant, 'impatient');
    const told = whileStopped(async () => {
      const waiting = tenant.post('/receipts', receipt('impatient', 'late'));
      // Longer than a submission has patience, and less than the door waits for what came of it.
      await new Promise((resolve) => setTimeout(resolve, 2_300));
      return { waiting };
    });
    expect(await (await told).waiting).toMatchObject({ status: 409, body: { code: 'contended', retry: 'as_is' } });
    expect(await recorded('late')).toBe(0);
    expect(await tenant.post('/receipts', receipt('impatient', 'late'))).toMatchObject({ status: 201 });
  });

  test('that nobody took is unavailable; the same reference asks for the truth afterwards', async () => {
    await register(tenant, 'unanswered');
    const told = await whileStopped(() => tenant.post('/receipts', receipt('unanswered', 'unknown')));
    expect(told).toMatchObject({ status: 503, body: { code: 'unavailable', retry: 'as_is', retry_after: 5 } });
    expect(told.headers['retry-after']).toBe('5');
    await eventually(async () =>
      [200, 201].includes((await tenant.post('/receipts', receipt('unanswered', 'unknown'))).status),
    );
    expect(await recorded('unknown')).toBe(1);
  });

  test('is lost by a book whose record cannot be read, and by no other', async () => {
    const partition = partitionOf(bookKey(tenant.id, 'c/poisoned'));
    await register(tenant, 'poisoned');
    // Others of the same partition, which stand behind the record that cannot be read.
    const others = Array.from({ length: 400 }, (_, at) => `other-${at}`).filter(
      (client) => partitionOf(bookKey(tenant.id, `c/${client}`)) === partition,
    );
    await poison(tenant.id, 'c/poisoned');
    expect(await tenant.post('/receipts', receipt('poisoned', 'behind'))).toMatchObject({
      status: 500,
      body: { code: 'internal_error' },
    });
    expect(await recorded('behind')).toBe(0);
    expect(others.length).toBeGreaterThan(10);
    for (const client of others) expect(await register(tenant, client)).toMatchObject({ status: 201 });
  });
});

describe('a request under an Idempotency-Key', () => {
  const product = { archetype: 'bnpl', values: leastValues.bnpl };
  const create = (idempotencyKey: string, by = tenant) =>
    by.post('/product-configurations', product, { idempotencyKey });

  test('that nobody answered may be sent again under it, and makes one product', async () => {
    const before = (await tenant.get('/product-configurations')).body.configurations.length;
    const told = await whileStopped(() => create('unanswered'));
    expect(told).toMatchObject({ status: 503, body: { code: 'unavailable', retry: 'as_is' } });
    expect(told.headers).not.toHaveProperty('idempotent-replayed');
    await eventually(async () => (await create('unanswered')).status === 201);
    const again = await create('unanswered');
    expect(again).toMatchObject({ status: 201, headers: { 'idempotent-replayed': 'true' } });
    const after = (await tenant.get('/product-configurations')).body.configurations;
    expect(after).toHaveLength(before + 1);
    expect(after[0].id).toBe(again.body.id);
  });

  test('that met our own fault is answered with it for good: it takes a new key', async () => {
    const parked = await Tenant.open(here);
    await poison(parked.id, 't');
    for (const replayed of [undefined, 'true']) {
      const told = await create('parked', parked);
      expect(told).toMatchObject({ status: 500, body: { code: 'internal_error', retry: 'after_change' } });
      expect(told.headers['idempotent-replayed']).toBe(replayed);
    }
    await parked.close();
  });
});
