/** `lending partition`: where the partitions of a cell are, and their move to another database. */
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Database } from '#libs/database/database.ts';
import { maxPlacementAgeMs, readPlacement } from '#libs/database/partition-databases.ts';
import { readPartitionPositions } from '#libs/database/partitions.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import {
  type MoveResult,
  markAsElsewhere,
  movePartition,
  removeMark,
  requireProcessors,
  startWhenNoticed,
} from '#libs/verify/move/move-partition.ts';
import { findLeftRows, type LeftRows, type PlacedDatabase, removeMoved } from '#libs/verify/move/remove-moved.ts';
import { type CellDatabaseAddresses, type CellDatabases, withCellDatabases } from './cell-databases.ts';
import { recordCommand } from './record-command.ts';

/** Of the home database: no further database has it, because it is no name of PARTITION_DATABASE_URLS. */
export const homeName = 'home';

export interface PlacedPartition {
  readonly partition: number;
  readonly database: string;
}

export function listPartitions(cell: CellDatabaseAddresses): Promise<PlacedPartition[]> {
  return withCellDatabases(cell, 'placement', async ([home]) => {
    const { partitionCount, databases, numbers } = await readPlacement(home.owner);
    const nameOf = (partition: number): string =>
      databases.find(({ number }) => number === numbers.get(partition))?.name ?? homeName;
    return Array.from({ length: partitionCount }, (_, partition) => ({ partition, database: nameOf(partition) }));
  });
}

export interface PartitionMove {
  readonly partition: number;
  readonly to: string;
  readonly onCopied?: (copied: number, total: number) => void;
  readonly print?: (line: string) => void;
  /** How long the rows that are left are kept, because a process may still read them. */
  readonly keptMs?: number;
}

/** To the database where the partition is: ends an interrupted move there, or takes one back that did not come so far. */
export function movePartitionOfCell(cell: CellDatabaseAddresses, move: PartitionMove): Promise<MoveResult> {
  const { partition, to, onCopied, print = () => undefined, keptMs = 2 * maxPlacementAgeMs } = move;
  return withCellDatabases(cell, 'partition move', (databases) =>
    withMoveLock(databases[0].owner, async (lockSession) => {
      const { all, from, target, ...place } = await findPlace(databases, partition, to);
      await recordCommand(databases[0].owner, 'partition move', `${partition} ${to}`);
      const isThere = from === target;
      let moved: MoveResult = { copiedFacts: 0, stoppedMs: 0 };
      if (!isThere) {
        const options = { partition, from, to: target, lockSession, ...place };
        moved = await movePartition({ ...options, ...(onCopied === undefined ? {} : { onCopied }) });
        const seconds = (moved.stoppedMs / 1_000).toFixed(1);
        print(`partition ${partition} is on ${to}; nothing was recorded in it for ${seconds} s`);
      }
      const others = all.filter((each) => each !== target);
      const { left, unread } = await findAllLeftRows(others, partition);
      for (const { from: each } of left) await markAsElsewhere(each, partition, target);
      if (isThere) await removeMark(target.database, target, partition);
      // Until it is started, its row there is like one that it left.
      const isStopped = isThere && (await findLeftRows(target, partition)) !== undefined;
      if (isStopped) await startWhenNoticed(target.database, partition, { isMarked: unread.length === 0 });
      if (isThere && !isStopped && left.length === 0 && unread.length === 0)
        throw new Error(`partition ${partition} is on ${to} already`);
      await sleep(keptMs);
      for (const each of left) await removeMoved(each);
      const [firstUnread] = unread;
      if (firstUnread !== undefined) {
        const names = unread.map(({ from: { name } }) => name ?? homeName).join(' and ');
        throw new Error(
          `partition ${partition} is on ${to}, but ${names} cannot be read and may have rows of it: run the command again once it can`,
          { cause: firstUnread.cause },
        );
      }
      print('its rows in the former database were removed');
      return moved;
    }),
  );
}

/** `unread` are the databases that do not answer, or refuse to. */
async function findAllLeftRows(databases: readonly PlacedDatabase[], partition: number) {
  const left: LeftRows[] = [];
  const unread: { readonly from: PlacedDatabase; readonly cause: DependencyUnavailableError }[] = [];
  for (const from of databases) {
    try {
      const found = await findLeftRows(from, partition);
      if (found !== undefined) left.push(found);
    } catch (cause) {
      if (!(cause instanceof DependencyUnavailableError)) throw cause;
      unread.push({ from, cause });
    }
  }
  return { left, unread };
}

/** A second move would use rows that the first one is about to remove. */
async function withMoveLock<T>(home: Database, work: (session: pg.PoolClient) => Promise<T>): Promise<T> {
  const session = await home.connect();
  try {
    const { rows } = await session.query(
      "SELECT pg_try_advisory_lock(hashtextextended('lending partition move', 0)) AS free",
    );
    if (rows[0]?.free !== true) throw new Error('another `lending partition move` runs; one moves at a time');
    return await work(session);
  } finally {
    // With the session, the lock ends.
    session.release(true);
  }
}

export interface PlannedMove {
  readonly from: string;
  readonly facts: number;
}

export function planMoveOfCell(
  cell: CellDatabaseAddresses,
  partition: number,
  to: string,
  print: (line: string) => void,
): Promise<PlannedMove> {
  return withCellDatabases(cell, 'partition move', async (databases) => {
    const { from, target } = await findPlace(databases, partition, to);
    if (from === target) {
      print(`partition ${partition} is on ${to} already`);
      return { from: to, facts: 0 };
    }
    await requireProcessors({ from, to: target });
    const position = (await readPartitionPositions(from.database, [partition])).get(partition);
    const planned = { from: from.name ?? homeName, facts: (position?.nextEvent ?? 1) - 1 };
    print(`${planned.facts} facts would be copied from ${planned.from} to ${to}`);
    return planned;
  });
}

/** `from` is the target where a move was interrupted near its end. */
async function findPlace(databases: CellDatabases, partition: number, to: string) {
  const placed = databases.map(({ name, number, owner }) => ({ name, number, database: owner }));
  const [home, ...others] = placed as [PlacedDatabase, ...PlacedDatabase[]];
  const all = [home, ...others];
  const { partitionCount, numbers } = await readPlacement(home.database);
  if (partition >= partitionCount)
    throw new Error(`there is no partition ${partition}; the cell has 0 to ${partitionCount - 1}`);
  const present = numbers.get(partition) ?? home.number;
  const target = all.find(({ name }) => (name ?? homeName) === to);
  if (target === undefined) {
    const names = all.map(({ name }) => name ?? homeName).join(', ');
    throw new Error(`the cell has no database ${to}; expected one of ${names}`);
  }
  const from = all.find(({ number }) => number === present) ?? home;
  return { all, home, target, from, partitionCount };
}
