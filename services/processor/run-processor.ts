/** Connects the parts of a processor and stops them in an order that loses nothing. */
import type { Redis } from 'ioredis';
import type { DeciderFor } from '#libs/database/books.ts';
import type { Database } from '#libs/database/database.ts';
import { deleteExpiredOutcomes } from '#libs/database/idempotency.ts';
import { readPartitions } from '#libs/database/partitions.ts';
import { deleteExpiredRequests } from '#libs/database/request-log.ts';
import { deleteExpiredVerdicts } from '#libs/database/verdict-delivery.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { type BookEvent, bookEventSchema } from '#libs/kafka/book-event.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { type SubmissionRecord, submissionSchema } from '#libs/kafka/submission-record.ts';
import { TopicConsumer } from '#libs/kafka/topic-consumer.ts';
import { processedOffsets } from '#libs/kafka/topic-offsets.ts';
import { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { processorGroupId, topics } from '#libs/kafka/topics.ts';
import { waitForDependency } from '#libs/runtime/dependency.ts';
import type { UrlSource } from '#libs/runtime/follow-setting.ts';
import { heapShareBytes } from '#libs/runtime/heap-shares.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { SnapshotWriter } from './book-snapshot-writer.ts';
import { EventPublisher } from './event-publisher.ts';
import { Processor, type ProcessorOptions } from './processor.ts';
import { VerdictPublisher } from './verdict-publisher.ts';

export interface RunProcessorOptions {
  /** Identifies this instance as an owner of partitions. */
  readonly instanceName: string;
  readonly kafka: KafkaClient;
  readonly schemaRegistryUrl: UrlSource;
  readonly database: Database;
  /** Holds the publishing locks on one connection of its own. */
  readonly lockDatabase: Database;
  readonly redis: Redis;
  readonly deciderFor: DeciderFor;
  readonly logger: Logger;
  readonly maxCachedBytes: number;
  /** The processor cannot continue; the process must end. */
  readonly onFatal: (cause: Error) => void;
  readonly onCommitted?: ProcessorOptions['onCommitted'];
}

export interface RunningProcessor {
  /** The next offset of every owned partition in the topic. */
  readonly offsets: () => ReadonlyMap<number, number>;
  /** The owned partitions with their epochs. */
  readonly partitions: () => ReadonlyMap<number, { readonly epoch: number }>;
  readonly publisher: Pick<
    EventPublisher,
    'unpublishedEvents' | 'unknownPartitions' | 'stoppedPartitions' | 'firstUnpublished'
  >;
  stop(): Promise<void>;
}

const offsetIntervalMs = 2_000;
const expiryIntervalMs = 30_000;

export async function runProcessor(options: RunProcessorOptions): Promise<RunningProcessor> {
  const { instanceName, kafka, database, lockDatabase, redis, deciderFor, logger } = options;
  const { maxCachedBytes, onFatal, onCommitted } = options;
  const registry = new SchemaRegistry(options.schemaRegistryUrl);
  const [codec, eventCodec] = await waitForDependency('the schema registry', () => openCodecs(registry), logger);
  const parkedTopic = await waitForDependency('Kafka', () => TopicWriter.open(kafka), logger);
  // Read before this instance joins the group: the database holds all that was processed until now.
  const readProcessed = () => processedOffsets(kafka, processorGroupId, topics.submissions);
  const processed = await waitForDependency('Kafka', readProcessed, logger);
  const readCount = async () => (await readPartitions(database)).length;
  const partitionCount = await waitForDependency('Postgres', readCount, logger);
  const eventPublisher = new EventPublisher({
    kafka,
    codec: eventCodec,
    partitionCount,
    database,
    lockDatabase,
    logger,
    onDatabaseSetBack: (cause) => processor.stopAfterDataLoss(cause),
  });
  const snapshotWriter = new SnapshotWriter(redis, deciderFor, (key) => processor.cachedBook(key));
  const verdictPublisher = new VerdictPublisher(redis, database, logger);
  const processor: Processor = new Processor({
    instanceName,
    deciderFor,
    database,
    codec,
    verdictPublisher,
    snapshotWriter,
    eventPublisher,
    parkedTopic,
    logger,
    maxCachedBytes,
    bookLimits: { maxBatchBytes: heapShareBytes('booksOfBatch'), maxEntryBytes: heapShareBytes('booksOfRecord') },
    onDataLoss: onFatal,
    onFenced: () => consumer.takeOverAgain(),
    ...(onCommitted === undefined ? {} : { onCommitted }),
  });
  processor.learnProcessed(processed);
  const consumer: TopicConsumer = await TopicConsumer.open({
    kafka,
    groupId: processorGroupId,
    topic: topics.submissions,
    partitionCount,
    logger,
    onAssigned: (partitions) => processor.takeOver(partitions),
    onRecords: (partition, records) => processor.deliver(partition, records),
    onDataLoss: onFatal,
  });
  // The positions that count are in Postgres (A2). These show every instance whether Postgres was set back behind them.
  const offsetCommits = setInterval(() => void consumer.commitOffsets(processor.topicOffsets), offsetIntervalMs);
  let isReading = false;
  const learnProcessed = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    const offsets = await readProcessed().catch(() => undefined);
    if (offsets !== undefined) processor.learnProcessed(offsets);
    isReading = false;
  };
  const offsetReads = setInterval(() => void learnProcessed(), offsetIntervalMs);
  const expiry = setInterval(() => void deleteExpired(database, logger), expiryIntervalMs);
  return {
    offsets: () => processor.topicOffsets,
    partitions: () => processor.partitions,
    publisher: eventPublisher,
    async stop() {
      clearInterval(offsetCommits);
      clearInterval(offsetReads);
      clearInterval(expiry);
      await consumer.commitOffsets(processor.topicOffsets);
      // The group is left first: another instance takes over while this one finishes its batch.
      await consumer.stop();
      await processor.stop();
      await eventPublisher.stop();
      await snapshotWriter.stop();
      await parkedTopic.close();
    },
  };
}

function openCodecs(registry: SchemaRegistry) {
  return Promise.all([
    AvroCodec.open<SubmissionRecord>(registry, submissionSchema),
    AvroCodec.open<BookEvent, BookEvent<number>>(registry, bookEventSchema),
  ]);
}

async function deleteExpired(database: Database, logger: Logger): Promise<void> {
  try {
    await Promise.all([
      deleteExpiredVerdicts(database),
      deleteExpiredOutcomes(database),
      deleteExpiredRequests(database),
    ]);
  } catch (err) {
    logger.warn({ event: 'processor.expiry_failed', err }, 'failed to delete expired rows; retrying');
  }
}
