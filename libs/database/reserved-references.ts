/**
 * Keeps references unique over the databases of a cell (A4, decision 0089). The home database holds a reservation of each:
 * its book, and the position of the submission that is to record it.
 */
import { hash } from 'node:crypto';
import type { RecordedReference } from '#libs/ledger/book-decider.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { FactRow } from './commit-row-types.ts';
import { type Database, type Queryable, query } from './database.ts';
import type { PartitionDatabases } from './partition-databases.ts';
import { moveOwner, readOwnPositions } from './partitions.ts';
import { byteaArray, int2Array, int8Array, textArray } from './pg-binary.ts';
import { lastEventBefore } from './read-events.ts';
import { findReferences, type ReferenceName, recordedReference, referenceKey } from './references.ts';

interface Reservation {
  readonly name: ReferenceName;
  readonly nameHash: Buffer;
  readonly bookId: string;
  readonly partition: number;
  readonly position: number;
}

interface ReservationRow {
  tenant_id: string;
  name_hash: Buffer;
  book_id: string;
  partition: number;
  position: number;
}

const hashBytes = 16;

function nameHashOf({ namespace, reference }: ReferenceName): Buffer {
  return hash('sha256', `${namespace}\n${reference}`, 'buffer').subarray(0, hashBytes);
}

function reservationKey(tenantId: string, nameHash: Buffer): string {
  return `${tenantId}\n${nameHash.toString('hex')}`;
}

export interface CellSearch {
  /** Searched first: most references that are looked up are there. */
  readonly own?: Queryable;
  /** Called with the references of another database that does not answer, instead of a rejection. */
  readonly onUnreachable?: (names: readonly ReferenceName[]) => void;
}

/** By `referenceKey`; those never recorded are absent. Only databases that may have one of them are asked. */
export async function findReferencesInCell(
  databases: PartitionDatabases,
  names: readonly ReferenceName[],
  { own = databases.home, onUnreachable }: CellSearch = {},
): Promise<Map<string, RecordedReference>> {
  const found = await findReferences(own, names);
  if (!databases.hasSeveral) return found;
  const missing = names.filter((name) => !found.has(referenceKey(name)));
  if (missing.length === 0) return found;
  const byKey = new Map(missing.map((name) => [reservationKey(name.tenantId, nameHashOf(name)), name]));
  const rows = await readReservations(
    databases.home,
    missing.map((name) => ({ tenantId: name.tenantId, nameHash: nameHashOf(name) })),
  );
  const elsewhere = rows.flatMap(({ tenant_id, name_hash, partition }) => {
    const name = byKey.get(reservationKey(tenant_id, name_hash));
    const database = databases.isKnown(partition) ? databases.ofPartition(partition) : undefined;
    return name === undefined || database === own ? [] : [{ name, database }];
  });
  const groups = Map.groupBy(elsewhere, ({ database }) => database);
  const inOthers = await Promise.all(
    [...groups].map(([database, group]) => {
      const searched = group.map(({ name }) => name);
      return findReferencesIn(database, searched).catch((cause: unknown) => {
        if (onUnreachable === undefined || !(cause instanceof DependencyUnavailableError)) throw cause;
        onUnreachable(searched);
        return new Map<string, RecordedReference>();
      });
    }),
  );
  for (const references of inOthers) for (const [key, reference] of references) found.set(key, reference);
  return found;
}

/** Undefined for a database that was added after the start of this process. */
async function findReferencesIn(
  database: Database | undefined,
  names: readonly ReferenceName[],
): Promise<Map<string, RecordedReference>> {
  if (database === undefined) throw new DependencyUnavailableError('a database that was added since the start');
  return findReferences(database, names);
}

export interface ReservationResult {
  /** Whether another book has recorded one. */
  readonly isTaken: boolean;
  /** Whose state is not known for long: the database that knows it does not answer, or its partition is stopped. */
  readonly unreachable: readonly ReferenceName[];
}

/**
 * Reserves the references that these facts record in a database, for their books. Rejects while it is not known whether
 * another book will record one: its submission is not processed yet. Safe to repeat.
 */
