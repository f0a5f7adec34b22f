/** A Client to begin with, however the file before ended: whoever was killed in it may not have left the group yet. */
import { register } from '#test/integration/given-loans.ts';
import { eventually, type Tenant } from '#test/integration/tenant.ts';

export function registered(tenant: Tenant, client: string): Promise<void> {
  return eventually(async () => [200, 201].includes((await register(tenant, client)).status));
}
