/** A release of a parked book decides a limited portion of its waiting submissions and reports how many are left. */
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import type { SubmissionRecord } from '#libs/kafka/submission-record.ts';
import { releaseOperation, withRelease } from '#libs/ledger/release.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import { eventually } from '#test/support/tenant.ts';
import { IsolatedProcessor, partition } from './in-process-processor.ts';
import { addRecord, sumBook } from './sum-book.ts';

interface BatchOptions {
  readonly client: string;
  readonly requestId: string;
  /** The number of the first item. */
  readonly from: number;
  readonly count: number;
  /** The item that fails an assertion. */
  readonly failingItem?: number;
  readonly padding?: string;
}

interface ReleaseOptions {
  readonly client: string;
  readonly requestId: string;
  readonly drop: readonly string[];
  readonly deadlineMicros?: number;
}

interface ReleaseAnswer {
  readonly released: boolean;
  readonly left: number;
  readonly submissions: { readonly place: string; readonly came_to: string }[];
}

let isolated: IsolatedProcessor;
/** The ids of decoded requests, once for each time. */
let decodedRequests: string[];
let isFixed: boolean;

beforeAll(async () => {
  isolated = await IsolatedProcessor.open('partial_releases');
});
afterAll(() => isolated.close());
beforeEach(async () => {
  await isolated.reset();
  decodedRequests = [];
  isFixed = false;
  isolated.decider = withRelease(
    {
      ...sumBook,
      decide(book, submission, at) {
        if (submission.body['fails'] === true && !isFixed) throw new Error('assertion failed');
        return sumBook.decide(book, submission, at);
      },
    },
    (book) => book,
  );
  isolated.decodeRecord = (value) => {
    const options = JSON.parse(value.toString());
    decodedRequests.push(options.requestId);
    if ('count' in options) return batchRecord(options);
    return 'drop' in options ? releaseRecord(options) : isolated.decode(value);
  };
});

function batchRecord({ client, requestId, from, count, failingItem }: BatchOptions): SubmissionRecord {
  const record = addRecord({ bookId: isolated.bookOf(client), by: 1, requestId });
  const items = Array.from({ length: count }, (_, item) => {
    const body = JSON.stringify({ by: 1, number: from + item, fails: item === failingItem });
    return { ...record.items[0], item, body, digest: Buffer.from(body) };
  });
  return { ...record, items } as SubmissionRecord;
}

function releaseRecord({ client, requestId, drop, deadlineMicros }: ReleaseOptions): SubmissionRecord {
  const record = addRecord({ bookId: isolated.bookOf(client), by: 0, requestId });
  const items = record.items.map((item) => ({ ...item, body: JSON.stringify({ basis: 'cause fixed', drop }) }));
  const deadline = deadlineMicros === undefined ? {} : { patience_ends_at: deadlineMicros };
  return { ...record, ...deadline, operation: releaseOperation, actor: 'ana', items };
}

function deliver(options: BatchOptions | ReleaseOptions): void {
  isolated.deliver(Buffer.from(JSON.stringify(options)), options.client);
}

/** Parks the book with a record that cannot be decoded. Returns the position of the record. */
async function parkBook(client: string): Promise<string> {
  const position = `${partition}/${isolated.offset}/-1`;
  isolated.deliver(Buffer.from('not a record'), client);
  await isolated.waitUntilProcessed();
  return position;
}

async function deliverBatches(
  client: string,
  batchCount: number,
  over: Partial<BatchOptions> = {},
): Promise<BatchOptions[]> {
  const batches = Array.from({ length: batchCount }, (_, index) => {
    const batch = { client, requestId: newUuid(), from: index * 1_000, count: 1_000, ...over };
    deliver(batch);
    return batch;
  });
  await isolated.waitUntilProcessed();
  decodedRequests = [];
  return batches;
}

