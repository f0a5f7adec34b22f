/**
 * A process that consumes `lending.book-events` with the SDK, as a lender's system would: it stores every fact in its own
 * tables, each batch together with its position in one transaction.
 */
import kafkajs from 'kafkajs';
import '#libs/kafka/request-timer.ts';
import pg from 'pg';
import { type Batch, consumeBookEvents, type Position } from '#libs/sdk/src/topics/exports.ts';

/** Another consumer has stored the batch already. */
class SupersededError extends Error {}

const {
  KAFKA_BROKERS = '',
  SCHEMA_REGISTRY_URL = '',
  DATABASE_URL = '',
  CONSUMER_SCHEMA = '',
  CONSUMER_GROUP = '',
} = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, max: 5, options: `-c search_path=${CONSUMER_SCHEMA}` });
const stop = new AbortController();
process.once('SIGTERM', () => stop.abort());
// Do not outlive the test process.
process.once('disconnect', () => process.exit(1));
process.channel?.unref();

await consumeBookEvents({
  kafka: new kafkajs.Kafka({
    clientId: 'downstream-consumer',
    brokers: KAFKA_BROKERS.split(','),
    logLevel: kafkajs.logLevel.NOTHING,
  }),
  groupId: CONSUMER_GROUP,
  registry: { url: SCHEMA_REGISTRY_URL },
  sessionMs: 6_000,
  eventsAtOnce: 40,
  positionsOf,
  take: store,
  signal: stop.signal,
  onTrouble: (cause) =>
    cause instanceof SupersededError ? console.log('superseded') : console.error('downstream consumer:', cause),
});
await pool.end();

async function positionsOf(partitions: readonly number[]): Promise<Map<number, Position>> {
  const text = 'SELECT partition, sequence, next_offset FROM positions WHERE partition = ANY ($1)';
  const { rows } = await pool.query<{ partition: number; sequence: string; next_offset: string }>(text, [partitions]);
  return new Map(
    rows.map(({ partition, sequence, next_offset }) => [
      partition,
      { sequence: BigInt(sequence), offset: BigInt(next_offset) },
    ]),
  );
}

async function store({ partition, events, before, position }: Batch): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('BEGIN');
    const updated = await client.query(
      `INSERT INTO positions VALUES ($1, $2, $3) ON CONFLICT (partition)
       DO UPDATE SET sequence = $2, next_offset = $3 WHERE positions.sequence = $4`,
      [partition, position.sequence, position.offset, before.sequence],
    );
    if (updated.rowCount !== 1) throw new SupersededError(`partition ${partition} is no longer at ${before.sequence}`);
    await client.query(
      `INSERT INTO stored_facts (partition, sequence, tenant_id, book_id, fact, kind, recorded_at, body)
       SELECT $1::int, * FROM unnest($2::bigint[], $3::text[], $4::text[], $5::bigint[], $6::text[], $7::timestamptz[], $8::text[])`,
      [
        partition,
        ...(['sequence', 'tenant_id', 'book_id', 'fact', 'kind', 'recorded_at', 'body'] as const).map((member) =>
          events.map((event) => event[member]),
        ),
      ],
    );
    await client.query('COMMIT');
  } catch (cause) {
    await client.query('ROLLBACK').catch(() => undefined);
    throw cause;
  } finally {
    client.release();
  }
}
