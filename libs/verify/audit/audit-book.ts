/** Audits one book: folds it from its first fact and compares everything stored about it with the fold. */

import { isDeepStrictEqual } from 'node:util';
import type { Moment } from '#libs/calendar/moment.ts';
import { type Queryable, query } from '#libs/database/database.ts';
import { type MovementRecord, movementRecord } from '#libs/kafka/movement.ts';
import type { DerivedRows } from '#libs/ledger/book-decider.ts';
import { runToEnd } from '#libs/ledger/cooperative-loop.ts';
import type { Json } from '#libs/schema/json.ts';
import type { BookAuditContext, BookFold, StoredBook } from './audit-context.ts';
import { auditSubmission } from './audit-submission.ts';
import type { Findings } from './findings.ts';
import type { Pacer } from './part-runner.ts';
import { type AuditFactRow, bookLabel } from './read-stored-books.ts';

/** Between two turns of a long book, other parts go on, whose snapshots are open, and the audit may pause. */
const maxTurnMs = 50;

/** The book after its last fact; undefined if its facts cannot be folded. */
export async function auditBook(
  audit: BookAuditContext,
  stored: StoredBook,
  pacer: Pacer,
): Promise<{ book: unknown; derived: DerivedRows } | undefined> {
  const { row, facts } = stored;
  const decider = audit.deciderFor(row.book_id);
  const empty = decider.empty(row.tenant_id, row.book_id);
  const fold: BookFold = {
    audit,
    stored,
    decider,
    label: bookLabel(row),
    book: empty,
    sequence: 0,
    versionCount: 0,
    versionAt: null,
    recordedAt: 0,
  };
  audit.counts.books += 1;
  findLoansWithoutFact(stored, audit.findings);
  let turnEndsAt = performance.now() + maxTurnMs;
  for (let first = 0; first < facts.length; ) {
    if (performance.now() > turnEndsAt) {
      await new Promise(setImmediate);
      await pacer.pause();
      turnEndsAt = performance.now() + maxTurnMs;
    }
    const submission = facts.slice(first, endOfSubmission(facts, first));
    await auditSubmission(fold, submission);
    for (const fact of submission) if (!applyFact(fold, fact)) return undefined;
    first += submission.length;
  }
  const derived = decider.derive(empty, fold.book);
  compareDerivedRows(fold, derived);
  return { book: fold.book, derived };
}

/** A Loan's number is the feed number of the fact that issued it. */
function findLoansWithoutFact({ facts, loans }: StoredBook, findings: Findings): void {
  const issuing = new Set(facts.map(({ loan_id, feed_number }) => `${loan_id} ${feed_number}`));
  for (const { tenant_id, loan_id, number } of loans) {
    if (issuing.has(`${loan_id} ${number}`)) continue;
    findings.add({ what: 'a listed Loan has no issuing fact', where: `${tenant_id} loan ${loan_id}` });
  }
}

/** The index after the last fact of the submission that begins at `first`. */
function endOfSubmission(facts: readonly AuditFactRow[], first: number): number {
  const { request_id, item } = facts[first] as AuditFactRow;
  let end = first + 1;
  while (facts[end]?.request_id === request_id && facts[end]?.item === item) end += 1;
  return end;
}

