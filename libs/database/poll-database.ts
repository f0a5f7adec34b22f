/** What only Postgres knows, asked every five seconds, for Prometheus. While it does not answer, its state is not exported. */
import { Gauge } from 'prom-client';
import { metrics } from '#libs/runtime/metrics-registry.ts';
import { readCheckResults } from './check-results.ts';
import { type Database, query } from './database.ts';
import { readPartitions } from './partitions.ts';
import { readServerStatus } from './server-status.ts';

const intervalMs = 5_000;

export function pollDatabase(database: Database, expectedStandbys: number): void {
  const poll = openDatabasePoll(database, expectedStandbys);
  void poll();
  setInterval(() => void poll(), intervalMs).unref();
}

/** Returns how to ask once. */
export function openDatabasePoll(database: Database, expectedStandbys: number): () => Promise<void> {
  const expected = new Gauge({
    name: 'lending_database_standbys_expected',
    help: 'Standbys that Postgres should have (`DATABASE_STANDBYS`).',
    registers: [metrics],
    aggregator: 'max',
  });
  expected.set(expectedStandbys);
  const standbys = new Gauge({
    name: 'lending_database_standbys',
    help: 'Standbys that receive the log of Postgres.',
    registers: [metrics],
    aggregator: 'min',
  });
  const offset = new Gauge({
    name: 'lending_clock_offset_seconds',
    help: 'Difference between the clock of the process and that of Postgres.',
    registers: [metrics],
    aggregator: 'max',
  });
  const archiveFailing = new Gauge({
    name: 'lending_database_archive_failing',
    help: '1 while the last attempt of Postgres to archive a file of its log failed, otherwise 0. Missing where it archives nothing.',
    registers: [metrics],
    aggregator: 'max',
  });
  const archiveAge = new Gauge({
    name: 'lending_database_archive_age_seconds',
    help: 'Time since Postgres archived the last file of its log. Missing where it archives nothing.',
    registers: [metrics],
    aggregator: 'max',
  });
  const baseBackupAge = new Gauge({
    name: 'lending_base_backup_age_seconds',
    help: 'Time since the newest base backup was complete. Missing where `backup.sh` recorded none.',
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
  let partitionCount = 0;
  const forget = (): void => {
    for (const gauge of [standbys, offset, archiveFailing, archiveAge, baseBackupAge]) gauge.remove();
    for (const gauge of [checkAge, checkFindings]) gauge.reset();
  };
  const poll = async (): Promise<void> => {
    if (partitionCount === 0) partitionCount = (await readPartitions(database)).length;
    partitions.set(partitionCount);
    const before = Date.now();
    const status = await readServerStatus(database);
    offset.set(Math.abs((before + Date.now()) / 2_000 - status.nowSeconds));
    standbys.set(status.standbys);
    const { archive } = status;
    setOrRemove(archiveFailing, archive && Number(archive.isFailing));
    setOrRemove(archiveAge, archive?.ageSeconds);
    setOrRemove(baseBackupAge, (await readBaseBackupAge(database)) ?? undefined);
    for (const { name: check, ageSeconds, findings } of await readCheckResults(database)) {
      checkAge.set({ check }, ageSeconds);
      checkFindings.set({ check }, findings);
    }
  };
  forget();
  return () => poll().catch(forget);
}

/** A failover may replace a server that archives by one that does not, between two polls. */
function setOrRemove(gauge: Gauge, value: number | undefined): void {
  if (value === undefined) gauge.remove();
  else gauge.set(value);
}

/** In seconds; null where none is recorded. */
async function readBaseBackupAge(database: Database): Promise<number | null> {
  const text = `SELECT extract(epoch FROM clock_timestamp() - max(finished_at))::float8 AS age FROM operations.base_backups`;
  const [row] = await query<{ age: number | null }>(database, 'base_backup_age', text, []);
  return row?.age ?? null;
}
