/** Kafka's client has ways never to end what it began: it is waited for, but not for ever. */

/** What it came to, or undefined where it took longer; it then goes on by itself, and nobody hears of its failure. */
export async function within<T>(work: Promise<T>, ms: number): Promise<{ readonly done: T } | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), ms);
  });
  try {
    return await Promise.race([work.then((done) => ({ done })), late]);
  } finally {
    clearTimeout(timer);
  }
}

export interface Moving {
  readonly isThere: () => boolean;
  /** Changes with everything that comes nearer. */
  readonly far: () => number;
  /** What came is worked on: it is nearer when that is done, however long it takes. */
  readonly isAtWork: () => boolean;
  /** How long it may stand still. */
  readonly patientForMs: number;
  /** Rejects where there is no going on. */
  readonly failed: Promise<never>;
}

const lookEveryMs = 20;

/** Whether it came there: it is waited for as long as it moves. */
export async function whileItMoves({ isThere, far, isAtWork, patientForMs, failed }: Moving): Promise<boolean> {
  let broken: { readonly cause: unknown } | undefined;
  let wake: () => void = () => undefined;
  // Once: it may be pending for as long as a whole topic is read.
  failed.catch((cause: unknown) => {
    broken = { cause };
    wake();
  });
  let before: number | undefined;
  for (let since = performance.now(); ; ) {
    if (broken !== undefined) throw broken.cause;
    if (isThere()) return true;
    const now = far();
    if (now !== before || isAtWork()) since = performance.now();
    else if (performance.now() - since > patientForMs) return false;
    before = now;
    let timer: NodeJS.Timeout | undefined;
    await new Promise<void>((resolve) => {
      wake = resolve;
      timer = setTimeout(resolve, lookEveryMs);
    });
    clearTimeout(timer);
  }
}
