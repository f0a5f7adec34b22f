import { describe, expect, test } from '@jest/globals';
import type { Moment } from '#libs/calendar/moment.ts';
import { emptyBook } from '#libs/database/books.ts';
import { referenceKey } from '#libs/database/references.ts';
import type { BookDecider, RecordedReference } from '#libs/ledger/book-decider.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';
import { prepare } from './batch.ts';
import type { DecodedEntry, LogEntry, PendingItem } from './log-entry.ts';
import { decideBatch, isWhole } from './process-batch.ts';
import type { BatchInput, BatchResult } from './turn-state.ts';
import type { Verdict } from './verdict.ts';

/** A book that adds up what it is told, refuses to fall below zero and breaks at thirteen. */
const sum: BookDecider<number> = {
  empty: () => 0,
  decide(book, { body }, at) {
    const by = Number(body['by']);
    if (by === 13) throw new Error('an assertion of the book');
    if (book + by < 0) return refuse('invalid_event');
    const facts = [{ kind: 'added', body: JSON.stringify({ by }), counts: true }];
    return { facts, book: book + by, subject: String(at), answer: () => ({ status: 201, body: String(book + by) }) };
  },
  currentRecord: (book, _, recorded) => ({ status: 200, body: `${recorded.subject} ${book}` }),
  replay: (book, { body }) => book + (JSON.parse(body) as { by: number }).by,
  encode: String,
  decode: Number,
  derive: () => ({}),
};
const kindOf = () => sum as BookDecider<unknown>;
const now = 1_000_000 as Moment;

let offset = 0;

interface Stated {
  readonly by: number;
  readonly client?: string;
  readonly reference?: string;
  readonly patience?: number;
}

function record(...stated: Stated[]): DecodedEntry {
  const items = stated.map(({ by, client = 'ana', reference }, item) => {
    const digest = Buffer.from(`${client} ${by}`);
    const names = reference === undefined ? {} : { namespace: 'receipts' as const, reference };
    return {
      item: {
        item,
        book_id: `c/${client}`,
        namespace: null,
        reference: null,
        digest,
        body: null,
        ids: [],
        resolved: null,
      },
      submission: {
        tenantId: 'acme',
        bookId: `c/${client}`,
        operation: 'add',
        params: {},
        body: { by },
        digest: digest.toString('hex'),
        ids: [],
        resolved: null,
        ...names,
      },
    } satisfies PendingItem;
  });
  const evidence = {
    method: 'POST',
    target: '/',
    ts: 1,
    fp: 'f',
    signature: null,
    idempotency_key: null,
    body: Buffer.alloc(0),
    body_encoding: 'identity' as const,
  };
  offset += 1;
  return {
    partition: 3,
    offset,
    source: { offset, key: Buffer.from('acme/c/ana'), value: Buffer.alloc(0) },
    pending: items,
    record: {
      request_id: `request-${offset}`,
      ingress: 'i',
      tenant_id: 'acme',
      operation: 'add',
      params: {},
      taken_in_at: now,
      patience_ends_at: stated[0]?.patience ?? now + 2_000_000,
      actor: null,
      caller_request_id: null,
      evidence,
      items: items.map(({ item }) => item),
    },
  };
}

function take(
  records: readonly LogEntry[],
  recorded: ReadonlyMap<string, RecordedReference> = new Map(),
  clock = () => now,
): BatchResult {
  const standing: BatchInput['standing'] = (name) => emptyBook(kindOf, name);
  return decideBatch({ records, kindOf, recorded, clock, standing, nextEvent: () => 41 });
}

function told({ outcome }: Verdict): string {
  if (typeof outcome !== 'function') return outcome.code;
  const { status, body } = outcome();
  return `${status} ${body}`;
}

