/** New, empty backing services and the services on them, for one test run or benchmark. Removed afterwards. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import {
  type BackingServices,
  type BackingServicesOptions,
  removeBackingServices,
  startBackingServices,
} from '#deploy/dev/backing-services.ts';
import { type LogLine, testPartitions } from '#deploy/dev/dev-files.ts';
import { Supervisor } from '#deploy/dev/process-supervisor.ts';
import { type RunningServices, startServices } from '#deploy/dev/services.ts';
import type { OwnedDatabase } from '#libs/cli/cell-databases.ts';
import { prepare } from '#libs/cli/prepare.ts';
import { databaseCount } from './database-count.ts';
import { refuseUsedCell } from './used-cell.ts';

export interface IsolatedStack {
  readonly backingServices: BackingServices;
  readonly services: RunningServices;
  /** Of the further databases, by name. */
  readonly partitionDatabases: ReadonlyMap<string, OwnedDatabase>;
  /** The folder of the data and logs is removed unless `keepLogs` is set. */
  stop(options?: { readonly keepLogs?: boolean }): Promise<void>;
}

interface StackOptions extends Pick<BackingServicesOptions, 'containerTool'> {
  /** `testPartitions` by default. */
  readonly partitions?: number;
}

export async function startIsolatedStack(
  root: string,
  log: LogLine,
  { partitions = testPartitions, ...options }: StackOptions = {},
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
    const partitionDatabases = await createPartitionDatabases(backingServices);
    const placement = placeInTurns([...partitionDatabases.keys()], partitions);
    const addresses = { ...backingServices, partitionDatabases };
    await prepare(addresses, { partitions, placement });
    const services = await startServices({ dir, backingServices: addresses, log });
    return { backingServices, services, partitionDatabases, stop };
  } catch (cause) {
    await stop({ keepLogs: true });
    throw cause;
  }
}

/** On the server of the home database. By name. */
async function createPartitionDatabases({
  databaseUrl,
  servicesDatabaseUrl,
}: BackingServices): Promise<ReadonlyMap<string, OwnedDatabase>> {
  const further = databaseCount - 1;
  const server = new pg.Client({ connectionString: databaseUrl });
  const databases = new Map<string, OwnedDatabase>();
  if (further === 0) return databases;
  await server.connect();
  try {
    for (let number = 1; number <= further; number += 1) {
      await server.query(`CREATE DATABASE lending_further_${number}`);
      const at = (url: string): string => Object.assign(new URL(url), { pathname: `/lending_further_${number}` }).href;
      databases.set(`further-${number}`, { ownerUrl: at(databaseUrl), servicesUrl: at(servicesDatabaseUrl) });
    }
  } finally {
    await server.end();
  }
  return databases;
}

function placeInTurns(names: readonly string[], partitions: number): ReadonlyMap<number, string> {
  const placement = new Map<number, string>();
  for (let partition = 0; partition < partitions; partition += 1) {
    const name = names[(partition % (names.length + 1)) - 1];
    if (name !== undefined) placement.set(partition, name);
  }
  return placement;
}
