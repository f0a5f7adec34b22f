/**
 * `npm run test:fuzz`: Schemathesis sends requests that the OpenAPI document allows, and some that it forbids, to new services,
 * and checks every answer against the document. FUZZ_EXAMPLES is the number of requests per route, FUZZ_SEED the random seed.
 * Arguments after `--` go to Schemathesis: npm run test:fuzz -- --include-operation-id readLoan
 */
import { type SpawnOptions, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { untilShutdownSignal } from '#deploy/dev/process-supervisor.ts';
import { formatSecret } from '#libs/auth/signer.ts';
import type { Json } from '#libs/schema/json.ts';
import { closeObjects, type DocumentNode } from '#test/openapi/published-document.ts';
import { runScenario } from '#test/openapi/scenario.ts';
import { startIsolatedStack } from '#test/stack/isolated-stack.ts';
import { Tenant } from '#test/support/tenant.ts';
import { seeded, seedsOf, withExamples } from './existing-values.ts';

const examples = process.env['FUZZ_EXAMPLES'] ?? '25';
const seed = process.env['FUZZ_SEED'] ?? '20261015';

const printComment = (line: string): void => console.log(`# ${line}`);
const shutdown = untilShutdownSignal();
const python = await pythonWithSchemathesis();
const stack = await startIsolatedStack(join(projectDir, '.data', 'test', String(process.pid)), printComment, {
  containerTool: 'testcontainers',
});
const dir = mkdtempSync(join(tmpdir(), 'lending-fuzz-'));
let code = 1;
try {
  code = await Promise.race([runFuzzing(), shutdown.then(() => 130)]);
} finally {
  await stack.stop({ keepLogs: code === 1 });
  rmSync(dir, { recursive: true, force: true });
}
process.exit(code);

async function runFuzzing(): Promise<number> {
  const { backingServices, services } = stack;
  const tenant = await Tenant.open({ stack: backingServices, services });
  try {
    const document = join(dir, 'openapi.json');
    writeFileSync(document, JSON.stringify(await documentOf(tenant, services.baseUrl)));
    return await runSchemathesis(document, services.baseUrl, tenant);
  } finally {
    await tenant.close();
  }
}

/** The served document with examples and ids that this Tenancy has. */
async function documentOf(tenant: Tenant, baseUrl: string): Promise<DocumentNode> {
  const examplesOfRun = await runScenario(async (method, path, body) => {
    const { status, body: answer } = await tenant.call(method, path, body);
    return { status, body: answer as Json };
  });
  const served = (await (await fetch(`${baseUrl}/v1/openapi.json`)).json()) as DocumentNode;
  return seeded(
    withExamples(closeObjects(served) as DocumentNode, examplesOfRun),
    await seedsOf(tenant, examplesOfRun),
  );
}

function runSchemathesis(document: string, url: string, { signer }: Tenant): Promise<number> {
  const config = join(projectDir, 'test', 'fuzz', 'schemathesis.toml');
  const args = [
    ...['-m', 'schemathesis.cli', '--config-file', config, 'run', document, '--url', url],
    ...['--max-examples', examples, '--seed', seed, ...process.argv.slice(2)],
  ];
  const env = {
    ...process.env,
    LENDING_KEY: formatSecret({ environment: 'test', seed: signer.seed }),
    PYTHONPATH: join(projectDir, 'test', 'fuzz'),
    SCHEMATHESIS_HOOKS: 'signing',
    PYTHONDONTWRITEBYTECODE: '1',
  };
  return run(python, args, { env, cwd: dir });
}

/** The Python of a virtual environment with Schemathesis, which the first run installs. */
async function pythonWithSchemathesis(): Promise<string> {
  const requirements = join(projectDir, 'test', 'fuzz', 'requirements.txt');
  const home = join(projectDir, '.data', 'fuzz');
  const venvPython = join(home, 'bin', 'python');
  const installed = join(home, 'requirements.txt');
  if (existsSync(installed) && readFileSync(installed, 'utf8') === readFileSync(requirements, 'utf8'))
    return venvPython;
  printComment('installing Schemathesis');
  mkdirSync(home, { recursive: true });
  const created = await run('python3', ['-m', 'venv', home]).catch(() => 1);
  if (created !== 0) throw new Error('Schemathesis needs Python 3.10 or later with venv: python3 on the PATH');
  if ((await run(venvPython, ['-m', 'pip', 'install', '--quiet', '-r', requirements])) !== 0) {
    throw new Error('Schemathesis could not be installed from PyPI');
  }
  writeFileSync(installed, readFileSync(requirements));
  return venvPython;
}

function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<number> {
  const child = spawn(command, args, { ...options, stdio: 'inherit' });
  void shutdown.then(() => child.kill());
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
}
