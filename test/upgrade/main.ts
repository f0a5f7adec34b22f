/**
 * `npm run test:upgrade`: replaces the previous release by this one under load, and this one by the previous one again.
 * Every request must be answered 2xx or 429, every acknowledged write recorded, and the audit clean.
 */
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, openSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { removeBackingServices, startBackingServices } from '#deploy/dev/backing-services.ts';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { serviceEnvironment } from '#deploy/dev/services.ts';
import { generateKey, parseSigner, type Signer } from '#libs/auth/signer.ts';
import { auditCell } from '#libs/cli/audit.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { instalmentProduct, loanBody, type ProductVersion } from '#test/support/request-bodies.ts';
import { ServiceProcess } from '#test/support/service-process.ts';
import { eventually } from '#test/support/tenant.ts';
import { UpgradeLoad } from './load.ts';
import { checkOutPreviousRelease, missingPreviousRelease } from './previous-release.ts';

const perSecond = Number(process.env['UPGRADE_RATE'] ?? 60);
const requestsPerPhase = perSecond * 4;
const rounds = Number(process.env['UPGRADE_ROUNDS'] ?? 1);
const clientCount = 40;
const drainMs = 1_000;

type ReleaseName = 'this' | 'previous';

/** A gateway and a processor of one release. */
interface Release {
  readonly gateway: ServiceProcess;
  readonly processor: ServiceProcess;
}

const missing = missingPreviousRelease();
if (missing !== undefined) {
  console.log(`skipped: ${missing}`);
  process.exit(0);
}
const root = mkdtempSync(join(tmpdir(), 'lending-upgrade-'));
const logs = join(root, 'logs');
mkdirSync(logs);
const started = new Set<ServiceProcess>();
const backing = await startBackingServices({ dir: join(root, 'stack'), log: (line) => console.log(`# ${line}`) });
let problems: string[] = ['the test did not end'];
try {
  problems = await run(checkOutPreviousRelease(root));
} finally {
  for (const service of started) service.kill();
  await backing.stop();
  if (problems.length === 0) {
    removeBackingServices(backing);
    rmSync(root, { recursive: true, force: true });
  } else console.log(`logs are kept in ${logs}`);
}
for (const problem of problems.slice(0, 20)) console.log(`FAILED  ${problem}`);
console.log(problems.length === 0 ? 'the upgrade is clean' : `${problems.length} problems`);
process.exit(problems.length === 0 ? 0 : 1);

async function run(previousTree: string): Promise<string[]> {
  await (await importFrom<typeof import('#libs/cli/prepare.ts')>(previousTree, 'libs/cli/prepare.ts')).prepare(backing);
  const before = await startRelease('previous', previousTree);
  const { tenantId, signer } = await openTenancy(previousTree);
  const clients = Array.from({ length: clientCount }, (_, index) => `client-${index}`);
  const load = new UpgradeLoad({ tenantId, signer, clients, perSecond });
  load.addGateway(before.gateway);
  await registerClients(load, clients);

  load.beginPhase('previous release');
  load.start();
  await load.untilAnswered(requestsPerPhase);
  load.beginPhase('migrate');
  const { prepare } = await import('#libs/cli/prepare.ts');
  const { migrations } = await prepare(backing);
  await load.untilAnswered(requestsPerPhase);
  let running = before;
  for (let round = 0; round < rounds; round += 1) {
    running = await upgrade(load, running, projectDir);
    running = await rollBack(load, running, previousTree);
  }
  // The previous release publishes no movements: the audit finds all of them only after this one went on.
  await upgrade(load, running, projectDir);
  await load.stop();

  console.log(`migrations: ${migrations.join(', ') || 'none'}; ${load.acknowledged.size} Receipts acknowledged`);
  printPhases(load);
  const failures = load.phases.flatMap(({ name, failures }) => failures.map((failure) => `${name}: ${failure}`));
  return [...failures, ...(await lostReceipts(tenantId, load.acknowledged)), ...(await auditProblems())];
}

/** A processor of the new release first: the previous one does not know what only the new gateway accepts. */
async function upgrade(load: UpgradeLoad, running: Release, tree: string): Promise<Release> {
  const processor = await replaceProcessor(load, running.processor, 'this', tree);
  const gateway = await replaceGateway(load, running.gateway, 'this', tree);
  return { gateway, processor };
}

async function rollBack(load: UpgradeLoad, running: Release, tree: string): Promise<Release> {
  const gateway = await replaceGateway(load, running.gateway, 'previous', tree);
  const processor = await replaceProcessor(load, running.processor, 'previous', tree);
  return { gateway, processor };
}

async function replaceGateway(
  load: UpgradeLoad,
  running: ServiceProcess,
  name: ReleaseName,
  tree: string,
): Promise<ServiceProcess> {
  load.beginPhase(`start the gateway of ${name} release`);
  const gateway = await startService('gateway', name, tree);
  load.addGateway(gateway);
  await load.untilAnswered(requestsPerPhase);
  load.beginPhase('drain the other gateway');
  await stopCleanly(running);
  await load.untilAnswered(requestsPerPhase);
  return gateway;
}

