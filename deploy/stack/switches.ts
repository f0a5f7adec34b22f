/** How one backing service is switched off and on by hand, as a fault test does: from any process, by what its folder notes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { compose, composeNow } from './containers.ts';
import { startAgain } from './custody.ts';
import type { ServiceName } from './probes.ts';
import { type Entry, entryOf, isAlive, signal, signalTree } from './processes.ts';

type Switches = {
  /** Gone when it resolves. */
  readonly kill: (dir: string, name: ServiceName) => Promise<void>;
  /** On the same port and data; whether it answers is for the caller to await. */
  readonly start: (dir: string, name: ServiceName) => Promise<void>;
  readonly pause: (dir: string, name: ServiceName) => void;
  readonly resume: (dir: string, name: ServiceName) => void;
};

export const switches: Readonly<Record<'containers' | 'embedded', Switches>> = {
  containers: {
    kill: (dir, name) => compose(dir, 'kill', '-s', 'KILL', name),
    start: (dir, name) => compose(dir, 'start', name),
    pause: (dir, name) => composeNow(dir, 'pause', name),
    resume: (dir, name) => composeNow(dir, 'unpause', name),
  },
  embedded: {
    async kill(dir, name) {
      const entry = mustEntry(dir, name);
      signal(entry, 'SIGKILL');
      while (isAlive(entry)) await sleep(5);
    },
    start: (dir, name) => startAgain(dir, mustEntry(dir, name)),
    pause: (dir, name) => signalTree(mustEntry(dir, name), 'SIGSTOP'),
    resume: (dir, name) => signalTree(mustEntry(dir, name), 'SIGCONT'),
  },
};

function mustEntry(dir: string, name: ServiceName): Entry {
  const entry = entryOf(dir, name);
  if (entry === undefined) throw new Error(`${name} does not stand in the table of ${dir}`);
  return entry;
}
