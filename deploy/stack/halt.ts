import { rmSync } from 'node:fs';
import { haltContainers } from './containers.ts';
import type { Say } from './install.ts';
import { haltAll } from './processes.ts';

/** Stops whatever of a folder still runs, as processes or in containers, whoever started it. */
export async function haltFolder(dir: string, say: Say): Promise<void> {
  await haltAll(dir);
  try {
    await haltContainers(dir);
  } catch (cause) {
    // It stays noted: who next starts in the folder tries again.
    say(`containers could not be stopped: ${(cause as Error).message.trim()}`);
  }
}

/** The same, and first the files that tell others of it: nobody is to take what is stopping for what runs. */
export async function clear(dir: string, tells: readonly string[], say: Say): Promise<void> {
  for (const file of tells) rmSync(file, { force: true });
  await haltFolder(dir, say);
}
