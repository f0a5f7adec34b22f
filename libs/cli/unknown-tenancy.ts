/** What an operator reads where a Tenancy does not exist, or is closed. */
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';
import type { AdministrationReads } from '#libs/submission/administration-reads.ts';

export async function requireTenancy(administration: AdministrationReads, tenantId: string): Promise<void> {
  if ((await administration.isLive(tenantId)) === undefined) throw unknownTenancy(tenantId);
}

/** The result, unless it is the refusal of a Tenancy that was never opened or is closed. */
export function explainNotOpen<Result>(result: Result | Refusal, tenantId: string): Result | Refusal {
  if (!isRefusal(result) || result.code !== 'not_found') return result;
  if (result.details?.observed !== 'closed') throw unknownTenancy(tenantId);
  throw new Error(`the Tenancy ${tenantId} is closed; lending tenancy open ${tenantId} --again opens it again`);
}

export function unknownTenancy(tenantId: string): Error {
  return new Error(
    `there is no Tenancy ${tenantId}; lending tenancy list lists all, lending tenancy open ${tenantId} opens it`,
  );
}
