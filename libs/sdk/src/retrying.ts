/** When a request is sent again: where the refusal says `as_is` or no answer came, for as long as the caller has patience. */
import { LendingError, LendingUnreachable } from './errors.ts';

export interface Patience {
  /** How long is tried, from the first attempt on. */
  readonly withinMs: number;
  /** The pause after the first attempt at most; each next is at most twice as long. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

export const usualPatience: Patience = { withinMs: 30_000, firstPauseMs: 100, longestPauseMs: 5_000 };

/** The world as waiting needs it; given by tests that do not wait. */
export interface World {
  /** Milliseconds since 1970-01-01. */
  now(): number;
  /** From 0 inclusive to 1 exclusive. */
  random(): number;
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

export const theWorld: World = {
  now: () => Date.now(),
  random: () => Math.random(),
  pause: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(signal.reason);
      const abort = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort);
        resolve();
      }, ms);
      signal?.addEventListener('abort', abort, { once: true });
    }),
};

export interface Retrying {
  readonly patience: Patience;
  readonly world: World;
  readonly signal?: AbortSignal | undefined;
  /** Told of every attempt that failed and is followed by another. */
  readonly onRetry?: ((failure: LendingError | LendingUnreachable, pauseMs: number) => void) | undefined;
}

/** `attempt` is told whether one before it may have been recorded. */
export async function retrying<Answer>(
  { patience, world, signal, onRetry }: Retrying,
  attempt: (outcomeUnknown: boolean) => Promise<Answer>,
): Promise<Answer> {
  const until = world.now() + patience.withinMs;
  let outcomeUnknown = false;
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt(outcomeUnknown);
    } catch (cause) {
      if (!isWorthAnother(cause)) throw cause;
      ({ outcomeUnknown } = cause);
      const pauseMs = pauseAfter(failures, patience, world.random(), toldSeconds(cause));
      if (world.now() + pauseMs > until) throw cause;
      onRetry?.(cause, pauseMs);
      await world.pause(pauseMs, signal);
    }
  }
}

export function isWorthAnother(cause: unknown): cause is LendingError | LendingUnreachable {
  return cause instanceof LendingUnreachable || (cause instanceof LendingError && cause.retry === 'as_is');
}

/** Seconds the service asked to wait. */
export function toldSeconds(failure: LendingError | LendingUnreachable): number {
  return failure instanceof LendingError ? (failure.retryAfter ?? 0) : 0;
}

/** Spread, so that callers who were turned away together do not come back together; never before the service said. */
export function pauseAfter(
  failures: number,
  { firstPauseMs, longestPauseMs }: Patience,
  random: number,
  toldSeconds = 0,
): number {
  const most = Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
  return toldSeconds * 1_000 + most * (0.5 + random / 2);
}
