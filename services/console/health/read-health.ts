/** What Postgres knows of the health of the cell. Each statement reads a bounded number of rows. */
import { type CheckResult, readCheckResults } from '#libs/database/check-results.ts';
import { type Database, query } from '#libs/database/database.ts';
import { type ParkedBookSummary, readParkedBookSummaries } from '#libs/database/parked-submissions.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { type ArchiveStatus, readServerStatus } from '#libs/database/server-status.ts';
import { uuidTimeMs } from '#libs/runtime/uuid.ts';
import { readEachDatabase } from './each-database.ts';

export interface PartitionState {
  readonly partition: number;
  readonly epoch: number;
  readonly owner: string | null;
  readonly takenOverAt: Date | null;
}

/** A session name of Postgres, with the version that runs under it. */
export interface ConnectedInstance {
  readonly name: string;
  /** Undefined for programs that are not of this service, or of a release before this one. */
  readonly version: string | undefined;
  readonly connections: number;
}

/** Of one database. */
export interface BackupState {
  /** Undefined for the home database. */
  readonly name: string | undefined;
  /** Of the log of Postgres, from which backups are restored; undefined where it is off. */
  readonly archive: ArchiveStatus | undefined;
  /** When the newest base backup was complete. */
  readonly baseBackupAt: Date | null;
  readonly standbys: number;
}

export interface DatabaseHealth {
  readonly partitions: readonly PartitionState[];
  /** One more than is listed where there are more. */
  readonly parkedBooks: readonly ParkedBookSummary[];
  /** The home database first. */
  readonly backups: readonly BackupState[];
  readonly hasLiveTenancy: boolean;
  /** Whether one is connected to each database that answers: one that ended stays the owner of its partitions. */
  readonly hasProcessor: boolean;
  readonly instances: readonly ConnectedInstance[];
  readonly unrecordedActs: number;
  readonly oldestUnrecordedAct: Date | null;
  /** Those that were recorded. */
  readonly checks: readonly CheckResult[];
  /** Further databases that do not answer: what is on them is missing here. */
  readonly unreachableDatabases: readonly string[];
}

export const maxParkedBooks = 50;
const maxInstances = 100;

export async function readDatabaseHealth(databases: PartitionDatabases): Promise<DatabaseHealth> {
  const [read, acts, checks] = await Promise.all([
    readEachDatabase(databases, (database) => readOneDatabase(databases, database)),
    readUnrecordedActs(databases.home),
    readCheckResults(databases.home),
  ]);
  const answers = read.filter((each) => each !== undefined);
  return {
    partitions: answers.flatMap(({ partitions }) => partitions).sort((one, other) => one.partition - other.partition),
    parkedBooks: answers.flatMap(({ parkedBooks }) => parkedBooks),
    backups: answers.map(({ backup }) => backup),
    hasLiveTenancy: answers.some(({ hasLiveTenancy }) => hasLiveTenancy),
    hasProcessor: answers.every(({ hasProcessor }) => hasProcessor),
    instances: instancesOf(answers.flatMap(({ sessions }) => sessions)),
    ...acts,
    checks,
    unreachableDatabases: databases.all.flatMap((database, index) =>
      read[index] === undefined ? [databases.nameOf(database) ?? ''] : [],
    ),
  };
}

interface StoredState {
  readonly baseBackupAt: Date | null;
  readonly hasLiveTenancy: boolean;
  readonly hasProcessor: boolean;
}

interface SessionCount {
  readonly name: string;
  readonly connections: number;
}

async function readOneDatabase(databases: PartitionDatabases, database: Database) {
  const [partitions, parkedBooks, stored, { standbys, archive }, sessions] = await Promise.all([
    query<PartitionState>(
      database,
      'partition_health',
      'SELECT partition, epoch, owner, taken_over_at AS "takenOverAt" FROM partitions ORDER BY partition',
      [],
    ),
    readParkedBookSummaries(database, maxParkedBooks + 1),
    query<StoredState>(
      database,
      'stored_state',
      `SELECT (SELECT max(finished_at) FROM operations.base_backups) AS "baseBackupAt",
         EXISTS (SELECT 1 FROM tenancies WHERE live) AS "hasLiveTenancy",
         EXISTS (SELECT 1 FROM pg_stat_activity
           WHERE datname = current_database() AND application_name LIKE 'processor%') AS "hasProcessor"`,
      [],
    ),
    readServerStatus(database),
    query<SessionCount>(
      database,
      'connected_instances',
      `SELECT application_name AS name, count(*)::integer AS connections
       FROM pg_stat_activity WHERE datname = current_database() AND application_name <> ''
       GROUP BY application_name ORDER BY application_name LIMIT ${maxInstances}`,
      [],
    ),
  ]);
  const [row] = stored;
  if (row === undefined) throw new Error('the stored state of a database has no row; expected one');
  return {
    // The home database has a row for each partition of the cell.
    partitions: partitions.filter(({ partition }) => databases.ofPartition(partition) === database),
    parkedBooks,
    backup: { name: databases.nameOf(database), archive, standbys, baseBackupAt: row.baseBackupAt },
    hasLiveTenancy: row.hasLiveTenancy,
    hasProcessor: row.hasProcessor,
    sessions,
  };
}

async function readUnrecordedActs(
  home: Database,
): Promise<Pick<DatabaseHealth, 'unrecordedActs' | 'oldestUnrecordedAct'>> {
  const [row] = await query<{ count: number; oldest: string | null }>(
    home,
    'unrecorded_acts_health',
    `SELECT (SELECT count(*)::integer FROM (SELECT 1 FROM console.unrecorded_acts LIMIT 1000) a) AS count,
       (SELECT act_id FROM console.unrecorded_acts ORDER BY act_id LIMIT 1) AS oldest`,
    [],
  );
  const { count = 0, oldest = null } = row ?? {};
  return { unrecordedActs: count, oldestUnrecordedAct: oldest === null ? null : new Date(uuidTimeMs(oldest)) };
}

/** A service has the same name in every database that it uses. Services are connected as `name/version`. */
function instancesOf(sessions: readonly SessionCount[]): readonly ConnectedInstance[] {
  const byName = [...Map.groupBy(sessions, ({ name }) => name)].slice(0, maxInstances);
  return byName.map(([sessionName, counts]) => {
    const [, name, version] = /^(.+)\/([^/ ]+)$/.exec(sessionName) ?? [];
    const connections = counts.reduce((sum, count) => sum + count.connections, 0);
    return { name: name ?? sessionName, version, connections };
  });
}

/** The different versions that run, sorted. */
export function versionsOf(instances: readonly ConnectedInstance[]): readonly string[] {
  return [...new Set(instances.flatMap(({ version }) => version ?? []))].sort();
}
