/** Two Postgres servers under Patroni, which fails over by a lock in etcd. The standby is synchronous. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { writePrivateFile } from '#libs/runtime/private-file.ts';
import { type ProcessIdentity, type ProcessSpec, processStartTime } from '../dev/process-control.ts';
import type { ClusterLayout, PostgresName } from './layout.ts';

export async function prepareEtcd({ dir, ports, authority, programs }: ClusterLayout): Promise<ProcessSpec> {
  const home = join(dir, 'etcd');
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const { certificate, key } = existsSync(authority.filesOf('etcd').key)
    ? authority.filesOf('etcd')
    : await authority.issue('etcd');
  const [clients, peers] = [`https://127.0.0.1:${ports.etcd}`, `http://127.0.0.1:${ports['etcd.peers']}`];
  return {
    name: 'etcd',
    command: programs.etcd.file,
    args: [
      ...['--data-dir', join(home, 'data'), '--name', 'etcd-1'],
      ...['--listen-client-urls', clients, '--advertise-client-urls', clients],
      ...['--listen-peer-urls', peers, '--initial-advertise-peer-urls', peers, '--initial-cluster', `etcd-1=${peers}`],
      ...['--cert-file', certificate, '--key-file', key, '--client-cert-auth', '--trusted-ca-file', authority.file],
      ...['--logger', 'zap', '--log-level', 'warn', '--log-outputs', 'stderr'],
    ],
    env: programs.etcd.env,
    cwd: home,
    tier: 0,
  };
}

export async function preparePatroni(layout: ClusterLayout, name: PostgresName): Promise<ProcessSpec> {
  const { dir, programs, postgresUser } = layout;
  const home = join(dir, name);
  mkdirSync(home, { recursive: true, mode: 0o700 });
  await issuePostgresCertificate(layout, name);
  const configuration = join(home, 'patroni.json');
  writePrivateFile(configuration, JSON.stringify(patroniConfiguration(layout, name), null, 2));
  if (postgresUser !== undefined) {
    for (const path of [home, configuration]) chownSync(path, postgresUser.uid, postgresUser.gid);
  }
  return {
    name,
    command: programs.python.file,
    args: ['-m', 'patroni', configuration],
    env: { ...programs.python.env, ...programs.postgresEnv, LC_ALL: 'C.UTF-8', HOME: home },
    cwd: home,
    tier: 0,
    // Patroni stops Postgres and gives the lock back.
    stopTimeoutMs: 15_000,
    ...postgresUser,
  };
}

/** Postgres reads copies of its own: it refuses a key that another user can read. */
export async function issuePostgresCertificate(layout: ClusterLayout, name: PostgresName): Promise<void> {
  const { authority, postgresUser } = layout;
  const issued = await authority.issue(name);
  const files = { 'server.pem': issued.certificate, 'server.key': issued.key, 'ca.pem': authority.file };
  for (const [file, source] of Object.entries(files)) {
    const copy = join(layout.dir, name, file);
    copyFileSync(source, copy);
    chmodSync(copy, 0o600);
    if (postgresUser !== undefined) chownSync(copy, postgresUser.uid, postgresUser.gid);
  }
}

