/** What a cell needs before its first service starts: tables, topics, schemas. Safe to repeat; does what is missing. */
import { connectKafka } from '#libs/log/kafka.ts';
import { SchemaRegistry } from '#libs/log/schema-registry.ts';
import { bookEventAvro, submissionAvro } from '#libs/log/schemas.ts';
import { ensureTopics } from '#libs/log/topics.ts';
import { migrate } from '#libs/store/migrate.ts';
import { admitServices, isOneLogin } from '#libs/store/service-login.ts';

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