/** Folds one fact. False if the following facts cannot be audited any more. */
function applyFact(fold: BookFold, fact: AuditFactRow): boolean {
  const { audit, label: where, decider } = fold;
  const { findings, counts } = audit;
  const { sequence, kind, body, recorded_at } = fact;
  if (fact.event_number <= (audit.lastEvents.get(fact.partition) ?? 0)) counts.facts += 1;
  fold.sequence += 1;
  if (sequence !== fold.sequence) {
    findings.add({ what: 'a fact is missing', where, sequence: fold.sequence, found: sequence });
    return false;
  }
  if (fact.counts) {
    fold.versionCount += 1;
    fold.versionAt = recorded_at;
  }
  const expected = [fold.versionCount, fold.versionAt];
  const found = [fact.version_count, fact.version_at];
  if (!isDeepStrictEqual(found, expected)) {
    findings.add({ what: 'wrong book version after this fact', where, sequence, expected, found });
  }
  const before = fold.book;
  try {
    fold.book = decider.replay(before, { sequence, kind, body, recordedAt: recorded_at as Moment });
    audit.movements?.add(movementOf(fold, before, fact));
  } catch (error) {
    findings.add({ what: 'the fact cannot be folded', where, sequence, found: String(error) });
    return false;
  }
  fold.recordedAt = recorded_at;
  compareSnapshots(fold, sequence);
  compareCachedVersion(fold, sequence);
  return true;
}

function movementOf({ decider, book }: BookFold, before: unknown, fact: AuditFactRow): MovementRecord<number> {
  return movementRecord(fact, fact.counts ? (decider.journal?.movement(before, book) ?? []) : []);
}

function compareSnapshots(fold: BookFold, sequence: number): void {
  const { audit, stored, decider, book, label: where } = fold;
  const { findings, counts } = audit;
  const snapshots = [
    { store: 'Postgres', sequence: stored.row.shot_sequence, data: stored.row.shot },
    { store: 'Redis', sequence: stored.cached?.sequence, data: stored.cached?.data },
  ];
  for (const { store, sequence: snapshotSequence, data } of snapshots) {
    // A snapshot of another format is ignored by all readers.
    if (
      snapshotSequence !== sequence ||
      data === null ||
      data === undefined ||
      runToEnd(decider.decode(data)) === undefined
    ) {
      continue;
    }
    if (store === 'Postgres') counts.snapshots += 1;
    else counts.cachedSnapshots += 1;
    const expected = runToEnd(decider.encode(book));
    if (expected === data) continue;
    const what = `the snapshot in ${store} differs from the fold of the facts`;
    findings.add({ what, where, sequence, ...firstDifference(expected, data) });
  }
}

/** The book version in the head of the snapshot in Redis. */
function compareCachedVersion(fold: BookFold, sequence: number): void {
  const { audit, stored, label: where, versionCount, versionAt, recordedAt } = fold;
  const { cached } = stored;
  if (cached?.sequence !== sequence) return;
  const expected = [versionCount, versionAt, recordedAt];
  const found = [cached.versionCount, cached.versionAt, cached.recordedAt];
  if (isDeepStrictEqual(expected, found)) return;
  audit.findings.add({ what: 'wrong book version in Redis', where, sequence, expected, found });
}

/** The text around the first character in which two long texts differ. */
function firstDifference(expected: string, found: string): { readonly expected: string; readonly found: string } {
  let index = 0;
  while (expected[index] === found[index]) index += 1;
  const start = Math.max(0, index - 40);
  return { expected: expected.slice(start, index + 60), found: found.slice(start, index + 60) };
}

/** The row of the book and the rows derived from it. */
function compareDerivedRows(fold: BookFold, derived: DerivedRows): void {
  const { audit, stored, label: where } = fold;
  const { row, facts, dueSpans } = stored;
  const compare = (what: string, expected: Json, found: Json) => {
    if (!isDeepStrictEqual(expected, found)) audit.findings.add({ what, where, expected, found });
  };
  compare('wrong sequence in the row of the book', facts.length, row.sequence);
  compare(
    'wrong book version in the row of the book',
    [fold.versionCount, fold.versionAt],
    [row.version_count, row.version_at],
  );
  compare('wrong last moment in the row of the book', fold.recordedAt, row.recorded_at);
  compare('wrong first due day in the row of the book', derived.dueFrom ?? null, row.due_from);
  compare(
    'wrong due spans',
    (derived.dueSpans ?? []).map(([from, to]) => [from, to]),
    dueSpans.map(({ from_day, to_day }) => [from_day, to_day]),
  );
  compareLoanStates(fold, derived.loanStates ?? []);
}