export async function reserveReferences(
  databases: PartitionDatabases,
  own: Database,
  facts: readonly FactRow[],
): Promise<ReservationResult> {
  const wanted = facts.flatMap(({ reference, partition, offset }): Reservation[] =>
    reference === undefined
      ? []
      : [{ name: reference, nameHash: nameHashOf(reference), bookId: reference.bookId, partition, position: offset }],
  );
  const unreachable: ReferenceName[] = [];
  if (wanted.length === 0) return { isTaken: false, unreachable };
  const reserved = await insertReservations(databases.home, wanted);
  const refused = wanted.filter(({ name, nameHash }) => !reserved.has(reservationKey(name.tenantId, nameHash)));
  for (const reservation of refused) {
    const outcome = await takeOverReservation(databases, own, reservation);
    if (outcome === 'taken') return { isTaken: true, unreachable };
    if (outcome === 'unreachable') unreachable.push(reservation.name);
  }
  return { isTaken: false, unreachable };
}

/** The book for which each of them is reserved, in their order. */
export async function readReservedBooks(
  home: Database,
  names: readonly ReferenceName[],
): Promise<(string | undefined)[]> {
  const keys = names.map((name) => ({ tenantId: name.tenantId, nameHash: nameHashOf(name) }));
  const rows = await readReservations(home, keys);
  const books = new Map(rows.map((row) => [reservationKey(row.tenant_id, row.name_hash), row.book_id]));
  return keys.map(({ tenantId, nameHash }) => books.get(reservationKey(tenantId, nameHash)));
}

const factsPerPage = 2_000;

/**
 * Reserves what a database recorded: all of it, or since a moment, in microseconds since 1970, where the home database was set
 * back and may lack the reservations. Call it while no other database of the cell may record a reference.
 */
export async function restoreReservations(home: Database, database: Database, since?: number): Promise<void> {
  for await (const page of pagesOfRecordedReferences(database, since))
    await replaceReservations(
      home,
      page.map((row) => ({ ...row, nameHash: nameHashOf(row.name) })),
    );
}

type RecordedAtEvent = Pick<Reservation, 'name' | 'bookId' | 'partition' | 'position'> & { readonly event: number };

/** Those of the facts in its own partitions: all of them, or since a moment, in microseconds since 1970. */
export async function* pagesOfRecordedReferences(
  database: Database,
  since?: number,
): AsyncGenerator<readonly RecordedAtEvent[]> {
  for (const partition of (await readOwnPositions(database)).keys()) {
    let after = since === undefined ? 0 : await lastEventBefore(database, partition, since);
    for (;;) {
      const page = await readRecordedReferences(database, partition, after);
      const last = page.at(-1);
      if (last === undefined) break;
      yield page;
      after = last.event;
    }
  }
}

async function readRecordedReferences(
  database: Database,
  partition: number,
  after: number,
): Promise<RecordedAtEvent[]> {
  const text = `SELECT event_number AS event, tenant_id AS "tenantId", book_id AS "bookId", namespace, reference, "offset" AS position
    FROM facts WHERE partition = $1 AND event_number > $2 AND reference IS NOT NULL ORDER BY event_number LIMIT ${factsPerPage}`;
  type Row = ReferenceName & Omit<RecordedAtEvent, 'name' | 'partition'>;
  const rows = await query<Row>(database, 'recorded_references', text, [partition, after]);
  return rows.map(({ event, bookId, position, ...name }) => ({ event, bookId, partition, position, name }));
}

/** For the books that have recorded them, whichever book holds the reservations now: it recorded nothing. */
async function replaceReservations(home: Database, reservations: readonly Reservation[]): Promise<void> {
  await query(
    home,
    'replace_reservations',
    `INSERT INTO reserved_references AS r (tenant_id, name_hash, book_id, partition, position)
       SELECT DISTINCT ON (tenant_id, name_hash) tenant_id, name_hash, book_id, partition, position
         FROM unnest($1::text[], $2::bytea[], $3::text[], $4::smallint[], $5::bigint[])
           AS n (tenant_id, name_hash, book_id, partition, position) ORDER BY tenant_id, name_hash
       ON CONFLICT (tenant_id, name_hash)
         DO UPDATE SET book_id = excluded.book_id, partition = excluded.partition, position = excluded.position`,
    columnsOf(reservations),
  );
}

