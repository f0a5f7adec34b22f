/** `npm start`: the whole house on one machine for development, in the foreground. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Custody, takeCustody } from '#deploy/stack/custody.ts';
import { projectDir, type Say } from '#deploy/stack/install.ts';
import { freePort, isFree } from '#deploy/stack/ports.ts';
import { pidsIn } from '#deploy/stack/processes.ts';
import { startStack } from '#deploy/stack/stack.ts';
import { untilTold } from '#deploy/stack/told.ts';
import { prepare } from '#libs/cli/prepare.ts';
import { demoTenancies } from './demo.ts';
import { environmentOf, startServices } from './house.ts';
import { whatToTry } from './what-to-try.ts';

const dir = join(projectDir, '.data', 'dev');
const devFile = join(projectDir, '.data', 'dev.json');
// What the command line reads where the environment says nothing else (the script `lending` of package.json).
const envFile = join(projectDir, '.data', 'dev.env');
const began = Date.now();

function sayAs(who: string): Say {
  return (line) => console.log(`${who.padEnd(8)} ${line}`);
}

const told = untilTold();
const custody = await takeCustody(dir, sayAs('services'), forget);
if (custody === undefined) {
  console.log(`It runs already, at ${runningAt()}; its keys are in .data/dev.json.`);
  process.exit();
}
try {
  const stop = await Promise.race([start(custody), told.then(() => undefined)]);
  if (stop === undefined) process.exit(130);
  // A promise alone does not keep a process alive.
  const staying = setInterval(() => undefined, 60_000);
  await told;
  clearInterval(staying);
  console.log('\nstopping');
  await stop();
  process.exit();
} catch (cause) {
  // What has started so far is stopped by the watchdogs.
  console.error(cause instanceof Error && process.env['LOG_LEVEL'] !== 'debug' ? cause.message : cause);
  process.exit(1);
}

async function start(services: Custody): Promise<() => Promise<void>> {
  const stack = await startStack({ say: sayAs('stack'), revive: true });
  const migrations = await prepare(stack);
  sayAs('prepare')(`tables, topics and schemas are there${migrations.length > 0 ? ` (${migrations.join(', ')})` : ''}`);
  const house = await startServices({ dir, stack, port: await usualPort(), say: sayAs('services') });
  services.revive(sayAs('services'));
  const demo = await demoTenancies(stack, dir);
  const dev = {
    base_url: house.baseUrl,
    ...demo,
    kafka_brokers: stack.kafkaBrokers,
    schema_registry_url: stack.schemaRegistryUrl,
    database_url: stack.databaseUrl,
    redis_url: stack.redisUrl,
    processes: { ...stack.processes, ...pidsIn(dir) },
  };
  // Keys and a password: for the eyes of whoever started it.
  writeFileSync(`${devFile}.new`, `${JSON.stringify(dev, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${devFile}.new`, devFile);
  writeFileSync(
    envFile,
    environmentLines({ ...environmentOf(stack), LENDING_URL: house.baseUrl, LENDING_KEY: demo.keys.write }),
    {
      mode: 0o600,
    },
  );
  console.log(whatToTry(house.baseUrl, Date.now() - began));
  return async () => {
    await services.end(async () => forget());
    await stack.stop();
  };
}

/** The one told, else the usual one, so that what somebody wrote down yesterday works today. */
async function usualPort(): Promise<number> {
  const told = process.env['PORT'];
  if (told !== undefined && told !== '') return Number(told);
  return (await isFree(8080)) ? 8080 : freePort();
}

function forget(): void {
  for (const file of [devFile, envFile]) rmSync(file, { force: true });
}

function environmentLines(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${value}\n`)
    .join('');
}

function runningAt(): string {
  try {
    return (JSON.parse(readFileSync(devFile, 'utf8')) as { base_url: string }).base_url;
  } catch {
    return 'an address it will tell when it is ready';
  }
}