describe('a batch takes its turns', () => {
  test('each submission meets the book the one before left, and answers from its own', () => {
    const turn = take([record({ by: 5 }), record({ by: 2 }), record({ by: -7 }), record({ by: -1 })]);
    expect(turn.verdicts.map(told)).toEqual(['201 5', '201 7', '201 0', 'invalid_event']);
    expect(turn.facts.map(({ sequence, eventNo }) => [sequence, eventNo])).toEqual([
      [1, 41],
      [2, 42],
      [3, 43],
    ]);
  });

  test('moments of recording strictly rise within a book, and need not between books', () => {
    const turn = take([record({ by: 1 }), record({ by: 1, client: 'bea' }), record({ by: 1 })]);
    expect(turn.facts.map(({ recordedAt }) => recordedAt - now)).toEqual([0, 0, 1]);
  });

  test('the same reference with the same body is answered by the record, with another it is reused', () => {
    const turn = take([
      record({ by: 5, reference: 'r' }),
      record({ by: 1 }),
      record({ by: 5, reference: 'r' }),
      record({ by: 6, reference: 'r' }),
      record({ by: 5, reference: 'r', client: 'bea' }),
    ]);
    expect(turn.verdicts.map(told)).toEqual(['201 5', '201 6', `200 ${now} 6`, 'reference_reused', 'reference_reused']);
    expect(turn.references).toHaveLength(1);
  });

  test('a reference recorded long ago is looked up before anything else, what would be refused by now included', () => {
    const digest = Buffer.from('ana -9').toString('hex');
    const recorded = { bookId: 'c/ana', digest, kind: 'added', subject: 'old', sequence: 1 };
    const key = referenceKey({ tenantId: 'acme', namespace: 'receipts', reference: 'r' });
    const turn = take([record({ by: -9, reference: 'r' })], new Map([[key, recorded]]));
    expect(turn.verdicts.map(told)).toEqual(['200 old 0']);
    expect(turn.facts).toEqual([]);
  });

  test('a refused submission leaves its reference free', () => {
    const turn = take([record({ by: -1, reference: 'r' }), record({ by: 4, reference: 'r' })]);
    expect(turn.verdicts.map(told)).toEqual(['invalid_event', '201 4']);
  });

  test('what comes after its patience is contended, and nothing of it is recorded', () => {
    const turn = take([record({ by: 5, patience: now - 1, reference: 'r' }), record({ by: 6, reference: 'r' })]);
    expect(turn.verdicts.map(told)).toEqual(['contended', '201 6']);
  });

  test('what was refused may have been recorded elsewhere before; what is contended is so whatever was recorded', () => {
    const late = record({ by: 5, patience: now - 1, reference: 'r' });
    expect(isWhole(take([late, record({ by: 6, reference: 's' })]))).toBe(true);
    expect(isWhole(take([late, record({ by: -6, reference: 's' })]))).toBe(false);
  });

  test('a batch so long that patience ends within it records what it came to in time, and nothing of the rest', () => {
    let seconds = 0;
    const clock = () => {
      seconds += 0.25;
      return (now + seconds * 1_000_000) as Moment;
    };
    const items = Array.from({ length: 8 }, () => ({ by: 1 }));
    const turn = take([record(...items)], new Map(), clock);
    expect(turn.verdicts.map(told)).toEqual(['201 1', '201 2', '201 3', '201 4', ...Array(4).fill('contended')]);
    expect(turn.facts).toHaveLength(4);
  });

  test('a submission that breaks an assertion parks its book alone, and what comes behind it waits too', () => {
    const turn = take([record({ by: 5 }), record({ by: 13 }), record({ by: 1 }), record({ by: 1, client: 'bea' })]);
    expect(turn.verdicts.map(told)).toEqual(['201 5', 'internal_error', 'internal_error', '201 1']);
    expect(turn.parked.map(({ book }) => book?.bookId)).toEqual(['c/ana', 'c/ana']);
    const { standing } = prepare(turn, kindOf, []);
    expect(standing.map(({ bookId, parked, sequence }) => [bookId, parked, sequence])).toEqual([
      ['c/ana', true, 1],
      ['c/bea', false, 1],
    ]);
  });

  test('a record that cannot be read parks the book of its key', () => {
    const broken = {
      partition: 3,
      offset: 9,
      source: { offset: 9, key: Buffer.from('acme/c/ana'), value: null },
      fault: new Error(),
    };
    const turn = take([broken, record({ by: 1 })]);
    expect(turn.verdicts.map(told)).toEqual(['internal_error']);
    expect(turn.books.get('acme/c/ana')?.parked).toBe(true);
  });

  test.each([null, 'acme', 'acme/x/ana', 'acme/c/a\0na', 'ac me/c/ana', 'acme/c/'])(
    'a record whose key %j names no book parks nothing',
    (key) => {
      const source = { offset: 9, key: key === null ? null : Buffer.from(key), value: null };
      const turn = take([{ partition: 3, offset: 9, source, fault: new Error() }, record({ by: 1 })]);
      expect(turn.verdicts.map(told)).toEqual(['201 1']);
      expect(turn.parked).toHaveLength(1);
      expect(prepare(turn, kindOf, []).batch.parking).toBeUndefined();
    },
  );

  test('a request of many items is proved once, by its first event', () => {
    const turn = take([record({ by: 1 }, { by: -9 }, { by: 2, client: 'bea' }), record({ by: 1 })]);
    expect(turn.evidence.map(({ requestId }) => requestId)).toEqual([`request-${offset - 1}`, `request-${offset}`]);
    expect(turn.events.map(({ evidenceAt }) => evidenceAt)).toEqual([41, 41, 43]);
  });
});

