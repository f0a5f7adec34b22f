/** Time limits for calls of the Kafka client, some of which may never settle. */

/** The value of `work`, or undefined after `timeoutMs`; what `work` does after that is ignored. */
export async function withTimeout<T>(work: Promise<T>, timeoutMs: number): Promise<{ readonly value: T } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), timeoutMs);
  });
  try {
    return await Promise.race([work.then((value) => ({ value })), timeout]);
  } finally {
    clearTimeout(timer);
  }
}

export interface CompletionWait {
  readonly isDone: () => boolean;
  /** A number that changes with every step towards completion. */
  readonly progress: () => number;
  /** True while received data is processed: however long that takes, it is no stall. */
  readonly isWorking: () => boolean;
  /** How long neither of the two may show progress. */
  readonly stallTimeoutMs: number;
  /** Rejects when the work cannot go on. */
  readonly failed: Promise<never>;
}

const pollIntervalMs = 20;

/** True when done; false when there was no progress for `stallTimeoutMs`. */
export async function waitForCompletion(wait: CompletionWait): Promise<boolean> {
  const { isDone, progress, isWorking, stallTimeoutMs, failed } = wait;
  let failure: { readonly cause: unknown } | undefined;
  let wake: () => void = () => undefined;
  // One handler for the whole wait: `failed` may stay pending for as long as a topic is read.
  failed.catch((cause: unknown) => {
    failure = { cause };
    wake();
  });
  let before: number | undefined;
  for (let lastProgressAt = performance.now(); ; ) {
    if (failure !== undefined) throw failure.cause;
    if (isDone()) return true;
    const now = progress();
    if (now !== before || isWorking()) lastProgressAt = performance.now();
    else if (performance.now() - lastProgressAt > stallTimeoutMs) return false;
    before = now;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
      timer = setTimeout(resolve, pollIntervalMs);
    });
    clearTimeout(timer);
  }
}
