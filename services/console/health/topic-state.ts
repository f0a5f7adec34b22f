/** How far the partitions are behind their topics, and whether the topics have all their replicas. */
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { type PartitionPosition, readAllPositions } from '#libs/database/partitions.ts';
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { type BookEvent, bookEventSchema } from '#libs/kafka/book-event.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { countPartitionsWithoutReplica } from '#libs/kafka/missing-replicas.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { fetchOffsetRanges, type OffsetRange, readTopicTails, withAdmin } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { UrlSource } from '#libs/runtime/follow-setting.ts';
import { readEachDatabase } from './each-database.ts';
import type { Reading } from './latest-reading.ts';
import { type ProgressReading, readProgress } from './partition-progress.ts';

export interface TopicState extends Reading, ProgressReading {
  readonly partitionsWithoutReplica: number;
}

export interface TopicReaderOptions {
  readonly kafka: KafkaClient;
  readonly schemaRegistryUrl: UrlSource;
  readonly databases: PartitionDatabases;
}

export function topicReader({ kafka, schemaRegistryUrl, databases }: TopicReaderOptions): () => Promise<TopicState> {
  const readLastEvents = lastEventReader(kafka, schemaRegistryUrl);
  let progress: ProgressReading | undefined;
  return () =>
    withAdmin(kafka, async (admin) => {
      const readSubmissionEnds = async () => {
        const ranges = await fetchOffsetRanges(admin, topics.submissions);
        return new Map([...ranges].map(([partition, { high }]) => [partition, high]));
      };
      progress = await readProgress(
        {
          readSubmissionEnds,
          readPositions: () => readPositions(databases),
          readLastEvents: async () => readLastEvents(await fetchOffsetRanges(admin, topics.bookEvents)),
        },
        progress,
      );
      return { ...progress, partitionsWithoutReplica: await countPartitionsWithoutReplica(admin) };
    });
}

/** Each partition from the database on which it is placed. */
async function readPositions(databases: PartitionDatabases): Promise<Map<number, PartitionPosition>> {
  const read = await readEachDatabase(databases, async (database) => {
    const positions = [...(await readAllPositions(database))];
    return positions.filter(([partition]) => databases.ofPartition(partition) === database);
  });
  return new Map(read.flatMap((positions) => positions ?? []));
}

interface LastEvent {
  readonly range: OffsetRange;
  readonly sequence: number;
}

/** The number of the last event of each partition. Only partitions whose end has moved are read again. */
function lastEventReader(
  kafka: KafkaClient,
  schemaRegistryUrl: UrlSource,
): (ranges: ReadonlyMap<number, OffsetRange>) => Promise<ReadonlyMap<number, number>> {
  const known = new Map<number, LastEvent>();
  let codec: Promise<AvroCodec<BookEvent, BookEvent<number>>> | undefined;
  const openCodec = () => {
    codec ??= AvroCodec.open<BookEvent, BookEvent<number>>(new SchemaRegistry(schemaRegistryUrl), bookEventSchema);
    codec.catch(() => {
      codec = undefined;
    });
    return codec;
  };
  return async (ranges) => {
    const moved = [...ranges].flatMap(([partition, { low, high }]) => {
      const range = known.get(partition)?.range;
      return range?.low === low && range.high === high ? [] : [partition];
    });
    if (moved.length > 0) {
      const events = await openCodec();
      const tails = await readTopicTails(kafka, topics.bookEvents, moved, (_partition, { high }) => high - 1);
      for (const [partition, { records, firstOffset: low, nextOffset: high }] of tails) {
        const last = records.at(-1);
        const sequence = last === undefined ? 0 : Number((await events.decode(last.value)).sequence);
        known.set(partition, { range: { low, high }, sequence });
      }
    }
    return new Map([...known].map(([partition, { sequence }]) => [partition, sequence]));
  };
}
