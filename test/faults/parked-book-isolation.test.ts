/** A submission that cannot be decoded, decided or stored parks its own book only; environment failures park none (A9). */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { SchemaRegistryError } from '#libs/kafka/schema-registry.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import { eventually } from '#test/support/tenant.ts';
import { IsolatedProcessor } from './in-process-processor.ts';
import { addRecord, sumBook } from './sum-book.ts';

let isolated: IsolatedProcessor;
beforeAll(async () => {
  isolated = await IsolatedProcessor.open('parking');
});
afterAll(() => isolated.close());
beforeEach(() => isolated.reset());

test('a book whose facts cannot be replayed is parked unchanged, and other books continue', async () => {
  await isolated.add({ client: 'ana', by: 5 });
  await isolated.add({ client: 'ana', by: 6 });
  const { rowCount } = await asOwner('DELETE FROM facts WHERE book_id = $1 AND sequence = 1', [isolated.bookOf('ana')]);
  expect(rowCount).toBe(1);
  await isolated.restart();
  expect(await isolated.add({ client: 'ana', by: 7 })).toBe('internal_error');
  expect(await isolated.add({ client: 'bea', by: 1 })).toBe('201 {"after":1}');
  expect(await isolated.bookRow('ana')).toEqual({ sequence: 2, parked: true, facts: 1 });
  expect(isolated.alerts).toContain('processor.book_parked');
  // Its incomplete state is not cached either.
  expect(await isolated.add({ client: 'ana', by: 8 })).toBe('internal_error');
  expect(await isolated.bookRow('ana')).toEqual({ sequence: 2, parked: true, facts: 1 });
});

test('a book with one fact that cannot be replayed is parked, and the other books of its batch are recorded', async () => {
  await isolated.add({ client: 'ana', by: 5 });
  await isolated.add({ client: 'bea', by: 5 });
  isolated.decider = {
    ...sumBook,
    replay: (book, fact, ...rest) => {
      if (fact.body === '{"by":5}' && book === 0 && isReplayBroken) throw new TypeError('unknown fact');
      return sumBook.replay(book, fact, ...rest);
    },
  };
  let isReplayBroken = true;
  await isolated.restart();
  const requests = ['ana', 'eve', 'dan'].map((client) => {
    const requestId = newUuid();
    isolated.deliver(Buffer.from(JSON.stringify({ client, by: 1, requestId })), client);
    return requestId;
  });
  await eventually(() => requests.every((requestId) => isolated.verdictsOf(requestId).length > 0));
  expect(requests.map((requestId) => isolated.verdictsOf(requestId))).toEqual([
    ['internal_error'],
    ['201 {"after":1}'],
    ['201 {"after":1}'],
  ]);
  // Its data is unchanged, so that a fixed release of the service can read it.
  isReplayBroken = false;
  await isolated.restart();
  expect(await isolated.add({ client: 'bea', by: 1 })).toBe('201 {"after":6}');
  expect(await isolated.bookRow('ana')).toEqual({ sequence: 1, parked: true, facts: 1 });
});

/** The error of Postgres for a value that it cannot store. */
const tooLarge = Object.assign(new Error('index row size exceeds maximum'), { code: '54000' });

test('a submission that the database cannot store parks its own book and is answered immediately', async () => {
  isolated.intercepted.intercept('commit_batch', () => Promise.reject(tooLarge));
  expect(await isolated.add({ client: 'ana', by: 5 })).toBe('internal_error');
  expect(await isolated.add({ client: 'bea', by: 5 })).toBe('201 {"after":5}');
  expect(await isolated.bookRow('ana')).toEqual({ sequence: 0, parked: true, facts: 0 });
});

/** One record of several items, `[client, by]` each. */
async function deliverItems(
  requestId: string,
  items: readonly (readonly [client: string, by: number])[],
): Promise<void> {
  isolated.decodeRecord = () => {
    const records = items.map(([client, by]) => addRecord({ bookId: isolated.bookOf(client), by, requestId }));
    return { ...records[0], items: records.map((record, item) => ({ ...record.items[0], item })) } as never;
  };
  isolated.deliver(Buffer.from('several items'), items[0]?.[0] as string);
  await isolated.waitUntilProcessed();
  isolated.decodeRecord = (value) => isolated.decode(value);
}

