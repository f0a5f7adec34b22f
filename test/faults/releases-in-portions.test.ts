/** However much waits with a parked book, a release reads and decides a portion of it, and says what is left. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { SubmissionRecord } from '#libs/kafka/submission.ts';
import { releasable, releaseOperation } from '#libs/ledger/release.ts';
import { mint } from '#libs/runtime/uuid.ts';
import { eventually } from '#test/integration/tenant.ts';
import { recordOf, sum } from './adding.ts';
import { LoneProcessor, partition } from './lone-processor.ts';

interface Batch {
  readonly client: string;
  readonly requestId: string;
  /** What the items are counted from. */
  readonly from: number;
  readonly many: number;
  readonly breaks?: number;
  readonly padding?: string;
}

interface Releasing {
  readonly client: string;
  readonly requestId: string;
  readonly drop: readonly string[];
  readonly patienceEndsAt?: number;
}

interface Told {
  readonly released: boolean;
  readonly left: number;
  readonly submissions: { readonly place: string; readonly came_to: string }[];
}

let lone: LoneProcessor;
/** The requests that were decoded, each as often as it was. */
let decoded: string[];
let mended: boolean;

beforeAll(async () => {
  lone = await LoneProcessor.open('portions');
});
afterAll(() => lone.close());
beforeEach(async () => {
  await lone.another();
  decoded = [];
  mended = false;
  lone.kind = releasable(
    {
      ...sum,
      decide(book, submission, at) {
        if (submission.body['breaks'] === true && !mended) throw new Error('an assertion of the book');
        return sum.decide(book, submission, at);
      },
    },
    (book) => book,
  );
  lone.reads = (value) => {
    const stated = JSON.parse(value.toString());
    decoded.push(stated.requestId);
    if ('many' in stated) return batchOf(stated);
    return 'drop' in stated ? releaseOf(stated) : lone.decode(value);
  };
});

function batchOf({ client, requestId, from, many, breaks }: Batch): SubmissionRecord {
  const one = recordOf({ bookId: lone.bookOf(client), by: 1, requestId });
  const items = Array.from({ length: many }, (_, item) => {
    const body = JSON.stringify({ by: 1, nth: from + item, breaks: item === breaks });
    return { ...one.items[0], item, body, digest: Buffer.from(body) };
  });
  return { ...one, items } as SubmissionRecord;
}

function releaseOf({ client, requestId, drop, patienceEndsAt }: Releasing): SubmissionRecord {
  const one = recordOf({ bookId: lone.bookOf(client), by: 0, requestId });
  const items = one.items.map((item) => ({ ...item, body: JSON.stringify({ basis: 'looked at it', drop }) }));
  const patience = patienceEndsAt === undefined ? {} : { patience_ends_at: patienceEndsAt };
  return { ...one, ...patience, operation: releaseOperation, actor: 'ana', items };
}

function put(stated: Batch | Releasing): void {
  lone.put(Buffer.from(JSON.stringify(stated)), stated.client);
}

/** The place of a record nobody can read, behind which everything waits. */
async function aParkedBook(client: string): Promise<string> {
  const place = `${partition}/${lone.offset}/-1`;
  lone.put(Buffer.from('no record'), client);
  await lone.processed();
  return place;
}

async function batches(client: string, many: number, more: Partial<Batch> = {}): Promise<Batch[]> {
  const sent = Array.from({ length: many }, (_, nth) => {
    const batch = { client, requestId: mint(), from: nth * 1_000, many: 1_000, ...more };
    put(batch);
    return batch;
  });
  await lone.processed();
  decoded = [];
  return sent;
}

async function release(client: string, ...drop: string[]): Promise<Told> {
  const requestId = mint();
  put({ client, requestId, drop });
  await eventually(() => lone.heard(requestId).length > 0);
  const [told] = lone.heard(requestId);
  expect(told).toMatch(/^200 /);
  return JSON.parse(String(told).slice(4));
}

async function recorded(client: string): Promise<number[]> {
  const text = `SELECT body->'nth' AS nth FROM facts WHERE book_id = $1 AND kind = 'added' ORDER BY sequence`;
  const { rows } = await lone.database.query(text, [lone.bookOf(client)]);
  return rows.map(({ nth }) => nth);
}

async function waiting(client: string): Promise<{ places: number; records: number }> {
  const text = `SELECT (SELECT count(*) FROM parked WHERE book_id = $1) AS places,
    (SELECT count(*) FROM parked_records r WHERE EXISTS
      (SELECT 1 FROM parked p WHERE p.book_id = $1 AND p.partition = r.partition AND p."offset" = r."offset")) AS records`;
  const { rows } = await lone.database.query(text, [lone.bookOf(client)]);
  return rows[0];
}

function upTo(many: number): number[] {
  return Array.from({ length: many }, (_, nth) => nth);
}

