import type { ChildProcess } from 'node:child_process';

/** How long what a process wrote last may take to be read after it. */
const drainMs = 2_000;

/**
 * How a process ended, also where others it started live on with its pipes, for which `close` would wait; one that has
 * not ended after `withinMs` is killed. Null for one that was killed.
 */
export async function ending(child: ChildProcess, withinMs: number): Promise<number | null> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  });
  const bound = setTimeout(() => child.kill('SIGKILL'), withinMs);
  try {
    const code = await exited;
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, drainMs).unref())]);
    return code;
  } finally {
    clearTimeout(bound);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}
