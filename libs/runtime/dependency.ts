/** What to do when a backing service does not answer. */
import type { Logger } from './logging.ts';
import { retry } from './retry.ts';

/** A fault of the environment, never of the caller. Thrown by adapters; answered with 503 or retried. */
export class DependencyUnavailableError extends Error {
  override readonly name = 'DependencyUnavailableError';

  constructor(dependency: string, options?: ErrorOptions) {
    super(`${dependency} is unavailable`, options);
  }
}

/** Whether waiting may help. An error of a driver states this in a property `isRetryable`. */
function isTemporary(cause: unknown): boolean {
  if (cause instanceof DependencyUnavailableError) return true;
  return cause instanceof Error && 'isRetryable' in cause && cause.isRetryable === true;
}

/**
 * Opens something a service needs to start, retrying until it is available: ending instead would only have the process
 * restarted, and `/readyz` could not report what is missing. Other errors are thrown immediately.
 */
export async function waitForDependency<Opened>(
  name: string,
  open: () => Promise<Opened>,
  logger: Pick<Logger, 'warn'>,
): Promise<Opened> {
  /** One line for each kind of error: the next one may need another remedy. */
  const loggedErrors = new Set<string>();
  const opened = await retry(open, {
    isRetryable: isTemporary,
    firstDelayMs: 100,
    maxDelayMs: 1_000,
    onRetry: (cause) => {
      const kind = cause instanceof Error ? cause.name : '';
      if (loggedErrors.has(kind)) return;
      loggedErrors.add(kind);
      logger.warn(
        { event: 'dependency.unavailable', err: cause, dependency: name },
        `${name}: unavailable; retrying until it answers`,
      );
    },
  });
  if (loggedErrors.size > 0) logger.warn({ event: 'dependency.available', dependency: name }, `${name}: available`);
  return opened;
}
