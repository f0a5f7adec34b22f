import { expect, test } from '@jest/globals';
import type { Moment } from '#libs/calendar/moment.ts';
import { emptyBook, type LoadedBook } from '#libs/database/books.ts';
import type { ParkedPlace } from '#libs/database/parked.ts';
import { referenceKey } from '#libs/database/references.ts';
import type { BookDecider, RecordedReference } from '#libs/ledger/book-decider.ts';
import { releasable } from '#libs/ledger/release.ts';
import { refuse } from '#libs/schema/refusals.ts';
import { prepare } from './batch.ts';
import type { DecodedEntry, Kept, Released } from './log-entry.ts';
import { decideBatch } from './process-batch.ts';
import type { BatchResult } from './turn-state.ts';

/** A book that adds up what it is told, refuses to fall below zero and breaks at thirteen. */
const sum: BookDecider<number> = {
  empty: () => 0,
  decide(book, { body }) {
    const by = Number(body['by']);
    if (by === 13) throw new Error('an assertion of the book');
    if (book + by < 0) return refuse('invalid_event');
    const facts = [{ kind: 'added', body: JSON.stringify({ by }), counts: true }];
    return { facts, book: book + by, subject: 'it', answer: () => ({ status: 201, body: String(book + by) }) };
  },
  currentRecord: () => ({ status: 200, body: '' }),
  replay: (book, { body }) => book + (JSON.parse(body) as { by: number }).by,
  encode: String,
  decode: Number,
  derive: () => ({}),
};
const kindOf = () => releasable(sum, (book) => book) as BookDecider<unknown>;
const name = { tenantId: 'acme', bookId: 'c/ana' };
const now = 5_000_000 as Moment;

interface Stated {
  readonly operation?: string;
  readonly body: { readonly [member: string]: unknown };
  readonly reference?: string;
  readonly actor?: string;
  readonly sentAt?: number;
}

function record(requestId: string, { operation = 'add', body, reference, actor, sentAt = 0 }: Stated): DecodedEntry {
  const digest = Buffer.from(JSON.stringify(body));
  const item = {
    item: 0,
    book_id: name.bookId,
    namespace: null,
    reference: null,
    digest,
    body: null,
    ids: [],
    resolved: null,
  };
  const names = reference === undefined ? {} : { namespace: 'receipts' as const, reference };
  const submission = {
    ...name,
    ...names,
    ...(actor === undefined ? {} : { actor }),
    operation,
    params: {},
    body: body as DecodedEntry['pending'][number]['submission']['body'],
    digest: digest.toString('hex'),
    ids: [],
    resolved: null,
  };
  const evidence = {
    method: 'POST',
    target: '/',
    ts: 1,
    fp: 'f',
    signature: null,
    idempotency_key: null,
    body: digest,
    body_encoding: 'identity' as const,
  };
  return {
    partition: 3,
    offset: 90,
    source: { offset: 90, key: Buffer.from('acme/c/ana'), value: Buffer.alloc(0) },
    pending: [{ item, submission }],
    record: {
      request_id: requestId,
      ingress: 'i',
      tenant_id: name.tenantId,
      operation,
      params: {},
      taken_in_at: sentAt,
      patience_ends_at: sentAt + 2_000_000,
      actor: actor ?? null,
      caller_request_id: null,
      evidence,
      items: [item],
    },
  };
}

function placeAt(offset: number): ParkedPlace {
  return { ...name, partition: 3, offset, item: 0 };
}

/** What waits, from offset 40 on. */
function kept(...waiting: (Stated | 'unreadable' | 'dropped')[]): Kept[] {
  return waiting.map((stated, at) => {
    const place = placeAt(40 + at);
    if (stated === 'dropped') return { place, again: [], taken: undefined };
    if (stated !== 'unreadable') return { place, again: [], taken: record(`anew-${at}`, stated) };
    const source = { offset: place.offset, key: null, value: null };
    return { place, again: [], taken: { partition: 3, offset: 40 + at, source, fault: new Error('no record') } };
  });
}

const parked: LoadedBook<unknown> = { ...emptyBook(kindOf, name), book: 10, sequence: 4, parked: true };

interface Releasing {
  readonly drop?: string[];
  /** Behind what is decided now. */
  readonly behind?: number;
  readonly standing?: LoadedBook<unknown>;
  readonly sentAt?: number;
  readonly isLate?: true;
}

function release(
  waiting: readonly Kept[],
  { drop = [], behind = 0, standing = parked, sentAt = now, isLate }: Releasing = {},
): BatchResult {
  const body = { basis: 'mended', drop };
  const taken: Released = {
    ...record('release', { operation: 'releaseBook', body, actor: 'ana', sentAt }),
    release: {
      kept: waiting,
      waiting: waiting.reduce((sum, { again }) => sum + 1 + again.length, behind),
      ...(isLate === undefined ? {} : { isLate }),
    },
  };
  return decideBatch({
    records: [taken],
    kindOf,
    recorded: new Map<string, RecordedReference>(),
    clock: () => now,
    standing: () => standing,
    nextEvent: () => 41,
  });
}

function said(turn: BatchResult): unknown {
  const outcome = turn.verdicts[0]?.outcome;
  if (typeof outcome !== 'function') return outcome?.code;
  const { released, submissions } = JSON.parse(outcome().body);
  return [released, submissions.map((each: { came_to: string; code?: string }) => each.code ?? each.came_to)];
}

