/**
 * Consumes a topic: every record once, in the order of its book, from the position in the caller's store.
 * Offsets committed to Kafka are not used: after a crash they would not match the effects of the records.
 */
import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import {
  checkPosition,
  EventsMissingError,
  InvalidPositionError,
  type NewRecords,
  type NumberedRecord,
  OutOfPlaceError,
  type Position,
  type ReceivedRecord,
  selectNewRecords,
  startPosition,
} from './consumer-position.ts';
import { UndecodableEventError } from './undecodable-event-error.ts';

/** Consecutive records of one partition that were not processed yet. */
interface RecordBatch<Each> extends NewRecords<Each> {
  readonly partition: number;
  readonly before: Position;
}

export interface TopicConsumerOptions<Each> {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topic: string;
  readonly decoder: { decode(framed: Buffer): Promise<Each> };
  readonly positionsOf: (partitions: readonly number[]) => Promise<ReadonlyMap<number, Position>>;
  readonly take: (batch: RecordBatch<Each>) => Promise<void>;
  readonly partitionsAtOnce?: number;
  readonly recordsAtOnce: number | undefined;
  readonly sessionMs?: number;
  readonly signal?: AbortSignal;
  readonly onTrouble: (cause: unknown) => void;
}

interface PartitionState {
  position: Position;
  /** Records with a gap arrived, and were requested again from the position. */
  isRefetching: boolean;
  /** The pause before the next attempt, if the next batch fails. */
  pauseMs: number;
}

/** The offsets of a partition: from `low` inclusive to `high` exclusive. */
type PartitionBounds = ReadonlyMap<number, { readonly low: bigint; readonly high: bigint }>;

const heartbeatMs = 1_000;
const minPauseMs = 50;
const maxPauseMs = 5_000;
/**
 * Retries inside the driver, about six seconds; after them it joins again, unless the consumer has ended. Only then does it
 * notice that another broker coordinates the group.
 */
const driverRetries = 5;
/** How long the end of the consumer waits for a join in progress. */
const joinTimeoutMs = 5_000;

export class TopicConsumer<Each extends NumberedRecord> {
  readonly #options: TopicConsumerOptions<Each>;
  readonly #topic: string;
  readonly #consumer: Consumer;
  readonly #ended: Promise<void>;
  #end: () => void = () => undefined;
  #fail: (cause: unknown) => void = () => undefined;
  #hasEnded = false;
  #hasLeft = false;
  #generation = 0;
  /** The assigned partitions whose positions are known. */
  #partitions = new Map<number, PartitionState>();

