/** Starts ingress and query behind one port, in as many processes as `GATEWAY_PROCESSES` says. */
import cluster from 'node:cluster';
import { readConfig } from '#libs/runtime/config.ts';
import { exitAfterFailedStart, runService, type Service } from '#libs/runtime/service.ts';
import { gatewaySettings } from '#libs/runtime/settings.ts';
import { othersListen, runPrimary } from './primary.ts';
import { openGatewayWorker } from './worker.ts';

const processes = readProcessCount();
const open = (service: Service): Promise<void> => openGatewayWorker(service, othersListen());
// A single process needs no primary.
if (cluster.isWorker) await runService('gateway', open, 'with the primary');
else if (processes === 1) await runService('gateway', open);
else await runPrimary(processes);

function readProcessCount(): number {
  try {
    return readConfig(process.env, gatewaySettings).processes;
  } catch (cause) {
    exitAfterFailedStart('gateway', cause);
  }
}
