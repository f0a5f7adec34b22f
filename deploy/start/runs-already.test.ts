import { describe, expect, test } from '@jest/globals';
import { runsAlready } from './runs-already.ts';

const running = {
  KAFKA_BROKERS: '127.0.0.1:1',
  SCHEMA_REGISTRY_URL: 'http://127.0.0.1:2',
  DATABASE_URL: 'postgres://services:x@127.0.0.1:3/lending',
  DATABASE_OWNER_URL: 'postgres://lending:y@127.0.0.1:3/lending',
  REDIS_URL: 'redis://127.0.0.1:4',
  LENDING_URL: 'http://127.0.0.1:8080',
};

describe('a start where one runs already', () => {
  test.each([{}, { DATABASE_URL: '', PORT: '' }, { PORT: '0' }, { PORT: '8080' }, { ...running, PORT: '8080' }])(
    'is content where the environment names nothing else: %p',
    (env) => {
      expect(runsAlready(env, running)).toEqual({
        code: 0,
        said: 'It runs already, at http://127.0.0.1:8080; its keys are in .data/dev.json.',
      });
    },
  );

  test('says what it was told that the running one is not, without a password, and fails', () => {
    const { code, said } = runsAlready(
      { DATABASE_URL: 'postgres://me:secret@127.0.0.1:1/d', KAFKA_BROKERS: '127.0.0.1:1', PORT: '31999' },
      running,
    );
    expect(code).toBe(1);
    expect(said).toBe(
      'It runs already, at http://127.0.0.1:8080, but not with the DATABASE_URL and PORT that the environment names: stop it first, or name nothing.',
    );
  });

  test('fails where the running one has not said yet with what it runs, and something is named', () => {
    const { code, said } = runsAlready({ REDIS_URL: 'redis://127.0.0.1:4' }, {});
    expect(code).toBe(1);
    expect(said).toBe(
      'One is being started already, and has not said yet whether with the REDIS_URL that the environment names: try again when it is ready.',
    );
  });

  test('is content to wait where nothing is named', () => {
    expect(runsAlready({}, {})).toEqual({
      code: 0,
      said: 'One is being started already; its address and its keys will be in .data/dev.json.',
    });
  });
});
