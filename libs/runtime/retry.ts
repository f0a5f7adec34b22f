/** Retries an operation with growing pauses. */
import { setTimeout as sleep } from 'node:timers/promises';

export interface RetryOptions {
  /** Failures for which it returns false are thrown immediately. Default: every failure is retried. */
  readonly isRetryable?: (cause: unknown) => boolean;
  /** When aborted, no further attempt is made and the signal's reason is thrown. */
  readonly signal?: AbortSignal;
  /** The longest first pause; each following pause may be twice as long. */
  readonly firstDelayMs: number;
  readonly maxDelayMs: number;
  /** No attempt is started later than this after the first; then the last failure is thrown. Default: no limit. */
  readonly timeoutMs?: number;
  /** A pause that the failure itself requests (`Retry-After`), in addition to the growing one. */
  readonly retryAfterMs?: (cause: unknown) => number | undefined;
  /** Called before each pause. `attempt` is 1 after the first failure. */
  readonly onRetry?: (cause: unknown, attempt: number, delayMs: number) => void;
}

export async function retry<Result>(
  operation: (attempt: number) => Promise<Result> | Result,
  options: RetryOptions,
): Promise<Result> {
  const { isRetryable, signal, timeoutMs = Number.POSITIVE_INFINITY, retryAfterMs, onRetry } = options;
  const deadline = performance.now() + timeoutMs;
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await operation(attempt);
    } catch (cause) {
      if (isRetryable?.(cause) === false) throw cause;
      const delayMs = backoffMs(attempt, options) + (retryAfterMs?.(cause) ?? 0);
      if (performance.now() + delayMs > deadline) throw cause;
      onRetry?.(cause, attempt, delayMs);
      await pause(delayMs, signal);
    }
  }
}

/** Between half of the pause and all of it, so that callers that failed together do not return together. */
function backoffMs(attempt: number, { firstDelayMs: minDelayMs, maxDelayMs }: RetryOptions): number {
  const longest = Math.min(minDelayMs * 2 ** (attempt - 1), maxDelayMs);
  return longest * (0.5 + Math.random() / 2);
}

async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(delayMs, undefined, { signal }).catch((cause: unknown) => {
    // The timer rejects with an AbortError of its own; callers compare with the reason they gave.
    signal?.throwIfAborted();
    throw cause;
  });
}