test('ten whole batches that wait with a book are decided a batch at a time, and others have their turn between', async () => {
  const unreadable = await aParkedBook('ana');
  const sent = await batches('ana', 10);
  expect(await waiting('ana')).toEqual({ places: 10_001, records: 11 });
  const told: Told[] = [];
  let after = 0;
  do {
    told.push(await release('ana', unreadable));
    after += 1;
    expect(await lone.add({ client: 'bea', by: 1 })).toBe(`201 {"after":${after}}`);
  } while (told.at(-1)?.released === false && after < 20);
  expect(told.map(({ left }) => left)).toEqual(
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((batchesLeft) => 1_000 * batchesLeft),
  );
  expect(told.map(({ released }) => released)).toEqual([...Array(9).fill(false), true]);
  expect(told.flatMap(({ submissions }) => submissions.map(({ came_to }) => came_to))).toEqual([
    'dropped',
    ...Array(10_000).fill('recorded'),
  ]);
  // Each record was read once, and proves all of its items.
  expect(sent.map(({ requestId }) => decoded.filter((each) => each === requestId).length)).toEqual(Array(10).fill(1));
  const { rows } = await lone.database.query(
    'SELECT count(DISTINCT request_id) AS requests FROM facts WHERE book_id = $1',
    [lone.bookOf('ana')],
  );
  expect(rows[0].requests).toBe(sent.length + told.length);
  expect(await recorded('ana')).toEqual(upTo(10_000));
  expect(await waiting('ana')).toEqual({ places: 0, records: 0 });
  expect(await lone.add({ client: 'ana', by: 1 })).toBe('201 {"after":10001}');
}, 120_000);

test('what comes in between two portions waits behind what waits, and what breaks parks the book with all behind it', async () => {
  const unreadable = await aParkedBook('ana');
  await batches('ana', 1);
  await batches('ana', 1, { from: 1_000, breaks: 3 });
  expect(await release('ana', unreadable)).toMatchObject({ released: false, left: 1_000 });
  await batches('ana', 1, { from: 2_000, many: 2 });
  expect(await recorded('ana')).toEqual(upTo(1_000));
  const broken = await release('ana');
  expect(broken).toMatchObject({ released: false, left: 999 });
  expect(broken.submissions.map(({ came_to }) => came_to)).toEqual(['recorded', 'recorded', 'recorded', 'parked']);
  expect(await recorded('ana')).toEqual(upTo(1_003));
  mended = true;
  expect(await release('ana')).toMatchObject({ released: true, left: 0 });
  expect(await recorded('ana')).toEqual(upTo(2_002));
}, 60_000);

test('what is dropped is not read', async () => {
  const unreadable = await aParkedBook('ana');
  const [whole] = await batches('ana', 1, { many: 3 });
  const [partly] = await batches('ana', 1, { from: 3, many: 3 });
  const { rows } = await lone.database.query(
    'SELECT partition, "offset", item FROM parked WHERE book_id = $1 AND request_id = $2',
    [lone.bookOf('ana'), whole?.requestId],
  );
  const places = rows.map(({ offset, item }) => `${partition}/${offset}/${item}`);
  const told = await release('ana', unreadable, ...places);
  expect(told.submissions.map(({ came_to }) => came_to)).toEqual([
    ...Array(4).fill('dropped'),
    ...Array(3).fill('recorded'),
  ]);
  expect(decoded).not.toContain(whole?.requestId);
  expect(decoded.filter((each) => each === partly?.requestId)).toHaveLength(1);
  expect(await recorded('ana')).toEqual([3, 4, 5]);
});

test('a few records that are large are a portion as well', async () => {
  const unreadable = await aParkedBook('ana');
  await batches('ana', 6, { many: 2, padding: 'x'.repeat(1_024 * 1_024) });
  expect(await release('ana', unreadable)).toMatchObject({ released: false, left: 4 });
  expect(await release('ana')).toMatchObject({ released: true, left: 0 });
});

test('a record that was lost keeps what waits behind it, and can be dropped', async () => {
  const unreadable = await aParkedBook('ana');
  const place = `${partition}/${lone.offset}/0`;
  await batches('ana', 1, { many: 1 });
  await batches('ana', 1, { from: 1, many: 1 });
  await lone.database.query('DELETE FROM parked_records WHERE "offset" = $1', [lone.offset - 2]);
  expect(await release('ana', unreadable)).toMatchObject({
    left: 2,
    submissions: [{ came_to: 'dropped' }, { place, came_to: 'parked' }],
  });
  expect(await release('ana', place)).toMatchObject({ released: true, left: 0 });
  expect(await recorded('ana')).toEqual([1]);
});

test('a request that stands in the log twice is decided once, though a portion ends between', async () => {
  const unreadable = await aParkedBook('ana');
  const [first] = await batches('ana', 2);
  // Whoever takes the partition over has not seen the first.
  const { kind, reads } = lone;
  await lone.restart();
  Object.assign(lone, { kind, reads });
  put(first as Batch);
  await lone.processed();
  expect(await waiting('ana')).toMatchObject({ places: 3_001 });
  const told = await release('ana', unreadable);
  expect(told.left).toBe(1_000);
  expect(told.submissions.filter(({ came_to }) => came_to === 'repeated')).toHaveLength(1_000);
  expect(await release('ana')).toMatchObject({ released: true, left: 0 });
  expect(await recorded('ana')).toEqual(upTo(2_000));
}, 60_000);

test('a release for which the store cannot say what waits is contended when its patience ends, and nobody waits on', async () => {
  const unreadable = await aParkedBook('ana');
  await batches('ana', 1, { many: 3 });
  const cancelled = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  for (let times = 0; times < 200; times += 1)
    for (const statement of ['parked_of', 'parked_first']) lone.line.next(statement, () => Promise.reject(cancelled));
  const requestId = mint();
  put({ client: 'ana', requestId, drop: [unreadable], patienceEndsAt: (Date.now() + 300) * 1_000 });
  expect(await lone.add({ client: 'bea', by: 1 })).toBe('201 {"after":1}');
  expect(lone.heard(requestId)).toEqual(['contended']);
  expect(await waiting('ana')).toEqual({ places: 4, records: 2 });
});
