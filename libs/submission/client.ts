/** A place to submit from: its own channel of verdicts, its own line to the log. */
import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { mebibyte } from '#libs/api/route.ts';
import { type Database, openDatabase } from '#libs/database/database.ts';
import { AvroCodec } from '#libs/kafka/avro.ts';
import { connectKafka, type KafkaClient, type WarnLog } from '#libs/kafka/kafka.ts';
import { LogWriter } from '#libs/kafka/log-writer.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { submissionAvro } from '#libs/kafka/schemas.ts';
import type { SubmissionRecord } from '#libs/kafka/submission.ts';
import { openSubscriber } from '#libs/redis/redis.ts';
import { halfOfAll } from './adaptive-batch-size.ts';
import { Administration } from './administration.ts';
import { PendingVerdicts } from './pending-verdicts.ts';
import { Submitter } from './submitter.ts';

export interface Counter {
  readonly submitter: Submitter;
  /** Requests that await their verdict. */
  readonly waiting: () => number;
  /** What is on its way is sent; nothing more is awaited. */
  close(): Promise<void>;
}

export interface CounterParts {
  readonly log: KafkaClient;
  readonly schemaRegistryUrl: string;
  readonly database: Database;
  /** May be shared with others who subscribe; it can do nothing else. */
  readonly subscriber: Redis;
  readonly say: WarnLog;
}

/** More than the longest body makes, once in each partition: decision 0058. */
const mostHeld = 128 * mebibyte;

export async function openCounter({
  log,
  schemaRegistryUrl,
  database,
  subscriber,
  say,
}: CounterParts): Promise<Counter> {
  const ingress = randomUUID();
  const codec = await AvroCodec.register<SubmissionRecord>(new SchemaRegistry(schemaRegistryUrl), submissionAvro);
  const together = halfOfAll();
  const writer = await LogWriter.open(log, { mostTogether: () => together(desk.size), mostHeld });
  // Last: it begins to listen at once, and whoever cannot open the rest tries again and again.
  const desk = new PendingVerdicts({ ingress, subscriber, database, say });
  return {
    submitter: new Submitter({ writer, codec, desk }),
    waiting: () => desk.size,
    async close() {
      await writer.close();
      desk.close();
    },
  };
}

export interface Addresses {
  readonly kafkaBrokers: string;
  readonly schemaRegistryUrl: string;
  readonly databaseUrl: string;
  readonly redisUrl: string;
}

/** For whoever has nothing open yet: the command line, a start, a test. */
export async function openAdministration(
  addresses: Addresses,
  say: WarnLog,
): Promise<{ readonly administration: Administration; close(): Promise<void> }> {
  const database = openDatabase({ url: addresses.databaseUrl, name: 'administration', connections: 2 });
  const subscriber = openSubscriber(addresses.redisUrl, 'administration');
  const log = connectKafka(addresses.kafkaBrokers, 'administration', say);
  const { schemaRegistryUrl } = addresses;
  const closeBoth = async (): Promise<void> => {
    subscriber.disconnect();
    await database.end();
  };
  try {
    const counter = await openCounter({ log, schemaRegistryUrl, database, subscriber, say });
    return {
      administration: new Administration(counter.submitter, database),
      async close() {
        await counter.close();
        await closeBoth();
      },
    };
  } catch (cause) {
    // A subscriber that tries again for ever would keep a command alive that has said why it failed; of what failed to be
    // opened nothing stands.
    await closeBoth();
    throw cause;
  }
}
