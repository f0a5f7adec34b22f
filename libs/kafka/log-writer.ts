/**
 * Appends with acks=all. While one send is on its way, and while the loop goes on bringing more, the next gathers: load
 * makes the batches, and nobody waits where there is none.
 */
import type { Kafka, Message, Producer, TopicMessages } from 'kafkajs';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';

export interface Append {
  readonly topic: string;
  readonly partition: number;
  readonly key: string;
  readonly value: Buffer;
}

/** What was handed over together. It knows nothing of its records: one that is on its way would keep all of them. */
interface Group {
  /** Milliseconds since 1970: nobody waits for it any longer. */
  readonly until: number;
  readonly resolve: () => void;
  readonly reject: (cause: Error) => void;
  /** Not yet appended. */
  left: number;
  /** Its caller was told. */
  hasFailed: boolean;
}

interface Waiting {
  readonly append: Append;
  readonly group: Group;
  /** A send begins a group only where it may take one more. */
  readonly isFirst: boolean;
}

export interface LogWriterOptions {
  /** Bytes in one send; what is beyond waits for the next. */
  readonly largestSend?: number;
  /** Bytes that wait or are on their way; what is beyond is refused. */
  readonly mostHeld?: number;
  /** How many of those that were handed over apart a send takes along; after one that failed the next takes all. */
  readonly mostTogether?: () => number;
  /** Retries within one send append nothing twice, and after a failed one nothing is sent any more: open a new writer. */
  readonly once?: boolean;
}

/** Under load the loop always brings more; nobody waits longer for company. */
const longestGatherMs = 4;
/** A send may hang for tens of seconds; what waits behind it is looked through meanwhile. */
const lookEveryMs = 100;

export class LogWriter {
  readonly #producer: Producer;
  readonly #largestSend: number;
  readonly #mostHeld: number;
  readonly #mostTogether: () => number;
  readonly #once: boolean;
  #broken: DependencyUnavailableError | undefined;
  /** Who waits behind a send that failed is not to wait for one failure after the other. */
  #hasFailed = false;
  #waiting: Waiting[] = [];
  /** Bytes of what waits and of what the log was given and has not answered: that cannot be taken back. */
  #held = 0;
  #sending: Promise<void> | undefined;
  /** Only while something waits that may be given up. */
  #timer: NodeJS.Timeout | undefined;

  private constructor(producer: Producer, options: LogWriterOptions) {
    this.#producer = producer;
    this.#largestSend = options.largestSend ?? 4 * 1024 * 1024;
    this.#mostHeld = options.mostHeld ?? Number.POSITIVE_INFINITY;
    this.#mostTogether = options.mostTogether ?? (() => Number.POSITIVE_INFINITY);
    this.#once = options.once ?? false;
  }

  static async open(kafka: Kafka, options: LogWriterOptions = {}): Promise<LogWriter> {
    const producer = kafka.producer({
      allowAutoTopicCreation: false,
      ...(options.once === true ? { idempotent: true, maxInFlightRequests: 1 } : {}),
      // Short: whoever appends has a caller whose patience ends; the retry that matters is the caller's.
      retry: { initialRetryTime: 50, maxRetryTime: 400, retries: 3 },
    });
    await producer.connect().catch((cause: unknown) => {
      // A line of it may stand though it could not be used. Nobody waits for its end: it may hang as well.
      producer.disconnect().catch(() => undefined);
      throw new DependencyUnavailableError('log', { cause });
    });
    return new LogWriter(producer, options);
  }

  /** Resolves when every replica in sync holds it; rejects where that is not known. */
  append(append: Append): Promise<void> {
    return this.appendAll([append]);
  }

  /**
   * The same of all of them. What nobody waits for any longer is let go of, though it may have been begun; what there is no
   * room for is not taken.
   */
  appendAll(appends: readonly Append[], until = Number.POSITIVE_INFINITY): Promise<void> {
    if (appends.length === 0) return Promise.resolve();
    let bytes = 0;
    for (const { value } of appends) bytes += value.length;
    if (!this.hasRoom(bytes)) return Promise.reject(noRoom());
    this.#held += bytes;
    if (until !== Number.POSITIVE_INFINITY) this.#watch();
    return new Promise((resolve, reject) => {
      const group = { until, resolve, reject, left: appends.length, hasFailed: false };
      appends.forEach((append, nth) => {
        this.#waiting.push({ append, group, isFirst: nth === 0 });
      });
      this.#sending ??= this.#drain();
    });
  }

  /** Whether so many bytes would be taken: one append whatever its size, where nothing else is. */
  hasRoom(bytes: number): boolean {
    return this.#held === 0 || this.#held + bytes <= this.#mostHeld;
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

  /** Apart from where something is handed over, which its timer would keep for as long as it runs. */
  #watch(): void {
    this.#timer ??= setInterval(() => this.#look(), lookEveryMs).unref();
  }

  #look(): void {
    this.#dropAbandoned();
    if (this.#waiting.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /**
   * Behind a log that hangs stands what its callers were told of long ago, before what somebody waits for, and each of them
   * comes again. The rest of what was begun goes as well: it would be decided too late.
   */
  #dropAbandoned(): void {
    const now = Date.now();
    const isAbandoned = ({ group }: Waiting): boolean => group.hasFailed || group.until < now;
    if (!this.#waiting.some(isAbandoned)) return;
    const fault = new DependencyUnavailableError('log');
    this.#waiting = this.#waiting.filter((each) => {
      if (!isAbandoned(each)) return true;
      this.#held -= each.append.value.length;
      fail(each.group, fault);
      return false;
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
      for (const { group } of batch) {
        group.left -= 1;
        if (group.left === 0) group.resolve();
      }
    } catch (cause) {
      this.#hasFailed = true;
      const fault = new DependencyUnavailableError('log', { cause });
      // What stands behind it would come to stand in its place.
      if (this.#once) this.#broken ??= fault;
      for (const { group } of batch) fail(group, fault);
    } finally {
      for (const { append } of batch) this.#held -= append.value.length;
    }
  }
}

export function noRoom(): DependencyUnavailableError {
  return new DependencyUnavailableError('log', { cause: new Error('no more may wait to be appended') });
}

function fail(group: Group, fault: DependencyUnavailableError): void {
  if (group.hasFailed) return;
  group.hasFailed = true;
  group.reject(fault);
}
