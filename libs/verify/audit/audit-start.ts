/** Where an audit starts: what is recorded up to there is audited, however long that takes and whatever is recorded meanwhile. */
import { randomUUID } from 'node:crypto';
import { type Queryable, query } from '#libs/database/database.ts';
import type { PartitionPosition } from '#libs/database/partitions.ts';
import { readVersion } from '#libs/runtime/build.ts';

export interface AuditStart {
  /** Another one for each audit, also of the same moment. */
  readonly id: string;
  /** Another release may decide or fold differently: it cannot continue the audit. */
  readonly release: string;
  /** By partition. */
  readonly partitions: Readonly<Record<string, StartOfPartition>>;
  /** By Tenancy, the last number of its feed. */
  readonly feedEnds: Readonly<Record<string, number>>;
}

interface StartOfPartition {
  /** The number of the last event; 0 where there is none. */
  readonly lastEvent: number;
  /** The request and item that caused it: a database that was set back has another fact there. Null where the fact is missing. */
  readonly lastFact: string | null;
}

/** The database is not the one that the interrupted audit read. */
export class AuditStateError extends Error {
  override readonly name = 'AuditStateError';

  constructor(folder: string, reason: string) {
    super(`the audit in ${folder} cannot be continued: ${reason}; delete the folder to begin again`);
  }
}

const lastFactText = `
  SELECT request_id || '/' || item AS fact FROM facts WHERE partition = $1 AND event_number = $2`;

/** Each feed once: one index lookup for each Tenancy. */
const feedEndsText = `
  WITH RECURSIVE tenancy AS (
    (SELECT tenant_id FROM feed ORDER BY tenant_id LIMIT 1)
    UNION ALL
    SELECT (SELECT f.tenant_id FROM feed f WHERE f.tenant_id > t.tenant_id ORDER BY f.tenant_id LIMIT 1)
    FROM tenancy t WHERE t.tenant_id IS NOT NULL)
  SELECT tenant_id, (SELECT max(number) FROM feed f WHERE f.tenant_id = t.tenant_id) AS last
  FROM tenancy t WHERE tenant_id IS NOT NULL`;

/** In the snapshot that `positions` were read in. */
export async function readAuditStart(
  database: Queryable,
  positions: ReadonlyMap<number, PartitionPosition>,
): Promise<AuditStart> {
  const partitions: Record<string, StartOfPartition> = {};
  for (const [partition, { nextEvent }] of positions) {
    const lastEvent = nextEvent - 1;
    partitions[partition] = { lastEvent, lastFact: await readFactName(database, partition, lastEvent) };
  }
  const feeds = await query<{ tenant_id: string; last: number }>(database, 'audit_feed_ends', feedEndsText, []);
  const feedEnds = Object.fromEntries(feeds.map(({ tenant_id, last }) => [tenant_id, last]));
  return { id: randomUUID(), release: readVersion(), partitions, feedEnds };
}

/** By partition, the number of the last event that is audited. */
export function lastEventsOf({ partitions }: AuditStart): ReadonlyMap<number, number> {
  return new Map(Object.entries(partitions).map(([partition, { lastEvent }]) => [Number(partition), lastEvent]));
}

/** Why this release cannot continue an audit on this database; undefined if it can. */
export async function findChangeSince(
  database: Queryable,
  positions: ReadonlyMap<number, PartitionPosition>,
  { release, partitions }: AuditStart,
): Promise<string | undefined> {
  if (release !== readVersion()) return `release ${release} began it, and this is ${readVersion()}`;
  const names = Object.keys(partitions);
  if (names.length !== positions.size) return `it has ${names.length} partitions, and the database ${positions.size}`;
  for (const [partition, { lastEvent, lastFact }] of Object.entries(partitions)) {
    const found = await readFactName(database, Number(partition), lastEvent);
    if (found === lastFact) continue;
    return `event ${lastEvent} of partition ${partition} is another fact (expected ${lastFact}, found ${found}): the database was set back, or it is another one`;
  }
  return undefined;
}

async function readFactName(database: Queryable, partition: number, event: number): Promise<string | null> {
  const [row] = await query<{ fact: string }>(database, 'audit_last_fact', lastFactText, [partition, event]);
  return row?.fact ?? null;
}
