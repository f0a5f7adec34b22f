/** `npm run stack`: the backing services alone, in the foreground. */
import { writeFileSync } from 'node:fs';
import { sayWhy } from './say-why.ts';
import { addressesFile, startStack } from './stack.ts';
import { untilTold } from './told.ts';

const say = (line: string): void => console.log(`stack    ${line}`);

const told = untilTold();
try {
  const starting = startStack({ say, revive: true });
  // Told to end while it starts: the watchdog stops what is there by then.
  const stack = await Promise.race([starting, told.then(() => process.exit(130))]);
  const { kafkaBrokers, schemaRegistryUrl, databaseUrl, servicesDatabaseUrl, redisUrl, took, processes } = stack;
  const facts = { kafkaBrokers, schemaRegistryUrl, databaseUrl, servicesDatabaseUrl, redisUrl, took, processes };
  writeFileSync(addressesFile, JSON.stringify(facts, null, 2), { mode: 0o600 });
  say(`ready; addresses are in .data/stack.json${stack.isOurs ? '; Ctrl-C stops it' : ''}`);

  if (stack.isOurs) {
    // A promise alone does not keep a process alive.
    const staying = setInterval(() => undefined, 60_000);
    await told;
    say('stopping');
    await stack.stop();
    clearInterval(staying);
  }
  process.exit();
} catch (cause) {
  sayWhy(cause);
  process.exit(1);
}
