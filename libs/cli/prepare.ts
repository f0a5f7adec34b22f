/** Prepares a cell for its first service: tables, login, topics and schemas. Safe to repeat; does only what is missing. */

import { migrate } from '#libs/database/migrate.ts';
import { createServiceLogin, usesOwnerLogin } from '#libs/database/service-login.ts';
import { bookEventSchema } from '#libs/kafka/book-event.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { movementSchema } from '#libs/kafka/movement.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { submissionSchema } from '#libs/kafka/submission-record.ts';
import { ensureTopics } from '#libs/kafka/topics.ts';

export type CellToPrepare = {
  readonly kafkaBrokers: string;
  readonly schemaRegistryUrl: string;
  /** Logs in as the owner of the tables. */
  readonly databaseUrl: string;
  /** Logs in as the services do. */
  readonly servicesDatabaseUrl: string;
};

/** Returns the names of the migrations it ran. */
export async function prepare(addresses: CellToPrepare, replicas?: number): Promise<readonly string[]> {
  const { databaseUrl, servicesDatabaseUrl } = addresses;
  const migrations = await migrate(databaseUrl, { onWait: reportWait });
  if (!usesOwnerLogin(databaseUrl, servicesDatabaseUrl)) await createServiceLogin(databaseUrl, servicesDatabaseUrl);
  await ensureTopics(connectKafka(addresses.kafkaBrokers, 'lending-prepare'), replicas);
  const registry = new SchemaRegistry(addresses.schemaRegistryUrl);
  for (const { subject, schema, compatibility } of [submissionSchema, bookEventSchema, movementSchema]) {
    await registry.register(subject, schema, compatibility);
  }
  return migrations;
}

/** On standard error, because standard output is read by programs. */
function reportWait(cause: unknown): void {
  console.error(`Waiting to migrate the database: ${cause instanceof Error ? cause.message : String(cause)}`);
}
