/** One batch of a processor, as the columns of one call. Committed whole or not at all. */

import type { Moment } from '#libs/calendar/moment.ts';
import type { ConfigurationRow, KeyRow, Namespace, NewFact, TenancyRow } from '#libs/ledger/book-decider.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import type { LoadedBook } from './books.ts';
import { type Database, inTransaction, isFault, type Queryable } from './database.ts';
import { keepParked, type ParkedPlace, type ParkedRecord, type ParkedRow, removeParked } from './parked.ts';
import { byteaArray, int2Array, int4Array, int8Array, textArray, uuidArray } from './pg-array.ts';

export interface FenceRow {
  readonly partition: number;
  readonly epoch: number;
  /** What the store must still hold: the batch was decided on the books as they were there. */
  readonly fromOffset: number;
  readonly nextOffset: number;
  readonly nextEvent: number;
}

export interface FactRow {
  readonly tenantId: string;
  readonly bookId: string;
  readonly sequence: number;
  readonly fact: NewFact;
  /** The book version after this fact. */
  readonly versionCount: number;
  readonly versionAt: Moment | null;
  /** What the submission was recorded under, on the first of its facts. */
  readonly reference: ReferenceRow | undefined;
  readonly recordedAt: Moment;
  readonly requestId: string;
  readonly item: number;
  readonly partition: number;
  readonly offset: number;
  readonly eventNo: number;
}

export interface ReferenceRow {
  readonly tenantId: string;
  readonly namespace: Namespace;
  readonly reference: string;
  readonly digest: Buffer;
  readonly bookId: string;
  readonly kind: string;
  readonly subject: string;
  readonly sequence: number;
}

export interface EvidenceRow {
  readonly requestId: string;
  readonly partition: number;
  readonly tenantId: string;
  readonly method: string;
  readonly target: string;
  readonly ts: number | null;
  readonly fp: string | null;
  readonly signature: Buffer | null;
  readonly idempotencyKey: string | null;
  readonly body: Buffer;
  readonly bodyEncoding: string;
  readonly actor: string | null;
  readonly callerRequestId: string | null;
  readonly takenInAt: number;
}

export interface BookRow extends LoadedBook<unknown> {
  readonly partition: number;
}

export interface SnapshotRow {
  readonly tenantId: string;
  readonly bookId: string;
  readonly sequence: number;
  readonly data: string;
}

/** All of a book's, in place of those it had. */
export interface DueSpansRow {
  readonly tenantId: string;
  readonly bookId: string;
  readonly spans: readonly (readonly [from: number, to: number])[];
}

export interface VerdictRow {
  readonly requestId: string;
  readonly partition: number;
  readonly verdict: string;
}

type OfTenant<Row> = Row & { readonly tenantId: string };

export interface CommitBatch {
  readonly fences: readonly FenceRow[];
  readonly facts: readonly FactRow[];
  readonly references: readonly ReferenceRow[];
  readonly evidence: readonly EvidenceRow[];
  readonly books: readonly BookRow[];
  readonly snapshots: readonly SnapshotRow[];
  readonly dueSpans: readonly DueSpansRow[];
  readonly loanStates: readonly OfTenant<{ loanId: string; state: string }>[];
  readonly tenancies: readonly TenancyRow[];
  readonly keys: readonly OfTenant<KeyRow>[];
  readonly configurations: readonly OfTenant<ConfigurationRow>[];
  readonly verdicts: readonly VerdictRow[];
  /** What waits with a parked book from now on, and what does no more: seldom anything. */
  readonly parking?: {
    readonly put: readonly ParkedRow[];
    readonly records: readonly ParkedRecord[];
    readonly taken: readonly ParkedPlace[];
  };
}

/**
 * `fenced`: another processor owns a partition of it now, or it has moved on. `reference_taken`: a reference was recorded meanwhile.
 * `repeated`: a request of it was committed before. Nothing was written in any of the three.
 */
export type Committed =
  | {
      readonly outcome: 'committed';
      readonly feedNumberOf: (fact: FactRow) => number | null;
      /** The Tenancies whose feed has more to tell. */
      readonly fed: readonly string[];
      /** Place in its listing, of a fact that is listed. */
      readonly listedNumberOf: (fact: FactRow) => number | null;
    }
  | { readonly outcome: 'fenced' | 'reference_taken' | 'repeated' };

const argumentCount = 62;
const statement = `SELECT commit_batch(${Array.from({ length: argumentCount }, (_, at) => `$${at + 1}`).join(', ')}) AS taken`;

export async function commitBatch(database: Database, batch: CommitBatch): Promise<Committed> {
  const numbers = numberWithin(batch.facts);
  const values = columnsOf(batch, numbers);
  try {
    const taken = await commit(database, values, batch.parking);
    return {
      outcome: 'committed',
      fed: numbers.counters.filter(({ name }) => name === 'feed').map(({ tenant }) => tenant),
      feedNumberOf: (fact) => numberOf(taken[`${fact.tenantId}/feed`], numbers.feed.get(fact)),
      listedNumberOf: (fact) =>
        numberOf(taken[`${fact.tenantId}/${fact.fact.listed?.listing}`], numbers.listed.get(fact)),
    };
  } catch (cause) {
    return outcomeOf(cause);
  }
}

