import { describe, expect, test } from '@jest/globals';
import { address, brokers, ConfigurationError, integer, oneOf, port, readConfig } from './config.ts';

const readers = {
  port: port('PORT', 8080),
  workers: integer('WORKERS', { least: 1, most: 64 }),
  databaseUrl: address('DATABASE_URL', ['postgres', 'postgresql']),
  kafkaBrokers: brokers('KAFKA_BROKERS'),
  level: oneOf('LEVEL', ['info', 'debug'], 'info'),
};
const whole = { WORKERS: '2', DATABASE_URL: 'postgres://u:hidden@h:1/d', KAFKA_BROKERS: 'a:1,b:2' };

function problemsOf(env: Record<string, string>): readonly string[] {
  try {
    readConfig(env, readers);
  } catch (cause) {
    if (cause instanceof ConfigurationError) return cause.problems;
    throw cause;
  }
  return [];
}

describe('a configuration', () => {
  test('that is whole is read with its defaults', () => {
    expect(readConfig(whole, readers)).toEqual({
      port: 8080,
      workers: 2,
      databaseUrl: 'postgres://u:hidden@h:1/d',
      kafkaBrokers: 'a:1,b:2',
      level: 'info',
    });
  });

  test('tells everything that is wrong with it at once', () => {
    expect(problemsOf({ WORKERS: '0', KAFKA_BROKERS: 'a', LEVEL: 'loud', PORT: '1e3' })).toEqual([
      'PORT is not a whole number from 0 to 65535',
      'WORKERS is not a whole number from 1 to 64',
      'DATABASE_URL is not set',
      'KAFKA_BROKERS is not a list host:port,host:port',
      'LEVEL is none of info, debug',
    ]);
  });

  test('counts a variable set to nothing as not set', () => {
    expect(problemsOf({ ...whole, WORKERS: '' })).toEqual(['WORKERS is not set']);
    expect(readConfig({ ...whole, PORT: '' }, readers).port).toBe(8080);
  });

  test('that is wrong about an address does not repeat the password in it', () => {
    const problems = problemsOf({ ...whole, DATABASE_URL: 'mysql://u:hidden@h:1/d' });
    expect(problems).toHaveLength(1);
    expect(problems.join()).not.toContain('hidden');
  });
});
