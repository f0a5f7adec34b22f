/** What a cell needs before its first service starts: tables, topics, schemas. Safe to repeat; runs what is missing. */
import { connectKafka } from '#libs/log/kafka.ts';
import { SchemaRegistry } from '#libs/log/schema-registry.ts';
import { bookEventAvro, submissionAvro } from '#libs/log/schemas.ts';
import { ensureTopics } from '#libs/log/topics.ts';
import { migrate } from '#libs/store/migrate.ts';
import type { Say } from '../stack/install.ts';

type Addresses = { readonly kafkaBrokers: string; readonly schemaRegistryUrl: string; readonly databaseUrl: string };

export async function prepare(addresses: Addresses, say: Say): Promise<void> {
  const migrations = await migrate(addresses.databaseUrl);
  say(migrations.length === 0 ? 'the tables are the newest' : `migrated: ${migrations.join(', ')}`);
  await ensureTopics(connectKafka(addresses.kafkaBrokers, 'lending-prepare'));
  const registry = new SchemaRegistry(addresses.schemaRegistryUrl);
  for (const { subject, schema, compatibility } of [submissionAvro, bookEventAvro]) {
    await registry.register(subject, schema, compatibility);
  }
  say('topics are there, schemas registered');
}
