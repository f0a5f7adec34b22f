/**
 * Appends batches to the partitions of one topic, each batch once: after a failure the same batch may be appended again,
 * and the broker recognises it by its sequence numbers.
 */
import kafkajs, { type Kafka, type Message, type Producer } from 'kafkajs';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { compressionFor } from './compression.ts';
import { metadataMaxAgeMs, replicationTimeoutMs } from './kafka-client.ts';

/** The batch may have been appended. Append the same batch again; any other is refused or lost. */
export class AppendNotConfirmedError extends Error {
  override readonly name = 'AppendNotConfirmedError';
}

/** Kafka does not take these records, for example because one is larger than its limit. Nothing was appended. */
export class RecordsRefusedError extends Error {
  override readonly name = 'RecordsRefusedError';
}

const refusals: ReadonlySet<unknown> = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD']);

export class PartitionAppender {
  readonly #producer: Producer;
  readonly #topic: string;

  private constructor(producer: Producer, topic: string) {
    this.#producer = producer;
    this.#topic = topic;
  }

  static async open(kafka: Kafka, topic: string): Promise<PartitionAppender> {
    const producer = kafka.producer({
      allowAutoTopicCreation: false,
      idempotent: true,
      maxInFlightRequests: 1,
      metadataMaxAge: metadataMaxAgeMs,
      // The fewest that kafkajs allows. The caller retries after it confirmed that it may still append.
      retry: { retries: 1, initialRetryTime: 50 },
    });
    await producer.connect().catch((cause: unknown) => {
      // Not awaited, because closing may hang as well.
      producer.disconnect().catch(() => undefined);
      throw new DependencyUnavailableError('kafka', { cause });
    });
    return new PartitionAppender(producer, topic);
  }

  /**
   * Returns the offset of the first message. At most one call per partition at a time. Each call is a send of its own:
   * where several brokers take part in a send, a retry of kafkajs leaves out partitions or appends them twice.
   */
  async append(partition: number, messages: readonly Omit<Message, 'partition'>[]): Promise<number> {
    const topicMessages = [{ topic: this.#topic, messages: messages.map((message) => ({ ...message, partition })) }];
    const compression = compressionFor(messages.reduce((sum, { value }) => sum + (value?.length ?? 0), 0));
    try {
      const answers = await this.#producer.sendBatch({
        acks: -1,
        timeout: replicationTimeoutMs,
        compression,
        topicMessages,
      });
      const offset = answers.find((answer) => answer.partition === partition)?.baseOffset;
      if (offset !== undefined) return Number(offset);
    } catch (cause) {
      if (cause instanceof kafkajs.KafkaJSProtocolError && refusals.has(cause.type))
        throw new RecordsRefusedError(`Kafka refused a batch for partition ${partition}: ${cause.type}`, { cause });
      if (!(cause instanceof kafkajs.KafkaJSNumberOfRetriesExceeded)) throw cause;
      throw new AppendNotConfirmedError(`Kafka did not confirm a batch for partition ${partition}`, { cause });
    }
    throw new AppendNotConfirmedError(`Kafka left partition ${partition} out of its answer`);
  }

  close(): Promise<void> {
    return this.#producer.disconnect();
  }
}
