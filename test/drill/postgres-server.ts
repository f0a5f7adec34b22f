/** The embedded Postgres of a drill: it archives its log, loses its data, and starts on restored data. */
import { rmSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BackingServiceAddresses, BackingServices } from '#deploy/dev/backing-services.ts';
import { isRunning, requireProcess, sendSignal, waitForExit } from '#deploy/dev/process-control.ts';
import type { SystemUser } from './backup-tools.ts';

const stopTimeoutMs = 30_000;
const pollIntervalMs = 100;

export function postgresUser(stack: BackingServices): SystemUser {
  const { uid, gid } = requireProcess(stack.dir, 'postgres');
  return { ...(uid === undefined ? {} : { uid }), ...(gid === undefined ? {} : { gid }) };
}

export async function queryOwner<Row extends object>(
  { databaseUrl }: Pick<BackingServiceAddresses, 'databaseUrl'>,
  text: string,
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query(text)).rows as Row[];
  } finally {
    await client.end();
  }
}

/** Settings as in deploy/backup/postgresql-backup.conf. */
export async function startArchiving(stack: BackingServices, script: string): Promise<void> {
  await queryOwner(stack, 'ALTER SYSTEM SET archive_mode = on');
  await queryOwner(stack, `ALTER SYSTEM SET archive_command = '"${script}" archive "%p"'`);
  await queryOwner(stack, 'ALTER SYSTEM SET archive_timeout = 60');
  const entry = requireProcess(stack.dir, 'postgres');
  sendSignal(entry, 'SIGINT');
  if (!(await waitForExit(entry, stopTimeoutMs))) throw new Error('Postgres did not stop within 30 s');
  await stack.start('postgres');
}

/**
 * Now, by the clock of Postgres. The archive holds the log up to a later commit when this resolves: a restore ends with an
 * error where it finds none after its target.
 */
export async function archivedMoment(stack: BackingServices): Promise<string> {
  const [row] = await queryOwner<{ moment: string }>(
    stack,
    "SELECT to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI:SS.US+00') AS moment",
  );
  if (row === undefined) throw new Error('Postgres returned no time');
  await queryOwner(stack, 'SELECT pg_current_xact_id()');
  const [end] = await queryOwner<{ file: string }>(stack, 'SELECT pg_walfile_name(pg_switch_wal()) AS file');
  // The names of log files sort by time.
  const isArchived = `SELECT 1 FROM pg_stat_archiver WHERE last_archived_wal >= '${end?.file}'`;
  while ((await queryOwner(stack, isArchived)).length === 0) await sleep(pollIntervalMs);
  return row.moment;
}

/** Kills Postgres and deletes its data. Returns the folder. */
export async function destroyDatabase(stack: BackingServices): Promise<string> {
  const [row] = await queryOwner<{ data_directory: string }>(stack, 'SHOW data_directory');
  if (row === undefined) throw new Error('Postgres names no data folder');
  await stack.kill('postgres');
  // Its child processes write until they notice.
  rmSync(row.data_directory, { recursive: true, force: true, maxRetries: 50, retryDelay: 100 });
  return row.data_directory;
}

/** Starts on restored data; resolves when the log is applied and Postgres accepts writes. */
export async function startRestored(stack: BackingServices): Promise<void> {
  await stack.start('postgres');
  const isRecovering = 'SELECT pg_is_in_recovery() AS recovering';
  for (;;) {
    // It accepts no connection at first.
    const rows = await queryOwner<{ recovering: boolean }>(stack, isRecovering).catch(() => []);
    if (rows[0]?.recovering === false) return;
    if (!isRunning(requireProcess(stack.dir, 'postgres'))) throw new Error('Postgres ended while it applied the log');
    await sleep(pollIntervalMs);
  }
}

/** A target that stays would also stop a later recovery, and a standby that is copied from this server. */
export async function requireNoRecoverySettings(stack: BackingServices): Promise<void> {
  const text = "SELECT name, setting FROM pg_file_settings WHERE name LIKE 'recovery%'";
  const left = await queryOwner<{ name: string; setting: string }>(stack, text);
  if (left.length === 0) return;
  const settings = left.map(({ name, setting }) => `${name} = ${setting}`).join(', ');
  throw new Error(`the restored Postgres kept ${settings}; expected no setting of the recovery`);
}
