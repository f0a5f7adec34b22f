/** Prepares a cell for its first service: tables, login, topics and schemas. Safe to repeat; does only what is missing. */

import { migrate } from '#libs/database/migrate.ts';
import { hasBeenUsed, readAllPositions, setPartitionCount } from '#libs/database/partitions.ts';
import { openOwnerDatabase } from '#libs/database/pool.ts';
import { createServiceLogin, usesOwnerLogin } from '#libs/database/service-login.ts';
import { bookEventSchema } from '#libs/kafka/book-event.ts';
import { defaultPartitionCount } from '#libs/kafka/book-key-partition.ts';
import { connectKafka, type KafkaClient } from '#libs/kafka/kafka-client.ts';
import { movementSchema } from '#libs/kafka/movement.ts';
import { lostDataRunbook, SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { submissionSchema } from '#libs/kafka/submission-record.ts';
import { withAdmin } from '#libs/kafka/topic-offsets.ts';
import { ensureTopics, findMissingTopics, findTopics, topics } from '#libs/kafka/topics.ts';
import { servingSchema } from '#libs/verify/rebuild/shadow-schema.ts';
import { choosePartitionCount, type FoundPartitions } from './choose-partition-count.ts';

const schemaByTopic = {
  [topics.submissions]: submissionSchema,
  [topics.bookEvents]: bookEventSchema,
  [topics.movements]: movementSchema,
};

export type CellToPrepare = {
  readonly kafkaBrokers: string;
  readonly schemaRegistryUrl: string;
  /** Logs in as the owner of the tables. */
  readonly databaseUrl: string;
  /** Logs in as the services do. */
  readonly servicesDatabaseUrl: string;
};

export interface PrepareOptions {
  /** As `ensureTopics` takes it. */
  readonly replicas?: number | undefined;
  /** Of a new cell. Another number than that of an existing one is refused. */
  readonly partitions?: number | undefined;
  /** Of a new cell where `partitions` does not say it. */
  readonly defaultPartitions?: number;
  /** By default a wait is reported on standard error: programs read the other one. */
  readonly reportWait?: (line: string) => void;
}

export interface PreparedCell {
  /** The names of those that were run. */
  readonly migrations: readonly string[];
  readonly partitions: number;
}

export async function prepare(
  addresses: CellToPrepare,
  { replicas, partitions, defaultPartitions = defaultPartitionCount, reportWait = console.error }: PrepareOptions = {},
): Promise<PreparedCell> {
  const { databaseUrl, servicesDatabaseUrl } = addresses;
  const kafka = connectKafka(addresses.kafkaBrokers, 'lending-prepare');
  const registry = new SchemaRegistry(addresses.schemaRegistryUrl);
  await requireSchemasOfRecords(kafka, registry);
  const onWait = (cause: unknown): void =>
    reportWait(`Waiting to migrate the database: ${cause instanceof Error ? cause.message : String(cause)}`);
  const migrations = await migrate(databaseUrl, { onWait });
  if (!usesOwnerLogin(databaseUrl, servicesDatabaseUrl)) await createServiceLogin(databaseUrl, servicesDatabaseUrl);
  const partitionCount = await ensurePartitions(kafka, databaseUrl, { requested: partitions, defaultPartitions });
  await ensureTopics(kafka, { partitionCount, replicas });
  for (const { subject, schema, compatibility } of Object.values(schemaByTopic)) {
    await registry.register(subject, schema, compatibility);
  }
  return { migrations, partitions: partitionCount };
}

/** Creates the rows of the partitions of a new cell. Returns how many partitions the cell has. */
async function ensurePartitions(
  kafka: KafkaClient,
  ownerUrl: string,
  choice: Pick<FoundPartitions, 'requested' | 'defaultPartitions'>,
): Promise<number> {
  const owner = openOwnerDatabase({ url: ownerUrl, name: 'prepare' }, servingSchema);
  try {
    const positions = await readAllPositions(owner);
    const inTables = { partitions: positions.size, isUsed: hasBeenUsed(positions) };
    const count = choosePartitionCount({ ...choice, inTables, inTopics: await findTopics(kafka) });
    if (count !== positions.size) await setPartitionCount(owner, count);
    return count;
  } finally {
    await owner.end();
  }
}

/** Each record names its schema by an id. A registry that lost its data would give the schema another one. */
async function requireSchemasOfRecords(kafka: KafkaClient, registry: SchemaRegistry): Promise<void> {
  for (const [topic, { subject }] of Object.entries(schemaByTopic)) {
    if ((await registry.hasSubject(subject)) || !(await holdsRecords(kafka, topic))) continue;
    throw new Error(
      `${topic} holds records, but the schema registry has no schema for ${subject}: it lost its data. ` +
        `Restore them, then run \`lending prepare\` again: ${lostDataRunbook}`,
    );
  }
}

function holdsRecords(kafka: KafkaClient, topic: string): Promise<boolean> {
  return withAdmin(kafka, async (admin) => {
    if ((await findMissingTopics(admin)).includes(topic)) return false;
    return (await admin.fetchTopicOffsets(topic)).some(({ low, high }) => low !== high);
  });
}