/** Throws why the store cannot hold this batch, or that it was not tried; nothing of it is kept. */
export async function tryBatch(database: Database, batch: CommitBatch): Promise<void> {
  const values = columnsOf(batch, numberWithin(batch.facts));
  const takenBack = new Error('taken back');
  try {
    await inTransaction(database, async (connection) => {
      await connection.query({ name: 'commit_batch', text: statement, values });
      throw takenBack;
    });
  } catch (cause) {
    if (cause === takenBack) return;
    throw new DependencyUnavailableError(`a trial: ${outcomeOf(cause).outcome}`);
  }
}

function columnsOf(batch: CommitBatch, numbers: Numbers): unknown[] {
  return [
    ...fenceColumns(batch.fences),
    ...referenceColumns(batch.references),
    ...factColumns(batch.facts, numbers.feed),
    ...evidenceColumns(batch.evidence),
    ...bookColumns(batch.books),
    ...snapshotColumns(batch.snapshots),
    restOf(batch, numbers),
  ];
}

type Taken = { readonly [counter: string]: number };

/** The call is a transaction of itself; what is parked or released is in it as well. */
async function commit(database: Database, values: unknown[], parking: CommitBatch['parking']): Promise<Taken> {
  const call = async (asked: Queryable): Promise<Taken> => {
    const { rows } = await asked.query({ name: 'commit_batch', text: statement, values });
    return (rows[0] as { taken: Taken }).taken;
  };
  if (parking === undefined) return call(database);
  return inTransaction(database, async (connection) => {
    const taken = await call(connection);
    await keepParked(connection, parking.put, parking.records);
    await removeParked(connection, parking.taken);
    return taken;
  });
}

function numberOf(next: number | undefined, ordinal: number | undefined): number | null {
  return next === undefined || ordinal === undefined ? null : next - ordinal;
}

function outcomeOf(cause: unknown): Committed {
  const { code, constraint } = cause as { code?: string; constraint?: string };
  if (code === 'LX001') return { outcome: 'fenced' };
  if (code === 'LX002') return { outcome: 'reference_taken' };
  if (code === '23505' && constraint === 'evidence_pkey') return { outcome: 'repeated' };
  throw isFault(cause) ? new DependencyUnavailableError('commit_batch', { cause }) : cause;
}

interface Numbers {
  readonly counters: { readonly tenant: string; readonly name: string; readonly many: number }[];
  /** Counted back from the end of what the batch takes: the number is what comes next less this. */
  readonly feed: ReadonlyMap<FactRow, number>;
  readonly listed: ReadonlyMap<FactRow, number>;
}

function numberWithin(facts: readonly FactRow[]): Numbers {
  const many = new Map<string, { tenant: string; name: string; many: number }>();
  const feed = new Map<FactRow, number>();
  const listed = new Map<FactRow, number>();
  const take = (tenant: string, name: string): number => {
    const key = `${tenant}/${name}`;
    const counter = many.get(key) ?? { tenant, name, many: 0 };
    counter.many += 1;
    many.set(key, counter);
    return counter.many;
  };
  for (let at = facts.length - 1; at >= 0; at -= 1) {
    const row = facts[at] as FactRow;
    const { fact, tenantId } = row;
    if (fact.loanId !== undefined && fact.eventId !== undefined) feed.set(row, take(tenantId, 'feed'));
    if (fact.listed !== undefined) listed.set(row, take(tenantId, fact.listed.listing));
  }
  return { counters: [...many.values()], feed, listed };
}

function fenceColumns(rows: readonly FenceRow[]): Buffer[] {
  return [
    int2Array(rows.map((row) => row.partition)),
    int8Array(rows.map((row) => row.epoch)),
    int8Array(rows.map((row) => row.fromOffset)),
    int8Array(rows.map((row) => row.nextOffset)),
    int8Array(rows.map((row) => row.nextEvent)),
  ];
}

function referenceColumns(rows: readonly ReferenceRow[]): Buffer[] {
  return [
    textArray(rows.map((row) => row.tenantId)),
    textArray(rows.map((row) => row.namespace)),
    textArray(rows.map((row) => row.reference)),
    byteaArray(rows.map((row) => row.digest)),
    textArray(rows.map((row) => row.bookId)),
    textArray(rows.map((row) => row.kind)),
    textArray(rows.map((row) => row.subject)),
    int8Array(rows.map((row) => row.sequence)),
  ];
}

