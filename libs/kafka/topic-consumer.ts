/**
 * A consumer group member that reads each assigned partition from the offset that `onAssigned` returns. Offsets committed
 * to Kafka are not used: the offset that counts is stored with the data.
 */
import type { Consumer, EachBatchPayload, Kafka, KafkaMessage } from 'kafkajs';
import type { Logger } from '#libs/runtime/logging.ts';
import { retry } from '#libs/runtime/retry.ts';
import type { TraceHeaders } from '#libs/runtime/tracing.ts';
import { metadataMaxAgeMs } from './kafka-client.ts';
import { topicOffsets } from './topic-offsets.ts';
import { withTimeout } from './with-timeout.ts';

export interface TopicRecord {
  readonly offset: number;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
  /** Where the trace of the request is recorded. */
  readonly trace?: TraceHeaders;
}

export interface TopicConsumerOptions {
  readonly kafka: Kafka;
  readonly groupId: string;
  readonly topic: string;
  readonly partitionCount: number;
  readonly logger: Logger;
  /**
   * Takes the partitions over and returns the offset to read each from. Retried until it succeeds. Of two calls the first
   * must take over first, so nothing may be awaited before: a late takeover would fence the owner that follows.
   */
  readonly onAssigned: (partitions: readonly number[]) => Promise<ReadonlyMap<number, number>>;
  /**
   * Whether a pause of one partition may last while others go on. Without it, the driver fetches nothing more from a broker
   * until no partition of it pauses.
   */
  readonly pausesAlone?: boolean;
  /** Records of one partition in order, without gaps (but for `skipsDeletedRecords`) or repeats. A returned promise pauses the partition. */
  readonly onRecords: (partition: number, records: readonly TopicRecord[]) => undefined | Promise<void>;
  /** Where the topic has deleted records before they were read, as its retention says: they are no loss. */
  readonly skipsDeletedRecords?: boolean;
  /** The topic no longer holds records that were processed or are still to be read. */
  readonly onDataLoss: (cause: Error) => void;
  /** The driver stopped and does not restart. Without this the consumer starts a new one, also where its group answers no heartbeat. */
  readonly onCrash?: (cause: Error) => void;
}

const sessionTimeoutMs = 6_000;
/** A member learns from a heartbeat that the group changes: until then the partitions of one that left are not read. */
const heartbeatIntervalMs = 500;
/** After this time without a heartbeat the group removes a member. */
const maxHeartbeatGapMs = sessionTimeoutMs;
const heartbeatCheckIntervalMs = 1_000;
/** The broker may not answer when the driver disconnects from it. */
const disconnectTimeoutMs = 5_000;
/** A member that lost its partitions to another one learns so from a heartbeat within this time. */
const secondTakeoverAfterMs = 3 * heartbeatIntervalMs;
const restartDelays = { firstDelayMs: 500, maxDelayMs: 30_000 };
/** The driver repeats a commit without end while the group has no coordinator. */
const offsetCommitTimeoutMs = 1_000;
/** With `pausesAlone`: a longer pause stops the fetches of the partition, so that those of others go on. */
const maxSharedPauseMs = 500;

export class TopicConsumer {
  readonly #options: TopicConsumerOptions;
  #consumer: Consumer;
  #partitions: readonly number[] = [];
  /** The next offset of each partition that was taken over. Records of other partitions are ignored. */
  #nextOffsets = new Map<number, number>();
  /** Aborted when the group assigns partitions again, and on stop. */
  #assignment = new AbortController();
  #pause: { readonly ready: Promise<void>; readonly ended: Promise<void> } | undefined;
  readonly #stopped = Promise.withResolvers<void>();
  /** When another member took partitions over that the group assigns to this one, by `performance.now()`. */
  #fencedAt: number | undefined;
  /** When the group answered last to this member, by `performance.now()`. Undefined until it has joined. */
  #lastAnswerAt: number | undefined;
  readonly #heartbeatCheck: NodeJS.Timeout | undefined;
  /** The driver's consumer that is being replaced. */
  #crashed: Consumer | undefined;
  /** Since the group assigned partitions last. */
  #crashes = 0;
  #isStopping = false;
  #offsetCommit: Promise<void> | undefined;

