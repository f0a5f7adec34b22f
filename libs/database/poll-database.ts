/** What only Postgres knows, asked every five seconds, for Prometheus. While it does not answer, its state is not exported. */
import { Gauge } from 'prom-client';
import { metrics } from '#libs/runtime/metrics-registry.ts';
import { type CheckResult, readCheckResults } from './check-results.ts';
import { type Database, query } from './database.ts';
import { readPartitions } from './partitions.ts';
import { readServerStatus } from './server-status.ts';

const intervalMs = 5_000;

export interface PolledDatabase {
  readonly database: Database;
  readonly expectedStandbys: number;
  /** Absent for the home database, whose figures have no label. */
  readonly name?: string;
}

export function pollDatabase(options: PolledDatabase): void {
  const poll = openDatabasePoll(options);
  void poll();
  setInterval(() => void poll(), intervalMs).unref();
}

/** Returns how to ask once. */
export function openDatabasePoll({ database, expectedStandbys, name }: PolledDatabase): () => Promise<void> {
  const exported = exportedFigures();
  const labels = name === undefined ? {} : { database: name };
  exported.standbysExpected.set(labels, expectedStandbys);
  const forget = (): void => {
    for (const gauge of exported.ofServer) gauge.remove(labels);
    if (name === undefined) for (const gauge of exported.ofChecks) gauge.reset();
  };
  let isCounted = false;
  const poll = async (): Promise<void> => {
    if (name === undefined && !isCounted) {
      exported.partitions.set((await readPartitions(database)).length);
      isCounted = true;
    }
    const before = Date.now();
    const { nowSeconds, standbys, archive } = await readServerStatus(database);
    exported.offset.set(labels, Math.abs((before + Date.now()) / 2_000 - nowSeconds));
    exported.standbys.set(labels, standbys);
    setOrRemove(exported.archiveFailing, labels, archive && Number(archive.isFailing));
    setOrRemove(exported.archiveAge, labels, archive?.ageSeconds);
    setOrRemove(exported.archiveWaiting, labels, archive?.waitingFiles ?? undefined);
    setOrRemove(exported.baseBackupAge, labels, (await readBaseBackupAge(database)) ?? undefined);
    // Recorded in the home database, for the whole cell.
    if (name === undefined) exported.setChecks(await readCheckResults(database));
  };
  forget();
  return () => poll().catch(forget);
}

type Exported = ReturnType<typeof createFigures>;
let figures: Exported | undefined;

/** Created when the first database is polled: a process that polls none exports none. */
function exportedFigures(): Exported {
  figures ??= createFigures();
  return figures;
}

function createFigures() {
  const standbysExpected = new Gauge({
    name: 'lending_database_standbys_expected',
    help: 'Standbys that Postgres should have (`DATABASE_STANDBYS`).',
    labelNames: ['database'],
    registers: [metrics],
    aggregator: 'max',
  });
  const standbys = new Gauge({
    name: 'lending_database_standbys',
    help: 'Standbys that receive the log of Postgres.',
    labelNames: ['database'],
    registers: [metrics],
    aggregator: 'min',
  });
  const offset = new Gauge({
    name: 'lending_clock_offset_seconds',
    help: 'Difference between the clock of the process and that of Postgres.',
    labelNames: ['database'],
    registers: [metrics],
    aggregator: 'max',
  });
  const archiveFailing = new Gauge({
    name: 'lending_database_archive_failing',
    help: '1 while the last attempt of Postgres to archive a file of its log failed, otherwise 0. Missing where it archives nothing.',
    labelNames: ['database'],
    registers: [metrics],
    aggregator: 'max',
  });
  const archiveAge = new Gauge({
    name: 'lending_database_archive_age_seconds',
    help: 'Time since Postgres archived the last file of its log. Missing where it archives nothing.',
    labelNames: ['database'],
    registers: [metrics],
    aggregator: 'max',
  });
  const archiveWaiting = new Gauge({
    name: 'lending_database_archive_waiting_files',
    help: 'Files of the log of Postgres from the last archived one to the one that is written now. Missing where none was archived.',
    labelNames: ['database'],
    registers: [metrics],
    aggregator: 'max',
  });
  const baseBackupAge = new Gauge({
    name: 'lending_base_backup_age_seconds',
    help: 'Time since the newest base backup was complete. Missing where `backup.sh` recorded none.',
    labelNames: ['database'],
    registers: [metrics],
    aggregator: 'max',
  });
  const checkAge = new Gauge({
    name: 'lending_check_age_seconds',
    help: 'Time since `lending audit --record` and `lending topic check --record` finished last. Missing where none was recorded.',
    labelNames: ['check'],
    registers: [metrics],
    aggregator: 'max',
  });
  const checkFindings = new Gauge({
    name: 'lending_check_findings',
    help: 'What the last of these checks found: findings of the audit, partitions of the topic in which events are missing.',
    labelNames: ['check'],
    registers: [metrics],
    aggregator: 'max',
  });
  const partitions = new Gauge({
    name: 'lending_partitions',
    help: 'Partitions of the cell. Their number is fixed when the cell is prepared.',
    registers: [metrics],
    aggregator: 'max',
  });
  partitions.remove();
  return {
    standbysExpected,
    standbys,
    offset,
    archiveFailing,
    archiveAge,
    archiveWaiting,
    baseBackupAge,
    partitions,
    ofServer: [standbys, offset, archiveFailing, archiveAge, archiveWaiting, baseBackupAge],
    ofChecks: [checkAge, checkFindings],
    setChecks(results: readonly CheckResult[]): void {
      for (const { name: check, ageSeconds, findings } of results) {
        checkAge.set({ check }, ageSeconds);
        checkFindings.set({ check }, findings);
      }
    },
  };
}

/** A failover may replace a server that archives by one that does not, between two polls. */
function setOrRemove(
  gauge: Gauge<'database'>,
  labels: { readonly database?: string },
  value: number | undefined,
): void {
  if (value === undefined) gauge.remove(labels);
  else gauge.set(labels, value);
}

/** In seconds; null where none is recorded. */
async function readBaseBackupAge(database: Database): Promise<number | null> {
  const text = `SELECT extract(epoch FROM clock_timestamp() - max(finished_at))::float8 AS age FROM operations.base_backups`;
  const [row] = await query<{ age: number | null }>(database, 'base_backup_age', text, []);
  return row?.age ?? null;
}