function factColumns(rows: readonly FactRow[], feed: ReadonlyMap<FactRow, number>): Buffer[] {
  return [
    textArray(rows.map((row) => row.tenantId)),
    textArray(rows.map((row) => row.bookId)),
    int8Array(rows.map((row) => row.sequence)),
    textArray(rows.map((row) => row.fact.kind)),
    textArray(rows.map((row) => row.fact.body)),
    int2Array(rows.map((row) => (row.fact.counts ? 1 : 0))),
    int8Array(rows.map((row) => row.versionCount)),
    int8Array(rows.map((row) => row.versionAt)),
    textArray(rows.map((row) => row.reference?.namespace)),
    textArray(rows.map((row) => row.reference?.reference)),
    int4Array(rows.map((row) => row.fact.occurredOn)),
    uuidArray(rows.map((row) => row.fact.loanId)),
    uuidArray(rows.map((row) => row.fact.eventId)),
    textArray(rows.map((row) => row.fact.merchantRef)),
    int8Array(rows.map((row) => row.recordedAt)),
    uuidArray(rows.map((row) => row.requestId)),
    int4Array(rows.map((row) => row.item)),
    int2Array(rows.map((row) => row.partition)),
    int8Array(rows.map((row) => row.offset)),
    int8Array(rows.map((row) => row.eventNo)),
    int4Array(rows.map((row) => feed.get(row))),
  ];
}

function evidenceColumns(rows: readonly EvidenceRow[]): Buffer[] {
  return [
    uuidArray(rows.map((row) => row.requestId)),
    int2Array(rows.map((row) => row.partition)),
    textArray(rows.map((row) => row.tenantId)),
    textArray(rows.map((row) => row.method)),
    textArray(rows.map((row) => row.target)),
    int8Array(rows.map((row) => row.ts)),
    textArray(rows.map((row) => row.fp)),
    byteaArray(rows.map((row) => row.signature)),
    textArray(rows.map((row) => row.idempotencyKey)),
    byteaArray(rows.map((row) => row.body)),
    textArray(rows.map((row) => row.bodyEncoding)),
    textArray(rows.map((row) => row.actor)),
    textArray(rows.map((row) => row.callerRequestId)),
    int8Array(rows.map((row) => row.takenInAt)),
  ];
}

function bookColumns(rows: readonly BookRow[]): Buffer[] {
  return [
    textArray(rows.map((row) => row.tenantId)),
    textArray(rows.map((row) => row.bookId)),
    int2Array(rows.map((row) => row.partition)),
    int8Array(rows.map((row) => row.sequence)),
    int8Array(rows.map((row) => row.versionCount)),
    int8Array(rows.map((row) => row.versionAt)),
    int8Array(rows.map((row) => row.recordedAt)),
    int4Array(rows.map((row) => row.dueFrom)),
    int2Array(rows.map((row) => (row.parked ? 1 : 0))),
  ];
}

function snapshotColumns(rows: readonly SnapshotRow[]): Buffer[] {
  return [
    textArray(rows.map((row) => row.tenantId)),
    textArray(rows.map((row) => row.bookId)),
    int8Array(rows.map((row) => row.sequence)),
    textArray(rows.map((row) => row.data)),
  ];
}

/** What a batch of receipts has none of: null then, and the server does not look. */
function restOf(batch: CommitBatch, { counters, feed, listed }: Numbers): string | null {
  const { dueSpans, loanStates, tenancies, keys, configurations, verdicts } = batch;
  const seldom = [counters, dueSpans, loanStates, tenancies, keys, configurations, verdicts];
  if (seldom.every((rows) => rows.length === 0)) return null;
  return JSON.stringify({
    counters,
    states: loanStates.map(({ tenantId, loanId, state }) => ({ tenant: tenantId, loan: loanId, state })),
    due_spans: dueSpans.map(({ tenantId, bookId, spans }) => ({ tenant: tenantId, book: bookId, spans })),
    loans: batch.facts.flatMap((row) => loanOf(row, feed.get(row))),
    listed: batch.facts.flatMap((row) => listedOf(row, listed.get(row))),
    tenancies: tenancies.map(({ tenantId, timeZone, createdAt, ...row }) => ({
      tenant: tenantId,
      zone: timeZone,
      at: createdAt,
      ...row,
    })),
    keys: keys.map(({ tenantId, publicKey, createdAt, revokedAt, ...row }) => ({
      tenant: tenantId,
      public: publicKey,
      at: createdAt,
      revoked: revokedAt,
      ...row,
    })),
    configurations: configurations.map(({ tenantId, configurationId, createdAt, values, ...row }) => ({
      tenant: tenantId,
      id: configurationId,
      at: createdAt,
      stated: values,
      ...row,
    })),
    verdicts: verdicts.map(({ requestId, partition, verdict }) => ({ request: requestId, partition, verdict })),
  });
}

function loanOf({ fact, tenantId }: FactRow, ordinal: number | undefined): object[] {
  const { loan } = fact;
  if (loan === undefined) return [];
  return [
    {
      tenant: tenantId,
      loan: loan.loanId,
      ordinal,
      client: loan.clientId,
      reference: loan.reference,
      configuration: loan.configurationId,
      version: loan.configurationVersion,
      merchant: loan.merchantRef,
      state: loan.state,
    },
  ];
}

function listedOf({ fact, tenantId, bookId, sequence }: FactRow, ordinal: number | undefined): object[] {
  const { listed } = fact;
  if (listed === undefined) return [];
  const { listing, id, row } = listed;
  return [{ tenant: tenantId, listing, ordinal, id, book: bookId, sequence, row }];
}
