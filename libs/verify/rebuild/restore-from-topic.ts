/** A database from nothing but the topics: what no fact says is new, or comes from another database that is named. */

import { type Queryable, query } from '#libs/database/database.ts';
import { openForAudit } from '#libs/database/maintenance-pool.ts';
import { int2Array, int8Array, textArray } from '#libs/database/pg-array.ts';
import { AvroCodec } from '#libs/kafka/avro.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { submissionAvro } from '#libs/kafka/schemas.ts';
import type { SubmissionRecord } from '#libs/kafka/submission.ts';
import { readTopic } from '#libs/kafka/topic-follower.ts';
import { topics } from '#libs/kafka/topics.ts';
import { isBookId } from '#libs/ledger/book-id.ts';
import { number, rename } from './cutover.ts';
import { foldNamed } from './folded-rows.ts';
import type { Last } from './ingest.ts';
import type { Rebuilding } from './rebuilding.ts';
import { beside, serving, tablesTakenOver } from './shadow-schema.ts';
import { submitAgain, type TakenInAfter } from './taken-in-after.ts';

export interface Lost extends TakenInAfter {
  /** Books that `lending.parked` names: whether a person released them since, no topic says. */
  readonly parked: readonly string[];
}

export async function fromTopicAlone(
  rebuilding: Rebuilding,
): Promise<{ readonly before: string; readonly lost: Lost }> {
  const { owner, intake, kafka, schemaRegistryUrl, say } = rebuilding;
  await intake.toEnd();
  await foldNamed(owner, intake.touched());
  const parked = await parkedBooks(rebuilding);
  const codec = await AvroCodec.register<SubmissionRecord>(new SchemaRegistry(schemaRegistryUrl), submissionAvro);
  // Before the new tables serve: broken off here, all of it is done once more, and a request is only ever recorded once.
  const taken = await submitAgain({ kafka, codec, say, lasts: intake.lasts, nowMs: Date.now() });
  const tables = await tablesTakenOver(owner);
  const on = await owner.connect();
  try {
    await on.query('BEGIN');
    await on.query('SET LOCAL synchronous_commit = on');
    await on.query(`LOCK TABLE ${serving}.partitions IN EXCLUSIVE MODE`);
    await writePartitions(on, intake.lasts, taken.nextOffsets);
    await park(on, parked);
    if (rebuilding.secretsUrl !== undefined) await takeSecrets(on, rebuilding.secretsUrl, tables);
    await number(on);
    const before = await rename(on);
    await on.query('COMMIT');
    return { before, lost: { ...taken, parked } };
  } catch (cause) {
    await on.query('ROLLBACK').catch(() => undefined);
    throw cause;
  } finally {
    on.release();
  }
}

/** A processor that ran on the empty database meanwhile is fenced: its epoch is behind. */
async function writePartitions(
  on: Queryable,
  lasts: ReadonlyMap<number, Last>,
  nextOffsets: ReadonlyMap<number, number>,
): Promise<void> {
  const partitions = [...nextOffsets.keys()];
  const text = `
    UPDATE ${beside}.partitions n SET next_event = w.next_event, next_offset = w.next_offset, epoch = o.epoch + 1
    FROM unnest($1::smallint[], $2::bigint[], $3::bigint[]) AS w (partition, next_event, next_offset)
    JOIN ${serving}.partitions o USING (partition) WHERE n.partition = w.partition`;
  await query(on, 'write_partitions', text, [
    int2Array(partitions),
    int8Array(partitions.map((partition) => (lasts.get(partition)?.sequence ?? 0) + 1)),
    int8Array(partitions.map((partition) => nextOffsets.get(partition))),
  ]);
}

/** What stands behind a parked submission was never decided: to go on without it would be to decide on half a book. */
async function parkedBooks({ kafka, say }: Rebuilding): Promise<string[]> {
  const names = new Set<string>();
  await readTopic({
    kafka,
    topic: topics.parked,
    say,
    async take(_partition, records) {
      for (const { key } of records) names.add(key?.toString('utf8') ?? '');
    },
  });
  return [...names].filter((name) => isBookId(name.slice(name.indexOf('/') + 1))).sort();
}

async function park(on: Queryable, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const text = `UPDATE ${beside}.books b SET parked = true FROM unnest($1::text[]) AS w (name)
    WHERE b.tenant_id || '/' || b.book_id = w.name`;
  await query(on, 'park_again', text, [textArray(names)]);
}

async function takeSecrets(on: Queryable, url: string, tables: readonly string[]): Promise<void> {
  const other = openForAudit({ url, name: 'rebuild', connections: 1 });
  try {
    for (const table of tables) {
      const { rows } = await other.query(`SELECT coalesce(json_agg(t), '[]')::text AS rows FROM "${table}" t`);
      await on.query(`DELETE FROM ${beside}."${table}"`);
      await on.query(
        `INSERT INTO ${beside}."${table}" SELECT * FROM json_populate_recordset(NULL::${beside}."${table}", $1)`,
        [(rows[0] as { rows: string }).rows],
      );
    }
  } finally {
    await other.end();
  }
}
