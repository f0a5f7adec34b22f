/** `npm start`: the whole house on one machine for development, in the foreground. */
import { join } from 'node:path';
import { type Custody, takeCustody } from '#deploy/stack/custody.ts';
import { followPids } from '#deploy/stack/follow.ts';
import { projectDir, type Say } from '#deploy/stack/install.ts';
import { sayWhy } from '#deploy/stack/say-why.ts';
import { type StackFacts, startStack } from '#deploy/stack/stack.ts';
import { strangersIn } from '#deploy/stack/strangers.ts';
import { untilTold } from '#deploy/stack/told.ts';
import { prepare } from '#libs/cli/prepare.ts';
import { isOneLogin, oneLoginNotice } from '#libs/database/service-login.ts';
import { callersPort } from './callers-port.ts';
import { demoInhabitants, demoTenancies } from './demo.ts';
import { devFiles, readEnvironment, writeDev, writeEnvironment } from './dev-files.ts';
import { operatorsEnvironmentOf, startServices } from './house.ts';
import { logOfLastTime, rememberLog } from './log-of-last-time.ts';
import { runsAlready } from './runs-already.ts';
import { whatToTry } from './what-to-try.ts';

const dir = join(projectDir, '.data', 'dev');
const optIn = 'LENDING_DEMO_IN_USED_CELL';
const began = Date.now();

function sayAs(who: string): Say {
  return (line) => console.log(`${who.padEnd(8)} ${line}`);
}

const told = untilTold();
const custody = await takeCustody(dir, sayAs('services'), devFiles);
if (custody === undefined) {
  const { said, code } = runsAlready(process.env, readEnvironment());
  console.log(said);
  process.exit(code);
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
  sayWhy(cause);
  process.exit(1);
}

async function start(services: Custody): Promise<() => Promise<void>> {
  // First: what whoever starts it can mend is said before they have waited for anything.
  const port = await callersPort(process.env);
  const stack = await startStack({ say: sayAs('stack'), revive: true });
  const isOurs = await refuseStrangers(stack);
  if (isOurs && stack.took.kafka === 'environment') await rememberLog(dir, stack.kafkaBrokers);
  const migrations = await prepare(stack);
  sayAs('prepare')(`tables, topics and schemas are there${migrations.length > 0 ? ` (${migrations.join(', ')})` : ''}`);
  if (isOneLogin(stack.databaseUrl, stack.servicesDatabaseUrl)) sayAs('prepare')(oneLoginNotice);
  const house = await startServices({ dir, stack, port, say: sayAs('services') });
  services.revive(sayAs('services'));
  const demo = await demoTenancies({ ...stack, databaseUrl: stack.servicesDatabaseUrl }, dir);
  const addresses = {
    kafka_brokers: stack.kafkaBrokers,
    schema_registry_url: stack.schemaRegistryUrl,
    database_url: stack.databaseUrl,
    redis_url: stack.redisUrl,
  };
  writeEnvironment({
    ...operatorsEnvironmentOf(stack),
    LENDING_URL: house.baseUrl,
    LENDING_KEY: demo.keys.write,
    LENDING_TENANT: demo.tenant_id,
  });
  const following = followPids([stack.dir, dir], (processes) => {
    writeDev({ base_url: house.baseUrl, ...demo, ...addresses, processes });
  });
  console.log(whatToTry(house.baseUrl, Date.now() - began));
  return async () => {
    following.close();
    await services.end();
    await stack.stop();
  };
}

/** Whoever names a cell in the environment may have named the wrong one: nobody else's is migrated or given demo keys unless that is wanted. */
async function refuseStrangers(stack: StackFacts): Promise<boolean> {
  if (process.env[optIn] === 'yes') return false;
  const log = logOfLastTime(dir);
  const found = await strangersIn(stack, { inhabitants: demoInhabitants, ...(log === undefined ? {} : { log }) });
  if (found === undefined) return true;
  throw new Error(
    `The environment names a cell that is in use: ${found}.\nA development start would migrate it, run services on it and make demo Tenancies and keys in it. Where that is what you want, set ${optIn}=yes.`,
  );
}
