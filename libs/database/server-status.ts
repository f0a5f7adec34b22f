/** What Postgres says about its own clock, its standbys and the archive of its log. */
import { type Database, query } from './database.ts';

export interface ServerStatus {
  readonly nowSeconds: number;
  readonly standbys: number;
  /** Undefined where Postgres archives nothing. */
  readonly archive: ArchiveStatus | undefined;
}

export interface ArchiveStatus {
  /** Whether the last attempt failed. */
  readonly isFailing: boolean;
  /** Since the last file, or since the statistics began where there is none. */
  readonly ageSeconds: number;
  /** Files of the log from the last archived one to the one that is written now; null where none was archived. */
  readonly waitingFiles: number | null;
}

interface Row extends Omit<ServerStatus, 'archive'>, ArchiveStatus {
  readonly isArchiving: boolean;
}

/** A tool that copies the data, such as one that makes a new standby, receives the log but is no standby. */
const copyingTools = "('pg_basebackup', 'pg_receivewal')";

/** Of a file of the log by its name, which Postgres itself can split from version 16 on. */
function fileNumber(name: string): string {
  const hexadecimal = (from: number): string => `('x' || substr(${name}, ${from}, 8))::bit(32)::bigint`;
  const filesOfNextNumber = "4294967296 / pg_size_bytes(current_setting('wal_segment_size'))";
  return `(${hexadecimal(9)} * (${filesOfNextNumber}) + ${hexadecimal(17)})`;
}

export async function readServerStatus(database: Database): Promise<ServerStatus> {
  const [row] = await query<Row>(
    database,
    'server_status',
    `SELECT extract(epoch FROM clock_timestamp())::float8 AS "nowSeconds",
       (SELECT count(*)::integer FROM pg_stat_replication WHERE application_name NOT IN ${copyingTools}) AS standbys,
       current_setting('archive_mode') <> 'off' AS "isArchiving",
       coalesce(last_failed_time > last_archived_time, last_failed_time IS NOT NULL) AS "isFailing",
       extract(epoch FROM clock_timestamp() - coalesce(last_archived_time, stats_reset))::float8 AS "ageSeconds",
       CASE WHEN last_archived_wal ~ '^[0-9A-F]{24}' THEN
         (${fileNumber('pg_walfile_name(pg_current_wal_lsn())')} - ${fileNumber('last_archived_wal')})::integer
       END AS "waitingFiles"
     FROM pg_stat_archiver`,
    [],
  );
  if (row === undefined) throw new Error('pg_stat_archiver returned no row; expected one');
  const { isArchiving, isFailing, ageSeconds, waitingFiles, ...status } = row;
  return { ...status, archive: isArchiving ? { isFailing, ageSeconds, waitingFiles } : undefined };
}
