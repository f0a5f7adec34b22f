/** What an audit of the stored data finds about one Tenancy, one line each. */
import { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { openReadOnlyDatabase } from '#libs/database/pool.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { auditStored } from '#libs/verify/audit/audit-stored.ts';
import { formatFinding } from '#libs/verify/audit/findings.ts';
import { ResolvedData } from '#libs/verify/audit/read-ingress-lookups.ts';
import { ShortSnapshots } from '#libs/verify/audit/snapshots.ts';
import type { TestEnvironment } from './tenant.ts';

export async function auditFindings({ stack }: TestEnvironment, tenantId: string): Promise<string[]> {
  const database = openReadOnlyDatabase({ url: stack.databaseUrl, name: 'audit of a test' });
  const { read } = new ShortSnapshots(database);
  const { findings } = await auditStored(
    read,
    { deciderFor, maxFindings: 10_000 },
    new ResolvedData(PartitionDatabases.of(database)),
  );
  await database.end();
  return findings.listed.filter(({ where }) => where.startsWith(`${tenantId}/`)).map(formatFinding);
}
