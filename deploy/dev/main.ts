/** `npm start`: the whole service on this machine, in the foreground. `npm run stack`: its backing services alone. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepare } from '#libs/cli/prepare.ts';
import { ownerLoginWarning, usesOwnerLogin } from '#libs/database/service-login.ts';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import { addressesFile, type BackingServiceAddresses, startBackingServices } from './backing-services.ts';
import { createSignInLink } from './console-sign-in.ts';
import { type DemoChoice, seedDemo } from './demo/seed-demo.ts';
import { createDemoTenancies, demoTenancyNames } from './demo-tenancies.ts';
import {
  describeRunningStart,
  developmentPartitions,
  devFiles,
  type LogLine,
  projectDir,
  readEnvFile,
  writeDevFile,
  writeEnvFile,
} from './dev-files.ts';
import { chooseConsolePort, chooseHttpPort } from './ports.ts';
import { runningPids } from './process-control.ts';
import { Supervisor, stopSupervisors, untilShutdownSignal } from './process-supervisor.ts';
import { operatorEnvironment, startServices } from './services.ts';
import { parseStartArguments } from './start-arguments.ts';
import { describeReady } from './start-summary.ts';
import { describeSubmissionTopic, findForeignData } from './used-cell-check.ts';

const dir = join(projectDir, '.data', 'dev');
const clusterFile = join(dir, 'kafka-cluster-id');
const optInVariable = 'LENDING_DEMO_IN_USED_CELL';
const pidCheckIntervalMs = 300;
const startedAt = Number(process.env['LENDING_BOOTSTRAP_STARTED_AT'] ?? Date.now());
const shutdown = untilShutdownSignal();

process.exit(
  await run(async () => {
    const { backingServicesOnly, demo } = parseStartArguments(process.argv.slice(2));
    return backingServicesOnly ? startBackingServicesOnly() : startAll(demo);
  }),
);

/** The exit code. A start that resolves to a code has nothing to run; the others run until they are stopped. */
async function run(start: () => Promise<number | undefined>): Promise<number> {
  // A pending promise alone does not keep a process alive.
  const keepAlive = setInterval(() => undefined, 60_000);
  try {
    const outcome = await Promise.race([start(), shutdown.then(() => 'interrupted' as const)]);
    if (outcome !== undefined && outcome !== 'interrupted') return outcome;
    await shutdown;
    console.log('\nstopping');
    return outcome === 'interrupted' ? 130 : 0;
  } catch (cause) {
    console.error(cause instanceof Error && process.env['LOG_LEVEL'] !== 'debug' ? cause.message : cause);
    return 1;
  } finally {
    clearInterval(keepAlive);
    await stopSupervisors();
  }
}

async function startBackingServicesOnly(): Promise<number | undefined> {
  const log = logAs('stack');
  const { kafkaBrokers, schemaRegistryUrl, databaseUrl, servicesDatabaseUrl, redisUrl, sources, processes, isOwner } =
    await startBackingServices({ log, restartExited: true });
  const addresses = { kafkaBrokers, schemaRegistryUrl, databaseUrl, servicesDatabaseUrl, redisUrl };
  writePrivateFile(addressesFile, JSON.stringify({ ...addresses, sources, processes }, null, 2));
  log(`ready; addresses are in .data/stack.json${isOwner ? '; Ctrl-C stops it' : ''}`);
  return isOwner ? undefined : 0;
}

