/** Reads what people did from the facts of a Tenancy's own book, or of the book of the installation. */
import { type Database, query } from '#libs/database/database.ts';
import { tenancyBookId } from '#libs/ledger/book-id.ts';
import { releasedKind } from '#libs/ledger/release.ts';
import type { JsonObject } from '#libs/schema/json.ts';

/** Facts of the book that people make in the console or on the command line. */
const recordedKinds = [
  'tenancy_opened',
  'tenancy_closed',
  'tenancy_reopened',
  'bounds_set',
  'key_minted',
  'key_revoked',
  'person_act',
  releasedKind,
];

export interface RecordedAct {
  readonly sequence: number;
  /** Microseconds since 1970. */
  readonly recordedAt: number;
  readonly actor: string;
  /** The action on a person, or the kind of the fact. */
  readonly action: string;
  /** The channel, and the network address where there is one. */
  readonly from: string;
  readonly subject: string;
  /** As text; empty where nothing was before. */
  readonly before: string;
  readonly after: string;
}

export interface ActFilter {
  /** A part of the actor or of the subject. */
  readonly person: string;
  readonly action: string;
  /** A day in UTC, `2026-11-25`; empty for all. */
  readonly day: string;
}

export interface ActPage {
  readonly acts: readonly RecordedAct[];
  /** The next page is before this fact; absent at the end. */
  readonly next?: number;
}

/** Facts read for a page where few match, because no filter has an index; and rows of a page of an export. */
export const examinedFacts = 5_000;
const dayMicroseconds = 86_400_000_000;

interface FactRow {
  readonly sequence: number;
  readonly kind: string;
  readonly body: JsonObject;
  readonly recorded_at: number;
}

export interface ActPosition {
  /** Acts recorded before this fact, newest first. */
  readonly before: number;
  readonly limit: number;
}

/** Reading stops where the page is full. A page may be short, and continues after the facts that were read for it. */
export async function readActs(
  database: Database,
  bookOf: string,
  { person, action, day }: ActFilter,
  { before, limit }: ActPosition,
): Promise<ActPage> {
  const text = `
    SELECT json_agg(row_to_json(matching) ORDER BY sequence DESC) AS facts FROM (
      SELECT * FROM (
        SELECT sequence, kind, body, recorded_at FROM facts
        WHERE tenant_id = $1 AND book_id = $2 AND sequence < $3 ORDER BY sequence DESC LIMIT ${examinedFacts}) AS examined
      WHERE kind = ANY ($4::text[])
        AND ($5 = '' OR strpos(lower(body ->> 'actor'), $5) > 0 OR strpos(lower(coalesce(body ->> 'subject', '')), $5) > 0)
        AND ($6 = '' OR coalesce(body ->> 'action', kind) = $6)
        AND recorded_at >= $7 AND recorded_at < $8
      ORDER BY sequence DESC LIMIT $9) AS matching`;
  const from = Date.parse(day) * 1_000;
  const [start, end] = Number.isNaN(from) ? [0, Number.MAX_SAFE_INTEGER] : [from, from + dayMicroseconds];
  const values = [bookOf, tenancyBookId, before, recordedKinds, person.toLowerCase(), action, start, end, limit + 1];
  const [row] = await query<{ facts: readonly FactRow[] | null }>(database, 'acts', text, values);
  const facts = row?.facts ?? [];
  const acts = facts.slice(0, limit).map((fact) => actOf(bookOf, fact));
  const last = acts.at(-1);
  const next =
    facts.length > limit && last !== undefined ? last.sequence : await lastExamined(database, bookOf, before);
  return next === undefined ? { acts } : { acts, next };
}

/** The last of the facts that a page reads at most; undefined where the book has no more than these. */
async function lastExamined(database: Database, bookOf: string, before: number): Promise<number | undefined> {
  const text = `SELECT sequence FROM facts WHERE tenant_id = $1 AND book_id = $2 AND sequence < $3
    ORDER BY sequence DESC OFFSET ${examinedFacts - 1} LIMIT 1`;
  const [row] = await query<{ sequence: number }>(database, 'last_examined_act', text, [bookOf, tenancyBookId, before]);
  return row?.sequence;
}

function actOf(bookOf: string, { sequence, kind, body, recorded_at }: FactRow): RecordedAct {
  const origin = (body['origin'] ?? {}) as { channel?: string; address?: string };
  return {
    sequence,
    recordedAt: recorded_at,
    actor: textOf(body['actor']),
    action: textOf(body['action'] ?? kind),
    from: [origin.channel, origin.address].filter((part) => part !== undefined).join(' '),
    subject: textOf(
      body['subject'] ?? body['fp'] ?? (kind === releasedKind ? `${bookOf}/${tenancyBookId}` : undefined),
    ),
    before: textOf(body['before']),
    after: textOf(body['after'] ?? stateAfter(kind, body)),
  };
}

/** What facts state that have no member `after`. */
function stateAfter(kind: string, body: JsonObject): unknown {
  switch (kind) {
    case 'tenancy_opened':
      return { name: body['name'], live: body['live'], jurisdiction: body['jurisdiction'] };
    case 'tenancy_closed':
      return { state: 'closed', basis: body['basis'], keys_revoked: body['keys'] };
    case 'tenancy_reopened':
      return { state: 'open' };
    case 'bounds_set':
      return body['bounds'] ?? 'default';
    case 'key_minted':
      return { scope: body['scope'], holder: body['holder'], label: body['label'] };
    case 'key_revoked':
      return 'revoked';
    case releasedKind:
      return { state: 'released', basis: body['basis'], dropped: body['drop'] };
    default:
      return undefined;
  }
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
