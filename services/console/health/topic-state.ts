/** How far the topics are: their ends, and the number of the last published event of each partition. */
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { type BookEvent, bookEventSchema } from '#libs/kafka/book-event.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { countPartitionsWithoutReplica } from '#libs/kafka/missing-replicas.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { readTopicTails, topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { UrlSource } from '#libs/runtime/follow-setting.ts';
import type { Reading } from './latest-reading.ts';

export interface TopicState extends Reading {
  /** By partition: the offset that the next record of lending.submissions will get. */
  readonly submissionEnds: ReadonlyMap<number, number>;
  /** By partition: 0 where nothing was published. */
  readonly lastEvents: ReadonlyMap<number, number>;
  readonly partitionsWithoutReplica: number;
}

export function topicReader(kafka: KafkaClient, schemaRegistryUrl: UrlSource): () => Promise<TopicState> {
  let codec: Promise<AvroCodec<BookEvent, BookEvent<number>>> | undefined;
  const openCodec = () => {
    codec ??= AvroCodec.open<BookEvent, BookEvent<number>>(new SchemaRegistry(schemaRegistryUrl), bookEventSchema);
    codec.catch(() => {
      codec = undefined;
    });
    return codec;
  };
  return async () => {
    const ends = await topicOffsets(kafka, topics.submissions);
    const [events, tails, partitionsWithoutReplica] = await Promise.all([
      openCodec(),
      readTopicTails(kafka, topics.bookEvents, [...ends.keys()], (_partition, { high }) => high - 1),
      countPartitionsWithoutReplica(kafka),
    ]);
    const lastEvents = new Map<number, number>();
    for (const [partition, { records }] of tails) {
      const record = records.at(-1);
      lastEvents.set(partition, record === undefined ? 0 : Number((await events.decode(record.value)).sequence));
    }
    const submissionEnds = new Map([...ends].map(([partition, { high }]) => [partition, high]));
    return { readAt: Date.now(), submissionEnds, lastEvents, partitionsWithoutReplica };
  };
}
