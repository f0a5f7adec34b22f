/** What a cell needs before its first service starts: tables, topics, schemas. Safe to repeat; does what is missing. */
import { connectKafka } from '#libs/log/kafka.ts';
import { SchemaRegistry } from '#libs/log/schema-registry.ts';
import { bookEventAvro, submissionAvro } from '#libs/log/schemas.ts';
import { ensureTopics } from '#libs/log/topics.ts';
import { migrate } from '#libs/store/migrate.ts';

type Addresses = { readonly kafkaBrokers: string; readonly schemaRegistryUrl: string; readonly databaseUrl: string };

/** The names of the migrations that were run now. `databaseUrl` logs in as the owner of the tables. */
export async function prepare(addresses: Addresses, replicas = 1): Promise<readonly string[]> {
  const migrations = await migrate(addresses.databaseUrl);
  await ensureTopics(connectKafka(addresses.kafkaBrokers, 'lending-prepare'), replicas);
  const registry = new SchemaRegistry(addresses.schemaRegistryUrl);
  for (const { subject, schema, compatibility } of [submissionAvro, bookEventAvro]) {
    await registry.register(subject, schema, compatibility);
  }
  return migrations;
}
