/** Empties the partitions of lending.movements that are in a database. Followers write all movements again, from the facts. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#libs/database/database.ts';
import { type PartitionPosition, readOwnPositions } from '#libs/database/partitions.ts';
import { PublishingLocks } from '#libs/database/publishing-locks.ts';
import type { KafkaClient } from '#libs/kafka/kafka-client.ts';
import type { MovementCodec } from '#libs/kafka/movement.ts';
import { RemovalNotConfirmedError, readTopicTails, removeAllRecords, topicOffsets } from '#libs/kafka/topic-offsets.ts';
import { topics } from '#libs/kafka/topics.ts';
import { RebuildError } from './rebuild-error.ts';

export interface RebuildMovementsOptions {
  readonly kafka: KafkaClient;
  readonly codec: MovementCodec;
  readonly database: Database;
  /** Logs in as the services do: only the same login may end the session of a follower. */
  readonly lockDatabase: Database;
  readonly onProgress: (line: string) => void;
  /** Called with the movements that are published, and all there are. */
  readonly onMovements?: (published: number, total: number) => void;
  readonly stallTimeoutMs?: number;
}

const pollIntervalMs = 500;
const defaultStallTimeoutMs = 90_000;

export interface MovementsPlan {
  /** What the topic holds now. */
  readonly records: number;
  /** One for each event that was committed. */
  readonly movements: number;
}

/** What `rebuildMovements` would remove, and what the processors would write. Changes nothing. */
export async function planRebuildOfMovements({
  kafka,
  database,
}: Pick<RebuildMovementsOptions, 'kafka' | 'database'>): Promise<MovementsPlan> {
  const positions = await readOwnPositions(database);
  const ranges = [...(await topicOffsets(kafka, topics.movements))].filter(([partition]) => positions.has(partition));
  return {
    records: ranges.reduce((sum, [, { low, high }]) => sum + high - low, 0),
    movements: countCommitted(positions),
  };
}

function countCommitted(positions: ReadonlyMap<number, PartitionPosition>): number {
  return [...positions.values()].reduce((sum, { nextEvent }) => sum + nextEvent - 1, 0);
}

/** Returns the number of movements. */
export async function rebuildMovements(options: RebuildMovementsOptions): Promise<number> {
  const partitions = [...(await readOwnPositions(options.database)).keys()];
  const locks = new PublishingLocks(options.lockDatabase, 'movements');
  try {
    await locks.claimAll(partitions);
    await removeAllRecords(options.kafka, topics.movements, partitions, () => requireLocks(locks, partitions));
  } catch (cause) {
    if (!(cause instanceof RemovalNotConfirmedError)) throw cause;
    // A follower that went on before a late removal does not write again what was removed.
    throw new RebuildError(
      `lending.movements: ${cause.message}. Run \`lending rebuild --movements\` again: until it has ended well, movements may be ` +
        'missing. `lending audit` shows whether any is',
      { cause },
    );
  } finally {
    locks.close();
  }
  options.onProgress('all records of lending.movements are removed; the processors write them again');
  return untilPublished(options);
}

/** A follower that took a lock back has read the end of its partition, and would go on behind the removed records. */
async function requireLocks(locks: PublishingLocks, partitions: readonly number[]): Promise<void> {
  await locks.confirmHeld(partitions).catch((cause: unknown) => {
    throw new RebuildError(
      'the session with the locks of lending.movements ended; no record was removed. Run `lending rebuild --movements` again',
      { cause },
    );
  });
}

async function untilPublished(options: RebuildMovementsOptions): Promise<number> {
  const { kafka, codec, database, onMovements, stallTimeoutMs = defaultStallTimeoutMs } = options;
  let published = -1;
  for (let changedAt = performance.now(); ; ) {
    const positions = await readOwnPositions(database);
    const committed = countCommitted(positions);
    const tails = await readTopicTails(kafka, topics.movements, [...positions.keys()], (_, { high }) => high - 1);
    let found = 0;
    for (const { records } of tails.values()) {
      const last = records.at(-1);
      if (last !== undefined) found += Number((await codec.decode(last.value)).sequence);
    }
    onMovements?.(found, committed);
    if (found >= committed) return found;
    if (found !== published) changedAt = performance.now();
    else if (performance.now() - changedAt > stallTimeoutMs) {
      throw new RebuildError('no movement is published; start a processor, it publishes the rest by itself');
    }
    published = found;
    await sleep(pollIntervalMs);
  }
}
