/** What a cell needs before its first service starts: tables, topics, schemas. Safe to repeat; does what is missing. */

import { migrate } from '#libs/database/migrate.ts';
import { admitServices, isOneLogin } from '#libs/database/service-login.ts';
import { connectKafka } from '#libs/kafka/kafka.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { bookEventAvro, submissionAvro } from '#libs/kafka/schemas.ts';
import { ensureTopics } from '#libs/kafka/topics.ts';

export type CellToPrepare = {
  readonly kafkaBrokers: string;
  readonly schemaRegistryUrl: string;
  /** Logs in as the owner of the tables. */
  readonly databaseUrl: string;
  /** Logs in as the services do. */
  readonly servicesDatabaseUrl: string;
};

/** The names of the migrations that were run now. */
export async function prepare(addresses: CellToPrepare, replicas = 1): Promise<readonly string[]> {
  const { databaseUrl, servicesDatabaseUrl } = addresses;
  const migrations = await migrate(databaseUrl);
  if (!isOneLogin(databaseUrl, servicesDatabaseUrl)) await admitServices(databaseUrl, servicesDatabaseUrl);
  await ensureTopics(connectKafka(addresses.kafkaBrokers, 'lending-prepare'), replicas);
  const registry = new SchemaRegistry(addresses.schemaRegistryUrl);
  for (const { subject, schema, compatibility } of [submissionAvro, bookEventAvro]) {
    await registry.register(subject, schema, compatibility);
  }
  return migrations;
}
