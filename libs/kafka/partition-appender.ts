/**
 * Appends batches to the partitions of one topic, each batch once: after a failure the same batch may be appended again,
 * and the broker recognises it by its sequence numbers. Batches that are given at once to partitions of one broker are one
 * request: with one for each of 12 partitions, 16 callers recorded a quarter fewer Receipts.
 */
import kafkajs, {
  type CompressionTypes,
  type Kafka,
  type KafkaJSProtocolError,
  type Message,
  type PartitionerArgs,
  type Producer,
} from 'kafkajs';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { compressionFor } from './compression.ts';
import { metadataMaxAgeMs, replicationTimeoutMs } from './kafka-client.ts';

/** The batch may have been appended. Append the same batch again; any other is refused or lost. */
export class AppendNotConfirmedError extends Error {
  override readonly name = 'AppendNotConfirmedError';
}

/** Kafka does not take these records, for example because one is larger than its limit. */
export class RecordsRefusedError extends Error {
  override readonly name = 'RecordsRefusedError';
}

class LeaderChangedError extends Error {
  override readonly name = 'LeaderChangedError';
}

interface Batch {
  readonly partition: number;
  readonly messages: readonly Message[];
  readonly bytes: number;
  readonly resolve: (firstOffset: number) => void;
  readonly reject: (cause: unknown) => void;
}

interface AppendRequest {
  readonly batches: Batch[];
  readonly compression: CompressionTypes;
  /** Undefined where it is not known yet, or where a batch is to be sent alone. */
  readonly leader: number | undefined;
  bytes: number;
}

/** With the leader that all partitions of its request must have. */
type AddressedMessage = Message & { readonly partition: number; readonly leader?: number | undefined };

const refusals: ReadonlySet<unknown> = new Set(['MESSAGE_TOO_LARGE', 'RECORD_LIST_TOO_LARGE', 'INVALID_RECORD']);
/** A larger batch is sent alone. */
const maxRequestBytes = 4 * 1024 * 1024;

export class PartitionAppender {
  readonly #topic: string;
  readonly #producer: Producer;
  readonly #leaders: Leaders;
  /** Their last append failed: until one succeeds they are sent alone, so that they do not fail others. */
  readonly #failingPartitions = new Set<number>();
  #waiting: Batch[] = [];

  private constructor(topic: string, producer: Producer, leaders: Leaders) {
    this.#topic = topic;
    this.#producer = producer;
    this.#leaders = leaders;
  }

  static async open(kafka: Kafka, topic: string): Promise<PartitionAppender> {
    const leaders = new Leaders();
    const producer = kafka.producer({
      allowAutoTopicCreation: false,
      createPartitioner: () => (args) => leaders.checkedPartition(args),
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
    return new PartitionAppender(topic, producer, leaders);
  }

  /** Returns the offset of the first message. At most one call per partition at a time. */
  append(partition: number, messages: readonly Omit<Message, 'partition'>[]): Promise<number> {
    return new Promise((resolve, reject) => {
      if (this.#waiting.length === 0) setImmediate(() => this.#sendWaiting());
      const bytes = messages.reduce((sum, { value }) => sum + (value?.length ?? 0), 0);
      this.#waiting.push({ partition, messages, bytes, resolve, reject });
    });
  }

  close(): Promise<void> {
    return this.#producer.disconnect();
  }

  #sendWaiting(): void {
    const requests: AppendRequest[] = [];
    for (const batch of this.#waiting) {
      const { partition, bytes } = batch;
      const compression = compressionFor(bytes);
      const leader = this.#failingPartitions.has(partition) ? undefined : this.#leaders.of(partition);
      const withRoom = requests.find(
        (request) =>
          leader !== undefined &&
          request.leader === leader &&
          request.compression === compression &&
          request.bytes + bytes <= maxRequestBytes,
      );
      if (withRoom === undefined) requests.push({ batches: [batch], compression, leader, bytes });
      else {
        withRoom.batches.push(batch);
        withRoom.bytes += bytes;
      }
    }
    this.#waiting = [];
    for (const request of requests) void this.#send(request);
  }

  async #send({ batches, compression, leader }: AppendRequest): Promise<void> {
    const isAlone = batches.length === 1;
    const address = ({ partition, messages }: Batch): AddressedMessage[] =>
      messages.map((message) => (isAlone ? { ...message, partition } : { ...message, partition, leader }));
    try {
      const answers = await this.#producer.sendBatch({
        acks: -1,
        timeout: replicationTimeoutMs,
        compression,
        topicMessages: [{ topic: this.#topic, messages: batches.flatMap(address) }],
      });
      const offsets = new Map(answers.map(({ partition, baseOffset }) => [partition, baseOffset]));
      for (const { partition, resolve, reject } of batches) {
        const offset = offsets.get(partition);
        if (offset === undefined) {
          // kafkajs counts its messages as appended: the next append would have other sequence numbers.
          reject(new Error(`Kafka left partition ${partition} out of its answer`));
          continue;
        }
        this.#failingPartitions.delete(partition);
        resolve(Number(offset));
      }
    } catch (cause) {
      if (isRefusal(cause) && !isAlone) {
        // The refusal does not say which of them it is about. The same batches have the same sequence numbers again.
        for (const batch of batches) void this.#send({ batches: [batch], compression, leader, bytes: batch.bytes });
        return;
      }
      for (const { partition, reject } of batches) {
        this.#failingPartitions.add(partition);
        reject(failureOf(partition, cause));
      }
    }
  }
}

function isRefusal(cause: unknown): cause is KafkaJSProtocolError {
  return cause instanceof kafkajs.KafkaJSProtocolError && refusals.has(cause.type);
}

function failureOf(partition: number, cause: unknown): unknown {
  if (isRefusal(cause))
    return new RecordsRefusedError(`Kafka refused a batch for partition ${partition}: ${cause.type}`, { cause });
  const isUnconfirmed =
    cause instanceof kafkajs.KafkaJSNumberOfRetriesExceeded ||
    cause instanceof LeaderChangedError ||
    // It waited too long for its turn, and was not sent.
    cause instanceof kafkajs.KafkaJSLockTimeout;
  if (!isUnconfirmed) return cause;
  return new AppendNotConfirmedError(`Kafka did not confirm a batch for partition ${partition}`, { cause });
}

/**
 * The leader of each partition, as kafkajs knew it at its last send. Where several brokers take part in one send, a retry of
 * kafkajs leaves out partitions or appends them twice, so such a send fails before anything is sent.
 */
class Leaders {
  #metadata: PartitionerArgs['partitionMetadata'] | undefined;
  #leaders = new Map<number, number>();

  of(partition: number): number | undefined {
    return this.#leaders.get(partition);
  }

  /**
   * Called for each message of an attempt, in one turn of the event loop with its choice of brokers. Learns the leaders, and
   * ends the attempt where the partitions do not have the leader that was expected.
   */
  checkedPartition({ message, partitionMetadata }: PartitionerArgs): number {
    const { partition, leader } = message as AddressedMessage;
    if (this.#metadata !== partitionMetadata) {
      this.#metadata = partitionMetadata;
      this.#leaders = new Map(partitionMetadata.map((each) => [each.partitionId, each.leader]));
    }
    if (leader !== undefined && leader !== this.#leaders.get(partition))
      throw new LeaderChangedError(`the leader of partition ${partition} has changed`);
    return partition;
  }
}
