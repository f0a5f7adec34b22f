/** Redis and its replica, over TLS alone. Nothing is saved: all that Redis holds is derived. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { ProcessSpec } from '../dev/process-control.ts';
import type { ClusterLayout, redisNames } from './layout.ts';

export async function prepareRedis(
  { dir, ports, passwords, authority, programs }: ClusterLayout,
  name: (typeof redisNames)[number],
): Promise<ProcessSpec> {
  const home = join(dir, name);
  mkdirSync(home, { recursive: true });
  const existing = authority.filesOf(name);
  const { certificate, key } = existsSync(existing.key) ? existing : await authority.issue(name);
  const replication = ['--replicaof', '127.0.0.1', String(ports['redis-1'])];
  return {
    name,
    command: programs.redis.file,
    args: [
      ...['--port', '0', '--tls-port', String(ports[name]), '--bind', '127.0.0.1', '--dir', home],
      ...['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', authority.file],
      ...['--tls-auth-clients', 'no', '--tls-replication', 'yes'],
      ...['--maxmemory', '48mb', '--maxmemory-policy', 'allkeys-lru'],
      ...['--requirepass', passwords.redis, '--masterauth', passwords.redis, '--save', '', '--appendonly', 'no'],
      ...(name === 'redis-2' ? replication : []),
    ],
    env: programs.redis.env,
    cwd: home,
    tier: 0,
  };
}
