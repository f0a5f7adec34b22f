/** What an audit of the stored data finds about one Tenancy, one line each. */
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
    const others = databases.all.filter((each) => each !== database);
    const options = { deciderFor, maxFindings: 10_000, others };
    const { read } = new ShortSnapshots(database);
    const { findings } = await auditStored(read, options, new ResolvedData(databases));
    found.push(...findings.listed.filter(({ where }) => where.startsWith(`${tenantId}/`)).map(formatFinding));
  }
  await close();
  return found;
}
