/** What Postgres knows of the health of the cell. Each statement reads a bounded number of rows. */
import { query } from '#libs/database/database.ts';
import { type ParkedBookSummary, readParkedBookSummaries } from '#libs/database/parked-submissions.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { type ArchiveStatus, readServerStatus } from '#libs/database/server-status.ts';
import { uuidTimeMs } from '#libs/runtime/uuid.ts';

export interface PartitionState {
  readonly partition: number;
  readonly epoch: number;
  readonly owner: string | null;
  readonly takenOverAt: Date | null;
  /** The position of the next submission that is decided: an offset plus `logStart`. */
  readonly nextOffset: number;
  readonly logStart: number;
  readonly nextEvent: number;
}

export interface ConnectedInstance {
  readonly name: string;
  /** Undefined for programs that are not of this service, or of a release before this one. */
  readonly version: string | undefined;
  readonly connections: number;
}

export interface DatabaseHealth {
  readonly partitions: readonly PartitionState[];
  /** One more than is listed where there are more. */
  readonly parkedBooks: readonly ParkedBookSummary[];
  /** Of the log of Postgres, from which backups are restored; undefined where it is off. */
  readonly archive: ArchiveStatus | undefined;
  /** When the newest base backup was complete. */
  readonly baseBackupAt: Date | null;
  readonly standbys: number;
  readonly hasLiveTenancy: boolean;
  readonly instances: readonly ConnectedInstance[];
  readonly unrecordedActs: number;
  readonly oldestUnrecordedAct: Date | null;
}

export const maxParkedBooks = 50;
const maxInstances = 100;

interface StoredState {
  readonly baseBackupAt: Date | null;
  readonly hasLiveTenancy: boolean;
  readonly unrecordedActs: number;
  readonly oldestUnrecordedAct: string | null;
}

export async function readDatabaseHealth(databases: PartitionDatabases): Promise<DatabaseHealth> {
  const database = databases.home;
  const [partitions, parkedBooks, stored, { standbys, archive }, sessions] = await Promise.all([
    readPartitionStates(databases),
    databases.readAll((each) => readParkedBookSummaries(each, maxParkedBooks + 1)),
    query<StoredState>(
      database,
      'stored_state',
      `SELECT (SELECT max(finished_at) FROM operations.base_backups) AS "baseBackupAt",
         EXISTS (SELECT 1 FROM tenancies WHERE live) AS "hasLiveTenancy",
         (SELECT count(*)::integer FROM (SELECT 1 FROM console.unrecorded_acts LIMIT 1000) a) AS "unrecordedActs",
         (SELECT act_id FROM console.unrecorded_acts ORDER BY act_id LIMIT 1) AS "oldestUnrecordedAct"`,
      [],
    ),
    readServerStatus(database),
    query<{ readonly name: string; readonly connections: number }>(
      database,
      'connected_instances',
      `SELECT application_name AS name, count(*)::integer AS connections
       FROM pg_stat_activity WHERE datname = current_database() AND application_name <> ''
       GROUP BY application_name ORDER BY application_name LIMIT ${maxInstances}`,
      [],
    ),
  ]);
  const [row] = stored;
  if (row === undefined) throw new Error('the stored state of the cell has no row; expected one');
  const { baseBackupAt, hasLiveTenancy, unrecordedActs, oldestUnrecordedAct: oldest } = row;
  return {
    partitions,
    parkedBooks: parkedBooks.flat(),
    archive,
    standbys,
    baseBackupAt,
    hasLiveTenancy,
    instances: sessions.map(({ name, connections }) => ({ ...instanceOf(name), connections })),
    unrecordedActs,
    oldestUnrecordedAct: oldest === null ? null : new Date(uuidTimeMs(oldest)),
  };
}

/** Each from the database on which it is placed. */
async function readPartitionStates(databases: PartitionDatabases): Promise<PartitionState[]> {
  const text = `SELECT partition, epoch, owner, taken_over_at AS "takenOverAt", next_offset AS "nextOffset",
    log_start AS "logStart", next_event AS "nextEvent" FROM partitions ORDER BY partition`;
  const states = await databases.readAll(async (database) => {
    const rows = await query<PartitionState>(database, 'partition_health', text, []);
    return rows.filter(({ partition }) => databases.ofPartition(partition) === database);
  });
  return states.flat().sort((one, other) => one.partition - other.partition);
}

/** Services are connected as `name/version`. */
function instanceOf(sessionName: string): Pick<ConnectedInstance, 'name' | 'version'> {
  const [, name, version] = /^(.+)\/([^/ ]+)$/.exec(sessionName) ?? [];
  return { name: name ?? sessionName, version };
}

/** The different versions that run, sorted. */
export function versionsOf(instances: readonly ConnectedInstance[]): readonly string[] {
  return [...new Set(instances.flatMap(({ version }) => version ?? []))].sort();
}
