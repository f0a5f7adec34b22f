/** Opens a Tenancy on the cluster for the load, with bounds that do not limit it. */
import { type Cluster, runCommand } from '#deploy/cluster/cluster.ts';
import { LenderLoad, type LoadOptions } from './lender-load.ts';

const bounds = ['--concurrent', '1000', '--per-second', '10000', '--burst', '10000'];
const actor = ['--actor', 'faults'];
const clientCount = 120;
/** Enough that books stay small in two hours: reads of a growing book would make the load heavier by the minute. */
const clientCountOfMixedLoad = 1_000;

export type LoadedTenancy = { readonly tenantId: string; readonly load: LenderLoad };

export async function openLoad(
  { layout, tree, gatewayUrls }: Cluster,
  options: Pick<LoadOptions, 'perSecond' | 'isMixed'>,
): Promise<LoadedTenancy> {
  const tenantId = `load-${Date.now().toString(36)}`;
  const command = (args: readonly string[]): Promise<string> => runCommand(layout, tree, args);
  await command(['tenancy', 'open', tenantId, ...actor]);
  await command(['tenancy', 'bounds', tenantId, ...bounds, ...actor]);
  const minted = await command(['key', 'mint', tenantId, '--scope', 'write', ...actor]);
  const key = /lsk_test_[\w-]+/.exec(minted)?.[0];
  if (key === undefined) throw new Error(`key mint printed no secret: ${minted.slice(0, 200)}`);
  const clients = options.isMixed ? clientCountOfMixedLoad : clientCount;
  const load = new LenderLoad({ gatewayUrls, tenantId, key, ...options, clients });
  await load.prepare();
  return { tenantId, load };
}
