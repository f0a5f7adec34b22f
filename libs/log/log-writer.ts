/**
 * Appends with acks=all. While one send is on its way, and while the loop goes on bringing more, the next gathers: load
 * makes the batches, and nobody waits where there is none.
 */
import type { Kafka, Message, Producer, TopicMessages } from 'kafkajs';
import { StoreUnavailable } from '#libs/store/unavailable.ts';

export interface Append {
  readonly topic: string;
  readonly partition: number;
  readonly key: string;
  readonly value: Buffer;
}

interface Waiting {
  readonly append: Append;
  /** Of those that were handed over together: a send begins a group only where it may take one more. */
  readonly isFirst: boolean;
  /** Milliseconds since 1970: nobody waits for it any longer. */
  readonly until: number;
  readonly done: () => void;
  readonly failed: (cause: Error) => void;
}

export interface LogWriterOptions {
  /** Bytes in one send; what is beyond waits for the next. */
  readonly largestSend?: number;
  /** How many of those that were handed over apart a send takes along; after one that failed the next takes all. */
  readonly mostTogether?: () => number;
  /** Retries within one send append nothing twice, and after a failed one nothing is sent any more: open a new writer. */
  readonly once?: boolean;
}

/** Under load the loop always brings more; nobody waits longer for company. */
const longestGatherMs = 4;

export class LogWriter {
  readonly #producer: Producer;
  readonly #largestSend: number;
  readonly #mostTogether: () => number;
  readonly #once: boolean;
  #broken: StoreUnavailable | undefined;
  /** Who waits behind a send that failed is not to wait for one failure after the other. */
  #hasFailed = false;
  #waiting: Waiting[] = [];
  #sending: Promise<void> | undefined;

  private constructor(producer: Producer, options: LogWriterOptions) {
    const { largestSend = 4 * 1024 * 1024, mostTogether = () => Number.POSITIVE_INFINITY, once = false } = options;
    this.#producer = producer;
    this.#largestSend = largestSend;
    this.#mostTogether = mostTogether;
    this.#once = once;
  }

  static async open(kafka: Kafka, options: LogWriterOptions = {}): Promise<LogWriter> {
    const producer = kafka.producer({
      allowAutoTopicCreation: false,
      ...(options.once === true ? { idempotent: true, maxInFlightRequests: 1 } : {}),
      // Short: whoever appends has a caller whose patience ends; the retry that matters is the caller's.
      retry: { initialRetryTime: 50, maxRetryTime: 400, retries: 3 },
    });
    await producer.connect().catch((cause: unknown) => {
      throw new StoreUnavailable('log', { cause });
    });
    return new LogWriter(producer, options);
  }

  /** Resolves when every replica in sync holds it; rejects where that is not known. */
  append(append: Append): Promise<void> {
    return this.appendAll([append]);
  }

  /** The same of all of them. What has not begun to be sent when nobody waits for it any longer is not sent. */
  appendAll(appends: readonly Append[], until = Number.POSITIVE_INFINITY): Promise<void> {
    if (appends.length === 0) return Promise.resolve();
    return new Promise((resolve, reject) => {
      let left = appends.length;
      const done = (): void => {
        left -= 1;
        if (left === 0) resolve();
      };
      appends.forEach((append, nth) => {
        this.#waiting.push({ append, isFirst: nth === 0, until, done, failed: reject });
      });
      this.#sending ??= this.#drain();
    });
  }

  async close(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending;
    await this.#producer.disconnect();
  }

  async #drain(): Promise<void> {
    try {
      while (this.#waiting.length > 0) {
        await this.#gather();
        this.#dropAbandoned();
        const batch = this.#take();
        if (batch.length > 0) await this.#send(batch);
      }
    } finally {
      this.#sending = undefined;
    }
  }

  /** While every turn of the loop brings more, it goes out together: a send costs as much as many records of it. */
  async #gather(): Promise<void> {
    const until = performance.now() + longestGatherMs;
    for (let gathered = 0; gathered < this.#waiting.length && performance.now() < until; ) {
      gathered = this.#waiting.length;
      await new Promise(setImmediate);
    }
  }

  /** Behind a log that hung stands what its callers were told of long ago, before what somebody waits for. */
  #dropAbandoned(): void {
    const now = Date.now();
    if (!this.#waiting.some(({ until }) => until < now)) return;
    const fault = new StoreUnavailable('log');
    let isAbandoned = false;
    this.#waiting = this.#waiting.filter((each) => {
      if (each.isFirst) isAbandoned = each.until < now;
      if (isAbandoned) each.failed(fault);
      return !isAbandoned;
    });
  }

  #take(): Waiting[] {
    const most = this.#hasFailed ? Number.POSITIVE_INFINITY : this.#mostTogether();
    let bytes = 0;
    let groups = 0;
    const beyond = this.#waiting.findIndex(({ append, isFirst }, at) => {
      bytes += append.value.length;
      if (isFirst) groups += 1;
      return at > 0 && (bytes > this.#largestSend || (isFirst && groups > most));
    });
    return this.#waiting.splice(0, beyond === -1 ? this.#waiting.length : beyond);
  }

  async #send(batch: readonly Waiting[]): Promise<void> {
    const byTopic = new Map<string, Message[]>();
    for (const { append } of batch) {
      const { topic, partition, key, value } = append;
      const messages = byTopic.get(topic);
      const message = { partition, key, value };
      if (messages === undefined) byTopic.set(topic, [message]);
      else messages.push(message);
    }
    const topicMessages: TopicMessages[] = [...byTopic].map(([topic, messages]) => ({ topic, messages }));
    try {
      if (this.#broken !== undefined) throw this.#broken;
      await this.#producer.sendBatch({ acks: -1, timeout: 5_000, topicMessages });
      this.#hasFailed = false;
      for (const each of batch) each.done();
    } catch (cause) {
      this.#hasFailed = true;
      const fault = new StoreUnavailable('log', { cause });
      // What stands behind it would come to stand in its place.
      if (this.#once) this.#broken ??= fault;
      for (const each of batch) each.failed(fault);
    }
  }
}
