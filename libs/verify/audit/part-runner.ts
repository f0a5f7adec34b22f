/** Runs the parts of an audit: several side by side, each followed by the pause that the caller asks for. */

export interface PartRunnerOptions {
  /** How many parts run at once. */
  readonly parallel: number;
  /** Called after each part with its duration; the next part of the same kind waits for it. */
  readonly pause?: ((partMs: number) => Promise<void>) | undefined;
}

export class PartRunner {
  readonly #parallel: number;
  readonly #pause: PartRunnerOptions['pause'];
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
  async run(part: () => Promise<void>): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure.cause;
    const startedAt = performance.now();
    await part();
    await this.#pause?.(performance.now() - startedAt);
  }
}