  private constructor(options: TopicConsumerOptions) {
    this.#options = options;
    this.#consumer = this.#createConsumer();
    if (options.onCrash === undefined)
      this.#heartbeatCheck = setInterval(() => this.#checkHeartbeats(), heartbeatCheckIntervalMs).unref();
  }

  #createConsumer(): Consumer {
    const { kafka, groupId } = this.#options;
    return kafka.consumer({
      groupId,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: 8_000,
      heartbeatInterval: heartbeatIntervalMs,
      maxWaitTimeInMs: 500,
      metadataMaxAge: metadataMaxAgeMs,
      // The next fetch waits until these records are processed. A larger record is fetched alone.
      maxBytes: 8 * 1024 * 1024,
      maxBytesPerPartition: 2 * 1024 * 1024,
      allowAutoTopicCreation: false,
      // The driver counts failures over its whole life, so that later ones soon wait for the longest pause.
      retry: { initialRetryTime: 200, maxRetryTime: 500, retries: Number.MAX_SAFE_INTEGER },
    });
  }

  static async open(options: TopicConsumerOptions): Promise<TopicConsumer> {
    const consumer = new TopicConsumer(options);
    await consumer.#start();
    return consumer;
  }

  /** What is processed for good, where the group accepts it in time. One commit at a time. */
  async commitOffsets(offsets: ReadonlyMap<number, number>): Promise<void> {
    const { topic } = this.#options;
    const committed = [...offsets].map(([partition, offset]) => ({ topic, partition, offset: String(offset) }));
    if (committed.length === 0 || this.#isStopping) return;
    this.#offsetCommit ??= this.#consumer
      .commitOffsets(committed)
      .catch(() => undefined)
      .finally(() => {
        this.#offsetCommit = undefined;
      });
    await withTimeout(this.#offsetCommit, offsetCommitTimeoutMs);
  }

  /**
   * For a partition that another member took over although the group assigns it to this one: a takeover that was slow may
   * end after its member has left. Happens only once the group has confirmed that this is a member still.
   */
  takeOverAgain(): void {
    this.#fencedAt ??= performance.now();
  }

  /** Where other partitions may be taken over than before. Without an assignment, the next one does it. */
  takeOverChanged(): void {
    if (!this.#assignment.signal.aborted) void this.#takeOver(this.#partitions);
  }

  /**
   * The driver asks for the coordinator of its group only when it joins: while that broker is down, all heartbeats fail and
   * nothing is read, although another broker coordinates the group by now.
   */
  #checkHeartbeats(): void {
    if (this.#lastAnswerAt === undefined || performance.now() < this.#lastAnswerAt + maxHeartbeatGapMs) return;
    this.#lastAnswerAt = undefined;
    this.#handleCrash(
      new Error(`the group ${this.#options.groupId} answered no heartbeat for ${maxHeartbeatGapMs / 1_000} s`),
    );
  }

  #onHeartbeat(): void {
    this.#lastAnswerAt = performance.now();
    if (this.#fencedAt === undefined || performance.now() < this.#fencedAt + secondTakeoverAfterMs) return;
    void this.#takeOver(this.#partitions);
  }

  /** Leaves the group immediately; records that were delivered and not processed are read by the next owner. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    clearInterval(this.#heartbeatCheck);
    this.#stopped.resolve();
    this.#endAssignment();
    await this.#consumer.disconnect();
  }

  async #start(): Promise<void> {
    const { topic } = this.#options;
    const consumer = this.#consumer;
    const { GROUP_JOIN, HEARTBEAT, REBALANCING, CRASH } = consumer.events;
    // One that is replaced may go on for a while.
    const isCurrent = (): boolean => consumer === this.#consumer && consumer !== this.#crashed;
    consumer.on(GROUP_JOIN, ({ payload }) => {
      if (!isCurrent()) return;
      this.#crashes = 0;
      this.#lastAnswerAt = performance.now();
      void this.#takeOver(payload.memberAssignment[topic] ?? []);
    });
    consumer.on(HEARTBEAT, () => {
      if (isCurrent()) this.#onHeartbeat();
    });
    // Joining again, it asks for the coordinator.
    consumer.on(REBALANCING, () => {
      if (isCurrent()) this.#lastAnswerAt = undefined;
    });
    consumer.on(CRASH, ({ payload }) => {
      if (!isCurrent()) return;
      this.#lastAnswerAt = undefined;
      if (!payload.restart && !this.#isStopping) this.#handleCrash(payload.error);
    });
    await consumer.connect();
    await consumer.subscribe({ topic, fromBeginning: true });
    await consumer.run({
      autoCommit: false,
      // One worker per partition, since each may pause; more workers would wake up needlessly.
      partitionsConsumedConcurrently: this.#options.partitionCount,
      eachBatch: async (payload) => {
        if (isCurrent()) await this.#handleBatch(payload);
      },
    });
  }

  /** The driver does not restart after an error it does not know, such as its own on a connection that is closing. */
  #handleCrash(cause: Error): void {
    const { onCrash, logger } = this.#options;
    if (onCrash !== undefined) {
      onCrash(cause);
      return;
    }
    this.#endAssignment();
    this.#crashed = this.#consumer;
    const restart = async (): Promise<void> => {
      await withTimeout(
        this.#consumer.disconnect().catch(() => undefined),
        disconnectTimeoutMs,
      );
      if (this.#isStopping) return;
      this.#consumer = this.#createConsumer();
      await this.#start();
      if (this.#isStopping) await this.#consumer.disconnect();
    };
    const logRestart = (err: unknown): void =>
      logger.warn({ event: 'kafka.consumer_restarted', err }, 'the Kafka consumer stopped; starting a new one');
    logRestart(cause);
    // The driver reports a join that is refused for good as a crash too.
    const pauseMs = Math.min((2 ** this.#crashes - 1) * restartDelays.firstDelayMs, restartDelays.maxDelayMs);
    this.#crashes += 1;
    setTimeout(() => void retry(restart, { ...restartDelays, onRetry: logRestart }), pauseMs);
  }

  #endAssignment(): void {
    this.#fencedAt = undefined;
    this.#assignment.abort();
    this.#nextOffsets = new Map();
  }

  async #takeOver(partitions: readonly number[]): Promise<void> {
    // A member that leaves would take the partitions from its successor.
    if (this.#isStopping) return;
    this.#endAssignment();
    this.#partitions = partitions;
    this.#assignment = new AbortController();
    const { signal } = this.#assignment;
    let offsets: ReadonlyMap<number, number> | undefined;
    const attempt = async (): Promise<void> => {
      // Once per assignment: where another member is the owner by now, a second takeover would fence it.
      offsets ??= await this.#options.onAssigned(partitions);
      const loss = await this.#findLoss(offsets);
      if (signal.aborted) return;
      if (loss !== undefined) {
        this.#options.onDataLoss(loss);
        return;
      }
      this.#readFrom(offsets);
    };
    const onRetry = (cause: unknown): void =>
      this.#options.logger.warn(
        { event: 'kafka.takeover_failed', err: cause, partitions },
        'assigned partitions could not be taken over; retrying',
      );
    await retry(attempt, { signal, firstDelayMs: 50, maxDelayMs: 1_000, onRetry }).catch((cause: unknown) => {
      if (!signal.aborted) throw cause;
    });
  }

  /**
   * For partitions that `onAssigned` left out, because their takeover takes longer than that of others. Call it while they
   * are assigned still.
   */
  async addTakenOver(offsets: ReadonlyMap<number, number>): Promise<void> {
    const { signal } = this.#assignment;
    const loss = await this.#findLoss(offsets);
    if (signal.aborted) return;
    if (loss === undefined) this.#readFrom(offsets);
    else this.#options.onDataLoss(loss);
  }

  #readFrom(offsets: ReadonlyMap<number, number>): void {
    for (const [partition, offset] of offsets) {
      this.#seek(partition, offset);
      this.#nextOffsets.set(partition, offset);
    }
  }

  /** A topic that ends before the next offset was shortened or created again: its first records would be skipped. */
  async #findLoss(nextOffsets: ReadonlyMap<number, number>): Promise<Error | undefined> {
    const { kafka, topic } = this.#options;
    for (const [partition, { high }] of await topicOffsets(kafka, topic)) {
      const next = nextOffsets.get(partition);
      if (next !== undefined && next > high) {
        return new Error(
          `partition ${partition} of ${topic} ends at offset ${high}, expected at least ${next}: records lost; if the ` +
            'brokers are the right ones, stop all processors and run `lending topic remake`',
        );
      }
    }
    return undefined;
  }

  #seek(partition: number, offset: number): void {
    this.#consumer.seek({ topic: this.#options.topic, partition, offset: String(offset) });
  }

  async #handleBatch({ batch, heartbeat, pause }: EachBatchPayload): Promise<void> {
    const { partition } = batch;
    const next = this.#nextOffsets.get(partition);
    // Not taken over yet: the seek after the takeover fetches these records again.
    if (next === undefined) return;
    const records = recordsFrom(batch.messages, next);
    const first = records[0];
    if (first === undefined) return batch.messages.length === 0 ? undefined : this.#handleRepeats(partition, next);
    if (first.offset > next) return this.#handleGap(partition, next, first.offset);
    this.#nextOffsets.set(partition, first.offset + records.length);
    const ready = this.#options.onRecords(partition, records);
    if (ready === undefined) return;
    if (this.#options.pausesAlone !== true) return this.#pauseUntil(ready, heartbeat);
    if ((await withTimeout(ready, maxSharedPauseMs)) === undefined) void ready.finally(pause());
  }

  /** Partitions that wait for the same promise share one timer and one heartbeat. */
  #pauseUntil(ready: Promise<void>, heartbeat: () => Promise<void>): Promise<void> {
    if (this.#pause?.ready !== ready) this.#pause = { ready, ended: this.#heartbeatUntil(ready, heartbeat) };
    return this.#pause.ended;
  }

  /** Without heartbeats the group would give the partitions to another member. */
  async #heartbeatUntil(ready: Promise<void>, heartbeat: () => Promise<void>): Promise<void> {
    let isWaiting = true;
    const ended = ready.finally(() => {
      isWaiting = false;
    });
    while (isWaiting && !this.#isStopping) {
      let timer: NodeJS.Timeout | undefined;
      await Promise.race([
        ended,
        this.#stopped.promise,
        new Promise((resolve) => (timer = setTimeout(resolve, heartbeatIntervalMs))),
      ]);
      clearTimeout(timer);
      if (isWaiting && !this.#isStopping) await heartbeat();
    }
  }

  /** The driver reads from the beginning of a partition whose end was lost, and from before a seek that came late. */
  async #handleRepeats(partition: number, next: number): Promise<void> {
    const loss = await this.#findLoss(new Map([[partition, next]]));
    if (loss === undefined) this.#seek(partition, next);
    else this.#options.onDataLoss(loss);
  }

  /** The driver skipped records. Reads them again, unless the topic no longer holds them. */
  async #handleGap(partition: number, next: number, found: number): Promise<void> {
    const { kafka, topic, onDataLoss, skipsDeletedRecords = false } = this.#options;
    const offsets = (await topicOffsets(kafka, topic)).get(partition);
    if (offsets !== undefined && offsets.low <= next) this.#seek(partition, next);
    else if (offsets !== undefined && skipsDeletedRecords) this.#readFrom(new Map([[partition, offsets.low]]));
    else {
      onDataLoss(
        new Error(`partition ${partition} of ${topic} begins at offset ${found}, expected ${next}: records lost`),
      );
    }
  }
}

function recordsFrom(messages: readonly KafkaMessage[], firstOffset: number): TopicRecord[] {
  const records: TopicRecord[] = [];
  for (const { offset: text, key, value, headers } of messages) {
    const offset = Number(text);
    if (offset < firstOffset) continue;
    const trace = traceHeaders(headers);
    records.push(trace === undefined ? { offset, key, value } : { offset, key, value, trace });
  }
  return records;
}

function traceHeaders(headers: KafkaMessage['headers']): TraceHeaders | undefined {
  const traceparent = headers?.['traceparent'];
  if (traceparent === undefined) return undefined;
  const tracestate = headers?.['tracestate'];
  return { traceparent: String(traceparent), ...(tracestate === undefined ? {} : { tracestate: String(tracestate) }) };
}
