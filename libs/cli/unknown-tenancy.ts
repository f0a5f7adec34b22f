/** What an operator reads where a Tenancy does not exist. */
import type { AdministrationReads } from '#libs/submission/administration-reads.ts';

export async function requireTenancy(administration: AdministrationReads, tenantId: string): Promise<void> {
  if ((await administration.isLive(tenantId)) === undefined) throw unknownTenancy(tenantId);
}

export function unknownTenancy(tenantId: string): Error {
  return new Error(
    `there is no Tenancy ${tenantId}; lending tenancy list lists all, lending tenancy open ${tenantId} opens it`,
  );
}
