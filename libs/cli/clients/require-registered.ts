/** Names a Client that is not registered, where the service answers as for one about whom nothing is recorded. */
import type { Caller } from '../caller.ts';
import { RefusedError } from '../refused-error.ts';

export async function requireRegistered(caller: Caller, clientId: string): Promise<void> {
  try {
    await caller.request('GET', `/clients/${encodeURIComponent(clientId)}`);
  } catch (cause) {
    if (!(cause instanceof RefusedError) || cause.envelope.code !== 'not_found') throw cause;
    throw new Error(
      `there is no Client ${clientId} in the Tenancy ${caller.tenantId}; lending client export lists all`,
      { cause },
    );
  }
}
