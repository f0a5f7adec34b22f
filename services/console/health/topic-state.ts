/** How far the topics are: their ends, and the number of the last published event of each partition. */
import { AvroCodec } from '#libs/kafka/avro-codec.ts';
import { type BookEvent, bookEventSchema } from '#libs/kafka/book-event.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import { countPartitionsWithoutReplica } from '#libs/kafka/missing-replicas.ts';
import { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { readTopicTails, topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { withTimeout } from '#libs/kafka/with-timeout.ts';
import type { UrlSource } from '#libs/runtime/follow-setting.ts';

export interface TopicState {
  /** Milliseconds since 1970. */
  readonly readAt: number;
  /** By partition: the offset that the next record of lending.submissions will get. */
  readonly submissionEnds: ReadonlyMap<number, number>;
  /** By partition: 0 where nothing was published. */
  readonly lastEvents: ReadonlyMap<number, number>;
  readonly partitionsWithoutReplica: number;
}

/** Kafka is asked once for all who look: reading the ends takes consumers of their own. */
const maxAgeMs = 10_000;
/** A page does not wait longer; the answer is there for the next one. */
const maxWaitMs = 1_500;

export interface TopicReader {
  /** The newest state that is known, perhaps of some time ago; undefined while none was ever read. */
  read(): Promise<TopicState | undefined>;
}

export function openTopicReader(kafka: KafkaClient, schemaRegistryUrl: UrlSource): TopicReader {
  let last: TopicState | undefined;
  let running: Promise<void> | undefined;
  let codec: Promise<AvroCodec<BookEvent, BookEvent<number>>> | undefined;
  const openCodec = () => {
    codec ??= AvroCodec.open<BookEvent, BookEvent<number>>(new SchemaRegistry(schemaRegistryUrl), bookEventSchema);
    codec.catch(() => {
      codec = undefined;
    });
    return codec;
  };
  const readState = async (): Promise<void> => {
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
    last = { readAt: Date.now(), submissionEnds, lastEvents, partitionsWithoutReplica };
  };
  const reader: TopicReader = {
    async read() {
      if (last !== undefined && Date.now() - last.readAt < maxAgeMs) return last;
      running ??= readState()
        .catch(() => undefined)
        .finally(() => {
          running = undefined;
        });
      await withTimeout(running, maxWaitMs);
      return last;
    },
  };
  // The first read connects, which takes longer than a page may.
  void reader.read();
  return reader;
}
