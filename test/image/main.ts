/**
 * `npm run test:image`: builds the image, runs the services and the command line from it as its user on a read-only file
 * system, and makes the requests of the README against them.
 */
import { type ChildProcess, execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { removeBackingServices, startBackingServices } from '#deploy/dev/backing-services.ts';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { freePort } from '#deploy/dev/ports.ts';
import { untilShutdownSignal } from '#deploy/dev/process-supervisor.ts';
import { operatorEnvironment, type RunningServices, serviceEnvironment } from '#deploy/dev/services.ts';
import { imageCommands } from '#deploy/image/image-config.ts';
import { MissingProgramError, requireProgram } from '#deploy/tools/programs.ts';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import { runJest } from '#test/run/jest.ts';
import { ImageContainer } from './image-container.ts';

const readyTimeoutMs = 60_000;
const root = join(projectDir, '.data', 'test', String(process.pid));
const log = (line: string): void => console.log(line);
const shutdown = untilShutdownSignal();
const containers: ChildProcess[] = [];

process.exit(await Promise.race([main(), shutdown.then(() => 130)]));

async function main(): Promise<number> {
  try {
    const umoci = await requireProgram('umoci', log);
    const bwrap = await requireProgram('bwrap', log);
    execFileSync(process.execPath, [join(projectDir, 'deploy', 'image', 'main.ts')], { stdio: 'inherit' });
    const bundle = join(root, 'bundle');
    const layout = join(projectDir, '.data', 'image', 'lending');
    mkdirSync(root, { recursive: true });
    execFileSync(umoci, ['unpack', '--rootless', '--image', `${layout}:latest`, bundle]);
    return await makeJourney(new ImageContainer(bwrap, bundle));
  } catch (cause) {
    if (!(cause instanceof MissingProgramError)) throw cause;
    console.log(`skipped: ${cause.message}`);
    return 0;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function makeJourney(image: ImageContainer): Promise<number> {
  await checkIsolation(image);
  const backingServices = await startBackingServices({
    dir: join(root, 'stack'),
    log,
    containerTool: 'testcontainers',
  });
  try {
    const operator = operatorEnvironment(backingServices);
    await lending(image, ['prepare', '--yes'], operator);
    const services = await startServices(image, serviceEnvironment(backingServices));
    await lending(image, ['tenancy', 'open', 'demo'], operator);
    const minted = await lending(image, ['key', 'mint', 'demo', '--scope', 'write'], operator);
    const { secret } = JSON.parse(minted) as { secret: string };
    await callAsInReadme(image, { LENDING_URL: services.baseUrl, LENDING_KEY: secret, LENDING_TENANT: 'demo' });
    const environmentFile = join(root, 'environment.json');
    writePrivateFile(environmentFile, JSON.stringify({ stackDir: backingServices.dir, services }));
    const counts = await runJest('integration', ['test/integration/readme.test.ts'], join(root, 'report.json'), {
      LENDING_TEST_ENVIRONMENT: environmentFile,
    });
    return counts.failed === 0 && counts.passed > 0 ? 0 : 1;
  } finally {
    // The runtime ends the processes of a container with it.
    for (const container of containers) container.kill('SIGKILL');
    await backingServices.stop();
    removeBackingServices(backingServices);
  }
}

/** The process is not root, and can write nothing but its temporary folder. */
async function checkIsolation(image: ImageContainer): Promise<void> {
  const script = `const attempts = ['/x', '/app/x', '/tmp/x'].map((file) => {
    try { fs.writeFileSync(file, ''); return 'written'; } catch (cause) { return cause.code; }
  });
  console.log(process.getuid(), ...attempts);`;
  const { out } = await image.run(['-e', script], {});
  const expected = `${image.uid} EROFS EROFS written`;
  if (out.trim() !== expected || image.uid === 0)
    throw new Error(`isolation: seen ${out.trim()}, expected ${expected}`);
  log(`the image runs as user ${image.uid} on a read-only file system`);
}

async function lending(
  image: ImageContainer,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  input = '',
): Promise<string> {
  const { code, out } = await image.run([...imageCommands.lending, ...args], env, input);
  if (code !== 0) throw new Error(`lending ${args.join(' ')} exited with ${code}: ${out}`);
  return out;
}

async function startServices(image: ImageContainer, env: Readonly<Record<string, string>>): Promise<RunningServices> {
  const ports = [await freePort(), await freePort(), await freePort(), await freePort(), await freePort()];
  const [api, gateway, processor, consolePort, consoleOperations] = ports.map(String);
  const start = (command: readonly string[], variables: Record<string, string>): void => {
    const container = image.start(command, { ...env, HOST: '127.0.0.1', LOG_LEVEL: 'warn', ...variables });
    container.stdout?.pipe(process.stdout);
    containers.push(container);
  };
  start(imageCommands.processor, { METRICS_PORT: processor ?? '' });
  start(imageCommands.gateway, { PORT: api ?? '', METRICS_PORT: gateway ?? '' });
  start(imageCommands.console, { CONSOLE_PORT: consolePort ?? '', METRICS_PORT: consoleOperations ?? '' });
  const operations = {
    processor: `http://127.0.0.1:${processor}`,
    gateway: `http://127.0.0.1:${gateway}`,
    console: `http://127.0.0.1:${consoleOperations}`,
  };
  const startedAt = performance.now();
  await Promise.all(Object.values(operations).map(waitUntilReady));
  log(`the services are ready after ${((performance.now() - startedAt) / 1_000).toFixed(1)} s`);
  const consoleUrl = `http://127.0.0.1:${consolePort}`;
  return { dir: root, baseUrl: `http://127.0.0.1:${api}`, consoleUrl, operations };
}

async function waitUntilReady(url: string): Promise<void> {
  for (const until = Date.now() + readyTimeoutMs; Date.now() < until; await sleep(100)) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    if (response?.status === 200) return;
    if (containers.some(({ exitCode }) => exitCode !== null)) throw new Error('a service exited before it was ready');
  }
  throw new Error(`${url} was not ready within ${readyTimeoutMs} ms`);
}

/** Every request that the README makes with the command line, in its order. */
async function callAsInReadme(image: ImageContainer, env: Readonly<Record<string, string>>): Promise<void> {
  const readme = readFileSync(join(projectDir, 'README.md'), 'utf8');
  const lines = [...readme.matchAll(/^npm run -s lending -- ((?:call|loan show) .+?)(?: +#.*)?$/gm)];
  for (const [, line = ''] of lines) {
    const commands = line.split(' | npm run -s lending -- ');
    let output = '';
    for (const command of commands) output = await lending(image, argumentsOf(command), env, output);
  }
  log(`${lines.length} requests of the README succeeded`);
}

function argumentsOf(line: string): string[] {
  return [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? word ?? '');
}