async function release(client: string, ...drop: string[]): Promise<ReleaseAnswer> {
  const requestId = newUuid();
  deliver({ client, requestId, drop });
  await eventually(() => isolated.verdictsOf(requestId).length > 0);
  const [verdict] = isolated.verdictsOf(requestId);
  expect(verdict).toMatch(/^200 /);
  return JSON.parse(String(verdict).slice(4));
}

async function recordedNumbers(client: string): Promise<number[]> {
  const text = `SELECT body->'number' AS number FROM facts WHERE book_id = $1 AND kind = 'added' ORDER BY sequence`;
  const { rows } = await isolated.database.query(text, [isolated.bookOf(client)]);
  return rows.map(({ number }) => number);
}

async function parkedCounts(client: string): Promise<{ submissions: number; records: number }> {
  const text = `SELECT (SELECT count(*) FROM parked_submissions WHERE book_id = $1) AS submissions,
    (SELECT count(*) FROM parked_log_entries r WHERE EXISTS
      (SELECT 1 FROM parked_submissions p WHERE p.book_id = $1 AND p.partition = r.partition AND p."offset" = r."offset")) AS records`;
  const { rows } = await isolated.database.query(text, [isolated.bookOf(client)]);
  return rows[0];
}

function numbersBelow(end: number): number[] {
  return Array.from({ length: end }, (_, number) => number);
}

test('each release decides one of ten waiting batches, and other books are processed in between', async () => {
  const invalid = await parkBook('ana');
  const batches = await deliverBatches('ana', 10);
  expect(await parkedCounts('ana')).toEqual({ submissions: 10_001, records: 11 });
  const answers: ReleaseAnswer[] = [];
  let after = 0;
  do {
    answers.push(await release('ana', invalid));
    after += 1;
    expect(await isolated.add({ client: 'bea', by: 1 })).toBe(`201 {"after":${after}}`);
  } while (answers.at(-1)?.released === false && after < 20);
  expect(answers.map(({ left }) => left)).toEqual(
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0].map((batchesLeft) => 1_000 * batchesLeft),
  );
  expect(answers.map(({ released }) => released)).toEqual([...Array(9).fill(false), true]);
  expect(answers.flatMap(({ submissions }) => submissions.map(({ came_to }) => came_to))).toEqual([
    'dropped',
    ...Array(10_000).fill('recorded'),
  ]);
  // Each record was decoded once, and is the evidence of all its items.
  expect(batches.map(({ requestId }) => decodedRequests.filter((each) => each === requestId).length)).toEqual(
    Array(10).fill(1),
  );
  const { rows } = await isolated.database.query(
    'SELECT count(DISTINCT request_id) AS requests FROM facts WHERE book_id = $1',
    [isolated.bookOf('ana')],
  );
  expect(rows[0].requests).toBe(batches.length + answers.length);
  expect(await recordedNumbers('ana')).toEqual(numbersBelow(10_000));
  expect(await parkedCounts('ana')).toEqual({ submissions: 0, records: 0 });
  expect(await isolated.add({ client: 'ana', by: 1 })).toBe('201 {"after":10001}');
});

test('submissions that arrive between two releases wait behind the others, and a failing one parks the book again', async () => {
  const invalid = await parkBook('ana');
  await deliverBatches('ana', 1);
  await deliverBatches('ana', 1, { from: 1_000, failingItem: 3 });
  expect(await release('ana', invalid)).toMatchObject({ released: false, left: 1_000 });
  await deliverBatches('ana', 1, { from: 2_000, count: 2 });
  expect(await recordedNumbers('ana')).toEqual(numbersBelow(1_000));
  const failed = await release('ana');
  expect(failed).toMatchObject({ released: false, left: 999 });
  expect(failed.submissions.map(({ came_to }) => came_to)).toEqual(['recorded', 'recorded', 'recorded', 'parked']);
  expect(await recordedNumbers('ana')).toEqual(numbersBelow(1_003));
  isFixed = true;
  expect(await release('ana')).toMatchObject({ released: true, left: 0 });
  expect(await recordedNumbers('ana')).toEqual(numbersBelow(2_002));
});