/** Of those that are reserved for their book now, by `reservationKey`. */
async function insertReservations(home: Database, reservations: readonly Reservation[]): Promise<Set<string>> {
  const rows = await query<Pick<ReservationRow, 'tenant_id' | 'name_hash'>>(
    home,
    'reserve_references',
    // Sorted, so that two processors do not wait for each other.
    `INSERT INTO reserved_references AS r (tenant_id, name_hash, book_id, partition, position)
       SELECT * FROM unnest($1::text[], $2::bytea[], $3::text[], $4::smallint[], $5::bigint[])
         AS n (tenant_id, name_hash, book_id, partition, position) ORDER BY tenant_id, name_hash
       ON CONFLICT (tenant_id, name_hash) DO UPDATE SET position = greatest(r.position, excluded.position)
         WHERE r.book_id = excluded.book_id
       RETURNING tenant_id, name_hash`,
    columnsOf(reservations),
  );
  return new Set(rows.map(({ tenant_id, name_hash }) => reservationKey(tenant_id, name_hash)));
}

function columnsOf(reservations: readonly Reservation[]): Buffer[] {
  return [
    textArray(reservations.map(({ name }) => name.tenantId)),
    byteaArray(reservations.map(({ nameHash }) => nameHash)),
    textArray(reservations.map(({ bookId }) => bookId)),
    int2Array(reservations.map(({ partition }) => partition)),
    int8Array(reservations.map(({ position }) => position)),
  ];
}

/** Of another book, whose submission was processed and did not record the reference. `taken` where that book has recorded it. */
async function takeOverReservation(
  databases: PartitionDatabases,
  own: Database,
  wanted: Reservation,
): Promise<'reserved' | 'taken' | 'unreachable'> {
  const { tenantId } = wanted.name;
  const [held] = await readReservations(databases.home, [{ tenantId, nameHash: wanted.nameHash }]);
  if (held === undefined || held.book_id === wanted.bookId) return 'reserved';
  // Its database was added after the start of this process.
  if (!databases.isKnown(held.partition)) return 'unreachable';
  const holder = databases.ofPartition(held.partition);
  // One statement: what is recorded and how far the partition is must be read at the same moment.
  const states = await query<{ is_recorded: boolean; next_offset: number | null; is_stopped: boolean | null }>(
    holder,
    'reservation_state',
    `SELECT p.next_offset, p.owner = '${moveOwner}' AS is_stopped, EXISTS (
       SELECT FROM (SELECT $1::text AS tenant_id, $2::text AS namespace, $3::text AS reference) n
       CROSS JOIN LATERAL (${recordedReference} OFFSET 0) r) AS is_recorded
     FROM (SELECT $4::smallint AS partition) AS held LEFT JOIN partitions p USING (partition)`,
    [tenantId, wanted.name.namespace, wanted.name.reference, held.partition],
  ).catch((cause: unknown) => {
    const isOther = holder !== own && holder !== databases.home;
    if (isOther && cause instanceof DependencyUnavailableError) return undefined;
    throw cause;
  });
  if (states === undefined) return 'unreachable';
  const [state] = states;
  if (state?.is_recorded === true) return 'taken';
  if ((state?.next_offset ?? 0) > held.position) {
    const taken = await query<{ book_id: string }>(
      databases.home,
      'take_over_reservation',
      `UPDATE reserved_references SET book_id = $3, partition = $4, position = $5
         WHERE tenant_id = $1 AND name_hash = $2 AND book_id = $6 AND position = $7 RETURNING book_id`,
      [tenantId, wanted.nameHash, wanted.bookId, wanted.partition, wanted.position, held.book_id, held.position],
    );
    if (taken.length > 0) return 'reserved';
  }
  // A partition that is moved may stay stopped: other books do not wait for it.
  if (state?.is_stopped === true) return 'unreachable';
  const cause = new Error(`reserved for ${held.book_id}, whose submission is not processed yet`);
  throw new DependencyUnavailableError('a reference', { cause });
}

function readReservations(
  home: Database,
  names: readonly { readonly tenantId: string; readonly nameHash: Buffer }[],
): Promise<ReservationRow[]> {
  return query<ReservationRow>(
    home,
    'reserved_references',
    `SELECT tenant_id, name_hash, book_id, partition, position
       FROM reserved_references JOIN unnest($1::text[], $2::bytea[]) AS n (tenant_id, name_hash) USING (tenant_id, name_hash)`,
    [textArray(names.map(({ tenantId }) => tenantId)), byteaArray(names.map(({ nameHash }) => nameHash))],
  );
}
