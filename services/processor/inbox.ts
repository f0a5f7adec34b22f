/** What was read and not yet worked on. The reader waits until it is taken, and the log keeps the rest. */
import type { LogRecord } from '#libs/log/log-reader.ts';

interface Gathered {
  readonly partition: number;
  readonly source: LogRecord;
}

const mostTogether = 500;
const mostBytesTogether = 4 * 1024 * 1024;

export class Inbox {
  #gathered: Gathered[] = [];
  #waiting: (() => void)[] = [];

  get isEmpty(): boolean {
    return this.#gathered.length === 0;
  }

  put(partition: number, records: readonly LogRecord[]): void {
    for (const source of records) this.#gathered.push({ partition, source });
  }

  /** Resolves when all that is here now is being worked on. */
  whenTaken(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** What one transaction takes: as much as gathered, bounded so that the first of it does not wait for all. */
  take(): Gathered[] {
    let bytes = 0;
    let many = 0;
    for (const { source } of this.#gathered) {
      bytes += source.value?.length ?? 0;
      if (many > 0 && (many === mostTogether || bytes > mostBytesTogether)) break;
      many += 1;
    }
    const taken = this.#gathered.splice(0, many);
    this.#release();
    return taken;
  }

  clear(): void {
    this.#gathered = [];
    this.#release();
  }

  #release(): void {
    if (!this.isEmpty) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
