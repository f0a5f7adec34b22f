/** Readiness checks of Kafka and the schema registry. */
import type { ReadinessCheck } from '#libs/runtime/health.ts';
import { parseRegistryUrl } from './schema-registry.ts';

interface KafkaAdmin {
  connect(): Promise<void>;
  describeCluster(): Promise<unknown>;
  disconnect(): Promise<void>;
}

const registryTimeoutMs = 1_400;

/**
 * Uses a connection of its own, because a client under load answers late, and a client that does not retry
 * (`probeKafka`). A check may outlive its caller's timeout: callers meanwhile share its result.
 */
export function kafkaCheck(kafka: { admin(): KafkaAdmin }): ReadinessCheck {
  let running: Promise<void> | undefined;
  return () => {
    running ??= describeCluster(kafka.admin()).finally(() => {
      running = undefined;
    });
    return running;
  };
}

async function describeCluster(admin: KafkaAdmin): Promise<void> {
  try {
    await admin.connect();
    await admin.describeCluster();
  } finally {
    await admin.disconnect();
  }
}

export function schemaRegistryCheck(url: string): ReadinessCheck {
  const endpoint = parseRegistryUrl(url);
  return async () => {
    const signal = AbortSignal.timeout(registryTimeoutMs);
    const response = await fetch(`${endpoint.url}/subjects`, { headers: endpoint.headers, signal });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the schema registry answered ${response.status}`);
  };
}
