/** One book, folded from its first fact to its last, and everything else that is kept of it held to that fold. */
import { isDeepStrictEqual } from 'node:util';
import type { Moment } from '#libs/calendar/moment.ts';
import type { DerivedRows } from '#libs/ledger/book-decider.ts';
import type { Json } from '#libs/schema/json.ts';
import { auditSubmission } from './audited-submission.ts';
import type { BookAudit, Folding, KeptBook } from './folding.ts';
import { type FactRow, nameOf } from './pages.ts';

/** The book as its facts leave it, or undefined where they cannot be folded. */
export async function auditBook(
  audit: BookAudit,
  kept: KeptBook,
): Promise<{ book: unknown; derived: DerivedRows } | undefined> {
  const { row, facts } = kept;
  const kind = audit.kindOf(row.book_id);
  const empty = kind.empty(row.tenant_id, row.book_id);
  const folding: Folding = {
    audit,
    kept,
    kind,
    where: nameOf(row),
    book: empty,
    sequence: 0,
    versionCount: 0,
    versionAt: null,
    recordedAt: 0,
  };
  audit.counts.books += 1;
  for (let first = 0; first < facts.length; ) {
    const many = manyOfSubmission(facts, first);
    const group = facts.slice(first, first + many);
    await auditSubmission(folding, group);
    for (const fact of group) if (!takeFact(folding, fact)) return undefined;
    first += many;
  }
  const derived = kind.derive(empty, folding.book);
  auditRow(folding, derived);
  return { book: folding.book, derived };
}

function manyOfSubmission(facts: readonly FactRow[], first: number): number {
  const { request_id, item } = facts[first] as FactRow;
  let many = 1;
  while (facts[first + many]?.request_id === request_id && facts[first + many]?.item === item) many += 1;
  return many;
}

/** Folds one fact; false where what follows cannot be judged any more. */
function takeFact(folding: Folding, fact: FactRow): boolean {
  const { audit, where, kind } = folding;
  const { findings, counts } = audit;
  const { sequence, body, recorded_at } = fact;
  counts.facts += 1;
  folding.sequence += 1;
  const due = folding.sequence;
  if (sequence !== due) {
    findings.add({ what: 'a fact is missing', where, sequence: due, found: sequence });
    return false;
  }
  if (fact.counts) {
    folding.versionCount += 1;
    folding.versionAt = recorded_at;
  }
  const version = [folding.versionCount, folding.versionAt];
  if (!isDeepStrictEqual([fact.version_count, fact.version_at], version)) {
    const found = [fact.version_count, fact.version_at];
    findings.add({ what: 'the book version after it is another', where, sequence, expected: version, found });
  }
  try {
    folding.book = kind.replay(folding.book, { sequence, kind: fact.kind, body, recordedAt: recorded_at as Moment });
  } catch (fault) {
    findings.add({ what: 'it cannot be folded', where, sequence, found: String(fault) });
    return false;
  }
  folding.recordedAt = recorded_at;
  compareSnapshots(folding, sequence);
  compareHead(folding, sequence);
  return true;
}

function compareSnapshots(folding: Folding, sequence: number): void {
  const { audit, kept, kind, book, where } = folding;
  const { findings, counts } = audit;
  const held = [
    { store: 'Postgres', sequence: kept.row.shot_sequence, data: kept.row.shot },
    { store: 'Redis', sequence: kept.cached?.sequence, data: kept.cached?.data },
  ];
  for (const { store, sequence: at, data } of held) {
    // One of another format is dropped by whoever meets it.
    if (at !== sequence || data === null || data === undefined || kind.decode(data) === undefined) continue;
    if (store === 'Postgres') counts.snapshots += 1;
    else counts.cached += 1;
    const due = kind.encode(book);
    if (due !== data)
      findings.add({
        what: `the snapshot in ${store} is not the fold of the facts`,
        where,
        sequence,
        ...differing(due, data),
      });
  }
}

/** What Redis says of the book beside its snapshot. */
function compareHead({ audit, kept, where, versionCount, versionAt, recordedAt }: Folding, sequence: number): void {
  const { cached } = kept;
  if (cached?.sequence !== sequence) return;
  const expected = [versionCount, versionAt, recordedAt];
  const found = [cached.versionCount, cached.versionAt, cached.recordedAt];
  if (isDeepStrictEqual(expected, found)) return;
  audit.findings.add({ what: 'Redis has another version of it', where, sequence, expected, found });
}

/** Where two long texts part. */
function differing(expected: string, found: string): { readonly expected: string; readonly found: string } {
  let at = 0;
  while (expected[at] === found[at]) at += 1;
  const from = Math.max(0, at - 40);
  return { expected: expected.slice(from, at + 60), found: found.slice(from, at + 60) };
}

/** The rows that follow the book. */
function auditRow(folding: Folding, derived: DerivedRows): void {
  const { audit, kept, where } = folding;
  const { row, facts, loans, spans } = kept;
  const compare = (what: string, expected: Json, found: Json) => {
    if (!isDeepStrictEqual(expected, found)) audit.findings.add({ what, where, expected, found });
  };
  compare('its row counts other facts', facts.length, row.sequence);
  compare(
    'its row has another version',
    [folding.versionCount, folding.versionAt],
    [row.version_count, row.version_at],
  );
  compare('its row has another last moment', folding.recordedAt, row.recorded_at);
  compare('it is found due from another day', derived.dueFrom ?? null, row.due_from);
  compare(
    'it is found due on other days of the past',
    (derived.dueSpans ?? []).map(([from, to]) => [from, to]),
    spans.map(({ from_day, to_day }) => [from_day, to_day]),
  );
  const states = (derived.loanStates ?? []).map(({ loanId, state }) => [loanId, state]).sort(byFirst);
  compare(
    'its Loans are listed in other states',
    states,
    loans.map(({ loan_id, state }) => [loan_id, state]).sort(byFirst),
  );
}

function byFirst([one = '']: readonly string[], [other = '']: readonly string[]): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
