/** A command of a document in a process group of its own, which Ctrl-C in a terminal interrupts as a whole. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';

export interface GroupOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Descriptor 3 is a pipe from this process: a line of it says that the command has ended, its end that this process has. */
const runWatched = '(read -r <&3 || kill -INT 0) > /dev/null 2>&1 & exec "$@" 3<&-';

/** The group is interrupted also when this process is killed, for example with an interrupted test run. */
export function startProcessGroup(
  file: string,
  args: readonly string[],
  options: GroupOptions = {},
): ChildProcessWithoutNullStreams {
  const child = spawn('bash', ['-c', runWatched, 'bash', file, ...args], {
    ...options,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  }) as ChildProcessWithoutNullStreams;
  const watched = (child.stdio as readonly unknown[])[3] as Writable;
  watched.on('error', () => undefined);
  child.once('exit', () => watched.end('\n'));
  return child;
}
