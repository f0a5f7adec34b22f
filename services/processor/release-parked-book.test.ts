import { expect, test } from '@jest/globals';
import type { Moment } from '#libs/calendar/moment.ts';
import { emptyBook, type LoadedBook } from '#libs/database/books.ts';
import type { ParkedPosition } from '#libs/database/parked-submissions.ts';
import { referenceKey } from '#libs/database/references.ts';
import type { BookDecider, RecordedReference } from '#libs/ledger/book-decider.ts';
import { withRelease } from '#libs/ledger/release.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import type { BatchDecision } from './batch-decision.ts';
import { toCommitRows } from './commit-rows.ts';
import { decideBatch } from './decide-batch.ts';
import type { DecodedEntry, ParkedSubmission } from './log-entry.ts';
import { adder } from './testing/adder.ts';
import { decodedEntry } from './testing/decoded-entry.ts';

const deciderFor = () => withRelease(adder, (book) => book) as BookDecider<unknown>;
const name = { tenantId: 'acme', bookId: 'c/ana' };
const now = 5_000_000 as Moment;

interface SentSubmission {
  readonly operation?: string;
  readonly body: JsonObject;
  readonly reference?: string;
  readonly actor?: string;
  readonly sentAt?: number;
}

function record(
  requestId: string,
  { operation = 'add', body, reference, actor, sentAt = 0 }: SentSubmission,
): DecodedEntry {
  const item = { body, ...(reference === undefined ? {} : { reference }) };
  return decodedEntry({ requestId, offset: 90, operation, actor, sentAt, items: [item] });
}

function positionAt(offset: number): ParkedPosition {
  return { ...name, partition: 3, offset, item: 0 };
}

/** Parked submissions from offset 40 on. */
function parkedSubmissions(...waiting: (SentSubmission | 'undecodable' | 'dropped')[]): ParkedSubmission[] {
  return waiting.map((stated, at) => {
    const position = positionAt(40 + at);
    if (stated === 'dropped') return { position, repeats: [], entry: undefined };
    if (stated !== 'undecodable') return { position, repeats: [], entry: record(`parked-${at}`, stated) };
    const source = { offset: position.offset, key: null, value: null };
    return { position, repeats: [], entry: { partition: 3, offset: 40 + at, source, cause: new Error('no record') } };
  });
}

const parked: LoadedBook<unknown> = { ...emptyBook(deciderFor, name), book: 10, sequence: 4, parked: true };

interface ReleaseCase {
  readonly drop?: string[];
  /** Submissions parked beyond this portion. */
  readonly behind?: number;
  readonly standing?: LoadedBook<unknown>;
  readonly sentAt?: number;
  readonly isLate?: true;
}

function release(
  waiting: readonly ParkedSubmission[],
  { drop = [], behind = 0, standing = parked, sentAt = now, isLate }: ReleaseCase = {},
): BatchDecision {
  const body = { basis: 'bug fixed', drop };
  const taken: DecodedEntry = {
    ...record('release', { operation: 'releaseBook', body, actor: 'ana', sentAt }),
    portion: {
      submissions: waiting,
      waiting: waiting.reduce((sum, { repeats }) => sum + 1 + repeats.length, behind),
      ...(isLate === undefined ? {} : { isLate }),
    },
  };
  return decideBatch({
    entries: [taken],
    deciderFor,
    recordedReferences: new Map<string, RecordedReference>(),
    clock: () => now,
    currentBook: () => standing,
    nextEvent: () => 41,
  });
}

function answerOf(result: BatchDecision): unknown {
  const outcome = result.verdicts[0]?.outcome;
  if (typeof outcome !== 'function') return outcome?.code;
  const { released, submissions } = JSON.parse(outcome().body);
  return [released, submissions.map((each: { came_to: string; code?: string }) => each.code ?? each.came_to)];
}

test('a release decides the parked submissions in log order, after a fact that names who released the book', () => {
  const result = release(parkedSubmissions({ body: { by: 5 } }, { body: { by: -40 } }, { body: { by: 1 } }));
  expect(answerOf(result)).toEqual([true, ['recorded', 'invalid_event', 'recorded']]);
  expect(result.facts.map(({ fact, sequence, offset }) => [fact.kind, sequence, offset])).toEqual([
    ['released', 5, 90],
    ['added', 6, 90],
    ['added', 7, 90],
  ]);
  expect(JSON.parse(result.facts[0]?.fact.body ?? '')).toEqual({ basis: 'bug fixed', drop: [], actor: 'ana' });
  expect(result.evidence.map(({ requestId }) => requestId)).toEqual(['release', 'parked-0', 'parked-2']);
  const { books: standing, rows: batch } = toCommitRows(result, []);
  expect(standing).toMatchObject([{ book: 16, sequence: 7, versionCount: 2, parked: false }]);
  expect(batch.parking).toEqual({
    parked: [],
    records: [],
    released: [positionAt(40), positionAt(41), positionAt(42)],
  });
});