describe('a snapshot is written as a book grows', () => {
  const grown = (client: string, facts: number, snapshotAt: number) => {
    const name = { tenantId: 'acme', bookId: `c/${client}` };
    const standing = { ...emptyBook(kindOf, name), sequence: facts - 1, snapshotAt };
    const turn = decideBatch({
      records: [record({ by: 1, client })],
      kindOf,
      recorded: new Map(),
      clock: () => now,
      standing: () => standing,
      nextEvent: () => 1,
    });
    return prepare(turn, kindOf, []).batch.snapshots.length;
  };
  /** How many facts after the last one each of a hundred books writes its next. */
  const paces = (snapshotAt: number): number[] =>
    Array.from({ length: 100 }, (_, nth) => {
      let facts = snapshotAt + 1;
      while (grown(`client-${nth}`, facts, snapshotAt) === 0) facts += 1;
      return facts - snapshotAt;
    });

  test('after thirty-two facts and before sixty-five, books that grow alike not all after the same', () => {
    const found = paces(0);
    expect(Math.min(...found)).toBeGreaterThanOrEqual(32);
    expect(Math.max(...found)).toBeLessThanOrEqual(64);
    expect(new Set(found).size).toBeGreaterThan(10);
  });

  test('after a share of a long book, so that each fact costs about the same', () => {
    const found = paces(600);
    expect(Math.min(...found)).toBeGreaterThanOrEqual(120);
    expect(Math.max(...found)).toBeLessThanOrEqual(300);
  });

  test('after a bounded number of facts of the longest book: whoever reads it folds what comes after', () => {
    expect(grown('client-1', 30_000 + 1_023, 30_000)).toBe(0);
    expect(grown('client-1', 30_000 + 2_048, 30_000)).toBe(1);
  });

  test('of so many facts in one batch, however many books are due', () => {
    const clients = Array.from({ length: 200 }, (_, nth) => `client-${nth}`);
    const turn = decideBatch({
      records: [record(...clients.map((client) => ({ by: 1, client })))],
      kindOf,
      recorded: new Map(),
      clock: () => now,
      standing: (name) => ({ ...emptyBook(kindOf, name), sequence: 500, snapshotAt: 0 }),
      nextEvent: () => 1,
    });
    const { batch } = prepare(turn, kindOf, []);
    // The one fact of each is its five hundred and first.
    expect([batch.snapshots.length, batch.books.length]).toEqual([16, 200]);
  });

  test('refusals write nothing', () => {
    const turn = take([record({ by: -1 })]);
    const { batch } = prepare(turn, kindOf, []);
    expect([batch.facts, batch.books, batch.references, batch.evidence].map((rows) => rows.length)).toEqual([
      0, 0, 0, 0,
    ]);
    expect(turn.verdicts.map(({ outcome }) => isRefusal(outcome))).toEqual([true]);
  });
});
