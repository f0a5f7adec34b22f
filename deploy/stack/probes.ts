/** Is a backing service there? Asked by the stack while it waits, and of an address the environment gives. */

import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import kjs from 'kafkajs';
import pg from 'pg';
import { registryAddress } from '#libs/kafka/registry-address.ts';

export const serviceNames = ['kafka', 'registry', 'postgres', 'redis'] as const;
export type ServiceName = (typeof serviceNames)[number];

type Probe = (address: string) => Promise<void>;

const timeoutMs = 3_000;
/** Of a whole probe, whatever its driver waits for without a bound of its own: several of the steps it may take. */
const wholeMs = 3 * timeoutMs;

/** Each resolves where the service answers as itself and rejects with the reason where it does not. */
export const probes: Readonly<Record<ServiceName, Probe>> = {
  kafka: bounded(probeKafka),
  registry: bounded(probeRegistry),
  postgres: bounded(probePostgres),
  redis: bounded(probeRedis),
};

function bounded(probe: Probe): Probe {
  return (address) => {
    const asked = probe(address);
    const late = sleep(wholeMs, undefined, { ref: false }).then(() => {
      throw new Error(`it did not answer in time (${wholeMs / 1000} s)`);
    });
    return Promise.race([asked, late]);
  };
}

async function probeKafka(brokers: string): Promise<void> {
  const kafka = new kjs.Kafka({
    clientId: 'lending-probe',
    brokers: brokers.split(','),
    connectionTimeout: timeoutMs,
    requestTimeout: timeoutMs,
    retry: { retries: 0 },
    logLevel: kjs.logLevel.NOTHING,
  });
  const admin = kafka.admin();
  try {
    await admin.connect();
    const cluster = await admin.describeCluster();
    if (cluster.brokers.length === 0) throw new Error('the cluster names no broker');
  } finally {
    await admin.disconnect();
  }
}

async function probeRegistry(address: string): Promise<void> {
  const { url, headers } = registryAddress(address);
  const answer = await fetch(`${url}/subjects`, { headers, signal: AbortSignal.timeout(timeoutMs) });
  const body: unknown = await answer.json();
  if (answer.status !== 200 || !Array.isArray(body)) throw new Error(`GET /subjects answered ${answer.status}`);
}

async function probePostgres(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs });
  // A server that closes the line tells it here too; the query below reports it.
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
    // Of the line alone: what takes the call and then says nothing is bounded by the other.
    connectTimeout: timeoutMs,
    commandTimeout: timeoutMs,
    retryStrategy: () => null,
  });
  let reason: unknown;
  redis.on('error', (cause) => {
    reason = cause;
  });
  try {
    await redis.connect();
    await redis.ping();
  } catch (cause) {
    // Why it could not be connected to is told by the event alone.
    throw reason ?? cause;
  } finally {
    redis.disconnect();
  }
}
