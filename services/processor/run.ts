/** Puts the parts of a processor together, and takes them apart in an order that loses nothing. */

import type { Redis } from 'ioredis';
import type { DeciderFor } from '#libs/database/books.ts';
import type { Database } from '#libs/database/database.ts';
import { sweepIdempotency } from '#libs/database/idempotency.ts';
import { sweepVerdicts } from '#libs/database/verdicts.ts';
import { AvroCodec } from '#libs/kafka/avro.ts';
import type { BookEvent } from '#libs/kafka/book-event.ts';
import type { KafkaClient, WarnLog } from '#libs/kafka/kafka.ts';
import { LogReader } from '#libs/kafka/log-reader.ts';
import { LogWriter } from '#libs/kafka/log-writer.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { bookEventAvro, submissionAvro } from '#libs/kafka/schemas.ts';
import type { SubmissionRecord } from '#libs/kafka/submission.ts';
import { topics } from '#libs/kafka/topics.ts';
import { untilThere } from '#libs/runtime/wait-for.ts';
import { Processor, type ProcessorOptions } from './processor.ts';
import { Publisher } from './publisher.ts';
import { SnapshotWriter } from './snapshots.ts';
import { VerdictPublisher } from './verdict-publisher.ts';

export interface RunOptions {
  /** Names this instance among those that own partitions. */
  readonly name: string;
  readonly kafka: KafkaClient;
  readonly schemaRegistryUrl: string;
  readonly database: Database;
  /** For the right to publish, which a connection of its own holds. */
  readonly locks: Database;
  readonly redis: Redis;
  readonly kindOf: DeciderFor;
  readonly say: WarnLog;
  readonly mostFacts: number;
  /** What must stop the process, loudly: it cannot go on and must not guess. */
  readonly onFatal: (cause: Error) => void;
  readonly observe?: ProcessorOptions['observe'];
}

export interface Running {
  /** The partitions that are ours and how far each is processed. */
  readonly offsets: () => ReadonlyMap<number, number>;
  /** Committed facts that the topic does not tell yet. */
  readonly behind: () => number;
  stop(): Promise<void>;
}

const shownEveryMs = 2_000;
const sweptEveryMs = 30_000;

export async function runProcessor(options: RunOptions): Promise<Running> {
  const { name, kafka, database, locks, redis, kindOf, say, mostFacts, onFatal, observe } = options;
  const registry = new SchemaRegistry(options.schemaRegistryUrl);
  const [codec, events] = await untilThere('the schema registry', () => codecs(registry), say);
  const parkedLog = await untilThere('the log', () => LogWriter.open(kafka), say);
  const publisher = new Publisher({ kafka, codec: events, database, locks, say });
  const snapshots = new SnapshotWriter(redis, kindOf, (book) => processor.shelved(book));
  const messenger = new VerdictPublisher(redis, database, say);
  const processor: Processor = new Processor({
    name,
    kindOf,
    database,
    codec,
    messenger,
    snapshots,
    publisher,
    parkedLog,
    say,
    mostFacts,
    onLost: onFatal,
    ...(observe === undefined ? {} : { observe }),
  });
  const reader = await LogReader.open({
    kafka,
    groupId: 'lending-processors',
    topic: topics.submissions,
    say,
    takeOver: (partitions) => processor.takeOver(partitions),
    deliver: (partition, records) => processor.deliver(partition, records),
    onLost: onFatal,
    onCrash: onFatal,
  });
  const shown = setInterval(() => void reader.show(processor.offsets), shownEveryMs);
  const sweep = () =>
    Promise.all([sweepVerdicts(database), sweepIdempotency(database)]).catch((err: unknown) =>
      say.warn({ err }, 'what is over could not be swept away'),
    );
  const swept = setInterval(() => void sweep(), sweptEveryMs);
  return {
    offsets: () => processor.offsets,
    behind: () => publisher.behind,
    async stop() {
      clearInterval(shown);
      clearInterval(swept);
      await reader.show(processor.offsets);
      // The group is left first: another takes over while this one finishes what it has begun.
      await reader.stop();
      await processor.stop();
      await publisher.stop();
      await snapshots.stop();
      await parkedLog.close();
    },
  };
}

function codecs(registry: SchemaRegistry) {
  return Promise.all([
    AvroCodec.register<SubmissionRecord>(registry, submissionAvro),
    AvroCodec.register<BookEvent, BookEvent<number>>(registry, bookEventAvro),
  ]);
}
