/**
 * `npm run fuzz:api`: Schemathesis asks a house of its own whatever the document permits, and much that it forbids, and
 * must find nothing. FUZZ_EXAMPLES says how often each route is asked, FUZZ_SEED with which dice; words after `--` go to
 * Schemathesis: npm run fuzz:api -- --include-operation-id readLoan
 */
import { type SpawnOptions, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectDir } from '#deploy/stack/install.ts';
import { attachStack } from '#deploy/stack/stack.ts';
import { untilTold } from '#deploy/stack/told.ts';
import type { HouseFacts } from '#deploy/start/house.ts';
import { formatSecret } from '#libs/auth/secret.ts';
import type { Json } from '#libs/schema/json.ts';
import { Tenant } from '#test/integration/tenant.ts';
import { tellStory } from '../openapi/story.ts';
import { closed, type Node } from '../openapi/strict.ts';
import { startTestHouse } from '../stack/start.ts';
import { seeded, seedsOf, withExamples } from './seeds.ts';

const examples = process.env['FUZZ_EXAMPLES'] ?? '25';
const seed = process.env['FUZZ_SEED'] ?? '20261015';

const say = (line: string): void => console.log(`# ${line}`);
const told = untilTold();
const python = await pythonWithSchemathesis();
const house = await startTestHouse(say);
const dir = mkdtempSync(join(tmpdir(), 'lending-fuzz-'));
let code = 1;
try {
  code = await Promise.race([fuzzed(), told.then(() => 130)]);
} finally {
  if (code === 1) house.keepLogs();
  await house.stop();
  rmSync(dir, { recursive: true, force: true });
}
process.exit(code);

async function fuzzed(): Promise<number> {
  const { stackDir, services } = JSON.parse(readFileSync(house.file, 'utf8')) as {
    stackDir: string;
    services: HouseFacts;
  };
  const tenant = await Tenant.open({ stack: attachStack(stackDir), services });
  try {
    const document = join(dir, 'openapi.json');
    writeFileSync(document, JSON.stringify(await documentOf(tenant, services.baseUrl)));
    return await fuzz(document, services.baseUrl, tenant);
  } finally {
    await tenant.close();
  }
}

/** As the service answers it, with what this Tenancy holds. */
async function documentOf(tenant: Tenant, baseUrl: string): Promise<Node> {
  const told = await tellStory(async (method, path, body) => {
    const { status, body: answer } = await tenant.call(method, path, body);
    return { status, body: answer as Json };
  });
  const served = (await (await fetch(`${baseUrl}/v1/openapi.json`)).json()) as Node;
  return seeded(withExamples(closed(served) as Node, told), await seedsOf(tenant, told));
}

function fuzz(document: string, url: string, { signer }: Tenant): Promise<number> {
  const config = join(projectDir, 'test', 'fuzz', 'schemathesis.toml');
  const args = [
    ...['-m', 'schemathesis.cli', '--config-file', config, 'run', document, '--url', url],
    ...['--max-examples', examples, '--seed', seed, ...process.argv.slice(2)],
  ];
  const env = {
    ...process.env,
    LENDING_KEY: formatSecret({ environment: 'test', seed: signer.secretKey.subarray(0, 32) }),
    PYTHONPATH: join(projectDir, 'test', 'fuzz'),
    SCHEMATHESIS_HOOKS: 'signing',
    PYTHONDONTWRITEBYTECODE: '1',
  };
  return run(python, args, { env, cwd: dir });
}

/** Schemathesis in an environment of the project's own, made the first time it is asked for. */
async function pythonWithSchemathesis(): Promise<string> {
  const wanted = join(projectDir, 'test', 'fuzz', 'requirements.txt');
  const home = join(projectDir, '.data', 'fuzz');
  const own = join(home, 'bin', 'python');
  const mark = join(home, 'requirements.txt');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === readFileSync(wanted, 'utf8')) return own;
  say('installing Schemathesis');
  mkdirSync(home, { recursive: true });
  const made = await run('python3', ['-m', 'venv', home]).catch(() => 1);
  if (made !== 0) throw new Error('Schemathesis needs Python 3.10 or later with venv: python3 on the PATH');
  if ((await run(own, ['-m', 'pip', 'install', '--quiet', '-r', wanted])) !== 0) {
    throw new Error('Schemathesis could not be installed from PyPI');
  }
  writeFileSync(mark, readFileSync(wanted));
  return own;
}

function run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<number> {
  const child = spawn(command, args, { ...options, stdio: 'inherit' });
  void told.then(() => child.kill());
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
}
