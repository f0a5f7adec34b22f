/** The time in which a key and its successor both work. */
import { setTimeout as sleep } from 'node:timers/promises';
import { InterruptedError } from './command.ts';
import { ProgressLine } from './output/progress-line.ts';

const stopSignals = ['SIGINT', 'SIGTERM'] as const;

/** Nothing else would revoke the former key later, so the command waits. */
export async function waitOutOverlap(overlapMs: number, revokeCommand: string): Promise<void> {
  if (overlapMs === 0) return;
  const seconds = overlapMs / 1_000;
  console.error(`Both keys work for ${seconds} s. Leave this command running: it revokes the former key then.`);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  for (const name of stopSignals) process.once(name, stop);
  const progress = new ProgressLine(process.stderr, 'seconds');
  const ticks = setInterval(() => progress.set(Math.round((Date.now() - startedAt) / 1_000), seconds), 1_000);
  const startedAt = Date.now();
  await sleep(overlapMs, undefined, { signal: stopping.signal }).catch(() => undefined);
  clearInterval(ticks);
  progress.end();
  for (const name of stopSignals) process.removeListener(name, stop);
  if (!stopping.signal.aborted) return;
  throw new InterruptedError(`ended early, so both keys work; to revoke the former one: ${revokeCommand}`);
}
