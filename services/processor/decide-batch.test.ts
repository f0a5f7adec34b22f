import { describe, expect, test } from '@jest/globals';
import type { Moment } from '#libs/calendar/moment.ts';
import { emptyBook } from '#libs/database/books.ts';
import { referenceKey } from '#libs/database/references.ts';
import type { BookDecider, RecordedReference } from '#libs/ledger/book-decider.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import type { BatchDecision, BatchInput } from './batch-decision.ts';
import { toCommitRows } from './commit-rows.ts';
import { decideBatch, isIndependentOfReferences } from './decide-batch.ts';
import type { DecodedEntry, LogEntry } from './log-entry.ts';
import { adder } from './testing/adder.ts';
import { decodedEntry, digestOf } from './testing/decoded-entry.ts';
import type { SubmissionVerdict } from './verdict.ts';

const deciderFor = () => adder as BookDecider<unknown>;
const now = 1_000_000 as Moment;

let offset = 0;

interface Addition {
  readonly by: number;
  readonly client?: string;
  readonly reference?: string;
  readonly deadline?: number;
}

function record(...additions: Addition[]): DecodedEntry {
  offset += 1;
  const items = additions.map(({ by, deadline: _, ...content }) => ({ body: { by }, ...content }));
  const deadline = additions[0]?.deadline ?? now + 2_000_000;
  return decodedEntry({ requestId: `request-${offset}`, offset, sentAt: now, deadline, items });
}

function decide(
  records: readonly LogEntry[],
  recorded: ReadonlyMap<string, RecordedReference> = new Map(),
  clock = () => now,
  isContended: BatchInput['isContended'] = () => false,
): BatchDecision {
  const currentBook: BatchInput['currentBook'] = (name) => emptyBook(deciderFor, name);
  return decideBatch({
    entries: records,
    deciderFor,
    recordedReferences: recorded,
    clock,
    currentBook,
    isContended,
    nextEvent: () => 41,
  });
}

function textOf({ outcome }: SubmissionVerdict): string {
  if (typeof outcome !== 'function') return outcome.code;
  const { status, body } = outcome();
  return `${status} ${body}`;
}

