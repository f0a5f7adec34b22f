/**
 * Detects a Redis that accepts connections but does not answer. After one timeout it counts as unresponsive, and callers
 * stop using it until it answers again.
 */
import type { Redis } from 'ioredis';

/** 100 ms in short waits: a pause of this process ends one of them, and an answer that has arrived is still read. */
const waitMs = 20;
const waitCount = 5;

const unresponsive = new WeakSet<Redis>();

export function isUnresponsive(redis: Redis): boolean {
  return unresponsive.has(redis);
}

/** Settles like `answer`, or rejects after 100 ms: for callers that can use Postgres instead. */
export function answerOrTimeout<T>(redis: Redis, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout;
    const wait = (remaining: number): void => {
      timer = setTimeout(() => (remaining > 1 ? wait(remaining - 1) : setImmediate(rejectAtTimeout)), waitMs);
    };
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
      clearTimeout(timer);
    };
    const rejectAtTimeout = (): void => {
      if (isSettled) return;
      reject(new Error(`Redis did not answer within ${waitMs * waitCount} ms`));
      markUnresponsive(redis, answer);
    };
    answer.finally(settle).then(resolve, reject);
    wait(waitCount);
  });
}

/** Settles like `answer`. A command timeout of the driver marks Redis as unresponsive, so that the next caller does not wait. */
export async function noteTimeout<T>(redis: Redis, answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (isTimeout(error)) markUnresponsive(redis, answer);
    throw error;
  }
}

function markUnresponsive(redis: Redis, pending: Promise<unknown>): void {
  if (unresponsive.has(redis)) return;
  unresponsive.add(redis);
  clearWhenAnswered(redis, pending);
}

/** Any answer to the pending command, or to a ping after it, counts; so does a lost connection. */
function clearWhenAnswered(redis: Redis, pending: Promise<unknown>): void {
  const clear = (): void => {
    unresponsive.delete(redis);
  };
  pending.then(clear, (error: unknown) => {
    if (isTimeout(error) && redis.status === 'ready') clearWhenAnswered(redis, redis.ping());
    else clear();
  });
}

function isTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Command timed out';
}
