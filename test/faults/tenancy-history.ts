/** What one Tenancy submitted and recorded in the running cell, numbered as if it were alone in a new one. */
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { type PartitionPosition, readPartitionPositions } from '#libs/database/partitions.ts';
import { readEventsAfter } from '#libs/database/read-events.ts';
import type { BookEvent } from '#libs/kafka/book-event.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import type { SubmissionCodec, SubmissionRecord } from '#libs/kafka/submission-record.ts';
import { readTopicTails, topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { retry } from '#libs/runtime/retry.ts';
import { allPartitions } from '#test/support/partitions.ts';

export interface TenancyHistory {
  /** By partition, in the order of the log. */
  readonly submissions: ReadonlyMap<number, readonly SubmissionRecord[]>;
  /** By partition, in order. */
  readonly events: ReadonlyMap<number, readonly BookEvent<number>[]>;
}

/** A broker may not lead its partitions for a moment. */
const leaderRetry = { firstDelayMs: 50, maxDelayMs: 500, timeoutMs: 30_000 };

export interface RunningCell {
  readonly kafka: KafkaClient;
  readonly databases: PartitionDatabases;
  readonly codec: SubmissionCodec;
}

/** Call it before the Tenancy is opened; the result reads its history so far. */
export async function recordHistory({
  kafka,
  databases,
  codec,
}: RunningCell): Promise<(tenantId: string) => Promise<TenancyHistory>> {
  const positions = new Map<number, PartitionPosition>();
  for (const [database, partitions] of databases.groupByPartition(allPartitions))
    for (const [partition, position] of await readPartitionPositions(database, partitions))
      positions.set(partition, position);
  const offsets = await retry(() => topicOffsets(kafka, topics.submissions), leaderRetry);
  return async (tenantId) => {
    const from = (partition: number): number => offsets.get(partition)?.high ?? 0;
    const readTails = () => readTopicTails(kafka, topics.submissions, allPartitions, from);
    const tails = await retry(readTails, leaderRetry);
    const submissions = new Map<number, SubmissionRecord[]>();
    const events = new Map<number, BookEvent<number>[]>();
    for (const partition of allPartitions) {
      const records = await Promise.all((tails.get(partition)?.records ?? []).map(({ value }) => codec.decode(value)));
      const own = records.filter(({ tenant_id }) => tenant_id === tenantId);
      submissions.set(partition, own);
      const requestIds = own.map(({ request_id }) => request_id);
      const { nextEvent } = positions.get(partition) ?? { nextEvent: 1 };
      const found = await readEventsAfter(databases.ofPartition(partition), partition, nextEvent - 1, 10_000);
      const ownEvents = found.filter(({ tenant_id }) => tenant_id === tenantId);
      const numbers = new Map(ownEvents.map(({ sequence }, index) => [sequence, index + 1]));
      events.set(
        partition,
        ownEvents.map((event, index) => ({
          ...event,
          sequence: index + 1,
          offset: requestIds.indexOf(event.request_id),
          evidence: renumbered(event.evidence, numbers),
        })),
      );
    }
    return { submissions, events };
  };
}

function renumbered(
  evidence: BookEvent<number>['evidence'],
  numbers: ReadonlyMap<number, number>,
): BookEvent<number>['evidence'] {
  if (evidence === null || !('lending.EvidenceAt' in evidence)) return evidence;
  return { 'lending.EvidenceAt': { sequence: numbers.get(evidence['lending.EvidenceAt'].sequence) ?? 0 } };
}
