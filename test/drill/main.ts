/**
 * `npm run drill`: under load, loses the database, then Kafka with the schema registry, and brings everything back as
 * docs/operations says. Prints the time of each step and what was lost. DRILL_SECONDS is the duration of the load in each
 * phase.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { BackingServiceAddresses } from '#deploy/dev/backing-services.ts';
import { requireProcess, sendSignal, waitForExit } from '#deploy/dev/process-control.ts';
import { operatorEnvironment, serviceNames, startService } from '#deploy/dev/services.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { findViolations } from '#test/faults/invariants.ts';
import { Workload } from '#test/faults/workload.ts';
import { type BenchEnvironment, printComment, withBenchEnvironment } from '#test/load/bench-environment.ts';
import { waitUntilPublished } from '#test/load/record-receipts.ts';
import { CliProcess } from '#test/support/cli-process.ts';
import { eventually, Tenant } from '#test/support/tenant.ts';
import { type BackupTools, installBackupTools } from './backup-tools.ts';
import { loseKafkaAndRegistry } from './kafka-and-registry.ts';
import {
  archivedMoment,
  destroyDatabase,
  postgresUser,
  queryOwner,
  requireNoRecoverySettings,
  startArchiving,
  startRestored,
} from './postgres-server.ts';

const phaseMs = Number(process.env['DRILL_SECONDS'] ?? 20) * 1_000;
const workers = 24;
/** A request waits for the whole outage. */
const requestTimeoutMs = 20 * 60_000;
const logTimeoutMs = 5 * 60_000;
const serviceStopTimeoutMs = 30_000;

const destroyedServices = ['postgres', 'kafka', 'registry'] as const;

const rows: [step: string, seconds: number][] = [];

await withBenchEnvironment(drill);

async function drill(environment: BenchEnvironment): Promise<void> {
  const { stack } = environment;
  const others = destroyedServices.filter((name) => stack.sources[name] !== 'embedded');
  if (others.length > 0) {
    console.log(
      `drill skipped: it destroys data, and ${others.join(', ')} was not started here; it needs Java and Maven`,
    );
    return;
  }
  const tools = await installBackupTools(postgresUser(stack), stack.databaseUrl, printComment);
  if (typeof tools === 'string') {
    console.log(`drill skipped: ${tools}`);
    return;
  }
  try {
    await loseAndRestore(environment, tools);
  } finally {
    tools.close();
  }
}

async function loseAndRestore(environment: BenchEnvironment, tools: BackupTools): Promise<void> {
  const { stack } = environment;
  await startArchiving(stack, tools.script);
  await tools.runScript('check');
  const tenant = await Tenant.open(environment);
  const workload = new Workload({ tenant, seed: 67, clients: 24, workers, kind: 'everything', requestTimeoutMs });
  await workload.prepare();
  workload.start();
  await sleep(phaseMs);
  await step('base backup, under load', () => tools.runScript('base'));
  await sleep(phaseMs);
  const moment = await step('archive the log up to the moment', () => archivedMoment(stack));
  await sleep(phaseMs);

  const endDatabaseOutage = startOutage(workload, 'outage by the loss of the database');
  const dataDir = await destroyDatabase(stack);
  const atLoss = new Set(workload.acknowledged.keys());
  await step('stop the services', () => stopServices(environment));
  await step('restore the base backup', () => tools.runScript('restore', dataDir, moment));
  await step('apply the log up to the moment', () => startRestored(stack));
  await requireNoRecoverySettings(stack);
  const missing = await countMissing(stack, tenant.id, atLoss);
  printComment(`of ${atLoss.size} acknowledged writes ${missing} are not in the database as of ${moment}`);
  await step('lending prepare', () => lending(stack, 'prepare', '--yes'));
  await step('lending reconcile', () => lending(stack, 'reconcile', '--yes'));
  await step('start the processor and decide what was submitted again', () => startProcessor(environment));
  await step('start the gateway', () => startService(environment.services, 'gateway'));
  await endDatabaseOutage();
  await sleep(phaseMs);

  const endKafkaOutage = startOutage(workload, 'outage by the loss of Kafka and the registry');
  await step('stop the services', () => stopServices(environment));
  await step('start an empty Kafka and an empty registry', () => loseKafkaAndRegistry(stack));
  await step('lending topic remake', () => lending(stack, 'topic', 'remake', '--yes'));
  await step('start the processor', () => startProcessor(environment));
  await step('start the gateway', () => startService(environment.services, 'gateway'));
  await endKafkaOutage();
  await workload.stop();
  const events = await step('publish all events again', () => waitUntilPublished(stack));
  await step('lending audit', () => lending(stack, 'audit'));
  const violations = await findViolations(environment, tenant.id, workload.acknowledged);
  const lost = await countMissing(stack, tenant.id, workload.acknowledged.keys());
  await tenant.close();
  console.log('\n| step | seconds |\n| - | - |');
  for (const [name, seconds] of rows) console.log(`| ${name} | ${seconds.toFixed(1)} |`);
  console.log(
    `\n${workload.acknowledged.size} writes acknowledged, ${events} events; ${missing} writes came back from the topics, ${lost} lost`,
  );
  for (const violation of [...workload.unexpected, ...violations]) console.log(violation);
  if (lost + violations.length + workload.unexpected.length > 0) throw new Error('the drill found lost or wrong data');
}