/** The state of every Loan of the book, and of every stored Loan of its Client. Null where one of them has no such Loan. */
function compareLoanStates({ audit, stored, label }: BookFold, states: NonNullable<DerivedRows['loanStates']>): void {
  const folded = new Map(states.map(({ loanId, state }) => [loanId, state]));
  const found = new Map(stored.loans.map(({ loan_id, state }) => [loan_id, state]));
  for (const loanId of new Set([...folded.keys(), ...found.keys()])) {
    const values = { expected: folded.get(loanId) ?? null, found: found.get(loanId) ?? null };
    if (values.expected === values.found) continue;
    const what = 'the stored state differs from the fold of the facts';
    audit.findings.add({ what, where: `${label} loan ${loanId}`, ...values });
  }
}

/** Queries for the rows derived from a Tenancy's own book, as JSON with a name. */
const tenancyTables: { readonly [name: string]: string } = {
  tenancies: `SELECT tenant_id AS name, json_build_object('name', name, 'live', live, 'jurisdiction', jurisdiction, 'timeZone', time_zone,
    'bounds', bounds, 'createdAt', created_at) AS row FROM tenancies WHERE tenant_id = $1`,
  // A key registered by two Tenancies belongs to one of them in the table; its owner is not part of either book.
  keys: `SELECT fp AS name, json_build_object('publicKey', encode(public_key, 'hex'), 'scope', scope, 'holder', holder, 'label', label,
    'createdAt', created_at, 'revokedAt', revoked_at) AS row FROM keys WHERE tenant_id = $1`,
  configurations: `SELECT configuration_id || '/' || version AS name, json_build_object('archetype', archetype,
    'createdAt', created_at, 'values', "values", 'answer', answer) AS row FROM configurations WHERE tenant_id = $1`,
};

/** By table, the rows of one Tenancy by name. */
export type TenancyRows = ReadonlyMap<string, ReadonlyMap<string, Json>>;

export async function readTenancyRows(database: Queryable, tenantId: string): Promise<TenancyRows> {
  const tables = new Map<string, ReadonlyMap<string, Json>>();
  for (const [table, text] of Object.entries(tenancyTables)) {
    const rows = await query<{ name: string; row: Json }>(database, `held_${table}`, text, [tenantId]);
    tables.set(table, new Map(rows.map(({ name, row }) => [name, row])));
  }
  return tables;
}

/** Compares the tables derived from a Tenancy's own book: the Tenancy, its keys and its product configurations. */
export function compareTenancyRows(
  tenantId: string,
  stored: TenancyRows,
  derived: DerivedRows,
  findings: Findings,
): void {
  const derivedRows = tenancyRows(derived);
  for (const [table, foundRows] of stored) {
    const expectedRows = derivedRows[table] ?? new Map<string, Json>();
    for (const name of new Set([...expectedRows.keys(), ...foundRows.keys()])) {
      const [expected, found] = [expectedRows.get(name) ?? null, foundRows.get(name) ?? null];
      if (isDeepStrictEqual(found, expected)) continue;
      const where = `${tenantId} ${table} ${name}`;
      findings.add({ what: 'the row differs from the book of the Tenancy', where, expected, found });
    }
  }
}

function tenancyRows({
  tenancies = [],
  keys = [],
  configurations = [],
}: DerivedRows): Record<string, Map<string, Json>> {
  return {
    tenancies: new Map(tenancies.map(({ tenantId, ...row }) => [tenantId, row])),
    keys: new Map(keys.map(({ fp, ...row }) => [fp, row])),
    configurations: new Map(
      configurations.map(({ configurationId, version, values, answer, ...row }) => [
        `${configurationId}/${version}`,
        { ...row, values: JSON.parse(values) as Json, answer: JSON.parse(answer) as Json },
      ]),
    ),
  };
}
