/** `npm run cluster`: the production topology on this machine, in the foreground. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import { projectDir } from '../dev/dev-files.ts';
import { stopSupervisors, untilShutdownSignal } from '../dev/process-supervisor.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { cellEnvironment } from './cluster-services.ts';
import { MissingPartError } from './missing-part.ts';

const dir = join(projectDir, '.data', 'cluster');
const { values } = parseArgs({ options: { tree: { type: 'string' } } });
const log = (line: string): void => console.log(`cluster  ${line}`);
const shutdown = untilShutdownSignal();
// A pending promise alone does not keep a process alive.
setInterval(() => undefined, 60_000);
process.exit(await runCluster());

async function runCluster(): Promise<number> {
  const starting = startCluster({ dir, log, ...(values.tree === undefined ? {} : { tree: values.tree }) });
  try {
    const cluster = await Promise.race([starting, shutdown.then(() => undefined)]);
    if (cluster === undefined) return 130;
    cluster.supervisor.restartExitedProcesses();
    describe(cluster);
    await shutdown;
    console.log('\nstopping');
    await cluster.stop();
    return 0;
  } catch (cause) {
    const isMissing = cause instanceof MissingPartError;
    console.error(isMissing ? `The cluster cannot run here: ${cause.message}.` : cause);
    return 1;
  } finally {
    await stopSupervisors();
  }
}

function describe({ layout, gatewayUrls }: Cluster): void {
  const environment = Object.entries({ ...cellEnvironment(layout, 'operator'), LENDING_URL: gatewayUrls[0] });
  const file = join(dir, 'operator.env');
  writePrivateFile(file, environment.map(([name, value]) => `${name}=${value}\n`).join(''));
  console.log(`
The cluster is ready. Gateways: ${gatewayUrls.join(' and ')}. Logs are in .data/cluster/logs.
An operator's variables are in .data/cluster/operator.env:

  node_modules/.bin/node --env-file=.data/cluster/operator.env libs/cli/main.ts --help

Ctrl-C stops everything and keeps the data.`);
}
