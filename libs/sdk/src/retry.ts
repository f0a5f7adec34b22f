/** Retries: a request is sent again where the refusal says `as_is` or no response came, for a limited time. */
import { RefusalError, UnreachableError } from './errors.ts';

export interface Patience {
  /** No attempt starts later than this after the first one. */
  readonly withinMs: number;
  /** The longest pause after the first attempt; it doubles with each further attempt. */
  readonly firstPauseMs: number;
  readonly longestPauseMs: number;
}

export const defaultPatience: Patience = { withinMs: 30_000, firstPauseMs: 100, longestPauseMs: 5_000 };

/** Time and randomness, replaced in tests that must not wait. */
export interface Clock {
  /** Milliseconds since 1970-01-01. */
  now(): number;
  /** From 0 inclusive to 1 exclusive. */
  random(): number;
  pause(ms: number, signal?: AbortSignal): Promise<void>;
}

export const systemClock: Clock = {
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

export interface RetryOptions {
  readonly patience: Patience;
  readonly clock: Clock;
  readonly signal?: AbortSignal | undefined;
  /** Called for every failed attempt that is followed by another. */
  readonly onRetry?: ((failure: RefusalError | UnreachableError, pauseMs: number) => void) | undefined;
}

/** `attempt` receives whether an earlier attempt may have been recorded. */
export async function withRetries<Answer>(
  { patience, clock, signal, onRetry }: RetryOptions,
  attempt: (outcomeUnknown: boolean) => Promise<Answer>,
): Promise<Answer> {
  const deadline = clock.now() + patience.withinMs;
  let outcomeUnknown = false;
  for (let failures = 1; ; failures += 1) {
    try {
      return await attempt(outcomeUnknown);
    } catch (cause) {
      if (!isRetryable(cause)) throw cause;
      ({ outcomeUnknown } = cause);
      const pauseMs = retryPauseMs(failures, patience, clock.random(), retryAfterSeconds(cause));
      if (clock.now() + pauseMs > deadline) throw cause;
      onRetry?.(cause, pauseMs);
      await clock.pause(pauseMs, signal);
    }
  }
}

export function isRetryable(cause: unknown): cause is RefusalError | UnreachableError {
  return cause instanceof UnreachableError
    ? cause.isTemporary
    : cause instanceof RefusalError && cause.retry === 'as_is';
}

/** The Retry-After of the service or of a proxy; 0 without one. */
export function retryAfterSeconds(failure: RefusalError | UnreachableError): number {
  return failure.retryAfter ?? 0;
}

/** At least the Retry-After, with jitter: callers that were refused together must not return together. */
export function retryPauseMs(
  failures: number,
  { firstPauseMs, longestPauseMs }: Patience,
  random: number,
  retryAfter = 0,
): number {
  const maxPauseMs = Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
  return retryAfter * 1_000 + maxPauseMs * (0.5 + random / 2);
}
