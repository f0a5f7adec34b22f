/** What was read and not yet worked on. Beyond its bound the reader waits, and the log keeps the rest. */
import type { LogRecord } from '#libs/log/log-reader.ts';

interface Gathered {
  readonly partition: number;
  readonly source: LogRecord;
}

const mostBytesHeld = 64 * 1024 * 1024;
const mostTogether = 500;
const mostBytesTogether = 4 * 1024 * 1024;

export class Inbox {
  #gathered: Gathered[] = [];
  #bytes = 0;
  #waiting: (() => void)[] = [];

  get isEmpty(): boolean {
    return this.#gathered.length === 0;
  }

  put(partition: number, records: readonly LogRecord[]): void {
    for (const source of records) {
      this.#gathered.push({ partition, source });
      this.#bytes += source.value?.length ?? 0;
    }
  }

  /** Undefined where there is room now. */
  whenRoom(): undefined | Promise<void> {
    if (this.#bytes <= mostBytesHeld) return undefined;
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
    for (const { source } of taken) this.#bytes -= source.value?.length ?? 0;
    this.#release();
    return taken;
  }

  clear(): void {
    this.#gathered = [];
    this.#bytes = 0;
    this.#release();
  }

  #release(): void {
    if (this.#bytes > mostBytesHeld) return;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
