/** Backing services that the environment names, and the probes that check whether a backing service answers. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import kjs from 'kafkajs';
import pg from 'pg';
import { parseRegistryUrl } from '#libs/kafka/schema-registry.ts';
import type { Environment } from '#libs/runtime/config.ts';

export const backingServiceNames = ['kafka', 'registry', 'postgres', 'redis'] as const;
export type BackingServiceName = (typeof backingServiceNames)[number];
export type ServiceAddresses = Partial<Record<BackingServiceName, string>>;

export const addressVariables: Readonly<Record<BackingServiceName, string>> = {
  kafka: 'KAFKA_BROKERS',
  registry: 'SCHEMA_REGISTRY_URL',
  postgres: 'DATABASE_URL',
  redis: 'REDIS_URL',
};

/** The login that owns the tables; DATABASE_URL is the login of the services. */
export const ownerVariable = 'DATABASE_OWNER_URL';

/**
 * A service that is named and does not answer fails the start: the caller meant that service, and must not get a new
 * empty one instead.
 */
export async function addressesFromEnvironment(env: Environment): Promise<ServiceAddresses> {
  const owner = env[ownerVariable] ?? '';
  if (owner !== '' && (env[addressVariables.postgres] ?? '') === '') {
    throw new Error(
      `${ownerVariable} is set but ${addressVariables.postgres} is not; set both, the second is the login of the services`,
    );
  }
  const named = backingServiceNames.flatMap((name) => {
    const address = env[addressVariables[name]] ?? '';
    if (address === '') return [];
    // The services' own login may not exist before the owner has created it.
    const usesOwner = name === 'postgres' && owner !== '';
    return [
      { name, variable: usesOwner ? ownerVariable : addressVariables[name], address: usesOwner ? owner : address },
    ];
  });
  const failures: string[] = [];
  await Promise.all(
    named.map(({ name, variable, address }) =>
      probes[name](address).catch((cause: unknown) => {
        failures.push(
          `${variable} is set, but no ${name} answers there: ${reasonOf(cause)}; start it, or unset the variable`,
        );
      }),
    ),
  );
  if (failures.length > 0) throw new Error(failures.sort().join('\n'));
  return Object.fromEntries(named.map(({ name, address }) => [name, address]));
}

/** An AggregateError, as for a connection refused on both address families, has an empty message. */
function reasonOf(cause: unknown): string {
  if (cause instanceof AggregateError && cause.message === '') return cause.errors.map(reasonOf).join(', ');
  if (cause instanceof Error && cause.cause !== undefined) return reasonOf(cause.cause);
  return cause instanceof Error ? cause.message : String(cause);
}

type Probe = (address: string) => Promise<void>;

const stepTimeoutMs = 3_000;
/** A driver may wait without a timeout of its own between the steps of a probe. */
const probeTimeoutMs = 3 * stepTimeoutMs;

/** Each resolves where the service answers, and rejects with the reason where it does not. */
export const probes: Readonly<Record<BackingServiceName, Probe>> = {
  kafka: withTimeout(probeKafka),
  registry: withTimeout(probeRegistry),
  postgres: withTimeout(probePostgres),
  redis: withTimeout(probeRedis),
};

function withTimeout(probe: Probe): Probe {
  return (address) => {
    const timeout = sleep(probeTimeoutMs, undefined, { ref: false }).then(() => {
      throw new Error(`no answer within the timeout of ${probeTimeoutMs / 1000} s`);
    });
    return Promise.race([probe(address), timeout]);
  };
}

async function probeKafka(brokers: string): Promise<void> {
  const kafka = new kjs.Kafka({
    clientId: 'lending-probe',
    brokers: brokers.split(','),
    connectionTimeout: stepTimeoutMs,
    requestTimeout: stepTimeoutMs,
    retry: { retries: 0 },
    logLevel: kjs.logLevel.NOTHING,
  });
  const admin = kafka.admin();
  try {
    await admin.connect();
    const cluster = await admin.describeCluster();
    if (cluster.brokers.length === 0) throw new Error('the Kafka cluster has no broker');
  } finally {
    await admin.disconnect();
  }
}

async function probeRegistry(address: string): Promise<void> {
  const { url, headers } = parseRegistryUrl(address);
  const response = await fetch(`${url}/subjects`, { headers, signal: AbortSignal.timeout(stepTimeoutMs) });
  const body: unknown = await response.json();
  if (response.status !== 200 || !Array.isArray(body)) throw new Error(`GET /subjects returned ${response.status}`);
}

async function probePostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: stepTimeoutMs });
  // A closed connection is emitted here as well; the query below reports it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('SELECT 1');
  } finally {
    await client.end().catch(() => undefined);
  }
}

async function probeRedis(url: string): Promise<void> {
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: stepTimeoutMs,
    commandTimeout: stepTimeoutMs,
    retryStrategy: () => null,
  });
  let connectionError: unknown;
  redis.on('error', (cause) => {
    connectionError = cause;
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (cause) {
    // Only the event holds the reason of a failed connection.
    throw connectionError ?? cause;
  } finally {
    redis.disconnect();
  }
}
