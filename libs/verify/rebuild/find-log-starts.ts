/**
 * Finds where the present lending.submissions begins among the stored positions, when the database that knew it is lost. It
 * begins at 0 until the topic is made again (`lending topic remake`). The last recorded submission in the log is at the last
 * recorded position; the difference is the answer.
 */
import { formatMoment, type Moment } from '#libs/calendar/moment.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import type { SubmissionCodec, SubmissionRecord } from '#libs/kafka/submission-record.ts';
import { readTopic } from '#libs/kafka/topic-follower.ts';
import { type OffsetRange, topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import type { Logger } from '#libs/runtime/logging.ts';
import type { PartitionProgress } from './ingest.ts';
import { RebuildError } from './rebuild-error.ts';

export interface FindLogStartsOptions {
  readonly kafka: KafkaClient;
  readonly codec: SubmissionCodec;
  readonly logger: Logger;
  readonly progress: ReadonlyMap<number, PartitionProgress>;
  /** By partition, the requests of the last positions that recorded facts. */
  readonly recent: ReadonlyMap<number, readonly string[]>;
}

/** A submission is decided, parked or late this long after it was taken in. */
export const maxDecisionDelayMicros = 60_000_000;

/** The last recorded submissions are near the end: only few are behind them. */
const searchedRecords = 20_000;

/** By partition, the stored position of the first record. */
export async function findLogStarts(options: FindLogStartsOptions): Promise<Map<number, number>> {
  const { kafka, progress, recent } = options;
  const ranges = await topicOffsets(kafka, topics.submissions);
  const near = await searchLog(options, ({ high }) => high - searchedRecords);
  const isFound = [...recent.keys()].every((partition) => near.offsets.has(partition));
  const whole = isFound ? near : await searchLog(options, ({ low }) => low);
  const starts = new Map<number, number>();
  for (const [partition, { low }] of ranges) {
    const last = progress.get(partition);
    const offset = near.offsets.get(partition) ?? whole.offsets.get(partition);
    if (last !== undefined && offset === undefined && last.offset >= low)
      requireUndecided(partition, last, whole.decided.get(partition));
    const start = startWithoutRecorded({ last: last?.offset ?? -1, low });
    starts.set(partition, last === undefined || offset === undefined ? start : last.offset - offset);
  }
  return starts;
}

/** A log that was made again holds nothing from before the last fact. Otherwise decided submissions would be submitted again. */
function requireUndecided(partition: number, { recordedAt }: PartitionProgress, decided: LogRecord | undefined): void {
  if (decided === undefined) return;
  const { offset, takenInAt } = decided;
  throw new RebuildError(
    `partition ${partition} of lending.submissions holds submissions that were taken in before its last fact was recorded at ` +
      `${formatMoment(recordedAt as Moment)}, up to offset ${offset} at ${formatMoment(takenInAt as Moment)}, and none of the last ` +
      'requests that recorded a fact: all of it would be submitted again, also what was decided ' +
      '(docs/operations/repair.md, "The last requests are not in the log")',
  );
}

/** Of a log that holds none of them: it was made again after the last position, or its first records are deleted by now. */
export function startWithoutRecorded({ last, low }: { readonly last: number; readonly low: number }): number {
  return last < low ? 0 : last + 1;
}

interface LogRecord {
  readonly offset: number;
  /** Microseconds since 1970. */
  readonly takenInAt: number;
}

interface LogSearch {
  /** By partition, the offset of the last recorded submission. */
  readonly offsets: ReadonlyMap<number, number>;
  /** By partition, the last submission that must have been decided before the last fact. */
  readonly decided: ReadonlyMap<number, LogRecord>;
}

async function searchLog(
  { kafka, codec, logger, progress, recent }: FindLogStartsOptions,
  from: (range: OffsetRange) => number,
): Promise<LogSearch> {
  const offsets = new Map<number, number>();
  const decided = new Map<number, LogRecord>();
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
        const submission = await decode(codec, value);
        if (submission === undefined) continue;
        const { request_id: requestId, taken_in_at: takenInAt } = submission;
        if (takenInAt + maxDecisionDelayMicros < (progress.get(partition)?.recordedAt ?? 0))
          decided.set(partition, { offset, takenInAt });
        // Of several copies the first counts: what was submitted between them may not be processed.
        if (missing.delete(`${partition}/${requestId}`)) offsets.set(partition, offset);
      }
    },
  });
  return { offsets, decided };
}

async function decode(codec: SubmissionCodec, value: Buffer | null): Promise<SubmissionRecord | undefined> {
  try {
    return await codec.decode(value ?? Buffer.alloc(0));
  } catch {
    return undefined;
  }
}
