/** Output of commands that print lines while they work. With `--json` one document is printed instead of them. */
import type { CommonOptions } from '../command.ts';
import { ProgressLine } from './progress-line.ts';

export class CommandPrinter {
  readonly progress: ProgressLine;
  readonly #isJson: boolean;

  constructor({ json = false }: CommonOptions, unit: string) {
    this.#isJson = json;
    this.progress = new ProgressLine(process.stderr, unit);
  }

  readonly print = (line: string): void => {
    if (this.#isJson) return;
    this.progress.clear();
    console.log(line);
  };

  readonly setProgress = (done: number, total: number): void => this.progress.set(done, total);

  /** Waits for the work, and prints its result as `describe` writes it where a document is asked for. */
  async during<Result>(work: Promise<Result>, describe: (result: Result) => object): Promise<Result> {
    try {
      const result = await work;
      this.progress.clear();
      if (this.#isJson) console.log(JSON.stringify(describe(result), null, 2));
      return result;
    } finally {
      this.progress.end();
    }
  }
}
