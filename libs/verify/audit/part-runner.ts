/** Runs the parts of an audit, side by side or one after the other, with the pauses that the caller asks for. */

/** Called with how long was worked since the last pause; the work goes on when it resolves. With the signal the audit ends. */
export type Pause = (workedMs: number, ended: AbortSignal) => Promise<void>;

/** As long as a snapshot may be open. More is waiting, for a standby or a failover: a pause for it would last for hours. */
const maxWorkedMs = 60_000;

export interface PartRunnerOptions {
  /** How many parts run at once. */
  readonly parallel: number;
  readonly pause?: Pause | undefined;
}

export class PartRunner {
  readonly #parallel: number;
  readonly #pause: Pause | undefined;
  /** With the first failure as its reason. */
  readonly #ended = new AbortController();

  constructor({ parallel, pause }: PartRunnerOptions) {
    this.#parallel = parallel;
    this.#pause = pause;
  }

  /** Runs tasks, each of which runs its parts one after the other. Rejects once all have stopped. */
  async runAll(tasks: readonly (() => Promise<void>)[]): Promise<void> {
    let next = 0;
    const work = async (): Promise<void> => {
      for (let task = tasks[next++]; task !== undefined && !this.#ended.signal.aborted; task = tasks[next++]) {
        try {
          await task();
        } catch (cause) {
          this.#ended.abort(cause);
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#parallel, tasks.length) }, work));
    this.#ended.signal.throwIfAborted();
  }

  /** Rejects where a part of another task has failed: before the part, or at its next pause. */
  async run(part: (pacer: Pacer) => Promise<void>): Promise<void> {
    this.#ended.signal.throwIfAborted();
    await runPart(part, this.#pause, this.#ended.signal);
  }
}

async function runPart(
  part: (pacer: Pacer) => Promise<void>,
  pause: Pause | undefined,
  ended: AbortSignal,
): Promise<void> {
  const pacer = new Pacer(pause, ended);
  await part(pacer);
  await pacer.pause();
}

/** Pauses a part for what it has worked since its last pause: after it, and within it where it takes long. */
export class Pacer {
  readonly #pause: Pause | undefined;
  readonly #ended: AbortSignal;
  #resumedAt = performance.now();

  constructor(pause: Pause | undefined, ended: AbortSignal) {
    this.#pause = pause;
    this.#ended = ended;
  }

  /** Rejects where the audit has ended. */
  async pause(): Promise<void> {
    this.#ended.throwIfAborted();
    await this.#pause?.(Math.min(performance.now() - this.#resumedAt, maxWorkedMs), this.#ended);
    this.#resumedAt = performance.now();
  }
}

/** Runs the parts of several readers one after the other: they share one core, and one pause. */
export class PartQueue {
  readonly #pause: Pause | undefined;
  #last: Promise<void> = Promise.resolve();
  /** Those that wait, and the one that runs or pauses. */
  #unfinished = 0;
  readonly #stopped = new AbortController();

  constructor(pause: Pause | undefined) {
    this.#pause = pause;
  }

  /** Also during a pause. */
  get isBusy(): boolean {
    return this.#unfinished > 0;
  }

  /** Rejects where this part or one before it fails, and where the queue is stopped. */
  run(part: () => Promise<void>): Promise<void> {
    this.#unfinished += 1;
    this.#last = this.#last
      .then(() => {
        this.#stopped.signal.throwIfAborted();
        return runPart(part, this.#pause, this.#stopped.signal);
      })
      .finally(() => {
        this.#unfinished -= 1;
      });
    return this.#last;
  }

  /** Resolves when the part that runs has ended. Its pause is broken off, and those that wait are left out. */
  async stop(): Promise<void> {
    this.#stopped.abort();
    await this.#last.catch(() => undefined);
  }
}
