/** Reads the facts of a Tenancy's own book, or of the book of the installation, that people caused. */
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import { releasedKind } from '#libs/ledger/release.ts';
import type { JsonObject } from '#libs/schema/json.ts';
import { type Database, query } from './database.ts';

/** What people do in the console or on the command line. */
const administrationKinds = [
  'tenancy_opened',
  'tenancy_closed',
  'tenancy_reopened',
  'bounds_set',
  'key_minted',
  'key_revoked',
  'person_act',
  releasedKind,
];

export interface AdministrationFact {
  readonly sequence: number;
  readonly kind: string;
  readonly body: JsonObject;
  /** Microseconds since 1970. */
  readonly recorded_at: number;
}

export interface AdministrationFactFilter {
  /** A part of the actor, or of the subject: a person, a book, the fingerprint of a key. */
  readonly person: string;
  /** The action on a person, or the kind of the fact. */
  readonly action: string;
  /** A day in UTC, `2026-11-25`; empty for all. */
  readonly day: string;
}

export interface AdministrationFactPage {
  readonly facts: readonly AdministrationFact[];
  /** The next page is before this fact; absent at the end. */
  readonly next?: number;
}

/** Facts read for a page where few match, because no filter has an index; and the most that a page can have. */
export const examinedFacts = 5_000;
const dayMicroseconds = 86_400_000_000;

const isOfBook = 'f.tenant_id = b.tenant_id AND f.book_id = b.book_id AND f.partition = b.partition';

export interface FactPosition {
  /** Facts recorded before this one, newest first. */
  readonly before: number;
  readonly limit: number;
}

/** Reading stops where the page is full. A page may be short, and continues after the facts that were read for it. */
export async function readAdministrationFacts(
  database: Database,
  bookOf: string,
  { person, action, day }: AdministrationFactFilter,
  { before, limit }: FactPosition,
): Promise<AdministrationFactPage> {
  const text = `
    SELECT json_agg(row_to_json(matching) ORDER BY sequence DESC) AS facts FROM (
      SELECT * FROM (
        SELECT f.* FROM books b CROSS JOIN LATERAL (SELECT sequence, kind, body, recorded_at FROM facts f
          WHERE ${isOfBook} AND f.sequence < $3 ORDER BY f.sequence DESC LIMIT ${examinedFacts}) AS f
        WHERE b.tenant_id = $1 AND b.book_id = $2) AS examined
      WHERE kind = ANY ($4::text[])
        AND ($5 = '' OR strpos(lower(body ->> 'actor'), $5) > 0
          OR strpos(lower(coalesce(body ->> 'subject', body ->> 'fp', '')), $5) > 0)
        AND ($6 = '' OR coalesce(body ->> 'action', kind) = $6)
        AND recorded_at >= $7 AND recorded_at < $8
      ORDER BY sequence DESC LIMIT $9) AS matching`;
  const from = Date.parse(day) * 1_000;
  const [start, end] = Number.isNaN(from) ? [0, Number.MAX_SAFE_INTEGER] : [from, from + dayMicroseconds];
  const kinds = administrationKinds;
  const values = [bookOf, tenancyBookId, before, kinds, person.toLowerCase(), action, start, end, limit + 1];
  const [row] = await query<{ facts: readonly AdministrationFact[] | null }>(
    database,
    'administration_facts',
    text,
    values,
  );
  const found = row?.facts ?? [];
  const facts = found.slice(0, limit);
  const last = facts.at(-1);
  const next =
    found.length > limit && last !== undefined ? last.sequence : await lastExamined(database, bookOf, before);
  return next === undefined ? { facts } : { facts, next };
}

/** The last of the facts that a page reads at most; undefined where the book has no more than these. */
async function lastExamined(database: Database, bookOf: string, before: number): Promise<number | undefined> {
  const text = `SELECT f.sequence FROM books b CROSS JOIN LATERAL (SELECT sequence FROM facts f
      WHERE ${isOfBook} AND f.sequence < $3 ORDER BY f.sequence DESC OFFSET ${examinedFacts - 1} LIMIT 1) f
    WHERE b.tenant_id = $1 AND b.book_id = $2`;
  const values = [bookOf, tenancyBookId, before];
  const [row] = await query<{ sequence: number }>(database, 'last_examined_fact', text, values);
  return row?.sequence;
}