test('what waits with a book is decided in its order, whenever it was sent, behind a fact of who released it', () => {
  const turn = release(kept({ body: { by: 5 } }, { body: { by: -40 } }, { body: { by: 1 } }));
  expect(said(turn)).toEqual([true, ['recorded', 'invalid_event', 'recorded']]);
  expect(turn.facts.map(({ fact, sequence, offset }) => [fact.kind, sequence, offset])).toEqual([
    ['released', 5, 90],
    ['added', 6, 90],
    ['added', 7, 90],
  ]);
  expect(JSON.parse(turn.facts[0]?.fact.body ?? '')).toEqual({ basis: 'mended', drop: [], actor: 'ana' });
  expect(turn.evidence.map(({ requestId }) => requestId)).toEqual(['release', 'anew-0', 'anew-2']);
  const { standing, batch } = prepare(turn, kindOf, []);
  expect(standing).toMatchObject([{ book: 16, sequence: 7, versionCount: 2, parked: false }]);
  expect(batch.parking).toEqual({ put: [], records: [], taken: [placeAt(40), placeAt(41), placeAt(42)] });
});

test('what is dropped is not decided, and is named in the fact', () => {
  const turn = release(kept('dropped', { body: { by: 5 } }), { drop: ['3/40/0'] });
  expect(said(turn)).toEqual([true, ['dropped', 'recorded']]);
  expect(JSON.parse(turn.facts[0]?.fact.body ?? '').drop).toEqual(['3/40/0']);
  expect(turn.released).toEqual([placeAt(40), placeAt(41)]);
});

test.each<[string, Stated | 'unreadable']>([
  ['breaks', { body: { by: 13 } }],
  ['cannot be read', 'unreadable'],
])('what %s again parks the book again, with all that stands behind it', (_, broken) => {
  const turn = release(kept({ body: { by: 5 } }, broken, { body: { by: 1 } }));
  expect(said(turn)).toEqual([false, ['recorded', 'parked']]);
  const { standing, batch } = prepare(turn, kindOf, []);
  expect(standing).toMatchObject([{ book: 15, parked: true }]);
  expect(batch.parking).toEqual({ put: [], records: [], taken: [placeAt(40)] });
  expect(turn.parkedStill.map(({ place }) => place)).toEqual([placeAt(41)]);
});

test('what was sent again while the book waited is recorded once', () => {
  const [first, second] = kept({ body: { by: 5 }, reference: 'r' }, { body: { by: 5 }, reference: 'r' });
  const turn = release([first as Kept, second as Kept]);
  expect(turn.facts.map(({ fact }) => fact.kind)).toEqual(['released', 'added']);
  expect(turn.references.map((each) => referenceKey(each))).toEqual([
    referenceKey({ tenantId: 'acme', namespace: 'receipts', reference: 'r' }),
  ]);
});

test('what stands in the log twice is decided once, also without a reference', () => {
  const [first] = kept({ body: { by: 5 } });
  const turn = release([{ ...(first as Kept), again: [placeAt(41)] }]);
  expect(said(turn)).toEqual([true, ['recorded', 'repeated']]);
  expect(turn.released).toEqual([placeAt(40), placeAt(41)]);
});

test('what stands in the log twice waits no more, though something between breaks', () => {
  const [first, broken] = kept({ body: { by: 5 } }, { body: { by: 13 } });
  const turn = release([{ ...(first as Kept), again: [placeAt(42)] }, broken as Kept]);
  expect(said(turn)).toEqual([false, ['recorded', 'repeated', 'parked']]);
  expect(turn.released).toEqual([placeAt(40), placeAt(42)]);
});

test('a book waits on for as long as anything is left, and whoever releases it is told how much', () => {
  const turn = release(kept({ body: { by: 5 } }), { behind: 7 });
  expect(said(turn)).toEqual([false, ['recorded']]);
  const { outcome } = turn.verdicts[0] ?? {};
  expect(typeof outcome === 'function' && JSON.parse(outcome().body).left).toBe(7);
  // Nothing broke: nobody is called.
  expect(turn.parkedStill).toEqual([]);
  const { standing } = prepare(turn, kindOf, []);
  expect(standing).toMatchObject([{ book: 15, sequence: 6, parked: true }]);
});

test('the items of one record are proved by it once', () => {
  const [first, second] = kept({ body: { by: 5 } }, { body: { by: 6 } });
  const whole = first?.taken as DecodedEntry;
  const turn = release([first as Kept, { ...(second as Kept), taken: { ...whole, pending: [...whole.pending] } }]);
  expect(turn.evidence.map(({ requestId }) => requestId)).toEqual(['release', 'anew-0']);
  expect(turn.events.map(({ evidenceAt }) => evidenceAt)).toEqual([41, 42, 42]);
});

test('a book that is not parked is not released, and a release that came too late is contended', () => {
  expect(said(release([], { standing: { ...parked, parked: false } }))).toBe('not_found');
  // Whatever the clock says by now, of one that was late nothing was read.
  for (const late of [release(kept({ body: { by: 5 } }), { sentAt: 0 }), release([], { behind: 1, isLate: true })]) {
    expect(said(late)).toBe('contended');
    expect(prepare(late, kindOf, []).standing).toEqual([]);
  }
});
