/** Opens what is needed to submit to books: a writer of the submission topic and a channel for the verdicts. */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Database } from '#libs/database/database.ts';
import { openDatabasesOf } from '#libs/database/open-partition-databases.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { readPartitions } from '#libs/database/partitions.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { connectKafka, type KafkaClient } from '#libs/kafka/kafka-client.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { type SubmissionRecord, submissionSchema } from '#libs/kafka/submission-record.ts';
import { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { openSubscriber } from '#libs/redis/redis.ts';
import type { UrlSource } from '#libs/runtime/follow-setting.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { adaptiveBatchSize } from './adaptive-batch-size.ts';
import { Administration } from './administration.ts';
import { PendingVerdicts } from './pending-verdicts.ts';
import { maxPendingBytes, Submitter } from './submitter.ts';

export interface SubmissionClient {
  readonly submitter: Submitter;
  /** How many requests wait for their verdicts. */
  readonly pendingRequests: () => number;
  /** Sends what is queued. Requests that are still waiting are answered without a verdict. */
  close(): Promise<void>;
}

export interface SubmissionClientOptions {
  readonly kafka: KafkaClient;
  readonly schemaRegistryUrl: UrlSource;
  readonly databases: PartitionDatabases;
  /** A connection in subscriber mode; others may share it. */
  readonly subscriber: Redis;
  readonly logger: Logger;
}

export async function openSubmissionClient(options: SubmissionClientOptions): Promise<SubmissionClient> {
  const { kafka, schemaRegistryUrl, databases, subscriber, logger } = options;
  const ingress = randomUUID();
  const codec = await AvroCodec.open<SubmissionRecord>(new SchemaRegistry(schemaRegistryUrl), submissionSchema);
  const batchSize = adaptiveBatchSize();
  const { length: partitionCount } = await readPartitions(databases.home);
  const writer = await TopicWriter.open(kafka, {
    maxRequestsPerSend: () => batchSize(pendingVerdicts.size),
    maxPendingBytes,
  });
  // Created last, because it subscribes immediately and a failed start is retried many times.
  const pendingVerdicts = new PendingVerdicts({ ingress, subscriber, databases, logger });
  return {
    submitter: new Submitter({ writer, codec, pendingVerdicts, partitionCount }),
    pendingRequests: () => pendingVerdicts.size,
    async close() {
      await writer.close();
      pendingVerdicts.close();
    },
  };
}

export interface CellAddresses {
  readonly kafkaBrokers: string;
  readonly schemaRegistryUrl: string;
  readonly databaseUrl: string;
  readonly partitionDatabaseUrls?: ReadonlyMap<string, string>;
  readonly redisUrl: string;
}

/** For processes without connections of their own: the command line, the dev start, tests. */
export async function openAdministration(
  addresses: CellAddresses,
  logger: Logger,
): Promise<{ readonly administration: Administration; close(): Promise<void> }> {
  const { kafkaBrokers, schemaRegistryUrl, databaseUrl, redisUrl, partitionDatabaseUrls = new Map() } = addresses;
  const pools: Database[] = [];
  const open = (url: UrlSource): Database => {
    const pool = openDatabase({ url, name: 'administration', connections: 2 });
    pools.push(pool);
    return pool;
  };
  const home = open(databaseUrl);
  const subscriber = openSubscriber(redisUrl, 'administration');
  const kafka = connectKafka(kafkaBrokers, 'administration', logger);
  const closeConnections = async (): Promise<void> => {
    subscriber.disconnect();
    await Promise.all(pools.map((pool) => pool.end()));
  };
  try {
    const databases = await openDatabasesOf(home, { urls: () => partitionDatabaseUrls, open });
    const client = await openSubmissionClient({ kafka, schemaRegistryUrl, databases, subscriber, logger });
    return {
      administration: new Administration(client.submitter, databases),
      async close() {
        await client.close();
        await closeConnections();
      },
    };
  } catch (cause) {
    // A subscriber reconnects without end and would keep the failed command running.
    await closeConnections();
    throw cause;
  }
}
