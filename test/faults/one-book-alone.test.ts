/** What cannot be read, decided or kept waits by itself, for a person; whatever the world does, nothing else does (A9). */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import pg from 'pg';
import { SchemaRegistryError } from '#libs/kafka/schema-registry.ts';
import { mint } from '#libs/runtime/uuid.ts';
import { eventually } from '#test/integration/tenant.ts';
import { recordOf, sum } from './adding.ts';
import { LoneProcessor } from './lone-processor.ts';

let lone: LoneProcessor;
beforeAll(async () => {
  lone = await LoneProcessor.open('alone');
});
afterAll(() => lone.close());
beforeEach(() => lone.another());

test('a book that cannot be stood up is parked as it lies, and nobody else waits for it', async () => {
  await lone.add({ client: 'ana', by: 5 });
  await lone.add({ client: 'ana', by: 6 });
  const { rowCount } = await asOwner('DELETE FROM facts WHERE book_id = $1 AND sequence = 1', [lone.bookOf('ana')]);
  expect(rowCount).toBe(1);
  await lone.restart();
  expect(await lone.add({ client: 'ana', by: 7 })).toBe('internal_error');
  expect(await lone.add({ client: 'bea', by: 1 })).toBe('201 {"after":1}');
  expect(await lone.row('ana')).toEqual({ sequence: 2, parked: true, facts: 1 });
  expect(lone.alerts).toContain('a book was parked');
  // Nor is what was made of it kept by anybody.
  expect(await lone.add({ client: 'ana', by: 8 })).toBe('internal_error');
  expect(await lone.row('ana')).toEqual({ sequence: 2, parked: true, facts: 1 });
});

test('one that stumbles over an old fact is parked in the middle of a batch of others', async () => {
  await lone.add({ client: 'ana', by: 5 });
  await lone.add({ client: 'bea', by: 5 });
  lone.kind = {
    ...sum,
    replay: (book, fact, ...rest) => {
      if (fact.body === '{"by":5}' && book === 0 && stumbles) throw new TypeError('no such fact');
      return sum.replay(book, fact, ...rest);
    },
  };
  let stumbles = true;
  await lone.restart();
  const requests = ['ana', 'eve', 'dan'].map((client) => {
    const requestId = mint();
    lone.put(Buffer.from(JSON.stringify({ client, by: 1, requestId })), client);
    return requestId;
  });
  await eventually(() => requests.every((requestId) => lone.heard(requestId).length > 0));
  expect(requests.map((requestId) => lone.heard(requestId))).toEqual([
    ['internal_error'],
    ['201 {"after":1}'],
    ['201 {"after":1}'],
  ]);
  // What was written for it then is as it was, and the next release of the service reads it.
  stumbles = false;
  await lone.restart();
  expect(await lone.add({ client: 'bea', by: 1 })).toBe('201 {"after":6}');
  expect(await lone.row('ana')).toEqual({ sequence: 1, parked: true, facts: 1 });
});

/** As Postgres says that it cannot hold what it was given. */
const tooLarge = Object.assign(new Error('index row size exceeds maximum'), { code: '54000' });

test('what the store cannot hold parks its own book, and its caller is told at once', async () => {
  lone.line.next('commit_batch', () => Promise.reject(tooLarge));
  expect(await lone.add({ client: 'ana', by: 5 })).toBe('internal_error');
  expect(await lone.add({ client: 'bea', by: 5 })).toBe('201 {"after":5}');
  expect(await lone.row('ana')).toEqual({ sequence: 0, parked: true, facts: 0 });
});

/** One record of several items, `[client, by]` each. */
async function together(requestId: string, items: readonly (readonly [client: string, by: number])[]): Promise<void> {
  lone.reads = () => {
    const records = items.map(([client, by]) => recordOf({ bookId: lone.bookOf(client), by, requestId }));
    return { ...records[0], items: records.map((record, item) => ({ ...record.items[0], item })) } as never;
  };
  lone.put(Buffer.from('of many'), items[0]?.[0] as string);
  await lone.processed();
  lone.reads = (value) => lone.decode(value);
}

