/** Delivered records as batches of log entries, in order. The consumer is held back; Kafka keeps the rest. */
import type { SubmissionCodec } from '#libs/kafka/submission-record.ts';
import type { TopicRecord } from '#libs/kafka/topic-consumer.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { retry } from '#libs/runtime/retry.ts';
import { decodeRecord, isRelease, type LogEntry, schemaNotFoundError } from './log-entry.ts';
import { measureStage } from './stage-times.ts';

interface DeliveredRecord {
  readonly partition: number;
  readonly source: TopicRecord;
}

const maxRecordsPerBatch = 500;
const maxBatchBytes = 512 * 1024;
const decodeRetry = { firstDelayMs: 40, maxDelayMs: 1_000 };
/** A schema unknown to the registry is looked up this often before the record counts as undecodable. */
const maxSchemaLookups = 5;

export class BatchQueue {
  readonly #codec: SubmissionCodec;
  readonly #logger: Logger;
  #records: DeliveredRecord[] = [];
  /** Batches that are decoded and not taken. */
  #batches: LogEntry[][] = [];
  #resume: PromiseWithResolvers<void> | undefined;
  /** Aborts the decoding of records that are cleared. */
  #decoding = new AbortController();

  constructor(codec: SubmissionCodec, logger: Logger) {
    this.#codec = codec;
    this.#logger = logger;
  }

  get isEmpty(): boolean {
    return this.#records.length === 0 && this.#batches.length === 0;
  }

  add(partition: number, records: readonly TopicRecord[]): void {
    for (const source of records) this.#records.push({ partition, source });
  }

  /** Settles when the consumer may deliver more. One promise serves all partitions. */
  untilResumed(): Promise<void> {
    this.#resume ??= Promise.withResolvers<void>();
    return this.#resume.promise;
  }

  resumeConsumer(): void {
    this.#resume?.resolve();
    this.#resume = undefined;
  }

  /** The next batch, which stays the first. Undefined where there is none, or where the queue was cleared meanwhile. */
  async peek(): Promise<readonly LogEntry[] | undefined> {
    if (this.#batches.length === 0 && this.#records.length > 0) {
      const { signal } = this.#decoding;
      const entries = await measureStage('decode', () => this.#decode(this.#takeRecords(), signal));
      if (!signal.aborted) this.#batches = splitAtReleases(entries);
    }
    return this.#batches[0];
  }

  removeFirst(): void {
    this.#batches.shift();
  }

  clear(): void {
    this.#decoding.abort();
    this.#decoding = new AbortController();
    this.#records = [];
    this.#batches = [];
    this.resumeConsumer();
  }

  /** The records of the next batch, bounded so that the first of them does not wait for all. */
  #takeRecords(): DeliveredRecord[] {
    let bytes = 0;
    let count = 0;
    for (const { source } of this.#records) {
      bytes += source.value?.length ?? 0;
      if (count > 0 && (count === maxRecordsPerBatch || bytes > maxBatchBytes)) break;
      count += 1;
    }
    return this.#records.splice(0, count);
  }

  /** Retries while the schema registry does not answer. When aborted, returns what is decoded so far. */
  async #decode(records: readonly DeliveredRecord[], signal: AbortSignal): Promise<LogEntry[]> {
    const entries: LogEntry[] = [];
    let schemaLookups = 0;
    const decodeRest = async (): Promise<void> => {
      for (const { partition, source } of records.slice(entries.length)) {
        const entry = await decodeRecord(this.#codec, partition, source);
        const schemaNotFound = schemaNotFoundError(entry);
        if (schemaNotFound !== undefined && schemaLookups < maxSchemaLookups) {
          schemaLookups += 1;
          throw schemaNotFound;
        }
        schemaLookups = 0;
        entries.push(entry);
      }
    };
    const onRetry = (err: unknown): void => {
      const { partition, source } = records[entries.length] as DeliveredRecord;
      const fields = { event: 'processor.record_read_failed', err, partition, offset: source.offset } as const;
      this.#logger.warn(fields, 'failed to decode a record; retrying');
    };
    await retry(decodeRest, { ...decodeRetry, signal, onRetry }).catch((cause: unknown) => {
      if (!signal.aborted) throw cause;
    });
    return entries;
  }
}

/** Puts each release into a batch of its own: it reads what earlier batches committed. */
function splitAtReleases(entries: readonly LogEntry[]): LogEntry[][] {
  const batches: LogEntry[][] = [];
  let canExtend = false;
  for (const entry of entries) {
    const isSeparate = isRelease(entry);
    if (canExtend && !isSeparate) batches.at(-1)?.push(entry);
    else batches.push([entry]);
    canExtend = !isSeparate;
  }
  return batches;
}
