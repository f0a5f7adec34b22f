/** Runs the parts of an audit, side by side or one after the other, with the pauses that the caller asks for. */

/** Called with how long was worked since the last pause; the work goes on when it resolves. */
export type Pause = (workedMs: number) => Promise<void>;

/** More is waiting, for a standby or a failover of Postgres: a pause for it would last for hours. */
const maxWorkedMs = 5_000;

export interface PartRunnerOptions {
  /** How many parts run at once. */
  readonly parallel: number;
  readonly pause?: Pause | undefined;
}

export class PartRunner {
  readonly #parallel: number;
  readonly #pause: Pause | undefined;
  #failure: { readonly cause: unknown } | undefined;

  constructor({ parallel, pause }: PartRunnerOptions) {
    this.#parallel = parallel;
    this.#pause = pause;
  }

  /** Runs tasks, each of which runs its parts one after the other. Rejects once all have stopped. */
  async runAll(tasks: readonly (() => Promise<void>)[]): Promise<void> {
    let next = 0;
    const work = async (): Promise<void> => {
      for (let task = tasks[next++]; task !== undefined && this.#failure === undefined; task = tasks[next++]) {
        try {
          await task();
        } catch (cause) {
          this.#failure ??= { cause };
        }
      }
    };
    await Promise.all(Array.from({ length: Math.min(this.#parallel, tasks.length) }, work));
    if (this.#failure !== undefined) throw this.#failure.cause;
  }

  /** Rejects without running the part where a part of another task has failed. */
  async run(part: (pacer: Pacer) => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.cause;
    await runPart(part, this.#pause);
  }
}

async function runPart(part: (pacer: Pacer) => Promise<void>, pause: Pause | undefined): Promise<void> {
  const pacer = new Pacer(pause);
  await part(pacer);
  await pacer.pause();
}

/** Pauses a part for what it has worked since its last pause: after it, and within it where it takes long. */
export class Pacer {
  readonly #pause: Pause | undefined;
  #resumedAt = performance.now();

  constructor(pause: Pause | undefined) {
    this.#pause = pause;
  }

  async pause(): Promise<void> {
    await this.#pause?.(Math.min(performance.now() - this.#resumedAt, maxWorkedMs));
    this.#resumedAt = performance.now();
  }
}

/** Runs the parts of several readers one after the other: they share one core, and one pause. */
export class PartQueue {
  readonly #pause: Pause | undefined;
  #last: Promise<void> = Promise.resolve();
  /** Those that wait, and the one that runs or pauses. */
  #unfinished = 0;
  #isStopped = false;

  constructor(pause: Pause | undefined) {
    this.#pause = pause;
  }

  /** Also during a pause. */
  get isBusy(): boolean {
    return this.#unfinished > 0;
  }

  /** Rejects where this part or one before it fails. */
  run(part: () => Promise<void>): Promise<void> {
    this.#unfinished += 1;
    this.#last = this.#last
      .then(() => (this.#isStopped ? undefined : runPart(part, this.#pause)))
      .finally(() => {
        this.#unfinished -= 1;
      });
    return this.#last;
  }

  /** Resolves when the part that runs, and its pause, have ended. Those that wait are left out. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#last.catch(() => undefined);
  }
}