describe('deciding a batch', () => {
  test('each submission is decided on the book that the one before it left, and answers from its own state', () => {
    const result = decide([record({ by: 5 }), record({ by: 2 }), record({ by: -7 }), record({ by: -1 })]);
    expect(result.verdicts.map(textOf)).toEqual(['201 5', '201 7', '201 0', 'invalid_event']);
    expect(result.facts.map(({ sequence, eventNumber }) => [sequence, eventNumber])).toEqual([
      [1, 41],
      [2, 42],
      [3, 43],
    ]);
  });

  test('recording times strictly rise within a book, but not between books', () => {
    const result = decide([record({ by: 1 }), record({ by: 1, client: 'bea' }), record({ by: 1 })]);
    expect(result.facts.map(({ recordedAt }) => recordedAt - now)).toEqual([0, 0, 1]);
  });

  test('the same reference answers the recorded fact for the same body and refuses another body', () => {
    const result = decide([
      record({ by: 5, reference: 'r' }),
      record({ by: 1 }),
      record({ by: 5, reference: 'r' }),
      record({ by: 6, reference: 'r' }),
      record({ by: 5, reference: 'r', client: 'bea' }),
    ]);
    expect(result.verdicts.map(textOf)).toEqual([
      '201 5',
      '201 6',
      `200 ${now} 6`,
      'reference_reused',
      'reference_reused',
    ]);
    expect(result.references).toHaveLength(1);
  });

  test('a reference recorded long ago is answered even where the submission would be refused today', () => {
    const digest = digestOf({ body: { by: -9 } }).toString('hex');
    const recorded = { bookId: 'c/ana', digest, kind: 'added', subject: 'old', sequence: 1 };
    const key = referenceKey({ tenantId: 'acme', namespace: 'receipts', reference: 'r' });
    const result = decide([record({ by: -9, reference: 'r' })], new Map([[key, recorded]]));
    expect(result.verdicts.map(textOf)).toEqual(['200 old 0']);
    expect(result.facts).toEqual([]);
  });

  test('a refused submission does not use up its reference', () => {
    const result = decide([record({ by: -1, reference: 'r' }), record({ by: 4, reference: 'r' })]);
    expect(result.verdicts.map(textOf)).toEqual(['invalid_event', '201 4']);
  });

  test('a submission decided after its deadline is contended and records nothing', () => {
    const result = decide([record({ by: 5, deadline: now - 1, reference: 'r' }), record({ by: 6, reference: 'r' })]);
    expect(result.verdicts.map(textOf)).toEqual(['contended', '201 6']);
  });

  test('a submission whose reference may be recorded where nothing answers is contended, and no other', () => {
    const records = [record({ by: 1, reference: 'a' }), record({ by: 2, reference: 'b' }), record({ by: 4 })];
    const result = decide(records, new Map(), undefined, ({ reference }) => reference === 'a');
    expect(result.verdicts.map(textOf)).toEqual(['contended', '201 2', '201 6']);
  });

  test('references must be looked up where a submission was refused, but not where it was contended', () => {
    const late = record({ by: 5, deadline: now - 1, reference: 'r' });
    expect(isIndependentOfReferences(decide([late, record({ by: 6, reference: 's' })]))).toBe(true);
    expect(isIndependentOfReferences(decide([late, record({ by: -6, reference: 's' })]))).toBe(false);
  });

  test('the items of a request do not contend with one another, but a request behind them may be too late', () => {
    let seconds = 0;
    const clock = () => {
      seconds += 0.25;
      return (now + seconds * 1_000_000) as Moment;
    };
    const items = Array.from({ length: 8 }, () => ({ by: 1 }));
    const result = decide([record(...items), record({ by: 1 })], new Map(), clock);
    expect(result.verdicts.map(textOf)).toEqual([...items.map((_, index) => `201 ${index + 1}`), 'contended']);
    expect(result.facts).toHaveLength(8);
  });

  test('a submission that fails an assertion parks its own book, and later submissions of that book wait', () => {
    const result = decide([record({ by: 5 }), record({ by: 13 }), record({ by: 1 }), record({ by: 1, client: 'bea' })]);
    expect(result.verdicts.map(textOf)).toEqual(['201 5', 'internal_error', 'internal_error', '201 1']);
    expect(result.parked.map(({ book }) => book?.bookId)).toEqual(['c/ana', 'c/ana']);
    const { books: standing } = toCommitRows(result, []);
    expect(standing.map(({ bookId, parked, sequence }) => [bookId, parked, sequence])).toEqual([
      ['c/ana', true, 1],
      ['c/bea', false, 1],
    ]);
  });

  test('an undecodable record parks the book named by its key', () => {
    const broken = {
      partition: 3,
      offset: 9,
      source: { offset: 9, key: Buffer.from('acme/c/ana'), value: null },
      cause: new Error(),
    };
    const result = decide([broken, record({ by: 1 })]);
    expect(result.verdicts.map(textOf)).toEqual(['internal_error']);
    expect(result.books.get('acme/c/ana')?.parked).toBe(true);
  });

  test.each([null, 'acme', 'acme/x/ana', 'acme/c/a\0na', 'ac me/c/ana', 'acme/c/'])(
    'an undecodable record whose key %j names no book parks nothing',
    (key) => {
      const source = { offset: 9, key: key === null ? null : Buffer.from(key), value: null };
      const result = decide([{ partition: 3, offset: 9, source, cause: new Error() }, record({ by: 1 })]);
      expect(result.verdicts.map(textOf)).toEqual(['201 1']);
      expect(result.parked).toHaveLength(1);
      expect(toCommitRows(result, []).rows.parking).toBeUndefined();
    },
  );

  test('the evidence of a batch request is stored once, with its first event', () => {
    const result = decide([record({ by: 1 }, { by: -9 }, { by: 2, client: 'bea' }), record({ by: 1 })]);
    expect(result.evidence.map(({ requestId }) => requestId)).toEqual([`request-${offset - 1}`, `request-${offset}`]);
    expect(result.events.map(({ evidenceEventNumber: evidenceAt }) => evidenceAt)).toEqual([41, 41, 43]);
  });
});

