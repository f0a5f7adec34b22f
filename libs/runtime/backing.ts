/** Are the backing services there? By the shape of what asks them, so that this folder needs none of their drivers. */
import { registryAddress } from '#libs/kafka/registry-address.ts';
import type { Check } from './health.ts';

type Admin = { connect(): Promise<void>; describeCluster(): Promise<unknown>; disconnect(): Promise<void> };

/**
 * A line of its own for each question: the one of a client under load answers late. Of a client that does not retry, see
 * `askKafka`. A question outlives the patience of who asked it: until it ends, others wait for its answer.
 */
export function kafkaAnswers(kafka: { admin(): Admin }): Check {
  let asking: Promise<void> | undefined;
  const ask = async (): Promise<void> => {
    const admin = kafka.admin();
    try {
      await admin.connect();
      await admin.describeCluster();
    } finally {
      await admin.disconnect();
    }
  };
  return () => {
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return asking;
  };
}

export function postgresAnswers(pool: { query(text: string): Promise<unknown> }): Check {
  return () => pool.query('SELECT 1');
}

export function redisAnswers(redis: { ping(): Promise<unknown> }): Check {
  return () => redis.ping();
}

export function registryAnswers(url: string): Check {
  const { url: base, headers } = registryAddress(url);
  return async () => {
    const answer = await fetch(`${base}/subjects`, { headers, signal: AbortSignal.timeout(1_400) });
    await answer.body?.cancel();
    if (!answer.ok) throw new Error(`the registry answered ${answer.status}`);
  };
}
