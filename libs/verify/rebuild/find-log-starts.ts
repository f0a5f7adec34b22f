/**
 * Finds where the present lending.submissions begins among the stored positions, when the database that knew it is lost. It
 * begins at 0 until the topic is made again (`lending topic remake`). The same request has a position in
 * lending.book-events and an offset in lending.submissions; the difference is the answer.
 */
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import type { SubmissionCodec } from '#libs/kafka/submission-record.ts';
import { readTopic } from '#libs/kafka/topic-follower.ts';
import { type OffsetRange, topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import type { PartitionProgress, SubmissionPlace } from './ingest.ts';

export interface FindLogStartsOptions {
  readonly kafka: KafkaClient;
  readonly codec: SubmissionCodec;
  readonly logger: Logger;
  readonly progress: ReadonlyMap<number, PartitionProgress>;
  /** By partition, the last recorded submissions. */
  readonly recent: ReadonlyMap<number, readonly SubmissionPlace[]>;
}

/** The last recorded submissions are near the end: only few are behind them. */
const searchedRecords = 20_000;

/** By partition, the stored position of the first record. */
export async function findLogStarts(options: FindLogStartsOptions): Promise<Map<number, number>> {
  const { kafka, progress, recent } = options;
  const ranges = await topicOffsets(kafka, topics.submissions);
  const found = await search(options, ({ high }) => high - searchedRecords);
  const isFound = [...recent.keys()].every((partition) => found.has(partition));
  if (!isFound) for (const [partition, start] of await search(options, ({ low }) => low)) found.set(partition, start);
  const starts = new Map<number, number>();
  for (const [partition, { low }] of ranges) {
    const last = progress.get(partition)?.offset ?? -1;
    starts.set(partition, found.get(partition) ?? startWithoutRecorded({ last, low }));
  }
  return starts;
}

/** Of a log that holds none of them: it was made again after the last position, or its first records are deleted by now. */
export function startWithoutRecorded({ last, low }: { readonly last: number; readonly low: number }): number {
  return last < low ? 0 : last + 1;
}

async function search(
  { kafka, codec, logger, recent }: FindLogStartsOptions,
  from: (range: OffsetRange) => number,
): Promise<Map<number, number>> {
  const starts = new Map<number, number[]>();
  const positions = new Map<string, number>();
  for (const [partition, submissions] of recent)
    for (const { requestId, offset } of submissions) positions.set(`${partition}/${requestId}`, offset);
  await readTopic({
    kafka,
    topic: topics.submissions,
    logger,
    from,
    async onRecords(partition, records) {
      for (const { offset, value } of records) {
        const position = positions.get(`${partition}/${await requestIdOf(codec, value)}`);
        if (position !== undefined) starts.set(partition, [...(starts.get(partition) ?? []), position - offset]);
      }
    },
  });
  return new Map([...starts].map(([partition, values]) => [partition, commonest(values)]));
}

/**
 * A few submissions are recorded at another place than their first: those of a released book at that of the release, and
 * of two copies in the log only one. Of two that are as frequent the higher: too low a start would skip submissions, too
 * high a one submits some again.
 */
export function commonest(values: readonly number[]): number {
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  const [first] = [...counts].sort(([a, countOfA], [b, countOfB]) => countOfB - countOfA || b - a);
  if (first === undefined) throw new Error('no value is given');
  return first[0];
}

async function requestIdOf(codec: SubmissionCodec, value: Buffer | null): Promise<string | undefined> {
  try {
    return (await codec.decode(value ?? Buffer.alloc(0))).request_id;
  } catch {
    return undefined;
  }
}
