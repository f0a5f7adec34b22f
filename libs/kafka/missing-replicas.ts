/** Whether every partition of the cell has all its replicas. */
import type { AdminClient } from './topic-offsets.ts';
import { topics } from './topics.ts';

/** Partitions of which a replica is not in sync: a broker is gone, or behind. */
export async function countPartitionsWithoutReplica(admin: AdminClient): Promise<number> {
  const { topics: found } = await admin.fetchTopicMetadata({ topics: Object.values(topics) });
  const partitions = found.flatMap((topic) => topic.partitions);
  return partitions.filter(({ isr, replicas }) => isr.length < replicas.length).length;
}
