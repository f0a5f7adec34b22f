/** Records that were delivered and are not decided yet. The consumer is held back; Kafka keeps the rest. */
import type { TopicRecord } from '#libs/kafka/topic-consumer.ts';

interface DeliveredRecord {
  readonly partition: number;
  readonly source: TopicRecord;
}

const maxRecordsPerBatch = 500;
const maxBatchBytes = 512 * 1024;

export class DeliveryQueue {
  #records: DeliveredRecord[] = [];
  #resume: PromiseWithResolvers<void> | undefined;

  get isEmpty(): boolean {
    return this.#records.length === 0;
  }

  add(partition: number, records: readonly TopicRecord[]): void {
    for (const source of records) this.#records.push({ partition, source });
  }

  /** Settles when the consumer may deliver more. One promise serves all partitions. */
  untilResumed(): Promise<void> {
    this.#resume ??= Promise.withResolvers<void>();
    return this.#resume.promise;
  }

  /** The records of the next batch, bounded so that the first of them does not wait for all. */
  takeBatch(): DeliveredRecord[] {
    let bytes = 0;
    let count = 0;
    for (const { source } of this.#records) {
      bytes += source.value?.length ?? 0;
      if (count > 0 && (count === maxRecordsPerBatch || bytes > maxBatchBytes)) break;
      count += 1;
    }
    return this.#records.splice(0, count);
  }

  clear(): void {
    this.#records = [];
    this.resumeConsumer();
  }

  resumeConsumer(): void {
    this.#resume?.resolve();
    this.#resume = undefined;
  }
}