function patroniConfiguration(
  { dir, ports, passwords, programs, isEarlierRelease }: ClusterLayout,
  name: PostgresName,
): object {
  const home = join(dir, name);
  const tls = { ca: join(home, 'ca.pem'), certificate: join(home, 'server.pem'), key: join(home, 'server.key') };
  const api = `127.0.0.1:${ports[`${name}.patroni`]}`;
  const login = (username: 'postgres' | 'replicator'): object => ({
    username,
    password: passwords[username],
    sslmode: 'verify-full',
    sslrootcert: tls.ca,
  });
  return {
    scope: 'lending',
    name,
    log: { level: 'INFO' },
    restapi: { listen: api, connect_address: api, certfile: tls.certificate, keyfile: tls.key },
    ctl: { cacert: tls.ca },
    etcd3: {
      // A proxy, which can part this server from etcd; without use_proxies Patroni would look up the address of etcd.
      host: `127.0.0.1:${ports[`${name}.etcd-proxy`]}`,
      use_proxies: true,
      protocol: 'https',
      cacert: tls.ca,
      cert: tls.certificate,
      key: tls.key,
    },
    bootstrap: {
      dcs: {
        // The smallest that Patroni accepts: a primary whose machine is lost is replaced after it.
        ttl: 20,
        loop_wait: 4,
        retry_timeout: 4,
        // A primary that died is not started again first: the standby has every commit.
        primary_start_timeout: 0,
        synchronous_mode: true,
        postgresql: { use_pg_rewind: true, use_slots: true },
      },
      initdb: [{ encoding: 'UTF8' }, 'no-locale', 'data-checksums'],
    },
    postgresql: {
      listen: `127.0.0.1:${ports[name]}`,
      // The other server replicates over the proxy, so that an isolated primary loses its standby.
      connect_address: `127.0.0.1:${ports[`${name}.proxy`]}`,
      data_dir: join(home, 'data'),
      bin_dir: programs.postgresBin,
      pgpass: join(home, 'pgpass'),
      authentication: { superuser: login('postgres'), replication: login('replicator'), rewind: login('postgres') },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      parameters: {
        unix_socket_directories: '',
        max_connections: 200,
        max_locks_per_transaction: 256,
        shared_buffers: '128MB',
        synchronous_commit: 'on',
        // Commits wait for a synchronous standby that hangs as long as its connection is held.
        wal_sender_timeout: '10s',
        max_wal_size: '2GB',
        wal_keep_size: '512MB',
        wal_log_hints: 'on',
        jit: 'off',
        ssl: 'on',
        ssl_cert_file: tls.certificate,
        ssl_key_file: tls.key,
        ssl_ca_file: tls.ca,
      },
      pg_hba: [
        'hostssl replication replicator 127.0.0.1/32 scram-sha-256',
        // An earlier release does not know `sslcert`.
        ...(isEarlierRelease
          ? []
          : ['hostssl lending lending_services 127.0.0.1/32 scram-sha-256 clientcert=verify-ca']),
        'hostssl all all 127.0.0.1/32 scram-sha-256',
      ],
    },
    tags: {},
  };
}

/** The database and the login of its owner, on the first start. */
export async function createDatabase({ ports, passwords, authority }: ClusterLayout): Promise<void> {
  const client = new pg.Client({
    host: '127.0.0.1',
    port: ports['primary.proxy'],
    user: 'postgres',
    password: passwords.postgres,
    database: 'postgres',
    ssl: { ca: readFileSync(authority.file, 'utf8') },
  });
  await client.connect();
  try {
    const { rowCount } = await client.query("SELECT FROM pg_database WHERE datname = 'lending'");
    if (rowCount !== 0) return;
    await client.query(`CREATE ROLE lending LOGIN CREATEROLE PASSWORD ${pg.escapeLiteral(passwords.lending)}`);
    await client.query('CREATE DATABASE lending OWNER lending');
  } finally {
    await client.end();
  }
}

/** The Postgres that Patroni started. It outlives a Patroni that was killed. */
export function findPostmaster({ dir }: Pick<ClusterLayout, 'dir'>, name: PostgresName): ProcessIdentity | undefined {
  const data = join(dir, name, 'data');
  const file = join(data, 'postmaster.pid');
  if (!existsSync(file)) return undefined;
  const pid = Number(readFileSync(file, 'utf8').split('\n', 1)[0]);
  const startTime = processStartTime(pid);
  return startTime !== undefined && commandLineOf(pid).includes(data) ? { pid, startTime } : undefined;
}

/** The pid in a file left by a crash may be that of another program. */
function commandLineOf(pid: number): string {
  try {
    return execFileSync('ps', ['-o', 'args=', '-ww', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
