/** A test, a bench or a fuzz run empties what it works on: it takes a cell that the environment names only while that is empty. */
import { Redis } from 'ioredis';
import type { StackFacts } from '#deploy/stack/stack.ts';
import { nobody, strangersIn } from '#deploy/stack/strangers.ts';

const optIn = 'LENDING_TESTS_IN_USED_CELL';

export async function refuseUsedCell(stack: StackFacts, env = process.env): Promise<void> {
  if (env[optIn] === 'yes') return;
  const found = (await strangersIn(stack, nobody)) ?? (await keysIn(stack));
  if (found === undefined) return;
  throw new Error(
    `The environment names a cell that is in use: ${found}.\nTests rebuild, rewind and empty the cell they run in. Unset its variables, and they bring one of their own; where it is there to be emptied, set ${optIn}=yes.`,
  );
}

async function keysIn({ took, redisUrl }: StackFacts): Promise<string | undefined> {
  if (took.redis !== 'environment') return undefined;
  const redis = new Redis(redisUrl, { lazyConnect: true, retryStrategy: () => null });
  try {
    await redis.connect();
    const held = await redis.dbsize();
    return held > 0 ? `its Redis holds ${held} keys` : undefined;
  } finally {
    redis.disconnect();
  }
}
