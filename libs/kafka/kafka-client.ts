/** Creates Kafka clients and checks that Kafka answers. kafkajs is unmaintained, so only this folder uses it directly. */
import kafkajs, { type Kafka, type KafkaConfig, type logCreator, type SASLOptions } from 'kafkajs';
import { type Environment, readConfig } from '#libs/runtime/config.ts';
import { kafkaSettings, kafkaTls } from '#libs/runtime/connection-settings.ts';
import { followSetting, followTls, tlsOptions } from '#libs/runtime/follow-setting.ts';
import type { ReadinessCheck } from '#libs/runtime/health.ts';
import { type Logger, silentLogger } from '#libs/runtime/logging.ts';
import './connection-buffer.ts';
import './request-timer.ts';

export type KafkaClient = Kafka;

/**
 * kafkajs keeps asking a broker that no longer answers: a request that timed out does not make it look for the new leader.
 * So a send or fetch that finds older metadata reads it again, in time for the repeat after a timeout. The metadata are
 * asked of any broker, also of that one: several timeouts must fit into the time that an outage may take.
 */
export const metadataMaxAgeMs = 3_000;
const requestTimeoutMs = 5_000;
/** How long a broker waits for the replicas of a record: less, so that its answer is not missed. */
export const replicationTimeoutMs = 3_000;

export function connectKafka(brokers: string, clientId: string, logger: Logger = silentLogger): KafkaClient {
  process.env['KAFKAJS_NO_PARTITIONER_WARNING'] = '1';
  const createLog: logCreator = () => (entry) => {
    const { message, timestamp: _, logger: __, ...fields } = entry.log;
    // kafkajs logs faults as errors although it retries them.
    logger.warn({ ...fields, event: 'kafka.client_warning' }, `kafka: ${message}`);
  };
  const config: KafkaConfig = {
    ...kafkaAccess(process.env, logger),
    clientId,
    brokers: brokers.split(','),
    connectionTimeout: 2_000,
    requestTimeout: requestTimeoutMs,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 8 },
    logLevel: kafkajs.logLevel.WARN,
    logCreator: createLog,
  };
  return new kafkajs.Kafka(config);
}

/**
 * A client for health checks: it tries each broker once and logs nothing. Connections take their retries from the client,
 * and one that retries without end never reports that Kafka is down.
 */
export function probeKafka(brokers: string, clientId: string): KafkaClient {
  const addresses = brokers.split(',');
  return new kafkajs.Kafka({
    ...kafkaAccess(process.env),
    clientId,
    brokers: addresses,
    connectionTimeout: 1_000,
    authenticationTimeout: 1_000,
    requestTimeout: 1_000,
    retry: { initialRetryTime: 10, maxRetryTime: 50, retries: addresses.length - 1 },
    logLevel: kafkajs.logLevel.NOTHING,
  });
}

/** TLS and SASL as the environment configures them. The driver reads the properties for each connection. */
export function kafkaAccess(env: Environment, logger: Logger = silentLogger): Pick<KafkaConfig, 'ssl' | 'sasl'> {
  const { kafkaTls: usesTls, kafkaSasl: mechanism } = readConfig(env, kafkaSettings);
  const files = followTls(env, kafkaTls, logger);
  const ssl = Object.keys(files()).length === 0 ? true : tlsOptions(files);
  const username = followSetting(env, kafkaSettings.kafkaUsername, logger);
  const password = followSetting(env, kafkaSettings.kafkaPassword, logger);
  const sasl = {
    mechanism,
    get username() {
      return username();
    },
    get password() {
      return password();
    },
  } as SASLOptions;
  return { ...(usesTls === 'yes' ? { ssl } : {}), ...(mechanism === undefined ? {} : { sasl }) };
}

interface KafkaAdmin {
  connect(): Promise<void>;
  describeCluster(): Promise<unknown>;
  disconnect(): Promise<void>;
}

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
