/** What submissions had looked up, read from the log for as long as it keeps them. */
import { AvroCodec } from '#libs/kafka/avro.ts';
import type { KafkaClient, WarnLog } from '#libs/kafka/kafka.ts';
import type { SchemaRegistry } from '#libs/kafka/schema-registry.ts';
import { submissionAvro } from '#libs/kafka/schemas.ts';
import type { SubmissionCodec, SubmissionRecord } from '#libs/kafka/submission.ts';
import { readTopic } from '#libs/kafka/topic-follower.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { LookedUp } from './lookup.ts';

export interface LogToRead {
  readonly kafka: KafkaClient;
  readonly registry: SchemaRegistry;
  readonly say: WarnLog;
}

export async function readLookedUp({ kafka, registry, say }: LogToRead, lookedUp: LookedUp): Promise<void> {
  const codec = await AvroCodec.register<SubmissionRecord>(registry, submissionAvro);
  await readTopic({
    kafka,
    topic: topics.submissions,
    say,
    async take(partition, records) {
      for (const { offset, value } of records) {
        for (const { item, resolved } of (await itemsIn(codec, value)) ?? []) {
          if (resolved !== null) lookedUp.keep({ partition, offset, item }, resolved);
        }
      }
    },
  });
}

/** What cannot be read caused no fact: it was parked. */
async function itemsIn(codec: SubmissionCodec, value: Buffer | null): Promise<SubmissionRecord['items'] | undefined> {
  try {
    return (await codec.decode(value ?? Buffer.alloc(0))).items;
  } catch {
    return undefined;
  }
}
