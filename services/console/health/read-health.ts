/** What Postgres knows of the health of the cell. Each statement reads a bounded number of rows. */
import { type Database, query } from '#libs/database/database.ts';
import { type ParkedBookSummary, readParkedBookSummaries } from '#libs/database/parked-submissions.ts';

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

/** The archive of the log of Postgres, from which backups are restored. */
export interface ArchiveState {
  readonly isOn: boolean;
  readonly lastArchivedAt: Date | null;
  readonly lastFailedAt: Date | null;
}

export interface ConnectedInstance {
  readonly name: string;
  readonly connections: number;
}

export interface DatabaseHealth {
  readonly partitions: readonly PartitionState[];
  /** One more than is listed where there are more. */
  readonly parkedBooks: readonly ParkedBookSummary[];
  readonly archive: ArchiveState;
  readonly standbys: number;
  readonly instances: readonly ConnectedInstance[];
  readonly unrecordedActs: number;
}

export const maxParkedBooks = 50;
const maxInstances = 100;

interface ServerRow extends ArchiveState {
  readonly standbys: number;
  readonly unrecordedActs: number;
}

export async function readDatabaseHealth(database: Database): Promise<DatabaseHealth> {
  const [partitions, parkedBooks, server, instances] = await Promise.all([
    query<PartitionState>(
      database,
      'partition_health',
      `SELECT partition, epoch, owner, taken_over_at AS "takenOverAt", next_offset AS "nextOffset",
         log_start AS "logStart", next_event AS "nextEvent" FROM partitions ORDER BY partition`,
      [],
    ),
    readParkedBookSummaries(database, maxParkedBooks + 1),
    query<ServerRow>(
      database,
      'server_health',
      `SELECT current_setting('archive_mode') <> 'off' AS "isOn", last_archived_time AS "lastArchivedAt",
         last_failed_time AS "lastFailedAt", (SELECT count(*)::integer FROM pg_stat_replication) AS standbys,
         (SELECT count(*)::integer FROM (SELECT 1 FROM console.unrecorded_acts LIMIT 1000) a) AS "unrecordedActs"
       FROM pg_stat_archiver`,
      [],
    ),
    query<ConnectedInstance>(
      database,
      'connected_instances',
      `SELECT application_name AS name, count(*)::integer AS connections
       FROM pg_stat_activity WHERE datname = current_database() AND application_name <> ''
       GROUP BY application_name ORDER BY application_name LIMIT ${maxInstances}`,
      [],
    ),
  ]);
  const [row] = server;
  if (row === undefined) throw new Error('pg_stat_archiver returned no row; expected one');
  const { standbys, unrecordedActs, ...archive } = row;
  return { partitions, parkedBooks, archive, standbys, instances, unrecordedActs };
}
