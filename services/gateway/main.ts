/** Ingress and query behind one port, for one machine, on as many processes as it is told. */
import cluster from 'node:cluster';
import { integerSetting, readConfig } from '#libs/runtime/config.ts';
import { exitAfterFailedStart, runService } from '#libs/runtime/service.ts';
import { runPrimary } from './primary.ts';
import { serveCallers } from './worker.ts';

const processes = processesTold();
// One process needs nobody to hand it its callers.
if (cluster.isWorker) await runService('gateway', serveCallers, 'with the primary');
else if (processes === 1) await runService('gateway', serveCallers);
else await runPrimary(processes);

function processesTold(): number {
  try {
    const reader = integerSetting('GATEWAY_PROCESSES', { min: 1, max: 256, fallback: 1 });
    return readConfig(process.env, { processes: reader }).processes;
  } catch (cause) {
    exitAfterFailedStart('gateway', cause);
  }
}
