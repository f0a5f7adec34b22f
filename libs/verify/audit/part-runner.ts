/** Runs the parts of an audit: several side by side, each followed by the pause that the caller asks for. */

/** Called after each part with its duration; the next part of the same kind waits for it. */
export type Pause = (partMs: number) => Promise<void>;

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
  async run(part: (time: WorkingTime) => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.cause;
    await runPart(part, this.#pause);
  }
}

async function runPart(part: (time: WorkingTime) => Promise<void>, pause: Pause | undefined): Promise<void> {
  const time = new WorkingTime(pause);
  await part(time);
  await time.pause();
}

/** How long a part has worked since its last pause. */
export class WorkingTime {
  readonly #pause: Pause | undefined;
  #since = performance.now();

  constructor(pause: Pause | undefined) {
    this.#pause = pause;
  }

  /** Also within a part that works for seconds. */
  async pause(): Promise<void> {
    await this.#pause?.(performance.now() - this.#since);
    this.#since = performance.now();
  }
}

/** Runs the parts of several readers one after the other: they share one core, and one pause. */
export class PartQueue {
  readonly #pause: Pause | undefined;
  #last: Promise<void> = Promise.resolve();
  #waiting = 0;

  constructor(pause: Pause | undefined) {
    this.#pause = pause;
  }

  /** Also during a pause. */
  get isWorking(): boolean {
    return this.#waiting > 0;
  }

  /** Rejects where this part or one before it fails. */
  run(part: () => Promise<void>): Promise<void> {
    this.#waiting += 1;
    this.#last = this.#last
      .then(() => runPart(part, this.#pause))
      .finally(() => {
        this.#waiting -= 1;
      });
    return this.#last;
  }
}
