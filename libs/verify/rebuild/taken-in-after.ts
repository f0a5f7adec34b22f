/**
 * Where the database was lost, submissions stand in the log behind the last event that was told: refused, never decided,
 * or recorded and acknowledged without the topic having been told yet. Nobody can tell which, and a `201` must hold (A1).
 * So each is submitted again, behind everything else and with patience to spare, its identifiers as they were minted: it
 * is decided as any other, and a caller who asks again under its reference is answered by it.
 */
import type { KafkaClient, WarnLog } from '#libs/kafka/kafka.ts';
import type { LogRecord } from '#libs/kafka/log-reader.ts';
import { LogWriter } from '#libs/kafka/log-writer.ts';
import type { SubmissionCodec, SubmissionItem, SubmissionRecord } from '#libs/kafka/submission.ts';
import { topicEnds } from '#libs/kafka/topic-ends.ts';
import { readTopic } from '#libs/kafka/topic-follower.ts';
import { topics } from '#libs/kafka/topics.ts';
import { mint } from '#libs/runtime/uuid.ts';
import type { Last } from './ingest.ts';

export interface TakenInAfter {
  /** By partition, the offset that a processor goes on from. */
  readonly nextOffsets: ReadonlyMap<number, number>;
  readonly submittedAgain: number;
  /** Partitions of which the log no longer holds what came straight after the last event. */
  readonly begunLater: readonly number[];
}

export interface Resubmitting {
  readonly kafka: KafkaClient;
  readonly codec: SubmissionCodec;
  readonly say: WarnLog;
  readonly lasts: ReadonlyMap<number, Last>;
  readonly nowMs: number;
}

/** The services may be started tomorrow. */
const patienceMicros = 7 * 24 * 3_600_000_000;

export async function submitAgain(options: Resubmitting): Promise<TakenInAfter> {
  const { kafka, codec, say, lasts, nowMs } = options;
  const ends = await topicEnds(kafka, topics.submissions);
  const writer = await LogWriter.open(kafka);
  let submittedAgain = 0;
  try {
    await readTopic({
      kafka,
      topic: topics.submissions,
      say,
      async take(partition, records) {
        for (const record of records) {
          const value = await renewed(codec, record, lasts.get(partition), nowMs);
          if (value === undefined) continue;
          const key = record.key?.toString('utf8') ?? '';
          await writer.append({ topic: topics.submissions, partition, key, value });
          submittedAgain += 1;
        }
      },
    });
  } finally {
    await writer.close();
  }
  const begunLater = [...ends].flatMap(([partition, { low }]) =>
    low > nextAfter(lasts.get(partition)) ? [partition] : [],
  );
  return {
    nextOffsets: new Map([...ends].map(([partition, { high }]) => [partition, high])),
    submittedAgain,
    begunLater,
  };
}

function nextAfter(last: Last | undefined): number {
  return last === undefined ? 0 : last.offset + 1;
}

/** The record as it is to be submitted again; undefined where all of it was told. */
async function renewed(
  codec: SubmissionCodec,
  { offset, value }: LogRecord,
  last: Last | undefined,
  nowMs: number,
): Promise<Buffer | undefined> {
  if (value === null || offset < (last?.offset ?? 0)) return undefined;
  let record: SubmissionRecord;
  try {
    record = await codec.decode(value);
  } catch {
    // What could not be read then cannot be read now, and parks its book again.
    return value;
  }
  const patience_ends_at = nowMs * 1_000 + patienceMicros;
  if (offset !== last?.offset) return codec.encode({ ...record, patience_ends_at });
  // Of a batch the topic may have been told the first part: the rest is a request of its own, signed as it was.
  const items = itemsAfter(record.items, last);
  return items.length === 0 ? undefined : codec.encode({ ...record, request_id: mint(), items, patience_ends_at });
}

function itemsAfter(items: readonly SubmissionItem[], { item: told }: Last): readonly SubmissionItem[] {
  return items.slice(items.findIndex(({ item }) => item === told) + 1);
}
