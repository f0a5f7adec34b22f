/** A start may come before what it stands on: what opens such a thing is tried again until it is there. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { WarnLog } from '#libs/kafka/kafka.ts';
import { SchemaRegistryError } from '#libs/kafka/schema-registry.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';

const firstPauseMs = 100;
const longestPauseMs = 1_000;

/**
 * Ending instead would only have the service started again and again, by whoever keeps it, while `/readyz` could tell
 * nobody what it waits for. What is wrong with ourselves or with how we were told to start is thrown at once.
 */
export async function untilThere<Opened>(
  what: string,
  open: () => Promise<Opened>,
  say: Pick<WarnLog, 'warn'>,
): Promise<Opened> {
  let isTold = false;
  for (let pause = firstPauseMs; ; pause = Math.min(pause * 2, longestPauseMs)) {
    try {
      const opened = await open();
      if (isTold) say.warn({}, `${what} answers now`);
      return opened;
    } catch (cause) {
      if (!isAway(cause)) throw cause;
      if (!isTold) say.warn({ err: cause }, `${what} does not answer; trying until it does`);
      isTold = true;
      await sleep(pause);
    }
  }
}

function isAway(cause: unknown): boolean {
  if (cause instanceof SchemaRegistryError) return cause.status === undefined || cause.status >= 500;
  return cause instanceof DependencyUnavailableError;
}
