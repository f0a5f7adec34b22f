/**
 * After the loss of a database the submission topic may hold submissions behind the last published event. They may have
 * been refused, undecided, or recorded and acknowledged without being published yet, and an acknowledged one must not be
 * lost (A1). So each is submitted again with its original ids and a long timeout: it is decided like any other, and a
 * caller that retries gets the record under its reference.
 */

import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import type { SubmissionCodec, SubmissionItem, SubmissionRecord } from '#libs/kafka/submission-record.ts';
import type { TopicRecord } from '#libs/kafka/topic-consumer.ts';
import { readTopic } from '#libs/kafka/topic-follower.ts';
import { topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { TopicWriter } from '#libs/kafka/topic-writer.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import { newUuid } from '#libs/runtime/uuid.ts';
import type { PartitionProgress } from './ingest.ts';

export interface ResubmissionResult {
  /** By partition, the offset from which a processor continues. */
  readonly nextOffsets: ReadonlyMap<number, number>;
  readonly resubmitted: number;
  /** Partitions whose topic no longer holds the submissions right after the last event. */
  readonly partitionsWithGap: readonly number[];
}

/** The last submission of a partition that recorded anything, and its last processed item. */
export type ProcessedPosition = Pick<PartitionProgress, 'offset' | 'item'>;

export interface ResubmitOptions {
  readonly kafka: KafkaClient;
  readonly codec: SubmissionCodec;
  readonly logger: Logger;
  /** In offsets of the present topic. */
  readonly progress: ReadonlyMap<number, ProcessedPosition>;
  readonly nowMs: number;
  /** Those of the database. Default: all. */
  readonly partitions?: ReadonlySet<number>;
}

/** Long, because the services may be started days after the rebuild. */
const timeoutMicros = 7 * 24 * 3_600_000_000;

export async function resubmit(options: ResubmitOptions): Promise<ResubmissionResult> {
  const { kafka, codec, logger, progress, nowMs, partitions } = options;
  const reads = (partition: number): boolean => partitions?.has(partition) ?? true;
  const all = await topicOffsets(kafka, topics.submissions);
  const offsets = new Map([...all].filter(([partition]) => reads(partition)));
  const writer = await TopicWriter.open(kafka);
  let resubmitted = 0;
  try {
    await readTopic({
      kafka,
      topic: topics.submissions,
      logger,
      from: ({ low, high }, partition) => (reads(partition) ? low : high),
      async onRecords(partition, records) {
        for (const record of records) {
          const value = await renewRecord(codec, record, progress.get(partition), nowMs);
          if (value === undefined) continue;
          const key = record.key?.toString('utf8') ?? '';
          await writer.append({ topic: topics.submissions, partition, key, value });
          resubmitted += 1;
        }
      },
    });
  } finally {
    await writer.close();
  }
  return {
    nextOffsets: new Map([...offsets].map(([partition, { high }]) => [partition, high])),
    resubmitted,
    partitionsWithGap: [...offsets].flatMap(([partition, { low }]) =>
      low > firstOffsetAfter(progress.get(partition)) ? [partition] : [],
    ),
  };
}

function firstOffsetAfter(progress: ProcessedPosition | undefined): number {
  return progress === undefined ? 0 : progress.offset + 1;
}

/** The record to submit again; undefined if all of it was published. */
async function renewRecord(
  codec: SubmissionCodec,
  { offset, value }: TopicRecord,
  progress: ProcessedPosition | undefined,
  nowMs: number,
): Promise<Buffer | undefined> {
  if (value === null || offset < (progress?.offset ?? 0)) return undefined;
  let record: SubmissionRecord;
  try {
    record = await codec.decode(value);
  } catch {
    // Submitted as it is: it cannot be decoded by the processor either, and parks its book again.
    return value;
  }
  const patience_ends_at = nowMs * 1_000 + timeoutMicros;
  if (offset !== progress?.offset) return codec.encode({ ...record, patience_ends_at });
  // The first items of a batch may have been published. The rest becomes a request of its own with the same signature.
  const items = itemsAfter(record.items, progress);
  return items.length === 0 ? undefined : codec.encode({ ...record, request_id: newUuid(), items, patience_ends_at });
}

function itemsAfter(
  items: readonly SubmissionItem[],
  { item: lastItem }: ProcessedPosition,
): readonly SubmissionItem[] {
  const last = items.findIndex(({ item }) => item === lastItem);
  // The items that a release records are those of parked submissions.
  return last === -1 ? [] : items.slice(last + 1);
}
