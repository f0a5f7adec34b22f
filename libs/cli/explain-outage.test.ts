import { expect, test } from '@jest/globals';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { explainOutage } from './explain-outage.ts';

const env = {
  KAFKA_BROKERS: 'kafka-1:9092',
  DATABASE_URL: 'postgres://services:hidden@db:5432/lending?sslmode=require',
};
const refused = { cause: new Error('connection refused') };

test.each([
  ['kafka', refused, 'Kafka at kafka-1:9092 did not answer: connection refused; check KAFKA_BROKERS'],
  ['verdict', undefined, 'no processor answered it; check that the processors run'],
  ['list_keys', refused, 'the database db:5432/lending did not answer: connection refused; check DATABASE_URL'],
])('an outage of %s names the part of the cell and its address, and no password', (dependency, cause, message) => {
  const explained = String(explainOutage(new DependencyUnavailableError(dependency, cause), env));
  expect(explained).toContain(message);
  expect(explained).not.toContain('hidden');
});

const brokerError = (name: string, message: string) => Object.assign(new Error(message), { name });

test.each([
  [
    'of Kafka',
    brokerError('KafkaJSConnectionError', 'Connection error'),
    'Kafka at kafka-1:9092 did not answer: Connection error',
  ],
  [
    'of Kafka after retries',
    new Error('retried', { cause: brokerError('KafkaJSRequestTimeoutError', 'Request Metadata timed out') }),
    'Kafka at kafka-1:9092 did not answer: Request Metadata timed out',
  ],
  [
    'of Kafka without a name',
    new Error('Broker not connected'),
    'Kafka at kafka-1:9092 did not answer: Broker not connected',
  ],
  [
    'of Postgres',
    Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }),
    'the database db:5432/lending did not answer: refused',
  ],
])('an error of a client %s names the part of the cell', (_client, cause, message) => {
  expect(String(explainOutage(cause, env))).toContain(message);
});

test('a dependency that says what is missing is left as it is', () => {
  const error = new DependencyUnavailableError('the number of partitions');
  expect(explainOutage(error, env)).toBe(error);
});

test('another error is left as it is', () => {
  const error = new Error('other');
  expect(explainOutage(error, env)).toBe(error);
});