  constructor(options: TopicConsumerOptions<Each>) {
    const { kafka, groupId, topic, sessionMs = 10_000 } = options;
    this.#options = options;
    this.#topic = topic;
    this.#consumer = kafka.consumer({
      groupId,
      sessionTimeout: sessionMs,
      heartbeatInterval: heartbeatMs,
      maxBytesPerPartition: 1024 * 1024,
      allowAutoTopicCreation: false,
      retry: {
        initialRetryTime: 200,
        maxRetryTime: maxPauseMs,
        retries: driverRetries,
        restartOnFailure: async () => !this.#hasEnded,
      },
    });
    this.#ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = (cause) => {
        this.#hasEnded = true;
        reject(cause);
      };
    });
    // A rejection is handled in run().
    this.#ended.catch(() => undefined);
  }

  /** Resolves when the signal ends it; rejects where the records have a gap or cannot be decoded. */
  async run(): Promise<void> {
    const { signal } = this.#options;
    const end = () => {
      this.#hasEnded = true;
      this.#end();
    };
    signal?.addEventListener('abort', end, { once: true });
    if (signal?.aborted === true) end();
    const started = this.#start();
    try {
      await Promise.race([started.then(() => this.#ended), this.#ended]);
    } finally {
      this.#hasEnded = true;
      this.#generation += 1;
      signal?.removeEventListener('abort', end);
      // The driver cannot leave a group while it is joining: it would stay a member for good.
      await waitUntilSettled(started, joinTimeoutMs);
      this.#hasLeft = true;
      await this.#consumer.disconnect();
    }
  }

  async #start(): Promise<void> {
    const { GROUP_JOIN, CRASH } = this.#consumer.events;
    this.#consumer.on(GROUP_JOIN, ({ payload }) => {
      // Throwing here ends a member that would otherwise never leave.
      if (this.#hasLeft) throw new Error('the consumer has ended');
      void this.#onAssigned(payload.memberAssignment[this.#topic] ?? []);
    });
    this.#consumer.on(CRASH, ({ payload }) => {
      if (payload.restart) this.#options.onTrouble(payload.error);
      else this.#fail(payload.error);
    });
    await this.#subscribe();
    if (this.#hasEnded) return;
    await this.#consumer.run({
      autoCommit: false,
      partitionsConsumedConcurrently: this.#options.partitionsAtOnce ?? 4,
      eachBatch: (payload) => this.#processBatch(payload),
    });
  }

  /** Until Kafka answers and has the topic. */
  async #subscribe(): Promise<void> {
    for (let pauseMs = minPauseMs; !this.#hasEnded; pauseMs = doublePause(pauseMs)) {
      try {
        await this.#consumer.connect();
        if (!this.#hasEnded) await this.#consumer.subscribe({ topic: this.#topic, fromBeginning: true });
        return;
      } catch (cause) {
        if (isRefusedByKafka(cause)) throw cause;
        this.#options.onTrouble(cause);
        await this.#pause(pauseMs);
      }
    }
  }

  /** Shorter where the consumer ends. */
  async #pause(pauseMs: number): Promise<void> {
    await waitUntilSettled(this.#ended, pauseMs);
  }

  async #onAssigned(partitions: readonly number[]): Promise<void> {
    // The driver may finish a rebalance while it leaves the group, when the store may be closed.
    if (this.#hasEnded) return;
    this.#generation += 1;
    const generation = this.#generation;
    this.#partitions = new Map();
    for (let pauseMs = minPauseMs; generation === this.#generation && !this.#hasEnded; pauseMs = doublePause(pauseMs)) {
      try {
        const stored = await this.#options.positionsOf(partitions);
        if (generation !== this.#generation) return;
        const bounds = await this.#bounds();
        if (generation !== this.#generation) return;
        for (const partition of partitions)
          this.#startPartition(partition, stored.get(partition) ?? startPosition, bounds);
        return;
      } catch (cause) {
        if (isFinal(cause)) return this.#fail(cause);
        this.#options.onTrouble(cause);
        await this.#pause(pauseMs);
      }
    }
  }

  /** A recreated topic has other offsets: it is read from its beginning, and repeats are dropped by their sequence. */
  #startPartition(partition: number, stored: Position, bounds: PartitionBounds, pauseMs = minPauseMs): void {
    checkPosition(partition, stored);
    const { low, high } = bounds.get(partition) ?? { low: 0n, high: 0n };
    const offset = stored.offset < low || stored.offset > high ? low : stored.offset;
    this.#partitions.set(partition, { position: { ...stored, offset }, isRefetching: false, pauseMs });
    this.#seek(partition, offset);
  }

  #seek(partition: number, offset: bigint): void {
    this.#consumer.seek({ topic: this.#topic, partition, offset: String(offset) });
  }

  async #bounds(): Promise<PartitionBounds> {
    const admin = this.#options.kafka.admin();
    await admin.connect();
    try {
      const offsets = await admin.fetchTopicOffsets(this.#topic);
      return new Map(offsets.map(({ partition, low, high }) => [partition, { low: BigInt(low), high: BigInt(high) }]));
    } finally {
      await admin.disconnect();
    }
  }

  /** Throws nothing into the driver, which would repeat everything. */
  async #processBatch({ batch, heartbeat }: EachBatchPayload): Promise<void> {
    const { partition, messages } = batch;
    const state = this.#partitions.get(partition);
    // The position is not known yet; the seek to it will fetch these records again.
    if (state === undefined || this.#hasEnded) return;
    try {
      const received = await withHeartbeats(this.#decode(messages, state.position.offset), heartbeat);
      if (this.#refetchOnGap(partition, state, received)) return;
      const maxRecords = this.#options.recordsAtOnce ?? 500;
      for (let at = 0; at < received.length; at += maxRecords) {
        await this.#process(partition, state, received.slice(at, at + maxRecords), heartbeat);
        if (this.#partitions.get(partition) !== state || this.#hasEnded) return;
      }
    } catch (cause) {
      if (isFinal(cause)) return this.#fail(cause);
      this.#options.onTrouble(cause);
      await this.#resume(partition, state, heartbeat);
    }
  }

  async #decode(messages: readonly KafkaMessage[], from: bigint): Promise<ReceivedRecord<Each>[]> {
    const received: ReceivedRecord<Each>[] = [];
    for (const { offset: text, value } of messages) {
      const offset = BigInt(text);
      if (offset >= from) {
        const record = await this.#options.decoder.decode(value ?? Buffer.alloc(0));
        received.push({ offset, record });
      }
    }
    return received;
  }

  /** A fetch from before a seek may return records with a gap; they are fetched once more from the position. */
  #refetchOnGap(partition: number, state: PartitionState, [first]: readonly ReceivedRecord<Each>[]): boolean {
    if (first === undefined || first.record.sequence <= state.position.sequence + 1n) {
      state.isRefetching = false;
      return false;
    }
    if (state.isRefetching) return false;
    state.isRefetching = true;
    this.#seek(partition, state.position.offset);
    return true;
  }

  async #process(
    partition: number,
    state: PartitionState,
    received: readonly ReceivedRecord<Each>[],
    heartbeat: () => Promise<void>,
  ): Promise<void> {
    const before = state.position;
    const { records, position } = selectNewRecords(partition, before, received);
    if (records.length > 0)
      await withHeartbeats(this.#options.take({ partition, records, before, position }), heartbeat);
    state.position = position;
    state.pauseMs = minPauseMs;
  }

  /** Only the store knows whether the failed batch was committed, here or by another consumer. */
  async #resume(partition: number, state: PartitionState, heartbeat: () => Promise<void>): Promise<void> {
    for (
      let { pauseMs } = state;
      this.#partitions.get(partition) === state && !this.#hasEnded;
      pauseMs = doublePause(pauseMs)
    ) {
      try {
        await withHeartbeats(new Promise((resolve) => setTimeout(resolve, pauseMs)), heartbeat);
        const stored = (await this.#options.positionsOf([partition])).get(partition) ?? startPosition;
        const bounds = await this.#bounds();
        if (this.#partitions.get(partition) === state)
          this.#startPartition(partition, stored, bounds, doublePause(pauseMs));
        return;
      } catch (cause) {
        if (isFinal(cause)) return this.#fail(cause);
        this.#options.onTrouble(cause);
      }
    }
  }
}

/** The other failures may pass: of the caller's store and of the schema registry. */
function isFinal(cause: unknown): boolean {
  return [EventsMissingError, OutOfPlaceError, UndecodableEventError, InvalidPositionError].some(
    (final) => cause instanceof final,
  );
}

/** Credentials, rights or the configuration: a repeat would be refused as well. */
function isRefusedByKafka(cause: unknown): boolean {
  const { name, retriable } = cause as { readonly name?: unknown; readonly retriable?: unknown };
  return retriable === false && name !== 'KafkaJSNumberOfRetriesExceeded';
}

function doublePause(pauseMs: number): number {
  return Math.min(pauseMs * 2, maxPauseMs);
}

/** Waits for a success or failure, at most for the timeout. */
async function waitUntilSettled(work: Promise<unknown>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, timeoutMs);
  });
  await Promise.race([work.then(ignored, ignored), timeout]);
  clearTimeout(timer);
}

function ignored(): void {}

/** Sends heartbeats while the work runs. The driver handles a failed heartbeat. */
async function withHeartbeats<Result>(work: Promise<Result>, heartbeat: () => Promise<void>): Promise<Result> {
  const timer = setInterval(() => void heartbeat().catch(() => undefined), heartbeatMs);
  try {
    return await work;
  } finally {
    clearInterval(timer);
  }
}
