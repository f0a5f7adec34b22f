/** What an audit of the stored data finds about one Tenancy, one line each; and options of an audit of one database of the cell. */
import type { Redis } from 'ioredis';
import type { Database } from '#libs/database/database.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { SnapshotCache } from '#libs/database/snapshot-cache.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { auditStored } from '#libs/verify/audit/audit-stored.ts';
import { formatFinding } from '#libs/verify/audit/findings.ts';
import { ResolvedData } from '#libs/verify/audit/read-ingress-lookups.ts';
import { ShortSnapshots } from '#libs/verify/audit/snapshots.ts';
import type { TestEnvironment } from './tenant.ts';
import { openTestDatabases } from './test-databases.ts';

export async function auditFindings(environment: TestEnvironment, tenantId: string): Promise<string[]> {
  const { databases, close } = await openTestDatabases(environment, { name: 'audit of a test', as: 'audit' });
  const found: string[] = [];
  for (const database of databases.all) {
    const options = storedOptions(databases, database);
    const { read } = new ShortSnapshots(database);
    const { findings } = await auditStored(read, options, new ResolvedData(databases));
    found.push(...findings.listed.filter(({ where }) => where.startsWith(`${tenantId}/`)).map(formatFinding));
  }
  await close();
  return found;
}

/** With the topics and Redis. */
export function auditOptions(
  { stack }: TestEnvironment,
  databases: PartitionDatabases,
  { database, redis }: { readonly database: Database; readonly redis: Redis },
) {
  return {
    ...storedOptions(databases, database),
    database,
    databases,
    kafka: connectKafka(stack.kafkaBrokers, 'audit'),
    schemaRegistryUrl: stack.schemaRegistryUrl,
    logger: silentLogger,
    cache: new SnapshotCache(redis, deciderFor),
  };
}

function storedOptions(databases: PartitionDatabases, database: Database) {
  return { deciderFor, maxFindings: 10_000, others: databases.all.filter((each) => each !== database) };
}
