/**
 * Appends records to topics with acks=all, one send at a time. Records that arrive during a send, or within the same few
 * milliseconds, form the next one: batches grow with the load, and a single record is sent without delay.
 */
import type { Kafka, Message, Producer, RecordMetadata, TopicMessages } from 'kafkajs';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import type { TraceHeaders } from '#libs/runtime/tracing.ts';
import { metadataMaxAgeMs, replicationTimeoutMs } from './kafka-client.ts';

export interface OutgoingRecord {
  readonly topic: string;
  readonly partition: number;
  readonly key: string;
  readonly value: Buffer;
  readonly headers?: TraceHeaders | undefined;
}

/** One call of `appendAll`. It does not reference its records: one in flight would keep all of them in memory. */
interface AppendRequest {
  /** Milliseconds since 1970. */
  readonly deadline: number;
  readonly resolve: () => void;
  readonly reject: (cause: Error) => void;
  /** Records that are not acknowledged yet. */
  remaining: number;
  /** The caller has received an error; the other records are not sent. */
  hasFailed: boolean;
}

interface QueuedRecord {
  readonly record: OutgoingRecord;
  readonly request: AppendRequest;
  readonly isFirstOfRequest: boolean;
}

export interface TopicWriterOptions {
  /** The size of one send, in bytes. A larger record is sent alone. */
  readonly maxSendBytes?: number;
  /** The size of everything queued or in flight, in bytes. Records beyond it are refused. */
  readonly maxPendingBytes?: number;
  /** How many requests one send contains. Ignored after a failed send: then the whole queue is sent. */
  readonly maxRequestsPerSend?: () => number;
}

const maxGatherMs = 4;
/** A send may hang for tens of seconds, so the queue behind it is checked separately. */
const deadlineCheckIntervalMs = 100;

export class TopicWriter {
  readonly #producer: Producer;
  readonly #maxSendBytes: number;
  readonly #maxPendingBytes: number;
  readonly #maxRequestsPerSend: () => number;
  #lastSendFailed = false;
  #queue: QueuedRecord[] = [];
  /** Bytes of the queue and of the send in flight. */
  #pendingBytes = 0;
  #sending: Promise<void> | undefined;
  /** Runs only while records with a deadline are queued. */
  #deadlineTimer: NodeJS.Timeout | undefined;

  private constructor(producer: Producer, options: TopicWriterOptions) {
    this.#producer = producer;
    this.#maxSendBytes = options.maxSendBytes ?? 4 * 1024 * 1024;
    this.#maxPendingBytes = options.maxPendingBytes ?? Number.POSITIVE_INFINITY;
    this.#maxRequestsPerSend = options.maxRequestsPerSend ?? (() => Number.POSITIVE_INFINITY);
  }

  static async open(kafka: Kafka, options: TopicWriterOptions = {}): Promise<TopicWriter> {
    const producer = kafka.producer({
      allowAutoTopicCreation: false,
      metadataMaxAge: metadataMaxAgeMs,
      // Few retries: callers have deadlines and retry themselves.
      retry: { initialRetryTime: 50, maxRetryTime: 400, retries: 3 },
    });
    await producer.connect().catch((cause: unknown) => {
      // Part of the connections may be open. Not awaited, because closing them may hang as well.
      producer.disconnect().catch(() => undefined);
      throw new DependencyUnavailableError('kafka', { cause });
    });
    return new TopicWriter(producer, options);
  }

  /** Resolves when all in-sync replicas hold the record; rejects when that is not certain. */
  append(record: OutgoingRecord): Promise<void> {
    return this.appendAll([record]);
  }

  /**
   * Resolves when all records are appended. Rejects immediately when the queue is full. Records still queued at the
   * deadline are dropped, even if others of the same call were sent.
   */
  appendAll(records: readonly OutgoingRecord[], deadline = Number.POSITIVE_INFINITY): Promise<void> {
    if (records.length === 0) return Promise.resolve();
    let bytes = 0;
    for (const { value } of records) bytes += value.length;
    if (!this.hasRoom(bytes)) return Promise.reject(queueFullError());
    this.#pendingBytes += bytes;
    if (deadline !== Number.POSITIVE_INFINITY) this.#startDeadlineTimer();
    return new Promise((resolve, reject) => {
      const request = { deadline, resolve, reject, remaining: records.length, hasFailed: false };
      records.forEach((record, index) => {
        this.#queue.push({ record, request, isFirstOfRequest: index === 0 });
      });
      this.#sending ??= this.#sendQueue();
    });
  }

  /** Whether so many bytes would be accepted. An empty queue accepts one request of any size. */
  hasRoom(bytes: number): boolean {
    return this.#pendingBytes === 0 || this.#pendingBytes + bytes <= this.#maxPendingBytes;
  }

