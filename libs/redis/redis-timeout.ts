/**
 * Redis that is there and does not answer, as one that was stopped or stands behind a network that swallows: its
 * connection looks as ever. One who waited in vain is enough: until it says something again it is taken for away.
 */
import type { Redis } from 'ioredis';

/**
 * A tenth of a second, in short waits one after the other: while this process does not get to run, one of them ends and
 * the answer may long be there, so that being busy is not taken for silence.
 */
const waitMs = 20;
const waits = 5;

const silent = new WeakSet<Redis>();

export function isSilent(redis: Redis): boolean {
  return silent.has(redis);
}

/** What Redis answers, or soon a fault: for whoever can be answered from elsewhere. */
export function answerInTime<T>(redis: Redis, asked: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout;
    const wait = (left: number): void => {
      timer = setTimeout(() => (left > 1 ? wait(left - 1) : setImmediate(giveUp)), waitMs);
    };
    let isSettled = false;
    const settle = (): void => {
      isSettled = true;
      clearTimeout(timer);
    };
    const giveUp = (): void => {
      if (isSettled) return;
      reject(new Error('Redis does not answer in time'));
      leaveAloneUntil(redis, asked);
    };
    asked.finally(settle).then(resolve, reject);
    wait(waits);
  });
}

/** What Redis answers, in as much time as the driver gives it; whoever asks next does not wait as long. */
export async function answerNoted<T>(redis: Redis, asked: Promise<T>): Promise<T> {
  try {
    return await asked;
  } catch (fault) {
    if (isTimeout(fault)) leaveAloneUntil(redis, asked);
    throw fault;
  }
}

function leaveAloneUntil(redis: Redis, asked: Promise<unknown>): void {
  if (silent.has(redis)) return;
  silent.add(redis);
  untilHeard(redis, asked);
}

/** Whatever it says to what it was asked, or to a ping after that, ends its silence; without a connection nothing is silent. */
function untilHeard(redis: Redis, asked: Promise<unknown>): void {
  const heard = (): void => {
    silent.delete(redis);
  };
  asked.then(heard, (fault: unknown) => {
    if (isTimeout(fault) && redis.status === 'ready') untilHeard(redis, redis.ping());
    else heard();
  });
}

function isTimeout(fault: unknown): boolean {
  return fault instanceof Error && fault.message === 'Command timed out';
}
