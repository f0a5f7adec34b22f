/** `npm run stack`: the backing services alone, in the foreground. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from './install.ts';
import { startStack } from './stack.ts';

const say = (line: string): void => console.log(`stack  ${line}`);

const stack = await startStack({ say, revive: true });
const { dir: _dir, kafkaBrokers, schemaRegistryUrl, databaseUrl, redisUrl, took, processes } = stack;
const facts = { kafkaBrokers, schemaRegistryUrl, databaseUrl, redisUrl, took, processes };
mkdirSync(join(projectDir, '.data'), { recursive: true });
writeFileSync(join(projectDir, '.data', 'stack.json'), JSON.stringify(facts, null, 2), { mode: 0o600 });
say(`ready; addresses are in .data/stack.json${stack.isOurs ? '; Ctrl-C stops it' : ''}`);

if (stack.isOurs) {
  const stillRunning = setInterval(() => undefined, 60_000);
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, async () => {
      say('stopping');
      await stack.stop();
      clearInterval(stillRunning);
      process.exit();
    });
  }
}
