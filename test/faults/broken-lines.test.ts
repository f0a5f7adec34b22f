/**
 * A processor whose line to the store breaks where it hurts most: after a commit whose end it is not told of, while it
 * asks what became of it, while it takes partitions over. What it then believes must never become what is kept.
 */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { openDatabase } from '#libs/database/database.ts';
import type { LogRecord } from '#libs/kafka/log-reader.ts';
import { mint } from '#libs/runtime/uuid.ts';
import { eventually } from '#test/integration/tenant.ts';
import { tenantId } from './adding.ts';
import { Line, LoneProcessor, partition } from './lone-processor.ts';
import { Way } from './way.ts';

const broken = Object.assign(new Error('the line is broken'), { code: 'ECONNRESET' });
const neverAsked = async (): Promise<never> => {
  throw broken;
};
const neverTold = async (ask: () => Promise<unknown>): Promise<never> => {
  await ask();
  throw broken;
};

let lone: LoneProcessor;
beforeAll(async () => {
  lone = await LoneProcessor.open('lines');
});
afterAll(() => lone.close());
beforeEach(() => lone.another());

test('a commit whose end nobody was told of, nor what became of it, is answered as it was and followed by the next', async () => {
  expect(await lone.add({ client: 'ana', by: 5 })).toBe('201 {"after":5}');
  lone.line.next('commit_batch', neverTold);
  lone.line.next('partition_states', neverAsked);
  const requestId = mint();
  const reference = mint();
  lone.put(Buffer.from(JSON.stringify({ client: 'ana', by: 7, reference, requestId })), 'ana');
  await lone.processed();
  expect(await lone.add({ client: 'ana', by: 7, reference })).toBe('200 {"after":12}');
  expect(await lone.add({ client: 'bea', by: 1 })).toBe('201 {"after":1}');
  expect(await lone.row('ana')).toEqual({ sequence: 2, parked: false, facts: 2 });
  expect(await lone.row('bea')).toEqual({ sequence: 1, parked: false, facts: 1 });
  const { rows } = await lone.database.query(
    'SELECT next_event, (SELECT max(event_no) FROM facts WHERE partition = $1) AS last FROM partitions WHERE partition = $1',
    [partition],
  );
  expect(rows[0].next_event).toBe(rows[0].last + 1);
});

test('a request that was committed without a word is not decided again where the log holds it twice', async () => {
  await lone.add({ client: 'ana', by: 5 });
  lone.line.next('commit_batch', neverTold);
  const requestId = mint();
  const again = { client: 'ana', by: -5, requestId };
  lone.put(Buffer.from(JSON.stringify(again)), 'ana');
  await lone.processed();
  lone.put(Buffer.from(JSON.stringify(again)), 'ana');
  await lone.processed();
  expect(lone.heard(requestId)).toEqual([]);
  expect(await lone.row('ana')).toEqual({ sequence: 2, parked: false, facts: 2 });
});

test('nor by whoever has taken the partition over since', async () => {
  await lone.add({ client: 'ana', by: 5 });
  const requestId = mint();
  const again = { client: 'ana', by: -5, requestId };
  expect(await lone.add(again)).toBe('201 {"after":0}');
  await lone.restart();
  lone.put(Buffer.from(JSON.stringify(again)), 'ana');
  await lone.processed();
  expect(lone.heard(requestId)).toEqual(['201 {"after":0}']);
});

test('what is delivered once more is passed over, and the partition never goes back', async () => {
  const again = { client: 'ana', by: 5, requestId: mint() };
  const at = lone.offset;
  await lone.add(again);
  await lone.add({ client: 'ana', by: 6 });
  await lone.restart();
  const places: number[] = [];
  for (let commit = 0; commit < 2; commit += 1) {
    lone.line.next('commit_batch', async (ask) => {
      const done = await ask();
      places.push(await lone.nextOffset());
      return done;
    });
  }
  const key = Buffer.from(`${tenantId}/${lone.bookOf('ana')}`);
  void lone.processor.deliver(partition, [{ offset: at, key, value: Buffer.from(JSON.stringify(again)) }]);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(await lone.add({ client: 'ana', by: 7 })).toBe('201 {"after":18}');
  expect(places).toEqual([lone.offset]);
  expect(lone.heard(again.requestId)).toEqual(['201 {"after":5}']);
});

test('books are read again where a takeover failed while another wrote to them', async () => {
  await lone.add({ client: 'ana', by: 5 });
  lone.line.next('take_over', neverAsked);
  await expect(lone.processor.takeOver([partition])).rejects.toThrow();
  const here = lone.processor;
  lone.processor = lone.on(new Line(lone.database));
  await lone.processor.takeOver([partition]);
  expect(await lone.add({ client: 'ana', by: 100 })).toBe('201 {"after":105}');
  lone.processor = here;
  await lone.processor.takeOver([partition]);
  expect(await lone.add({ client: 'ana', by: -50 })).toBe('201 {"after":55}');
  expect(await lone.row('ana')).toEqual({ sequence: 3, parked: false, facts: 3 });
});

test('a record that cannot be read parks its book as the book is, in memory or not', async () => {
  await lone.add({ client: 'ana', by: 5 });
  await lone.add({ client: 'ana', by: 6 });
  await lone.restart();
  lone.put(Buffer.from('no record'), 'ana');
  await lone.processed();
  expect(await lone.row('ana')).toEqual({ sequence: 2, parked: true, facts: 2 });
});

test('what was committed is told before what stands behind it is decided', async () => {
  const rest = Promise.withResolvers<void>();
  const first = mint();
  // The first is committed while the second waits for its book.
  lone.line.next('commit_batch', (ask) => ask());
  lone.line.next('load_books', (ask) => ask());
  lone.line.next('load_books', async (ask) => {
    await rest.promise;
    return ask();
  });
  const records = [mint(), mint()].map((requestId, at): LogRecord => {
    const client = at === 0 ? 'ana' : 'bea';
    const padding = 'x'.repeat(512 * 1024);
    const value = Buffer.from(JSON.stringify({ client, by: 1, requestId: at === 0 ? first : requestId, padding }));
    return { offset: lone.offset + at, key: Buffer.from(`${tenantId}/${lone.bookOf(client)}`), value };
  });
  lone.offset += 2;
  void lone.processor.deliver(partition, records);
  await eventually(() => lone.heard(first).length > 0);
  rest.resolve();
  await lone.processed();
  expect(await lone.row('bea')).toMatchObject({ sequence: 1 });
});

test('a commit on a line that is swallowed is given up, and what became of it asked on another', async () => {
  const way = await Way.open(lone.url.href);
  const database = openDatabase({ url: way.address, name: 'swallowed', heldAtMostMs: 1_000 });
  try {
    lone.processor = lone.on(new Line(database));
    await lone.processor.takeOver([partition]);
    expect(await lone.add({ client: 'ana', by: 5 })).toBe('201 {"after":5}');
    way.swallowStanding();
    expect(await lone.add({ client: 'ana', by: 7 })).toBe('201 {"after":12}');
    expect(await lone.row('ana')).toEqual({ sequence: 2, parked: false, facts: 2 });
    await lone.processor.stop();
  } finally {
    await database.end();
    way.close();
  }
});
