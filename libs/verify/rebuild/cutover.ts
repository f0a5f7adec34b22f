/**
 * The new tables take the place of those that serve. Every commit of a processor begins with its partitions: while their
 * table is locked nothing is committed, the topic comes to its end, and what is recorded here is what is recorded there.
 * Renaming a schema is a row of the catalogue, so all of it is one transaction: whoever waited goes on in the new tables.
 */
import type { Database, Queryable } from '#libs/database/database.ts';
import { query } from '#libs/database/database.ts';
import { beside, serving } from './shadow-schema.ts';

export interface Swap {
  readonly owner: Database;
  /** Tables that no fact says anything of. */
  readonly takenOver: readonly string[];
  /** With nothing committed any more: whether the new tables hold all up to these events, and hold the same. */
  readonly isCaughtUp: (lasts: ReadonlyMap<number, number>, on: Queryable) => Promise<boolean>;
}

/** Whoever commits waits behind this: long enough for the commits under way, short against a caller's patience. */
const lockWithin = '1s';

/** What the tables that served are called now; undefined where they serve on and it can be tried again. */
export async function swap({ owner, takenOver, isCaughtUp }: Swap): Promise<string | undefined> {
  const on = await owner.connect();
  try {
    await on.query('BEGIN');
    await on.query(`SET LOCAL lock_timeout = '${lockWithin}'`);
    await on.query('SET LOCAL synchronous_commit = on');
    await on.query(`LOCK TABLE ${serving}.partitions IN EXCLUSIVE MODE`);
    for (const table of takenOver) await on.query(`LOCK TABLE ${serving}."${table}" IN SHARE ROW EXCLUSIVE MODE`);
    if (!(await isCaughtUp(await lastEvents(on), on))) {
      await on.query('ROLLBACK');
      return undefined;
    }
    await takeOver(on, takenOver);
    await number(on);
    const before = await rename(on);
    await on.query('COMMIT');
    return before;
  } catch (cause) {
    await on.query('ROLLBACK').catch(() => undefined);
    if ((cause as { code?: string }).code === '55P03') return undefined;
    throw cause;
  } finally {
    on.release();
  }
}

async function lastEvents(on: Queryable): Promise<Map<number, number>> {
  const text = `SELECT partition, next_event FROM ${serving}.partitions`;
  const rows = await query<{ partition: number; next_event: number }>(on, 'serving_partitions', text, []);
  return new Map(rows.map(({ partition, next_event }) => [partition, next_event - 1]));
}

/** What no fact says: as it stands. The epochs too, so that whoever owns a partition goes on owning it. */
async function takeOver(on: Queryable, tables: readonly string[]): Promise<void> {
  for (const table of tables) {
    await on.query(`DELETE FROM ${beside}."${table}"`);
    await on.query(`INSERT INTO ${beside}."${table}" SELECT * FROM ${serving}."${table}"`);
  }
  await on.query(`
    UPDATE ${beside}.partitions n SET epoch = o.epoch, next_offset = o.next_offset, next_event = o.next_event,
      owner = o.owner, taken_at = o.taken_at
    FROM ${serving}.partitions o WHERE o.partition = n.partition`);
  // A book may be parked before anything was recorded in it.
  await on.query(`
    INSERT INTO ${beside}.books AS n SELECT * FROM ${serving}.books WHERE parked
    ON CONFLICT (tenant_id, book_id) DO UPDATE SET parked = true`);
  await on.query(`
    INSERT INTO ${beside}.counters SELECT * FROM ${serving}.counters WHERE tenant_id = '' AND name = 'keys'
    ON CONFLICT (tenant_id, name) DO UPDATE SET next = excluded.next`);
}

/** Counters go on after what is numbered; all keys and Tenancies are news to whoever polls them. */
export async function number(on: Queryable): Promise<void> {
  await on.query(`
    INSERT INTO ${beside}.counters (tenant_id, name, next)
      SELECT tenant_id, 'feed', max(number) + 1 FROM ${beside}.feed GROUP BY tenant_id
      UNION ALL SELECT tenant_id, listing, max(number) + 1 FROM ${beside}.listed GROUP BY tenant_id, listing
    ON CONFLICT (tenant_id, name) DO UPDATE SET next = excluded.next`);
  await on.query(`
    WITH revised AS (
      INSERT INTO ${beside}.counters AS c VALUES ('', 'keys', 2)
      ON CONFLICT (tenant_id, name) DO UPDATE SET next = c.next + 1 RETURNING next - 1 AS revision),
    t AS (UPDATE ${beside}.tenancies SET revision = (SELECT revision FROM revised))
    UPDATE ${beside}.keys SET revision = (SELECT revision FROM revised)`);
}

/** What served is kept under another name until a person drops it. */
export async function rename(on: Queryable): Promise<string> {
  const { rows } = await on.query(
    "SELECT 'before_' || to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYYMMDD_HH24MISS') AS name",
  );
  const { name } = rows[0] as { name: string };
  await on.query(`ALTER SCHEMA ${serving} RENAME TO ${name}`);
  await on.query(`ALTER SCHEMA ${beside} RENAME TO ${serving}`);
  return name;
}
