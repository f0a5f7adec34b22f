/**
 * Everything that is kept, held to the facts and the facts to the requests that were signed, as of one moment while the
 * services go on: signatures, the decision itself, the fold, snapshots in Postgres and in Redis, references, the feed,
 * the listings, and the topic.
 */

import type { Moment } from '#libs/calendar/moment.ts';
import type { DeciderFor } from '#libs/database/books.ts';
import { type Database, type Queryable, query } from '#libs/database/database.ts';
import { inOneMoment } from '#libs/database/maintenance-pool.ts';
import type { SnapshotCache } from '#libs/database/snapshot-cache.ts';
import { AvroCodec } from '#libs/kafka/avro.ts';
import type { BookEvent } from '#libs/kafka/book-event.ts';
import type { KafkaClient, WarnLog } from '#libs/kafka/kafka.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { bookEventAvro } from '#libs/kafka/schemas.ts';
import { topics } from '#libs/kafka/topics.ts';
import { auditBook } from './audited-book.ts';
import { auditTenancyRows } from './audited-tenancy.ts';
import { auditTopic } from './audited-topic.ts';
import { cachedBooks } from './cached.ts';
import { findContradictions } from './contradictions.ts';
import { type Finding, Findings } from './finding.ts';
import type { BookAudit, Counts, KeptBook } from './folding.ts';
import { KeptRequests } from './kept-requests.ts';
import { readLookedUp } from './logged.ts';
import { LookedUp } from './lookup.ts';
import { nameOf, type Page, pagesOf } from './pages.ts';
import { StandingKeys } from './standing-keys.ts';

export interface AuditOptions {
  readonly database: Database;
  /** Left out where Redis is not to be asked: what it holds can be dropped at any moment. */
  readonly cache?: SnapshotCache;
  readonly kafka: KafkaClient;
  readonly schemaRegistryUrl: string;
  readonly kindOf: DeciderFor;
  readonly say: WarnLog;
  /** Left out, the log of submissions is read for what they had looked up; a long one takes long. */
  readonly withoutLog?: boolean;
  /** Findings that are listed; the rest is counted. */
  readonly most?: number;
}

export interface Audited extends Readonly<Counts> {
  readonly findings: readonly Finding[];
  /** All there were, listed or not. */
  readonly found: number;
  readonly signatures: number;
  readonly events: number;
  /** Partitions of the topic that hold more than could be read. */
  readonly unread: readonly number[];
  readonly seconds: number;
}

const defaultMost = 20;

/** All of one moment: `database` is asked on one connection for as long as it takes. */
export function audit(options: AuditOptions): Promise<Audited> {
  return inOneMoment(options.database, (on) => auditOn(on, options));
}

/** As the transaction sees it that is open on the connection. */
async function auditOn(on: Queryable, options: AuditOptions): Promise<Audited> {
  const began = performance.now();
  const { kafka, schemaRegistryUrl, say } = options;
  const registry = new SchemaRegistry(schemaRegistryUrl);
  const lasts = await lastEvents(on);
  const lookedUp = new LookedUp(options.database);
  if (options.withoutLog !== true) await readLookedUp({ kafka, registry, say }, lookedUp);
  const { findings, ...stored } = await auditStored(on, options, lookedUp);
  const codec = await AvroCodec.register<BookEvent, BookEvent<number>>(registry, bookEventAvro);
  const { events, unread } = await auditTopic({ kafka, topic: topics.bookEvents, codec, say, on, findings, lasts });
  const seconds = (performance.now() - began) / 1_000;
  return { ...stored, findings: findings.listed, found: findings.count, events, unread, seconds };
}

type Stored = Counts & { readonly signatures: number; readonly findings: Findings };

/** What Postgres and Redis hold, without the topic. */
export async function auditStored(
  on: Queryable,
  { kindOf, cache, most }: Pick<AuditOptions, 'kindOf' | 'cache' | 'most'>,
  lookedUp: LookedUp,
): Promise<Stored> {
  const findings = new Findings(most ?? defaultMost);
  const counts: Counts = { books: 0, facts: 0, decidedAnew: 0, notDecidedAnew: 0, snapshots: 0, cached: 0 };
  await findContradictions(on, findings);
  const signatures = await auditBooks(on, { kindOf, findings, counts, lookedUp }, cache);
  return { ...counts, signatures, findings };
}

async function lastEvents(on: Queryable): Promise<Map<number, number>> {
  const text = 'SELECT partition, next_event FROM partitions ORDER BY partition';
  const rows = await query<{ partition: number; next_event: number }>(on, 'last_events', text, []);
  return new Map(rows.map(({ partition, next_event }) => [partition, next_event - 1]));
}

/** The Tenancies' own books come first: the keys of all others stand in them. How many signatures were checked. */
async function auditBooks(on: Queryable, audit: BookAudit, cache: SnapshotCache | undefined): Promise<number> {
  const keys = new StandingKeys();
  const requests = new KeptRequests(on, keys);
  for await (const page of pagesOf(on, 'tenancies')) {
    learnKeys(keys, audit, page);
    for (const kept of await keptBooks(page, requests, cache)) {
      const audited = await auditBook(audit, kept);
      if (audited !== undefined) await auditTenancyRows(on, kept.row.tenant_id, audited.derived, audit.findings);
    }
  }
  for await (const page of pagesOf(on, 'clients')) {
    for (const kept of await keptBooks(page, requests, cache)) await auditBook(audit, kept);
  }
  return requests.signatures;
}

/** Minted and revoked by persons, or by what is signed with keys of the same book: all of them are learned first. */
function learnKeys(keys: StandingKeys, { kindOf }: BookAudit, { books, facts }: Page): void {
  for (const row of books) {
    const kind = kindOf(row.book_id);
    const empty = kind.empty(row.tenant_id, row.book_id);
    let book = empty;
    try {
      for (const { sequence, kind: of, body, recorded_at } of facts.get(nameOf(row)) ?? []) {
        book = kind.replay(book, { sequence, kind: of, body, recordedAt: recorded_at as Moment });
      }
    } catch {
      // Which fact it is that cannot be folded is found when the book is gone through.
    }
    for (const key of kind.derive(empty, book).keys ?? []) keys.add(row.tenant_id, key);
  }
}

async function keptBooks(page: Page, requests: KeptRequests, cache: SnapshotCache | undefined): Promise<KeptBook[]> {
  const facts = page.books.flatMap((row) => page.facts.get(nameOf(row)) ?? []);
  const asked = await requests.of(facts);
  const held = cache === undefined ? [] : await cachedBooks(cache, page.books);
  return page.books.map((row, at) => ({
    row,
    facts: page.facts.get(nameOf(row)) ?? [],
    loans: page.loans.get(nameOf(row)) ?? [],
    spans: page.spans.get(nameOf(row)) ?? [],
    requests: asked,
    cached: held[at],
  }));
}
