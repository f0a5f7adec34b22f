/**
 * Finds where the present lending.submissions begins among the stored positions, when the database that knew it is lost. It
 * begins at 0 until the topic is made again (`lending topic remake`). The last recorded submission in the log is at the last
 * recorded position; the difference is the answer.
 */
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import type { SubmissionCodec } from '#libs/kafka/submission-record.ts';
import { readTopic } from '#libs/kafka/topic-follower.ts';
import { type OffsetRange, topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import type { PartitionProgress } from './ingest.ts';

export interface FindLogStartsOptions {
  readonly kafka: KafkaClient;
  readonly codec: SubmissionCodec;
  readonly logger: Logger;
  readonly progress: ReadonlyMap<number, PartitionProgress>;
  /** By partition, the last recorded requests. */
  readonly recent: ReadonlyMap<number, readonly string[]>;
}

/** The last recorded submissions are near the end: only few are behind them. */
const searchedRecords = 20_000;

/** By partition, the stored position of the first record. */
export async function findLogStarts(options: FindLogStartsOptions): Promise<Map<number, number>> {
  const { kafka, progress, recent } = options;
  const ranges = await topicOffsets(kafka, topics.submissions);
  const found = await findLastRecorded(options, ({ high }) => high - searchedRecords);
  const isFound = [...recent.keys()].every((partition) => found.has(partition));
  const all = isFound ? found : new Map([...(await findLastRecorded(options, ({ low }) => low)), ...found]);
  const starts = new Map<number, number>();
  for (const [partition, { low }] of ranges) {
    const last = progress.get(partition)?.offset ?? -1;
    const offset = all.get(partition);
    starts.set(partition, offset === undefined ? startWithoutRecorded({ last, low }) : last - offset);
  }
  return starts;
}

/** Of a log that holds none of them: it was made again after the last position, or its first records are deleted by now. */
export function startWithoutRecorded({ last, low }: { readonly last: number; readonly low: number }): number {
  return last < low ? 0 : last + 1;
}

/** By partition, the offset of the last recorded submission. */
async function findLastRecorded(
  { kafka, codec, logger, recent }: FindLogStartsOptions,
  from: (range: OffsetRange) => number,
): Promise<Map<number, number>> {
  const offsets = new Map<number, number>();
  const missing = new Set(
    [...recent].flatMap(([partition, requests]) => requests.map((requestId) => `${partition}/${requestId}`)),
  );
  await readTopic({
    kafka,
    topic: topics.submissions,
    logger,
    from,
    async onRecords(partition, records) {
      for (const { offset, value } of records) {
        // Of several copies the first counts: what was submitted between them may not be processed.
        if (missing.delete(`${partition}/${await requestIdOf(codec, value)}`)) offsets.set(partition, offset);
      }
    },
  });
  return offsets;
}

async function requestIdOf(codec: SubmissionCodec, value: Buffer | null): Promise<string | undefined> {
  try {
    return (await codec.decode(value ?? Buffer.alloc(0))).request_id;
  } catch {
    return undefined;
  }
}