/** The returned function waits for the next acknowledged write, and notes how long callers had none. */
function startOutage(workload: Workload, name: string): () => Promise<void> {
  const start = performance.now();
  return async () => {
    const answered = workload.acknowledged.size;
    await eventually(() => workload.acknowledged.size > answered, requestTimeoutMs);
    rows.push([name, (performance.now() - start) / 1_000]);
  };
}

async function step<T>(name: string, work: () => Promise<T>): Promise<T> {
  const start = performance.now();
  const result = await work();
  const seconds = (performance.now() - start) / 1_000;
  rows.push([name, seconds]);
  printComment(`${name}: ${seconds.toFixed(1)} s`);
  return result;
}

async function stopServices({ services }: BenchEnvironment): Promise<void> {
  await Promise.all(
    serviceNames.map(async (name) => {
      const entry = requireProcess(services.dir, name);
      sendSignal(entry, 'SIGTERM');
      if (!(await waitForExit(entry, serviceStopTimeoutMs))) sendSignal(entry, 'SIGKILL');
    }),
  );
}

/**
 * Resolves when the log is processed. Until then a write that was acknowledged and is submitted again is not in the database,
 * and a gateway would answer that it does not exist.
 */
async function startProcessor({ stack, services }: BenchEnvironment): Promise<void> {
  await startService(services, 'processor');
  const ends = await topicOffsets(connectKafka(stack.kafkaBrokers, 'drill'), topics.submissions);
  const records = [...ends.values()].reduce((sum, { high }) => sum + high, 0);
  const text = 'SELECT sum(next_offset - log_start)::int AS processed FROM partitions';
  await eventually(
    async () => ((await queryOwner<{ processed: number }>(stack, text))[0]?.processed ?? 0) >= records,
    logTimeoutMs,
  );
}

/** How many of the writes are not in the database. */
async function countMissing(
  stack: BackingServiceAddresses,
  tenantId: string,
  references: Iterable<string>,
): Promise<number> {
  const text = `SELECT reference FROM recorded_references WHERE tenant_id = '${tenantId}'`;
  const recorded = new Set((await queryOwner<{ reference: string }>(stack, text)).map(({ reference }) => reference));
  return [...references].filter((reference) => !recorded.has(reference)).length;
}

/** Runs a command as an operator would. */
async function lending(stack: BackingServiceAddresses, ...args: string[]): Promise<void> {
  const { code, out, err } = await new CliProcess(args, operatorEnvironment(stack)).result;
  for (const line of out.trimEnd().split('\n')) printComment(`  ${line}`);
  if (code !== 0) throw new Error(`lending ${args.join(' ')} exited with ${code}: ${err}`);
}
