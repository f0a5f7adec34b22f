/**
 * Reads the partitions a group assigns, from where the reader says and not from where the group last was: the offset
 * that counts lives with the data.
 */
import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import { partitionCount } from './book-key.ts';
import type { WarnLog } from './kafka.ts';
import { topicEnds } from './topic-ends.ts';

export interface LogRecord {
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
}

export interface LogReaderOptions {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topic: string;
  readonly say: WarnLog;
  /** Takes partitions over and says from which offset each is to be read. Tried again until it succeeds. */
  readonly takeOver: (partitions: readonly number[]) => Promise<ReadonlyMap<number, number>>;
  /** Records of one partition, in order, without gap or repeat. Returns a promise where the reader must wait. */
  readonly deliver: (partition: number, records: readonly LogRecord[]) => undefined | Promise<void>;
  /** What must not be mended in silence: the log no longer holds what was not processed. */
  readonly onLost: (cause: Error) => void;
  /** The driver gave up; it does not come back by itself. */
  readonly onCrash: (cause: Error) => void;
}

const heartbeatMs = 1_500;

export class LogReader {
  readonly #options: LogReaderOptions;
  readonly #consumer: Consumer;
  /** The next offset of each partition that is ours; a partition not in it is not, or not yet. */
  #next = new Map<number, number>();
  #generation = 0;
  #awaited: { readonly full: Promise<void>; readonly over: Promise<void> } | undefined;
  readonly #stop = Promise.withResolvers<void>();
  #stopping = false;

  private constructor(options: LogReaderOptions) {
    this.#options = options;
    this.#consumer = options.kafka.consumer({
      groupId: options.groupId,
      sessionTimeout: 6_000,
      rebalanceTimeout: 8_000,
      heartbeatInterval: heartbeatMs,
      maxWaitTimeInMs: 500,
      maxBytesPerPartition: 2 * 1024 * 1024,
      allowAutoTopicCreation: false,
      retry: { initialRetryTime: 200, maxRetryTime: 2_000, retries: Number.MAX_SAFE_INTEGER },
    });
  }

  static async open(options: LogReaderOptions): Promise<LogReader> {
    const reader = new LogReader(options);
    await reader.#start();
    return reader;
  }

  get partitions(): number[] {
    return [...this.#next.keys()].sort((a, b) => a - b);
  }

  /** For display in Kafka's own tools; nothing reads it back. */
  async show(offsets: ReadonlyMap<number, number>): Promise<void> {
    const { topic } = this.#options;
    const shown = [...offsets].map(([partition, offset]) => ({ topic, partition, offset: String(offset) }));
    if (shown.length > 0 && !this.#stopping) await this.#consumer.commitOffsets(shown).catch(() => undefined);
  }

  async stop(): Promise<void> {
    this.#stopping = true;
    // The group is left whatever still waits: what was read and not committed is another's to read.
    this.#stop.resolve();
    this.#generation += 1;
    await this.#consumer.disconnect();
  }

  async #start(): Promise<void> {
    const { topic } = this.#options;
    const { GROUP_JOIN, CRASH } = this.#consumer.events;
    this.#consumer.on(GROUP_JOIN, ({ payload }) => void this.#assigned(payload.memberAssignment[topic] ?? []));
    this.#consumer.on(CRASH, ({ payload }) => {
      if (!payload.restart && !this.#stopping) this.#options.onCrash(payload.error);
    });
    await this.#consumer.connect();
    await this.#consumer.subscribe({ topic, fromBeginning: true });
    await this.#consumer.run({
      autoCommit: false,
      // Each may have to wait; more workers than partitions are woken for nothing with every fetch.
      partitionsConsumedConcurrently: partitionCount,
      eachBatch: (payload) => this.#batch(payload),
    });
  }

  async #assigned(partitions: readonly number[]): Promise<void> {
    this.#generation += 1;
    const generation = this.#generation;
    this.#next = new Map();
    for (let pause = 50; generation === this.#generation; pause = Math.min(pause * 2, 1_000)) {
      try {
        const next = await this.#options.takeOver(partitions);
        await this.#compareWithLog(next);
        if (generation !== this.#generation) return;
        for (const [partition, offset] of next) this.#seek(partition, offset);
        this.#next = new Map(next);
        return;
      } catch (cause) {
        this.#options.say.warn({ err: cause, partitions }, 'partitions could not be taken over yet');
        await new Promise((resolve) => setTimeout(resolve, pause));
      }
    }
  }

  /** What was processed must be in the log: a topic made anew would have its first submissions skipped. */
  async #compareWithLog(next: ReadonlyMap<number, number>): Promise<void> {
    const { topic, onLost } = this.#options;
    for (const [partition, { high }] of await topicEnds(this.#options.kafka, topic)) {
      const processed = next.get(partition);
      if (processed !== undefined && processed > high) {
        onLost(new Error(`partition ${partition} of ${topic} ends at ${high}, before ${processed}: the log was lost`));
      }
    }
  }

  #seek(partition: number, offset: number): void {
    this.#consumer.seek({ topic: this.#options.topic, partition, offset: String(offset) });
  }

  async #batch({ batch, heartbeat }: EachBatchPayload): Promise<void> {
    const { partition } = batch;
    const next = this.#next.get(partition);
    const first = batch.messages[0];
    // Not taken over yet: the seek that follows the takeover brings these again.
    if (next === undefined || first === undefined) return;
    const records = recordsFrom(batch.messages, next);
    const begins = records[0];
    if (begins === undefined) return;
    if (begins.offset > next) return this.#gap(partition, next, begins.offset);
    this.#next.set(partition, begins.offset + records.length);
    const full = this.#options.deliver(partition, records);
    if (full !== undefined) await this.#waitTogether(full, heartbeat);
  }

  /** Partitions that wait for the same thing share a timer and a heartbeat. */
  #waitTogether(full: Promise<void>, heartbeat: () => Promise<void>): Promise<void> {
    if (this.#awaited?.full !== full) this.#awaited = { full, over: this.#wait(full, heartbeat) };
    return this.#awaited.over;
  }

  /** The reader must wait; the group must go on hearing from it. */
  async #wait(full: Promise<void>, heartbeat: () => Promise<void>): Promise<void> {
    let waiting = true;
    const over = full.finally(() => {
      waiting = false;
    });
    while (waiting && !this.#stopping) {
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        over,
        this.#stop.promise,
        new Promise((resolve) => (timer = setTimeout(resolve, heartbeatMs))),
      ]);
      clearTimeout(timer);
      if (waiting && !this.#stopping) await heartbeat();
    }
  }

  async #gap(partition: number, next: number, found: number): Promise<void> {
    const { topic, onLost } = this.#options;
    const ends = (await topicEnds(this.#options.kafka, topic)).get(partition);
    if (ends !== undefined && ends.low <= next) this.#seek(partition, next);
    else
      onLost(new Error(`partition ${partition} of ${topic} begins at ${found}, after ${next}: submissions were lost`));
  }
}

function recordsFrom(messages: readonly KafkaMessage[], next: number): LogRecord[] {
  const records: LogRecord[] = [];
  for (const { offset: text, key, value } of messages) {
    const offset = Number(text);
    if (offset >= next) records.push({ offset, key, value });
  }
  return records;
}