async function startAll(demoChoice: DemoChoice): Promise<number | undefined> {
  const supervisor = await Supervisor.acquire(dir, logAs('services'), devFiles);
  if (supervisor === undefined) {
    return reportRunningStart();
  }
  // First, so that an unusable PORT is reported before the backing services have started.
  await choosePorts();
  const backingServices = await startBackingServices({ log: logAs('stack'), restartExited: true });
  const isOwnCell = await refuseForeignCell(backingServices);
  if (isOwnCell && backingServices.sources.kafka === 'environment') await rememberCluster(backingServices);
  await prepareCell(backingServices);
  // Again, because the backing services may have taken a port that was free before.
  const { apiPort, consolePort } = await choosePorts();
  const chosen = { port: apiPort.port, consolePort: consolePort.port };
  const services = await startServices({ dir, backingServices, ...chosen, log: logAs('services') });
  supervisor.restartExitedProcesses();
  const { servicesDatabaseUrl } = backingServices;
  const servicesAddresses = { ...backingServices, databaseUrl: servicesDatabaseUrl };
  const demo = await createDemoTenancies(servicesAddresses, dir);
  const demoData = await seedDemo(servicesAddresses, demo.keys.write, {
    // A cell of others may be used on request; it is filled only where that is requested too.
    choice: demoChoice === 'auto' && !isOwnCell ? 'leave empty' : demoChoice,
    stateFile: join(dir, 'demo-data.json'),
    now: Date.now(),
    log: logAs('demo'),
  });
  const signInUrl = services.consoleUrl + (await createSignInLink(servicesDatabaseUrl));
  writeEnvFile({
    ...operatorEnvironment(backingServices),
    LENDING_URL: services.baseUrl,
    LENDING_KEY: demo.keys.write,
    LENDING_TENANT: demo.tenant_id,
    CONSOLE_URL: services.consoleUrl,
  });
  const addresses = {
    kafka_brokers: backingServices.kafkaBrokers,
    schema_registry_url: backingServices.schemaRegistryUrl,
    database_url: backingServices.databaseUrl,
    redis_url: backingServices.redisUrl,
  };
  followPids([backingServices.dir, dir], (processes) => {
    const urls = { base_url: services.baseUrl, console_url: services.consoleUrl, sign_in_url: signInUrl };
    writeDevFile({ ...urls, ...demo, ...(demoData && { demo_data: demoData }), ...addresses, processes });
  });
  const seconds = (Date.now() - startedAt) / 1_000;
  console.log(describeReady({ seconds, services, signInUrl, ports: [apiPort, consolePort] }));
  return undefined;
}

async function choosePorts() {
  const apiPort = await chooseHttpPort(process.env);
  return { apiPort, consolePort: await chooseConsolePort(process.env, new Set([apiPort.port])) };
}

/** The answer of a second start, with a link of its own: the one of the first may be used already. */
async function reportRunningStart(): Promise<number> {
  const running = readEnvFile();
  const { text, exitCode } = describeRunningStart(process.env, running);
  console.log(text);
  const { CONSOLE_URL: consoleUrl, DATABASE_URL: databaseUrl } = running;
  if (exitCode === 0 && consoleUrl !== undefined && databaseUrl !== undefined) {
    console.log(`A new sign-in link of the console: ${consoleUrl}${await createSignInLink(databaseUrl)}`);
  }
  return exitCode;
}

async function prepareCell(backingServices: BackingServiceAddresses): Promise<void> {
  const log = logAs('prepare');
  const { migrations } = await prepare(backingServices, { defaultPartitions: developmentPartitions });
  log(`tables, topics and schemas are ready${migrations.length > 0 ? ` (${migrations.join(', ')})` : ''}`);
  if (usesOwnerLogin(backingServices.databaseUrl, backingServices.servicesDatabaseUrl)) log(ownerLoginWarning);
}

/** Calls back at once, and again whenever a process was restarted, until the shutdown. */
function followPids(dirs: readonly string[], onChange: (pids: Record<string, number>) => void): void {
  let last = '';
  const check = (): void => {
    const pids: Record<string, number> = Object.assign({}, ...dirs.map(runningPids));
    if (JSON.stringify(pids) === last) return;
    last = JSON.stringify(pids);
    onChange(pids);
  };
  check();
  const timer = setInterval(check, pidCheckIntervalMs);
  void shutdown.then(() => clearInterval(timer));
}

/** The environment may name the wrong cell by mistake: one with foreign data is neither migrated nor given demo keys. */
async function refuseForeignCell(backingServices: BackingServiceAddresses): Promise<boolean> {
  if (process.env[optInVariable] === 'yes') return false;
  const clusterId = existsSync(clusterFile) ? readFileSync(clusterFile, 'utf8') : undefined;
  const expected = { tenancies: demoTenancyNames, ...(clusterId === undefined ? {} : { clusterId }) };
  const found = await findForeignData(backingServices, expected);
  if (found === undefined) return true;
  throw new Error(
    `The environment names a cell that is in use: ${found}.\nA development start would migrate it, run services on it and create demo Tenancies and keys in it. Unset its variables, or set ${optInVariable}=yes to allow that.`,
  );
}

/** An address does not identify a Kafka cluster; its id does. */
async function rememberCluster({ kafkaBrokers }: BackingServiceAddresses): Promise<void> {
  const { clusterId } = await describeSubmissionTopic(kafkaBrokers);
  mkdirSync(dir, { recursive: true });
  writeFileSync(clusterFile, clusterId);
}

function logAs(part: string): LogLine {
  return (line) => console.log(`${part.padEnd(8)} ${line}`);
}
