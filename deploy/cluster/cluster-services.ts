/** Two gateways and two processors, from this checkout or another one. */
import { join } from 'node:path';
import type { ProcessSpec } from '../dev/process-control.ts';
import { serviceProcess } from '../dev/services.ts';
import type { KafkaLogin } from './kafka-rights.ts';
import {
  brokerNames,
  type ClusterLayout,
  type ClusterServiceName,
  partedService,
  postgresNames,
  serviceNames,
} from './layout.ts';

/**
 * Caches have shares of the heap: with a small one they are full within the first half hour of a night. It is used up before
 * the first collection, so that memory does not seem to grow for hours.
 */
const heapOptions = ['--max-old-space-size=256', '--initial-old-space-size=256'];

export type ServiceKind = 'gateway' | 'processor';

/** The processor's program lies in the other checkout where one is given. */
export function serviceSpec(layout: ClusterLayout, name: ClusterServiceName, tree: string): ProcessSpec {
  const { ports } = layout;
  const kind: ServiceKind = name.startsWith('gateway') ? 'gateway' : 'processor';
  const spec = serviceProcess(kind, {
    ...cellEnvironment(layout, kind),
    ...(name === partedService ? { KAFKA_BROKERS: brokerAddresses(layout, 'parted-proxy') } : {}),
    DATABASE_STANDBYS: String(postgresNames.length - 1),
    METRICS_PORT: String(ports[`${name}.operations`]),
    ...(kind === 'gateway' ? { PORT: String(ports[name]) } : {}),
  });
  const main = join(tree, 'services', kind, 'main.ts');
  return { ...spec, name, args: [...spec.args.slice(0, -1), ...heapOptions, main], cwd: tree, stopTimeoutMs: 25_000 };
}

function brokerAddresses({ ports }: ClusterLayout, port: 'proxy' | 'parted-proxy'): string {
  return brokerNames.map((broker) => `127.0.0.1:${ports[`${broker}.${port}`]}`).join();
}

/** The variables with which a service or an operator reaches the cell. */
export function cellEnvironment(layout: ClusterLayout, login: KafkaLogin): Record<string, string> {
  const { ports, passwords, authority, isEarlierRelease } = layout;
  const { certificate, key } = authority.filesOf(login);
  return {
    KAFKA_BROKERS: brokerAddresses(layout, 'proxy'),
    KAFKA_TLS: 'yes',
    KAFKA_CA: authority.file,
    KAFKA_CERT: certificate,
    KAFKA_KEY: key,
    KAFKA_SASL: 'scram-sha-512',
    KAFKA_USERNAME: login,
    KAFKA_PASSWORD: passwords[login],
    SCHEMA_REGISTRY_URL: `https://127.0.0.1:${ports['registry.proxy']}/apis/ccompat/v7`,
    SCHEMA_REGISTRY_CA: authority.file,
    DATABASE_URL: databaseUrl(layout, 'lending_services', login),
    DATABASE_OWNER_URL: login === 'operator' ? databaseUrl(layout, 'lending', login) : '',
    REDIS_URL: `rediss://:${passwords.redis}@127.0.0.1:${ports['redis-1.proxy']}`,
    REDIS_CA: authority.file,
    // An earlier release has no setting for the authority of the registry and of Redis.
    ...(isEarlierRelease ? { NODE_EXTRA_CA_CERTS: authority.file } : {}),
  };
}

function databaseUrl(
  { ports, passwords, authority, isEarlierRelease }: ClusterLayout,
  user: 'lending' | 'lending_services',
  certificateOf: KafkaLogin,
): string {
  const addresses = isEarlierRelease
    ? (['primary.proxy'] as const)
    : postgresNames.map((name) => `${name}.proxy` as const);
  const hosts = addresses.map((address) => `127.0.0.1:${ports[address]}`).join();
  const url = new URL(`postgres://${user}:${passwords[user]}@host/lending?sslmode=verify-full`);
  const { certificate, key } = authority.filesOf(certificateOf);
  for (const [name, file] of Object.entries({ sslrootcert: authority.file, sslcert: certificate, sslkey: key }))
    url.searchParams.set(name, file);
  if (!isEarlierRelease) url.searchParams.set('target_session_attrs', 'read-write');
  // A URL object holds one host only.
  return url.href.replace('@host/', `@${hosts}/`);
}

export function readinessUrl({ ports }: ClusterLayout, name: ClusterServiceName): string {
  return `http://127.0.0.1:${ports[`${name}.operations`]}/readyz`;
}

export function gatewayUrls({ ports }: ClusterLayout): string[] {
  return serviceNames.filter((name) => name.startsWith('gateway')).map((name) => `http://127.0.0.1:${ports[name]}`);
}
