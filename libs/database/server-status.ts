/** What Postgres says about its own clock and its standbys. */
import { type Database, query } from './database.ts';

export interface ServerStatus {
  readonly nowSeconds: number;
  readonly standbys: number;
}

/** A tool that copies the data, such as one that makes a new standby, receives the log but is no standby. */
const copyingTools = "('pg_basebackup', 'pg_receivewal')";

export async function readServerStatus(database: Database): Promise<ServerStatus> {
  const [status] = await query<ServerStatus>(
    database,
    'server_status',
    `SELECT extract(epoch FROM clock_timestamp())::float8 AS "nowSeconds",
       (SELECT count(*)::integer FROM pg_stat_replication WHERE application_name NOT IN ${copyingTools}) AS standbys`,
    [],
  );
  if (status === undefined) throw new Error('the status of Postgres has no row; expected one');
  return status;
}
