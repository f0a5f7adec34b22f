/** What waits in each partition, and since when nothing of it was done. */
import type { PartitionPosition } from '#libs/database/partitions.ts';

/** Each is called once for a reading, in this order. */
export interface ProgressSources {
  /** By partition: the offset that the next record of lending.submissions will get. */
  readonly readSubmissionEnds: () => Promise<ReadonlyMap<number, number>>;
  /** Without the partitions of a database that does not answer. */
  readonly readPositions: () => Promise<
    ReadonlyMap<number, Pick<PartitionPosition, 'nextOffset' | 'nextEvent' | 'logStart'>>
  >;
  /** By partition: 0 where nothing was published. */
  readonly readLastEvents: () => Promise<ReadonlyMap<number, number>>;
}

export interface Backlog {
  readonly waiting: number;
  /** Of what is done: an offset or the number of an event. */
  readonly position: number;
  /** The first reading since which something waits here and the position is the same. Milliseconds since 1970. */
  readonly unchangedSince: number;
}

export interface PartitionProgress {
  /** Submissions that are not decided. */
  readonly undecided: Backlog;
  /** Recorded events that are not in the topic. */
  readonly unpublished: Backlog;
}

export interface ProgressReading {
  /** When the positions were read. Milliseconds since 1970. */
  readonly readAt: number;
  readonly partitions: ReadonlyMap<number, PartitionProgress>;
}

/**
 * The partitions move on meanwhile. Because submissions are counted before the positions are read, and events after, what
 * happens in between makes the numbers smaller: nothing is counted that does not wait.
 */
export async function readProgress(
  { readSubmissionEnds, readPositions, readLastEvents }: ProgressSources,
  before?: ProgressReading,
): Promise<ProgressReading> {
  const ends = await readSubmissionEnds();
  const positions = await readPositions();
  const readAt = Date.now();
  const lastEvents = await readLastEvents();
  const partitions = new Map<number, PartitionProgress>();
  for (const [partition, { nextOffset, nextEvent, logStart }] of positions) {
    const end = ends.get(partition);
    const lastEvent = lastEvents.get(partition);
    if (end === undefined || lastEvent === undefined) continue;
    const earlier = before?.partitions.get(partition);
    const backlog = (waiting: number, position: number, known: Backlog | undefined): Backlog => {
      const isUnchanged = known !== undefined && known.waiting > 0 && known.position === position;
      return { waiting: Math.max(waiting, 0), position, unchangedSince: isUnchanged ? known.unchangedSince : readAt };
    };
    partitions.set(partition, {
      undecided: backlog(logStart + end - nextOffset, nextOffset, earlier?.undecided),
      unpublished: backlog(nextEvent - 1 - lastEvent, lastEvent, earlier?.unpublished),
    });
  }
  return { readAt, partitions };
}
