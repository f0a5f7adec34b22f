/** What was read and is not yet decided. The reader waits until it is told to read on, and the log keeps the rest. */
import type { LogRecord } from '#libs/kafka/log-reader.ts';

interface Gathered {
  readonly partition: number;
  readonly source: LogRecord;
}

const mostTogether = 500;
const mostBytesTogether = 512 * 1024;

export class Inbox {
  #gathered: Gathered[] = [];
  #readOn: PromiseWithResolvers<void> | undefined;

  get isEmpty(): boolean {
    return this.#gathered.length === 0;
  }

  put(partition: number, records: readonly LogRecord[]): void {
    for (const source of records) this.#gathered.push({ partition, source });
  }

  /** One promise for all who wait for the same. */
  untilReadOn(): Promise<void> {
    this.#readOn ??= Promise.withResolvers<void>();
    return this.#readOn.promise;
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
    return this.#gathered.splice(0, many);
  }

  clear(): void {
    this.#gathered = [];
    this.letReadOn();
  }

  letReadOn(): void {
    this.#readOn?.resolve();
    this.#readOn = undefined;
  }
}