  async close(): Promise<void> {
    while (this.#sending !== undefined) await this.#sending;
    await this.#producer.disconnect();
  }

  async #sendQueue(): Promise<void> {
    try {
      while (this.#queue.length > 0) {
        await this.#gather();
        this.#dropExpired();
        const batch = this.#takeBatch();
        if (batch.length > 0) await this.#send(batch);
      }
    } finally {
      this.#sending = undefined;
    }
  }

  /** Waits while each turn of the event loop adds records: one send costs as much as many of its records. */
  async #gather(): Promise<void> {
    const end = performance.now() + maxGatherMs;
    for (let length = 0; length < this.#queue.length && performance.now() < end; ) {
      length = this.#queue.length;
      await new Promise(setImmediate);
    }
  }

  /** A method of its own: a timer created in `appendAll` would keep the records of that call in memory. */
  #startDeadlineTimer(): void {
    this.#deadlineTimer ??= setInterval(() => this.#checkDeadlines(), deadlineCheckIntervalMs).unref();
  }

  #checkDeadlines(): void {
    this.#dropExpired();
    if (this.#queue.length > 0) return;
    clearInterval(this.#deadlineTimer);
    this.#deadlineTimer = undefined;
  }

  /** Otherwise a writer that works again would first send records whose callers were answered long ago. */
  #dropExpired(): void {
    const now = Date.now();
    const isExpired = ({ request }: QueuedRecord): boolean => request.hasFailed || request.deadline < now;
    if (!this.#queue.some(isExpired)) return;
    const error = new DependencyUnavailableError('kafka');
    this.#queue = this.#queue.filter((queued) => {
      if (!isExpired(queued)) return true;
      this.#pendingBytes -= queued.record.value.length;
      fail(queued.request, error);
      return false;
    });
  }

  #takeBatch(): QueuedRecord[] {
    const maxRequests = this.#lastSendFailed ? Number.POSITIVE_INFINITY : this.#maxRequestsPerSend();
    let bytes = 0;
    let requests = 0;
    const end = this.#queue.findIndex(({ record, isFirstOfRequest }, index) => {
      bytes += record.value.length;
      if (isFirstOfRequest) requests += 1;
      return index > 0 && (bytes > this.#maxSendBytes || (isFirstOfRequest && requests > maxRequests));
    });
    return this.#queue.splice(0, end === -1 ? this.#queue.length : end);
  }

  async #send(batch: readonly QueuedRecord[]): Promise<void> {
    try {
      await this.#appendToAllPartitions(batch.map(({ record }) => record));
      this.#lastSendFailed = false;
      for (const { request } of batch) {
        request.remaining -= 1;
        if (request.remaining === 0) request.resolve();
      }
    } catch (cause) {
      this.#lastSendFailed = true;
      const error = new DependencyUnavailableError('kafka', { cause });
      for (const { request } of batch) fail(request, error);
    } finally {
      for (const { record } of batch) this.#pendingBytes -= record.value.length;
    }
  }

  /**
   * kafkajs resolves without having sent everything: its retry skips each broker that has answered, also for a partition
   * whose leader has moved there. So the answer is compared with what was sent, and the rest is sent again.
   */
  async #appendToAllPartitions(records: readonly OutgoingRecord[]): Promise<void> {
    for (let rest = records; rest.length > 0; ) {
      const answers = await this.#producer.sendBatch({
        acks: -1,
        timeout: replicationTimeoutMs,
        topicMessages: messagesByTopic(rest),
      });
      const unanswered = withoutAnswered(rest, answers);
      if (unanswered.length === rest.length)
        throw new Error('Kafka acknowledged none of the partitions that were sent');
      rest = unanswered;
    }
  }
}

function withoutAnswered(records: readonly OutgoingRecord[], answers: readonly RecordMetadata[]): OutgoingRecord[] {
  const answered = new Set(answers.map(({ topicName, partition }) => `${topicName} ${partition}`));
  return records.filter(({ topic, partition }) => !answered.has(`${topic} ${partition}`));
}

export function queueFullError(): DependencyUnavailableError {
  return new DependencyUnavailableError('kafka', { cause: new Error('the queue of records to append is full') });
}

function messagesByTopic(records: readonly OutgoingRecord[]): TopicMessages[] {
  const byTopic = new Map<string, Message[]>();
  for (const { topic, partition, key, value, headers } of records) {
    const message: Message =
      headers === undefined ? { partition, key, value } : { partition, key, value, headers: { ...headers } };
    const messages = byTopic.get(topic);
    if (messages === undefined) byTopic.set(topic, [message]);
    else messages.push(message);
  }
  return [...byTopic].map(([topic, messages]) => ({ topic, messages }));
}

function fail(request: AppendRequest, error: DependencyUnavailableError): void {
  if (request.hasFailed) return;
  request.hasFailed = true;
  request.reject(error);
}
