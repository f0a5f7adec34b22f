/** Connects the parts of a processor and stops them in an order that loses nothing. */
import type { Redis } from 'ioredis';
import type { DeciderFor } from '#libs/database/books.ts';
import type { Database } from '#libs/database/database.ts';
import { deleteExpiredOutcomes } from '#libs/database/idempotency.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
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
import { type HeapShareName, heapShareBytes } from '#libs/runtime/heap-shares.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { SnapshotWriter } from './book-snapshot-writer.ts';
import { EventPublisher } from './event-publisher.ts';
import { type CommittedBatch, Processor } from './processor.ts';
import { type DatabaseProcessor, ProcessorGroup, type PublisherState } from './processor-group.ts';
import { VerdictPublisher } from './verdict-publisher.ts';

export interface RunProcessorOptions {
  /** Identifies this instance as an owner of partitions. */
  readonly instanceName: string;
  readonly kafka: KafkaClient;
  readonly schemaRegistryUrl: UrlSource;
  readonly databases: PartitionDatabases;
  /** Of each database: holds the publishing locks on one connection of its own. */
  readonly lockDatabaseOf: (database: Database) => Database;
  readonly redis: Redis;
  readonly deciderFor: DeciderFor;
  readonly logger: Logger;
  readonly maxCachedBytes: number;
  /** The processor cannot continue; the process must end. */
  readonly onFatal: (cause: Error) => void;
  readonly onCommitted?: (batch: CommittedBatch, database: Database) => void;
}

export interface RunningProcessor {
  /** The next offset of every owned partition in the topic. */
  readonly offsets: () => ReadonlyMap<number, number>;
  /** The owned partitions with their epochs. */
  readonly partitions: () => ReadonlyMap<number, { readonly epoch: number }>;
  readonly publisher: PublisherState;
  stop(): Promise<void>;
}

const offsetIntervalMs = 2_000;
const expiryIntervalMs = 30_000;

export async function runProcessor(options: RunProcessorOptions): Promise<RunningProcessor> {
  const { instanceName, kafka, databases, lockDatabaseOf, redis, deciderFor, logger } = options;
  const { maxCachedBytes, onFatal, onCommitted } = options;
  const registry = new SchemaRegistry(options.schemaRegistryUrl);
  const [codec, eventCodec] = await waitForDependency('the schema registry', () => openCodecs(registry), logger);
  const parkedTopic = await waitForDependency('Kafka', () => TopicWriter.open(kafka), logger);
  // Read before this instance joins the group: the database holds all that was processed until now.
  const readProcessed = () => processedOffsets(kafka, processorGroupId, topics.submissions);
  const processed = await waitForDependency('Kafka', readProcessed, logger);
  const readCount = async () => (await readPartitions(databases.home)).length;
  const partitionCount = await waitForDependency('Postgres', readCount, logger);
  const snapshotWriter = new SnapshotWriter(redis, deciderFor, (key) => group.cachedBook(key));
  // All databases together have what a processor of one database has.
  const heapShare = (name: HeapShareName): number => heapShareBytes(name) / databases.all.length;
  const bookLimits = { maxBatchBytes: heapShare('booksOfBatch'), maxEntryBytes: heapShare('booksOfRecord') };
  const members = databases.all.map((database): DatabaseProcessor => {
    const publisher = new EventPublisher({
      kafka,
      codec: eventCodec,
      partitionCount,
      database,
      lockDatabase: lockDatabaseOf(database),
      logger,
      onDatabaseSetBack: (cause) => processor.stopAfterDataLoss(cause),
    });
    const processor: Processor = new Processor({
      instanceName,
      deciderFor,
      database,
      databases,
      codec,
      verdictPublisher: new VerdictPublisher(redis, database, logger),
      snapshotWriter,
      eventPublisher: publisher,
      parkedTopic,
      logger,
      maxCachedBytes: maxCachedBytes / databases.all.length,
      bookLimits,
      onDataLoss: onFatal,
      onFenced: () => consumer.takeOverAgain(),
      ...(onCommitted === undefined ? {} : { onCommitted: (batch) => onCommitted(batch, database) }),
    });
    return { database, processor, publisher };
  });
  const group = new ProcessorGroup({
    databases,
    members,
    logger,
    onTakenOver: (offsets) => consumer.addTakenOver(offsets),
    onChanged: () => consumer.takeOverChanged(),
  });
  group.learnProcessed(processed);
  const consumer: TopicConsumer = await TopicConsumer.open({
    kafka,
    groupId: processorGroupId,
    topic: topics.submissions,
    partitionCount,
    logger,
    pausesAlone: databases.hasSeveral,
    onAssigned: (partitions) => group.takeOver(partitions),
    onRecords: (partition, records) => group.deliver(partition, records),
    onDataLoss: onFatal,
  });
  // The positions that count are in Postgres (A2). These show every instance whether Postgres was set back behind them.
  const offsetCommits = setInterval(() => void consumer.commitOffsets(group.topicOffsets), offsetIntervalMs);
  let isReading = false;
  const learnProcessed = async (): Promise<void> => {
    if (isReading) return;
    isReading = true;
    const offsets = await readProcessed().catch(() => undefined);
    if (offsets !== undefined) group.learnProcessed(offsets);
    isReading = false;
  };
  const offsetReads = setInterval(() => void learnProcessed(), offsetIntervalMs);
  const expiry = setInterval(() => void deleteExpired(databases, logger), expiryIntervalMs);
  return {
    offsets: () => group.topicOffsets,
    partitions: () => group.partitions,
    get publisher() {
      return group.publisherState;
    },
    async stop() {
      clearInterval(offsetCommits);
      clearInterval(offsetReads);
      clearInterval(expiry);
      group.endTakeovers();
      await consumer.commitOffsets(group.topicOffsets);
      // The group is left first: another instance takes over while this one finishes its batch.
      await consumer.stop();
      await group.stop();
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

async function deleteExpired(databases: PartitionDatabases, logger: Logger): Promise<void> {
  try {
    await Promise.all([
      databases.readAll(deleteExpiredVerdicts),
      deleteExpiredOutcomes(databases.home),
      deleteExpiredRequests(databases.home),
    ]);
  } catch (err) {
    logger.warn({ event: 'processor.expiry_failed', err }, 'failed to delete expired rows; retrying');
  }
}