test.each([
  // The API never accepts such a value.
  ['store', { body: '{"by":13,"note":"\0"}' }],
  ['convert to the type of the column', { eventId: 'not a uuid', loanId: 'none' }],
])('items of a record that the database cannot %s are parked, and the other items are recorded', async (_, invalid) => {
  isolated.decider = {
    ...sumBook,
    decide(book, submission, at) {
      const decision = sumBook.decide(book, submission, at);
      if (!('facts' in decision) || submission.body['by'] !== 13) return decision;
      return { ...decision, facts: decision.facts.map((fact) => ({ ...fact, ...invalid })) };
    },
  };
  const requestId = newUuid();
  await deliverItems(requestId, [
    ['ana', 1],
    ['bea', 13],
    ['cyd', 3],
  ]);
  expect(isolated.verdictsOf(requestId)).toEqual(['201 {"after":1}', 'internal_error', '201 {"after":3}']);
  expect(await isolated.bookRow('bea')).toEqual({ sequence: 0, parked: true, facts: 0 });
  expect(await isolated.bookRow('cyd')).toEqual({ sequence: 1, parked: false, facts: 1 });
});

test('a record whose request id cannot be stored parks the book of its key', async () => {
  await deliverItems('not a uuid', [['ana', 1]]);
  expect(await isolated.bookRow('ana')).toEqual({ sequence: 0, parked: true, facts: 0 });
  expect(await isolated.add({ client: 'bea', by: 1 })).toBe('201 {"after":1}');
});

test.each([
  ['a rejected login', '28000'],
  ['a changed password', '28P01'],
  ['a missing table', '42P01'],
  ['an outdated query plan', '0A000'],
  ['an internal error of Postgres', 'XX000'],
])('%s parks no book', async (_, code) => {
  const error = Object.assign(new Error('temporary failure'), { code });
  for (let attempt = 0; attempt < 3; attempt += 1)
    isolated.intercepted.intercept('commit_batch', () => Promise.reject(error));
  expect(await isolated.add({ client: 'ana', by: 5 })).toBe('201 {"after":5}');
  expect(isolated.alerts).toEqual([]);
});

test('a record is retried while the schema registry does not answer', async () => {
  let attempts = 0;
  isolated.decodeRecord = async (value) => {
    attempts += 1;
    if (attempts < 4) throw new SchemaRegistryError('schema 7', attempts === 2 ? 500 : undefined, 'timeout');
    return isolated.decode(value);
  };
  expect(await isolated.add({ client: 'ana', by: 5 })).toBe('201 {"after":5}');
  expect(isolated.alerts).toEqual([]);
});

test.each([
  ['a schema that the registry does not know yet', 40_403],
  ['a 404 of a proxy before the registry', -1],
])('a record is retried after %s', async (_, code) => {
  let attempts = 0;
  isolated.decodeRecord = async (value) => {
    attempts += 1;
    if (attempts < 4) throw new SchemaRegistryError('schema 7', 404, 'not found', code);
    return isolated.decode(value);
  };
  expect(await isolated.add({ client: 'ana', by: 5 })).toBe('201 {"after":5}');
  expect(isolated.alerts).toEqual([]);
});

test('a record whose schema the registry does not have parks its own book only', async () => {
  isolated.decodeRecord = async () => {
    throw new SchemaRegistryError('schema 7', 404, 'not found', 40_403);
  };
  isolated.deliver(Buffer.from('unknown schema'), 'ana');
  await isolated.waitUntilProcessed();
  isolated.decodeRecord = (value) => isolated.decode(value);
  expect(await isolated.bookRow('ana')).toMatchObject({ parked: true });
  expect(await isolated.add({ client: 'bea', by: 5 })).toBe('201 {"after":5}');
});

async function asOwner(text: string, values: unknown[]): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: isolated.url });
  await client.connect();
  try {
    return await client.query(text, values);
  } finally {
    await client.end();
  }
}