test('a dropped submission is not decided, and the release fact names it', () => {
  const result = release(parkedSubmissions('dropped', { body: { by: 5 } }), { drop: ['3/40/0'] });
  expect(answerOf(result)).toEqual([true, ['dropped', 'recorded']]);
  expect(JSON.parse(result.facts[0]?.fact.body ?? '').drop).toEqual(['3/40/0']);
  expect(result.released).toEqual([positionAt(40), positionAt(41)]);
});

test.each<[string, SentSubmission | 'undecodable']>([
  ['fails', { body: { by: 13 } }],
  ['cannot be decoded', 'undecodable'],
])('a submission that %s again parks the book again, with all submissions behind it', (_, broken) => {
  const result = release(parkedSubmissions({ body: { by: 5 } }, broken, { body: { by: 1 } }));
  expect(answerOf(result)).toEqual([false, ['recorded', 'parked']]);
  const { books: standing, rows: batch } = toCommitRows(result, []);
  expect(standing).toMatchObject([{ book: 15, parked: true }]);
  expect(batch.parking).toEqual({ parked: [], records: [], released: [positionAt(40)] });
  expect(result.parkedAgain.map(({ position }) => position)).toEqual([positionAt(41)]);
});

test('a request that was retried while the book was parked is recorded once', () => {
  const [first, second] = parkedSubmissions({ body: { by: 5 }, reference: 'r' }, { body: { by: 5 }, reference: 'r' });
  const result = release([first as ParkedSubmission, second as ParkedSubmission]);
  expect(result.facts.map(({ fact }) => fact.kind)).toEqual(['released', 'added']);
  expect(result.references.map((each) => referenceKey(each))).toEqual([
    referenceKey({ tenantId: 'acme', namespace: 'receipts', reference: 'r' }),
  ]);
});

test('a record that is in the log twice is decided once, even without a reference', () => {
  const [first] = parkedSubmissions({ body: { by: 5 } });
  const result = release([{ ...(first as ParkedSubmission), repeats: [positionAt(41)] }]);
  expect(answerOf(result)).toEqual([true, ['recorded', 'repeated']]);
  expect(result.released).toEqual([positionAt(40), positionAt(41)]);
});

test('the second copy of a record is released with the first, even where a submission between them fails', () => {
  const [first, broken] = parkedSubmissions({ body: { by: 5 } }, { body: { by: 13 } });
  const result = release([{ ...(first as ParkedSubmission), repeats: [positionAt(42)] }, broken as ParkedSubmission]);
  expect(answerOf(result)).toEqual([false, ['recorded', 'repeated', 'parked']]);
  expect(result.released).toEqual([positionAt(40), positionAt(42)]);
});

test('a book stays parked while submissions are left, and the answer says how many', () => {
  const result = release(parkedSubmissions({ body: { by: 5 } }), { behind: 7 });
  expect(answerOf(result)).toEqual([false, ['recorded']]);
  const { outcome } = result.verdicts[0] ?? {};
  expect(typeof outcome === 'function' && JSON.parse(outcome().body).left).toBe(7);
  expect(result.parkedAgain).toEqual([]);
  const { books: standing } = toCommitRows(result, []);
  expect(standing).toMatchObject([{ book: 15, sequence: 6, parked: true }]);
});

test('the evidence of a parked record is stored once for all of its items', () => {
  const [first, second] = parkedSubmissions({ body: { by: 5 } }, { body: { by: 6 } });
  const whole = first?.entry as DecodedEntry;
  const result = release([
    first as ParkedSubmission,
    { ...(second as ParkedSubmission), entry: { ...whole, items: [...whole.items] } },
  ]);
  expect(result.evidence.map(({ requestId }) => requestId)).toEqual(['release', 'parked-0']);
  expect(result.events.map(({ evidenceEventNumber: evidenceAt }) => evidenceAt)).toEqual([41, 42, 42]);
});

test('a book that is not parked cannot be released, and a release after its deadline is contended', () => {
  expect(answerOf(release([], { standing: { ...parked, parked: false } }))).toBe('not_found');
  for (const late of [
    release(parkedSubmissions({ body: { by: 5 } }), { sentAt: 0 }),
    release([], { behind: 1, isLate: true }),
  ]) {
    expect(answerOf(late)).toBe('contended');
    expect(toCommitRows(late, []).books).toEqual([]);
  }
});
