import type { ChildProcess } from 'node:child_process';

/** How long output may still arrive after the exit. */
const drainTimeoutMs = 2_000;

/**
 * The exit code of a process; null where it was killed, as it is after the timeout. Does not wait for `close`, which
 * children of the process that hold its pipes would delay.
 */
export async function waitForExitCode(child: ChildProcess, timeoutMs: number): Promise<number | null> {
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => resolve(code));
  });
  const timeout = setTimeout(() => child.kill('SIGKILL'), timeoutMs);
  try {
    const code = await exited;
    await Promise.race([closed, new Promise((resolve) => setTimeout(resolve, drainTimeoutMs).unref())]);
    return code;
  } finally {
    clearTimeout(timeout);
    child.stdout?.destroy();
    child.stderr?.destroy();
  }
}
