/** Prepares a cell for its first service: tables, login, topics and schemas. Safe to repeat; does only what is missing. */

import { migrate } from '#libs/database/migrate.ts';
import { createServiceLogin, usesOwnerLogin } from '#libs/database/service-login.ts';
import { bookEventSchema } from '#libs/kafka/book-event.ts';
import { connectKafka, type KafkaClient } from '#libs/kafka/kafka-client.ts';
import { movementSchema } from '#libs/kafka/movement.ts';
import { lostDataRunbook, SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { submissionSchema } from '#libs/kafka/submission-record.ts';
import { withAdmin } from '#libs/kafka/topic-offsets.ts';
import { ensureTopics, findMissingTopics, topics } from '#libs/kafka/topics.ts';

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

/** Returns the names of the migrations it ran. By default a wait is reported on standard error: programs read the other one. */
export async function prepare(
  addresses: CellToPrepare,
  replicas?: number,
  reportWait: (line: string) => void = console.error,
): Promise<readonly string[]> {
  const { databaseUrl, servicesDatabaseUrl } = addresses;
  const kafka = connectKafka(addresses.kafkaBrokers, 'lending-prepare');
  const registry = new SchemaRegistry(addresses.schemaRegistryUrl);
  await requireSchemasOfRecords(kafka, registry);
  const onWait = (cause: unknown): void =>
    reportWait(`Waiting to migrate the database: ${cause instanceof Error ? cause.message : String(cause)}`);
  const migrations = await migrate(databaseUrl, { onWait });
  if (!usesOwnerLogin(databaseUrl, servicesDatabaseUrl)) await createServiceLogin(databaseUrl, servicesDatabaseUrl);
  await ensureTopics(kafka, replicas);
  for (const { subject, schema, compatibility } of Object.values(schemaByTopic)) {
    await registry.register(subject, schema, compatibility);
  }
  return migrations;
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
