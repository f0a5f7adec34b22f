/** New, empty backing services and the services on them, for one test run or benchmark. Removed afterwards. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import {
  type BackingServices,
  type BackingServicesOptions,
  removeBackingServices,
  startBackingServices,
} from '#deploy/dev/backing-services.ts';
import { developmentPartitions, type LogLine } from '#deploy/dev/dev-files.ts';
import { Supervisor } from '#deploy/dev/process-supervisor.ts';
import { type RunningServices, startServices } from '#deploy/dev/services.ts';
import { prepare } from '#libs/cli/prepare.ts';
import { refuseUsedCell } from './used-cell.ts';

export interface IsolatedStack {
  readonly backingServices: BackingServices;
  readonly services: RunningServices;
  /** The folder of the data and logs is removed unless `keepLogs` is set. */
  stop(options?: { readonly keepLogs?: boolean }): Promise<void>;
}

type StackOptions = Pick<BackingServicesOptions, 'containerTool' | 'optimizeForLoad'>;

export async function startIsolatedStack(
  root: string,
  log: LogLine,
  options: StackOptions = {},
): Promise<IsolatedStack> {
  const dir = join(root, 'services');
  const backingServices = await startBackingServices({ ...options, dir: join(root, 'stack'), log });
  const supervisor = await Supervisor.acquire(dir, log);
  const stop: IsolatedStack['stop'] = async ({ keepLogs = false } = {}) => {
    await supervisor?.stop();
    await backingServices.stop();
    if (keepLogs) log(`logs are kept in ${join(root, '*', 'logs')}`);
    else {
      removeBackingServices(backingServices);
      rmSync(root, { recursive: true, force: true });
    }
  };
  try {
    if (supervisor === undefined) throw new Error(`another process uses ${dir}; wait until it has ended`);
    await refuseUsedCell(backingServices);
    await prepare(backingServices, { partitions: developmentPartitions });
    return { backingServices, services: await startServices({ dir, backingServices, log }), stop };
  } catch (cause) {
    await stop({ keepLogs: true });
    throw cause;
  }
}
