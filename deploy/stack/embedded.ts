/** The services run from Maven and npm packages alone, as local processes. */

import { kafka } from './embedded/kafka.ts';
import { postgres } from './embedded/postgres.ts';
import type { Recipe } from './embedded/recipe.ts';
import { redis } from './embedded/redis.ts';
import { registry } from './embedded/registry.ts';
import type { Say } from './install.ts';
import { portsFor } from './ports.ts';
import type { ServiceName } from './probes.ts';
import { launch } from './processes.ts';

export type Embedded = Partial<Record<ServiceName, string>>;

const recipes: Readonly<Record<ServiceName, Recipe>> = { kafka, registry, postgres, redis };

/** Starts them and gives their addresses; whether they answer is for the caller to await. */
export async function embed(dir: string, names: readonly ServiceName[], say: Say, lasting: boolean): Promise<Embedded> {
  const ports = await portsFor(dir, names);
  const started = names.map(async (name) => {
    const recipe = recipes[name];
    const port = ports[name];
    launch(dir, await recipe.prepare(dir, port, say, lasting));
    return [name, recipe.address(dir, port)] as const;
  });
  // All settle before one failure is told: what was launched meanwhile must stand in the table to be stopped.
  const outcomes = await Promise.allSettled(started);
  const failed = outcomes.find((outcome) => outcome.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
  return Object.fromEntries(
    outcomes.map((outcome) => (outcome as PromiseFulfilledResult<readonly [ServiceName, string]>).value),
  );
}
