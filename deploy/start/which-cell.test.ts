import { describe, expect, test } from '@jest/globals';
import { whichCell } from './which-cell.ts';

const development = {
  KAFKA_BROKERS: 'dev:1',
  SCHEMA_REGISTRY_URL: 'http://dev:2',
  DATABASE_URL: 'postgres://services@dev:3/lending',
  DATABASE_OWNER_URL: 'postgres://owner@dev:3/lending',
  REDIS_URL: 'redis://dev:4',
  LENDING_URL: 'http://dev:5',
  LENDING_KEY: 'lsk_test_dev',
  LENDING_TENANT: 'demo',
};
const production = {
  KAFKA_BROKERS: 'prod:1',
  SCHEMA_REGISTRY_URL: 'http://prod:2',
  DATABASE_URL: 'postgres://services@prod:3/lending',
  REDIS_URL: 'redis://prod:4',
};

describe('a command on the command line', () => {
  test('is about the cell of npm start where the environment names none', () => {
    expect(whichCell({ PATH: '/bin', DATABASE_URL: '' }, development)).toEqual({ taken: development, mind: undefined });
  });

  test('is about the cell the environment names, and takes no address of npm start beside it', () => {
    const { taken, mind } = whichCell(production, development);
    const { LENDING_URL, LENDING_KEY, LENDING_TENANT } = development;
    expect(taken).toEqual({ LENDING_URL, LENDING_KEY, LENDING_TENANT });
    expect(mind).toBeUndefined();
  });

  test.each(Object.keys(production))('says what is missing where of a cell only %s is named', (name) => {
    const { taken, mind } = whichCell({ [name]: 'somewhere' }, development);
    expect(Object.keys(taken)).toEqual(['LENDING_URL', 'LENDING_KEY', 'LENDING_TENANT']);
    const others = Object.keys(production).filter((other) => other !== name);
    expect(mind).toBe(
      `${name} named in the environment: no address of npm start is mixed with it. Not named: ${others.join(', ')}.`,
    );
  });

  test('does not take the owner of one database for that of another', () => {
    expect(whichCell({ DATABASE_OWNER_URL: 'postgres://owner@prod:3/lending' }, development).taken).not.toHaveProperty(
      'DATABASE_URL',
    );
  });

  test('signs with another key where npm start answers, and sends no key of npm start elsewhere', () => {
    expect(whichCell({ LENDING_KEY: 'lsk_test_mine' }, development).taken).toMatchObject({
      LENDING_URL: 'http://dev:5',
    });
    expect(whichCell({ LENDING_KEY: 'lsk_test_mine' }, development).taken).not.toHaveProperty('LENDING_KEY');
    expect(whichCell({ LENDING_KEY: 'lsk_test_mine' }, development).taken).not.toHaveProperty('LENDING_TENANT');
    expect(whichCell({ LENDING_TENANT: 'other' }, development).taken).not.toHaveProperty('LENDING_TENANT');
    expect(whichCell({ LENDING_URL: 'https://prod' }, development).taken).not.toHaveProperty('LENDING_KEY');
  });

  test('is about none where there is none', () => {
    expect(whichCell({}, {})).toEqual({ taken: {}, mind: undefined });
  });
});
