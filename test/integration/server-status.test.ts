/** What Postgres says about itself, for alerts. It has a server of its own: its archive can fail. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { preparePostgres, removeExternalHome } from '#deploy/dev/embedded-postgres.ts';
import { freePort } from '#deploy/dev/ports.ts';
import { startProcess, stopProcesses } from '#deploy/dev/process-control.ts';
import type { Database } from '#libs/database/database.ts';
import { openDatabase } from '#libs/database/pool.ts';
import { readServerStatus } from '#libs/database/server-status.ts';
import { eventually } from '#test/support/tenant.ts';

const password = 'of-this-server';
const services = 'of-the-services';
let dir: string;
let url: string;
/** Files of the log are archived while this file exists. */
let archiveWorks: string;
let database: Database;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'lending-status-'));
  writeFileSync(join(dir, 'postgres-password'), password);
  const port = await freePort();
  const spec = await preparePostgres(dir, port);
  archiveWorks = join(spec.args[1] ?? '', 'archive-works');
  const archive = ['archive_mode=on', 'archive_command=test -e archive-works'].flatMap((setting) => ['-c', setting]);
  startProcess(dir, { ...spec, args: [...spec.args, ...archive] });
  url = `postgres://lending:${password}@127.0.0.1:${port}/lending`;
  await eventually(() => execute('SELECT 1').then(Boolean, () => false), 20_000);
  await execute('CREATE ROLE lending_service');
  await execute(`CREATE ROLE services LOGIN PASSWORD '${services}' IN ROLE lending_service`);
  // The login of the services: it has no right to monitor the server.
  const servicesUrl = `postgres://services:${services}@127.0.0.1:${port}/lending`;
  database = openDatabase({ url: servicesUrl, name: 'status', connections: 1 });
});
afterAll(async () => {
  await database.end();
  await stopProcesses(dir);
  removeExternalHome(dir);
  rmSync(dir, { recursive: true, force: true });
});

async function execute(sql: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  return client.query(sql).finally(() => client.end());
}

/** Connected as a server or a tool that receives the log. */
async function connectReplica(name: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: `${url}?replication=true&application_name=${name}` });
  await client.connect();
  return client;
}

async function standbys(): Promise<number> {
  return (await readServerStatus(database)).standbys;
}

test('a standby counts, and the copy from which another one is made does not', async () => {
  const standby = await connectReplica('standby-1');
  const copies = await Promise.all(['pg_basebackup', 'pg_receivewal'].map(connectReplica));
  await eventually(async () => (await execute('SELECT FROM pg_stat_replication')).rowCount === 3);
  expect(await standbys()).toBe(1);
  await standby.end();
  await eventually(async () => (await standbys()) === 0);
  await Promise.all(copies.map((copy) => copy.end()));
});

test('an archive that fails is reported until a file is archived again', async () => {
  const endLogFile = () => execute("SELECT pg_logical_emit_message(false, 'status', ''), pg_switch_wal()");
  await endLogFile();
  await eventually(async () => (await readServerStatus(database)).archive?.isFailing === true, 20_000);
  expect((await readServerStatus(database)).archive?.waitingFiles).toBeNull();
  writeFileSync(archiveWorks, '');
  await endLogFile();
  await eventually(async () => (await readServerStatus(database)).archive?.isFailing === false, 20_000);
  await eventually(async () => (await readServerStatus(database)).archive?.waitingFiles === 1, 20_000);
  const before = Date.now() / 1_000 - (await lastArchivedAt());
  const { archive } = await readServerStatus(database);
  expect(archive?.ageSeconds).toBeGreaterThanOrEqual(before);
  // The clock of JavaScript has milliseconds only.
  expect(archive?.ageSeconds).toBeLessThanOrEqual((Date.now() + 1) / 1_000 - (await lastArchivedAt()));
});

async function lastArchivedAt(): Promise<number> {
  const { rows } = await execute('SELECT extract(epoch FROM last_archived_time)::float8 AS at FROM pg_stat_archiver');
  return rows[0].at;
}
