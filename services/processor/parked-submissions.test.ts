import { expect, test } from '@jest/globals';
import type { Moment } from '#libs/calendar/moment.ts';
import type { Database } from '#libs/database/database.ts';
import { placeText } from '#libs/database/parked.ts';
import type { SubmissionCodec, SubmissionRecord } from '#libs/kafka/submission.ts';
import { releaseOperation } from '#libs/ledger/release.ts';
import { type DecodedEntry, isReadable, type Kept, readRecord } from './log-entry.ts';
import { withKept } from './parked-submissions.ts';

const requests = ['0190aaaa-0000-7000-8000-000000000001', '0190aaaa-0000-7000-8000-000000000002'];
const releaseRequest = '0190aaaa-0000-7000-8000-00000000000f';

function recordOf(requestId: string, items: readonly object[], more: object = {}): SubmissionRecord {
  return {
    request_id: requestId,
    tenant_id: 'acme',
    operation: 'add',
    params: {},
    patience_ends_at: 1_000,
    actor: null,
    evidence: { body: Buffer.alloc(0) },
    items: items.map((item, at) => ({
      item: at,
      book_id: 'c/ana',
      namespace: null,
      reference: null,
      digest: Buffer.alloc(1),
      body: '{}',
      ids: [],
      resolved: null,
      ...item,
    })),
    ...more,
  } as unknown as SubmissionRecord;
}

interface Waiting {
  readonly offset: number;
  readonly item: number;
  readonly request_id: string | null;
}

/** A store that says what waits, and counts what it is asked and what is decoded. */
class Counted {
  readonly asked: string[] = [];
  readonly decoded: string[] = [];
  readonly #records: Readonly<Record<string, SubmissionRecord>>;
  readonly #answers: Readonly<Record<string, unknown[]>>;

  constructor(records: Readonly<Record<number, SubmissionRecord>>, portion: Waiting[], behind: Waiting[] = []) {
    this.#records = records;
    const at = new Map(portion.map(({ offset }) => [offset, portion.filter((each) => each.offset === offset).length]));
    const first = [...at].map(([offset, items]) => ({ offset, items, bytes: 1, item: 0, request_id: null }));
    const rows = (some: Waiting[]) =>
      some.map((row) => ({ partition: 3, waiting: portion.length + behind.length, ...row }));
    this.#answers = { parked_first: rows(first), parked_portion: rows(portion), parked_again: rows(behind) };
  }

  database = {
    query: async ({ name, values }: { name: string; values: Buffer[] }) => {
      this.asked.push(name);
      return { rows: this.#answers[name] ?? this.#valuesAt(values[1] as Buffer) };
    },
  } as unknown as Database;

  codec = {
    decode: (value: Buffer) => {
      this.decoded.push(value.toString());
      const record = this.#records[value.toString()];
      if (record === undefined) throw new TypeError('no record');
      return record;
    },
  } as unknown as SubmissionCodec;

  /** An array of longs in Postgres's binary form, of which the low half is enough here. */
  #valuesAt(offsets: Buffer): unknown[] {
    return Array.from({ length: offsets.readInt32BE(12) }, (_, at) => {
      const offset = offsets.readUInt32BE(20 + at * 12 + 8);
      return { partition: 3, offset, value: Buffer.from(String(offset)) };
    });
  }

  async kept({ drop = [], now = 0 }: { drop?: string[]; now?: number } = {}): Promise<Kept[]> {
    const record = recordOf(releaseRequest, [{ body: JSON.stringify({ drop }) }], { operation: releaseOperation });
    const source = { offset: 90, key: null, value: Buffer.alloc(0) };
    const taken = (await readRecord({ decode: () => record } as never, 3, source)) as DecodedEntry;
    const { database, codec } = this;
    const [read] = await withKept({ database, codec, clock: () => now as Moment }, [taken]);
    return [...((read as DecodedEntry).release?.kept ?? [])];
  }
}

function items(offset: number, request_id: string, many: number): Waiting[] {
  return Array.from({ length: many }, (_, item) => ({ offset, item, request_id }));
}

const thousand = Array.from({ length: 1_000 }, () => ({}));
const [one, other] = requests as [string, string];

function itemsOf(kept: Kept | undefined): number[] {
  const taken = kept?.taken;
  return taken !== undefined && isReadable(taken) ? taken.pending.map(({ item }) => item.item) : [];
}

test('a record of a thousand items that wait is read once, decoded once and proved under one identifier', async () => {
  const store = new Counted({ 40: recordOf(one, thousand) }, items(40, one, 1_000));
  const kept = await store.kept();
  expect(store.asked).toEqual(['parked_first', 'parked_portion', 'parked_values']);
  expect(store.decoded).toEqual(['40']);
  expect(kept.map(itemsOf)).toEqual(thousand.map((_, item) => [item]));
  const records = new Set(kept.map(({ taken }) => (taken as DecodedEntry).record));
  expect(records.size).toBe(1);
  // Another release, another identifier: what was decided before is proved under its own.
  for (const { request_id } of records) expect([one, releaseRequest]).not.toContain(request_id);
});

test('of what is dropped nothing is read', async () => {
  const store = new Counted({ 41: recordOf(other, thousand) }, [...items(40, one, 2), ...items(41, other, 2)]);
  const kept = await store.kept({ drop: ['3/40/0', '3/40/1', '3/41/0'] });
  expect(store.decoded).toEqual(['41']);
  expect(kept.map(({ taken }) => taken === undefined)).toEqual([true, true, true, false]);
});

test('of a release whose patience has ended nothing is read', async () => {
  const store = new Counted({}, items(40, one, 2));
  expect(await store.kept({ now: 1_001 })).toEqual([]);
  expect(store.asked).toEqual([]);
});

test('items of other books are left where they are', async () => {
  const record = recordOf(one, [{}, { book_id: 'c/bea' }, {}]);
  const store = new Counted({ 40: record }, [{ offset: 40, item: -1, request_id: null }]);
  const [kept] = await store.kept();
  expect(itemsOf(kept)).toEqual([0, 2]);
});

test('what stands in the log twice is one, in the portion and behind it', async () => {
  const record = recordOf(one, [{}, {}]);
  const store = new Counted(
    { 40: record, 41: record },
    [...items(40, one, 2), ...items(41, one, 1)],
    items(77, one, 1),
  );
  const kept = await store.kept();
  expect(kept.map(({ place, again }) => [placeText(place), again.map(placeText)])).toEqual([
    ['3/40/0', ['3/41/0', '3/77/0']],
    ['3/40/1', []],
  ]);
});

test('a record that cannot be read any more waits as it lies', async () => {
  const store = new Counted({}, items(40, one, 1));
  const [kept] = await store.kept();
  expect(kept?.taken).toMatchObject({ fault: new TypeError('no record') });
});
