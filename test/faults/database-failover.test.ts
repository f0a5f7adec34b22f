/** A Postgres address with several hosts: the primary is used, also after another server has become it. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import pg from 'pg';
import { preparePostgres, removeExternalHome } from '#deploy/dev/embedded-postgres.ts';
import { freePort } from '#deploy/dev/ports.ts';
import {
  type ProcessEntry,
  sendSignalToTree,
  startProcess,
  stopProcesses,
  waitForExit,
} from '#deploy/dev/process-control.ts';
import { type Database, query } from '#libs/database/database.ts';
import { migrate } from '#libs/database/migrate.ts';
import { openDatabase, openReadOnlyDatabase } from '#libs/database/pool.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { eventually } from '#test/support/tenant.ts';

const password = 'same-on-both';

class PostgresServer {
  readonly dir: string;
  readonly port: number;
  #process: ProcessEntry | undefined;

  private constructor(dir: string, port: number) {
    this.dir = dir;
    this.port = port;
  }

  /** A standby follows no one here: it only refuses writes until it is promoted. */
  static async start(root: string, name: string, { standby = false } = {}): Promise<PostgresServer> {
    const dir = join(root, name);
    mkdirSync(dir);
    writeFileSync(join(dir, 'postgres-password'), password);
    const server = new PostgresServer(dir, await freePort());
    await server.#run();
    await server.execute('CREATE ROLE lending_service');
    if (standby) {
      await stopProcesses(dir);
      await server.#run({ standby });
    }
    return server;
  }

  get url(): string {
    return `postgres://lending:${password}@127.0.0.1:${this.port}/lending`;
  }

  async execute(sql: string): Promise<void> {
    const client = new pg.Client({ connectionString: this.url });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  }

  async kill(): Promise<void> {
    const entry = this.#process as ProcessEntry;
    sendSignalToTree(entry, 'SIGKILL');
    await waitForExit(entry, 5_000);
  }

  async #run({ standby = false } = {}): Promise<void> {
    const spec = await preparePostgres(this.dir, this.port);
    const dataDir = spec.args[1] as string;
    if (standby) writeFileSync(join(dataDir, 'standby.signal'), '');
    this.#process = startProcess(this.dir, spec);
    const answers = () =>
      this.execute('SELECT 1').then(
        () => true,
        () => false,
      );
    await eventually(answers, 20_000);
  }
}

let root: string;
let primary: PostgresServer;
let standby: PostgresServer;
let database: Database;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'lending-failover-'));
  [primary, standby] = await Promise.all([
    PostgresServer.start(root, 'primary'),
    PostgresServer.start(root, 'standby', { standby: true }),
  ]);
  database = openDatabase({ url: bothHosts(), name: 'failover', maxHoldMs: 2_500 });
});
afterAll(async () => {
  await database.end();
  for (const { dir } of [primary, standby]) {
    await stopProcesses(dir);
    removeExternalHome(dir);
  }
  rmSync(root, { recursive: true, force: true });
});

/** The standby is named first. */
function bothHosts(attributes = 'read-write'): string {
  const hosts = `127.0.0.1:${standby.port},127.0.0.1:${primary.port}`;
  return `postgres://lending:${password}@${hosts}/lending?target_session_attrs=${attributes}`;
}

async function serverPort(pool: Database): Promise<number | undefined> {
  const [row] = await query<{ port: number }>(pool, 'port', 'SELECT inet_server_port() AS port', []);
  return row?.port;
}

test('of several hosts the primary is used', async () => {
  const ports = await Promise.all(Array.from({ length: 4 }, () => serverPort(database)));
  expect(new Set(ports)).toEqual(new Set([primary.port]));
});

test('a connection to a standby is refused as an unavailable database, also where it is the only host', async () => {
  const pool = openDatabase({ url: standby.url, name: 'standby', maxHoldMs: 2_500 });
  await expect(serverPort(pool)).rejects.toThrow(DependencyUnavailableError);
  await expect(pool.query('SELECT 1')).rejects.toThrow('in recovery (a standby), expected the primary');
  expect(pool.totalCount).toBe(0);
  await pool.end();
});

test('a service may read books from a standby', async () => {
  const pool = openDatabase({ url: standby.url, name: 'books', maxHoldMs: 1_000, acceptsStandby: true });
  expect(await serverPort(pool)).toBe(standby.port);
  await expect(pool.query('CREATE TABLE written (id integer)')).rejects.toThrow('read-only');
  await pool.end();
});

test('an audit may read a standby, unless the address asks for the primary', async () => {
  const any = openReadOnlyDatabase({ url: standby.url, name: 'audit' });
  expect(await serverPort(any)).toBe(standby.port);
  await any.end();
  const readWrite = openReadOnlyDatabase({ url: `${standby.url}?target_session_attrs=read-write`, name: 'audit' });
  await expect(readWrite.query('SELECT 1')).rejects.toThrow('expected the primary');
  await readWrite.end();
});

test('after a failover the new primary is found, and the address still works for migrations', async () => {
  expect(await serverPort(database)).toBe(primary.port);
  await primary.kill();
  await expect(serverPort(database)).rejects.toThrow(DependencyUnavailableError);
  // Each connection that was open fails first.
  const noPrimary = /no primary among the Postgres servers .*a standby.*ECONNREFUSED/;
  await eventually(async () => noPrimary.test(String(await database.query('SELECT 1').catch(String))), 10_000);
  await standby.execute('SELECT pg_promote()');
  const isServed = () =>
    serverPort(database).then(
      (port) => port === standby.port,
      () => false,
    );
  await eventually(isServed, 10_000);
  expect(await migrate(bothHosts())).toContain('001_baseline');
});
