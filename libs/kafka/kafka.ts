/**
 * The one place that makes a Kafka client. kafkajs is unmaintained: it stays behind this folder. How the brokers are reached
 * is the environment's to say, and the same for every client there is: no caller can forget it.
 */
import kafkajs, { type Kafka, type KafkaConfig, type logCreator } from 'kafkajs';
import { kafkaAccess } from './kafka-access.ts';

export interface WarnLog {
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** The log as the services hold it. */
export type KafkaClient = Kafka;

const quiet: WarnLog = { warn: () => undefined, error: () => undefined };

export function connectKafka(brokers: string, clientId: string, say: WarnLog = quiet): KafkaClient {
  process.env['KAFKAJS_NO_PARTITIONER_WARNING'] = '1';
  const log: logCreator = () => (entry) => {
    const { message, timestamp: _, logger: __, ...fields } = entry.log;
    // Retried faults are told as errors by the driver; they are the world's weather and told as warnings.
    say.warn(fields, `kafka: ${message}`);
  };
  const config: KafkaConfig = {
    ...kafkaAccess(process.env),
    clientId,
    brokers: brokers.split(','),
    connectionTimeout: 2_000,
    requestTimeout: 10_000,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 8 },
    logLevel: kafkajs.logLevel.WARN,
    logCreator: log,
  };
  return new kafkajs.Kafka(config);
}

/**
 * A client for the question alone whether somebody is there: what it is built with is what its lines retry with, and one
 * that retries never says no. Each broker is asked once; the answer is told by whoever asked, not by the driver.
 */
export function askKafka(brokers: string, clientId: string): KafkaClient {
  const all = brokers.split(',');
  return new kafkajs.Kafka({
    ...kafkaAccess(process.env),
    clientId,
    brokers: all,
    connectionTimeout: 1_000,
    authenticationTimeout: 1_000,
    requestTimeout: 1_000,
    retry: { initialRetryTime: 10, maxRetryTime: 50, retries: all.length - 1 },
    logLevel: kafkajs.logLevel.NOTHING,
  });
}
