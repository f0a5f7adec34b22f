import { expect, test } from '@jest/globals';
import type { Moment } from '#libs/calendar/moment.ts';
import type { Database } from '#libs/database/database.ts';
import { positionText } from '#libs/database/parked-submissions.ts';
import type { SubmissionCodec, SubmissionRecord } from '#libs/kafka/submission-record.ts';
import { releaseOperation } from '#libs/ledger/release.ts';
import { type DecodedEntry, decodeRecord, isDecoded, type ParkedSubmission } from './log-entry.ts';
import { withParkedSubmissions } from './read-parked-submissions.ts';

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

interface ParkedItemRow {
  readonly offset: number;
  readonly item: number;
  readonly request_id: string | null;
}

/** A database with parked submissions that counts its queries and the records that are decoded. */
class CountingDatabase {
  readonly queries: string[] = [];
  readonly decoded: string[] = [];
  readonly #records: Readonly<Record<string, SubmissionRecord>>;
  readonly #answers: Readonly<Record<string, unknown[]>>;

  constructor(
    records: Readonly<Record<number, SubmissionRecord>>,
    portion: ParkedItemRow[],
    behind: ParkedItemRow[] = [],
  ) {
    this.#records = records;
    const at = new Map(portion.map(({ offset }) => [offset, portion.filter((each) => each.offset === offset).length]));
    const first = [...at].map(([offset, items]) => ({ offset, items, bytes: 1, item: 0, request_id: null }));
    const rows = (items: ParkedItemRow[]) =>
      items.map((row) => ({ partition: 3, waiting: portion.length + behind.length, ...row }));
    this.#answers = { parked_first: rows(first), parked_portion: rows(portion), parked_again: rows(behind) };
  }

  database = {
    query: async ({ name, values }: { name: string; values: Buffer[] }) => {
      this.queries.push(name);
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

  /** Decodes a binary array of bigint, of which the low half is enough here. */
  #valuesAt(offsets: Buffer): unknown[] {
    return Array.from({ length: offsets.readInt32BE(12) }, (_, at) => {
      const offset = offsets.readUInt32BE(20 + at * 12 + 8);
      return { partition: 3, offset, value: Buffer.from(String(offset)) };
    });
  }

  async read({ drop = [], now = 0 }: { drop?: string[]; now?: number } = {}): Promise<ParkedSubmission[]> {
    const record = recordOf(releaseRequest, [{ body: JSON.stringify({ drop }) }], { operation: releaseOperation });
    const source = { offset: 90, key: null, value: Buffer.alloc(0) };
    const taken = (await decodeRecord(
      { decode: () => record } as unknown as SubmissionCodec,
      3,
      source,
    )) as DecodedEntry;
    const { database, codec } = this;
    const [read] = await withParkedSubmissions({ database, codec, clock: () => now as Moment }, [taken]);
    return [...((read as DecodedEntry).portion?.submissions ?? [])];
  }
}

function items(offset: number, request_id: string, many: number): ParkedItemRow[] {
  return Array.from({ length: many }, (_, item) => ({ offset, item, request_id }));
}

const thousand = Array.from({ length: 1_000 }, () => ({}));
const [one, other] = requests as [string, string];

function itemsOf(submissions: ParkedSubmission | undefined): number[] {
  const taken = submissions?.entry;
  return taken !== undefined && isDecoded(taken) ? taken.items.map(({ source: item }) => item.item) : [];
}

test('a record with a thousand parked items is read once, decoded once and gets one request id', async () => {
  const database = new CountingDatabase({ 40: recordOf(one, thousand) }, items(40, one, 1_000));
  const submissions = await database.read();
  expect(database.queries).toEqual(['parked_first', 'parked_portion', 'parked_values']);
  expect(database.decoded).toEqual(['40']);
  expect(submissions.map(itemsOf)).toEqual(thousand.map((_, item) => [item]));
  const records = new Set(submissions.map(({ entry }) => (entry as DecodedEntry).record));
  expect(records.size).toBe(1);
  for (const { request_id } of records) expect([one, releaseRequest]).not.toContain(request_id);
});

test('dropped submissions are not read', async () => {
  const database = new CountingDatabase({ 41: recordOf(other, thousand) }, [
    ...items(40, one, 2),
    ...items(41, other, 2),
  ]);
  const submissions = await database.read({ drop: ['3/40/0', '3/40/1', '3/41/0'] });
  expect(database.decoded).toEqual(['41']);
  expect(submissions.map(({ entry }) => entry === undefined)).toEqual([true, true, true, false]);
});

test('nothing is read for a release after its deadline', async () => {
  const database = new CountingDatabase({}, items(40, one, 2));
  expect(await database.read({ now: 1_001 })).toEqual([]);
  expect(database.queries).toEqual([]);
});

test('items of other books are left out', async () => {
  const record = recordOf(one, [{}, { book_id: 'c/bea' }, {}]);
  const database = new CountingDatabase({ 40: record }, [{ offset: 40, item: -1, request_id: null }]);
  const [submissions] = await database.read();
  expect(itemsOf(submissions)).toEqual([0, 2]);
});

test('a request that is in the log twice is one submission, within the portion and beyond it', async () => {
  const record = recordOf(one, [{}, {}]);
  const database = new CountingDatabase(
    { 40: record, 41: record },
    [...items(40, one, 2), ...items(41, one, 1)],
    items(77, one, 1),
  );
  const submissions = await database.read();
  expect(submissions.map(({ position, repeats }) => [positionText(position), repeats.map(positionText)])).toEqual([
    ['3/40/0', ['3/41/0', '3/77/0']],
    ['3/40/1', []],
  ]);
});

test('a record that can no longer be decoded stays parked as undecodable', async () => {
  const database = new CountingDatabase({}, items(40, one, 1));
  const [submissions] = await database.read();
  expect(submissions?.entry).toMatchObject({ cause: new TypeError('no record') });
});