test.each([
  // Nothing that comes in by the door can hold it there.
  ['hold', { body: '{"by":13,"note":"\0"}' }],
  ['be told in the form of its column', { eventId: 'no identifier', loanId: 'none' }],
])('of a record of many items those that the store cannot %s are parked, and the rest recorded', async (_, spoilt) => {
  lone.kind = {
    ...sum,
    decide(book, submission, at) {
      const decided = sum.decide(book, submission, at);
      if (!('facts' in decided) || submission.body['by'] !== 13) return decided;
      return { ...decided, facts: decided.facts.map((fact) => ({ ...fact, ...spoilt })) };
    },
  };
  const requestId = mint();
  await together(requestId, [
    ['ana', 1],
    ['bea', 13],
    ['cyd', 3],
  ]);
  expect(lone.heard(requestId)).toEqual(['201 {"after":1}', 'internal_error', '201 {"after":3}']);
  expect(await lone.row('bea')).toEqual({ sequence: 0, parked: true, facts: 0 });
  expect(await lone.row('cyd')).toEqual({ sequence: 1, parked: false, facts: 1 });
});

test('a record of which nothing can even be put aside as it says parks the book of its key', async () => {
  await together('no identifier', [['ana', 1]]);
  expect(await lone.row('ana')).toEqual({ sequence: 0, parked: true, facts: 0 });
  expect(await lone.add({ client: 'bea', by: 1 })).toBe('201 {"after":1}');
});

test.each([
  ['a login that may not for a while', '28000'],
  ['a password that was changed', '28P01'],
  ['a table that is not there yet', '42P01'],
  ['a plan that does not fit any more', '0A000'],
  ['what nobody expected of it', 'XX000'],
])('%s parks nothing', async (_, code) => {
  const refused = Object.assign(new Error('not now'), { code });
  for (let times = 0; times < 3; times += 1) lone.line.next('commit_batch', () => Promise.reject(refused));
  expect(await lone.add({ client: 'ana', by: 5 })).toBe('201 {"after":5}');
  expect(lone.alerts).toEqual([]);
});

test('a registry that does not say what a record was written by is waited for', async () => {
  let times = 0;
  lone.reads = async (value) => {
    times += 1;
    if (times < 4) throw new SchemaRegistryError('schema 7', times === 2 ? 500 : undefined, 'timeout');
    return lone.decode(value);
  };
  expect(await lone.add({ client: 'ana', by: 5 })).toBe('201 {"after":5}');
  expect(lone.alerts).toEqual([]);
});

test.each([
  ['a registry that has not heard of a schema yet', 40_403],
  ['whatever stands before the registry and knows nothing', -1],
])('%s is asked again', async (_, code) => {
  let times = 0;
  lone.reads = async (value) => {
    times += 1;
    if (times < 4) throw new SchemaRegistryError('schema 7', 404, 'not found', code);
    return lone.decode(value);
  };
  expect(await lone.add({ client: 'ana', by: 5 })).toBe('201 {"after":5}');
  expect(lone.alerts).toEqual([]);
});

test("a schema the registry does not have is nobody else's matter", async () => {
  lone.reads = async () => {
    throw new SchemaRegistryError('schema 7', 404, 'not found', 40_403);
  };
  lone.put(Buffer.from('written by nobody'), 'ana');
  await lone.processed();
  lone.reads = (value) => lone.decode(value);
  expect(await lone.row('ana')).toMatchObject({ parked: true });
  expect(await lone.add({ client: 'bea', by: 5 })).toBe('201 {"after":5}');
});

async function asOwner(text: string, values: unknown[]): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: lone.url.href });
  await client.connect();
  try {
    return await client.query(text, values);
  } finally {
    await client.end();
  }
}