test('records whose submissions are all dropped are not decoded', async () => {
  const invalid = await parkBook('ana');
  const [dropped] = await deliverBatches('ana', 1, { count: 3 });
  const [kept] = await deliverBatches('ana', 1, { from: 3, count: 3 });
  const { rows } = await isolated.database.query(
    'SELECT partition, "offset", item FROM parked_submissions WHERE book_id = $1 AND request_id = $2',
    [isolated.bookOf('ana'), dropped?.requestId],
  );
  const positions = rows.map(({ offset, item }) => `${partition}/${offset}/${item}`);
  const answer = await release('ana', invalid, ...positions);
  expect(answer.submissions.map(({ came_to }) => came_to)).toEqual([
    ...Array(4).fill('dropped'),
    ...Array(3).fill('recorded'),
  ]);
  expect(decodedRequests).not.toContain(dropped?.requestId);
  expect(decodedRequests.filter((each) => each === kept?.requestId)).toHaveLength(1);
  expect(await recordedNumbers('ana')).toEqual([3, 4, 5]);
});

test('the size of a portion is also limited in bytes', async () => {
  const invalid = await parkBook('ana');
  await deliverBatches('ana', 6, { count: 2, padding: 'x'.repeat(1_024 * 1_024) });
  expect(await release('ana', invalid)).toMatchObject({ released: false, left: 4 });
  expect(await release('ana')).toMatchObject({ released: true, left: 0 });
});

test('a waiting record that is missing blocks the submissions behind it until it is dropped', async () => {
  const invalid = await parkBook('ana');
  const position = `${partition}/${isolated.offset}/0`;
  await deliverBatches('ana', 1, { count: 1 });
  await deliverBatches('ana', 1, { from: 1, count: 1 });
  await isolated.database.query('DELETE FROM parked_log_entries WHERE "offset" = $1', [isolated.offset - 2]);
  expect(await release('ana', invalid)).toMatchObject({
    left: 2,
    submissions: [{ came_to: 'dropped' }, { place: position, came_to: 'parked' }],
  });
  expect(await release('ana', position)).toMatchObject({ released: true, left: 0 });
  expect(await recordedNumbers('ana')).toEqual([1]);
});

test('a request that is in the topic twice is decided once, even in two different portions', async () => {
  const invalid = await parkBook('ana');
  const [first] = await deliverBatches('ana', 2);
  // After a takeover the processor does not remember the first one.
  const { decider: kind, decodeRecord: reads } = isolated;
  await isolated.restart();
  Object.assign(isolated, { kind, reads });
  deliver(first as BatchOptions);
  await isolated.waitUntilProcessed();
  expect(await parkedCounts('ana')).toMatchObject({ submissions: 3_001 });
  const answer = await release('ana', invalid);
  expect(answer.left).toBe(1_000);
  expect(answer.submissions.filter(({ came_to }) => came_to === 'repeated')).toHaveLength(1_000);
  expect(await release('ana')).toMatchObject({ released: true, left: 0 });
  expect(await recordedNumbers('ana')).toEqual(numbersBelow(2_000));
});

test('a release whose waiting submissions cannot be read is refused as contended at its deadline, and other books continue', async () => {
  const invalid = await parkBook('ana');
  await deliverBatches('ana', 1, { count: 3 });
  const cancelled = Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' });
  for (let attempt = 0; attempt < 200; attempt += 1)
    isolated.intercepted.intercept('parked_first', () => Promise.reject(cancelled));
  const requestId = newUuid();
  deliver({ client: 'ana', requestId, drop: [invalid], deadlineMicros: (Date.now() + 300) * 1_000 });
  expect(await isolated.add({ client: 'bea', by: 1 })).toBe('201 {"after":1}');
  expect(isolated.verdictsOf(requestId)).toEqual(['contended']);
  expect(await parkedCounts('ana')).toEqual({ submissions: 4, records: 2 });
});