async function replaceProcessor(
  load: UpgradeLoad,
  running: ServiceProcess,
  name: ReleaseName,
  tree: string,
): Promise<ServiceProcess> {
  load.beginPhase(`start the processor of ${name} release`);
  const processor = await startService('processor', name, tree);
  await eventually(async () => (await ownerCount()) === 2, 30_000);
  await load.untilAnswered(requestsPerPhase);
  load.beginPhase('stop the other processor');
  await stopCleanly(running);
  await eventually(async () => (await ownerCount()) === 1, 30_000);
  await load.untilAnswered(requestsPerPhase);
  return processor;
}

async function startRelease(name: ReleaseName, tree: string): Promise<Release> {
  const [gateway, processor] = await Promise.all([
    startService('gateway', name, tree),
    startService('processor', name, tree),
  ]);
  return { gateway, processor };
}

async function startService(
  service: 'gateway' | 'processor',
  name: ReleaseName,
  tree: string,
): Promise<ServiceProcess> {
  const output = openSync(join(logs, `${service}-of-${name}-${Date.now()}.log`), 'a');
  const env = { ...serviceEnvironment(backing), DRAIN_MS: String(service === 'gateway' ? drainMs : 0) };
  const running = await ServiceProcess.start(service, env, { cwd: tree, stdio: ['ignore', output, output] });
  started.add(running);
  await running.waitUntilReady();
  return running;
}

async function stopCleanly(service: ServiceProcess): Promise<void> {
  const [code, signal] = (await service.stop()) as [number | null, string | null];
  if (code !== 0) throw new Error(`a service ended with ${code ?? signal}; expected 0`);
}

/** By the code of a release itself: it must not meet schemas or tables of a later one. */
function importFrom<Module>(tree: string, file: string): Promise<Module> {
  return import(join(tree, file)) as Promise<Module>;
}

async function openTenancy(tree: string): Promise<{ readonly tenantId: string; readonly signer: Signer }> {
  const file = 'libs/submission/open-submission-client.ts';
  const client = await importFrom<typeof import('#libs/submission/open-submission-client.ts')>(tree, file);
  const { administration, close } = await client.openAdministration(backing, silentLogger);
  const tenantId = `upgrade-${randomUUID().slice(0, 8)}`;
  const tenancy = { tenantId, name: 'Upgrade', live: false, jurisdiction: 'MX', timeZone: 'America/Mexico_City' };
  const { secret, publicKey } = generateKey('test');
  const bounds = { concurrent: 500, patience_ms: 2_000, per_second: 100_000, burst: 100_000 };
  await untilRecorded(() => administration.openTenancy('test', tenancy));
  await untilRecorded(() => administration.setBounds('test', tenantId, bounds));
  const key = { tenantId, publicKey, scope: 'write', holder: 'service', label: 'upgrade' } as const;
  await untilRecorded(() => administration.mintKey('test', key));
  await close();
  return { tenantId, signer: parseSigner(secret) as Signer };
}

/** The processor takes its partitions over when it is ready already. */
function untilRecorded(work: () => Promise<unknown>): Promise<void> {
  return eventually(async () => {
    const result = await work().catch((cause: unknown) => cause);
    return !(result instanceof Error) && !isRefusal(result);
  }, 30_000);
}

async function registerClients(load: UpgradeLoad, clients: readonly string[]): Promise<void> {
  await eventually(async () => (await load.call('GET', '/bounds')).status === 200);
  const created = await load.call('POST', '/product-configurations', instalmentProduct);
  if (created.status !== 201) throw new Error(`no product: ${created.status} ${created.text}`);
  const product = JSON.parse(created.text) as ProductVersion;
  for (const client of clients) {
    await load.call('PUT', `/clients/${client}`, { actor: 'ana', basis: 'signed the contract' });
    const { status, text } = await load.call('POST', '/loans', loanBody(product, client, `loan-${client}`));
    if (status !== 201) throw new Error(`no Loan: ${status} ${text}`);
  }
}

async function queryRows<Row extends pg.QueryResultRow>(sql: string, values: readonly unknown[] = []): Promise<Row[]> {
  const connection = new pg.Client({ connectionString: backing.databaseUrl });
  await connection.connect();
  try {
    return (await connection.query<Row>(sql, [...values])).rows;
  } finally {
    await connection.end();
  }
}

async function ownerCount(): Promise<number> {
  const rows = await queryRows<{ owners: number }>('SELECT count(DISTINCT owner)::int AS owners FROM partitions');
  return rows[0]?.owners ?? 0;
}

async function lostReceipts(tenantId: string, acknowledged: ReadonlySet<string>): Promise<string[]> {
  const sql = "SELECT reference FROM recorded_references WHERE tenant_id = $1 AND namespace = 'receipts'";
  const recorded = new Set((await queryRows<{ reference: string }>(sql, [tenantId])).map(({ reference }) => reference));
  return [...acknowledged].filter((reference) => !recorded.has(reference)).map((reference) => `${reference} is lost`);
}

async function auditProblems(): Promise<string[]> {
  const lines: string[] = [];
  const options = { maxFindings: 20, skipSubmissionTopic: false };
  const { isClean } = await auditCell(backing, options, (line) => lines.push(line));
  console.log(`audit: ${lines.at(-1)}`);
  return isClean ? [] : lines.map((line) => `audit: ${line}`);
}

function printPhases(load: UpgradeLoad): void {
  console.log('| phase | answered | 429 | other | slowest ms |\n| - | - | - | - | - |');
  for (const { name, answered, limited, failures, slowestMs } of load.phases) {
    console.log(`| ${name} | ${answered} | ${limited} | ${failures.length} | ${Math.round(slowestMs)} |`);
  }
}