describe('snapshots', () => {
  const grown = (client: string, facts: number, snapshotAt: number) => {
    const name = { tenantId: 'acme', bookId: `c/${client}` };
    const standing = { ...emptyBook(deciderFor, name), sequence: facts - 1, snapshotSequence: snapshotAt };
    const result = decideBatch({
      entries: [record({ by: 1, client })],
      deciderFor,
      recordedReferences: new Map(),
      clock: () => now,
      currentBook: () => standing,
      nextEvent: () => 1,
    });
    return toCommitRows(result, []).rows.snapshots.length;
  };
  /** After how many facts each of a hundred books stores its next snapshot. */
  const paces = (snapshotAt: number): number[] =>
    Array.from({ length: 100 }, (_, nth) => {
      let facts = snapshotAt + 1;
      while (grown(`client-${nth}`, facts, snapshotAt) === 0) facts += 1;
      return facts - snapshotAt;
    });

  test('a short book is stored every 32 to 64 facts, at a different count for each book', () => {
    const found = paces(0);
    expect(Math.min(...found)).toBeGreaterThanOrEqual(32);
    expect(Math.max(...found)).toBeLessThanOrEqual(64);
    expect(new Set(found).size).toBeGreaterThan(10);
  });

  test('a long book is stored after a share of its length, so that the cost per fact stays constant', () => {
    const found = paces(600);
    expect(Math.min(...found)).toBeGreaterThanOrEqual(120);
    expect(Math.max(...found)).toBeLessThanOrEqual(300);
  });

  test('even the longest book is stored within 2,048 facts, so that readers fold a bounded number', () => {
    expect(grown('client-1', 30_000 + 1_023, 30_000)).toBe(0);
    expect(grown('client-1', 30_000 + 2_048, 30_000)).toBe(1);
  });

  test('one batch stores a bounded number of facts in snapshots, however many books are due', () => {
    const clients = Array.from({ length: 200 }, (_, nth) => `client-${nth}`);
    const result = decideBatch({
      entries: [record(...clients.map((client) => ({ by: 1, client })))],
      deciderFor,
      recordedReferences: new Map(),
      clock: () => now,
      currentBook: (name) => ({ ...emptyBook(deciderFor, name), sequence: 500, snapshotSequence: 0 }),
      nextEvent: () => 1,
    });
    const { rows: batch } = toCommitRows(result, []);
    // Each book is at 501 facts: 16 of them fit into the bound.
    expect([batch.snapshots.length, batch.books.length]).toEqual([16, 200]);
  });

  test('one batch stores bounded bytes in snapshots: the first book due, and what fits beside it', () => {
    const clients = ['ana', 'bea', 'carla'];
    const result = decideBatch({
      entries: [record(...clients.map((client) => ({ by: 1, client })))],
      deciderFor,
      recordedReferences: new Map(),
      clock: () => now,
      currentBook: (name) => ({ ...emptyBook(deciderFor, name), sequence: 500, bytes: 8 * 1024 * 1024 }),
      nextEvent: () => 1,
    });
    const { rows: batch } = toCommitRows(result, []);
    expect(batch.snapshots.map(({ bookId }) => bookId)).toEqual(['c/ana']);
    expect(batch.books.length).toBe(3);
  });

  test('a refused submission writes no rows', () => {
    const result = decide([record({ by: -1 })]);
    const { rows: batch } = toCommitRows(result, []);
    expect([batch.facts, batch.books, batch.references, batch.evidence].map((rows) => rows.length)).toEqual([
      0, 0, 0, 0,
    ]);
    expect(result.verdicts.map(({ outcome }) => isRefusal(outcome))).toEqual([true]);
  });
});
