import { describe, expect, test } from '@jest/globals';
import { SchemaRegistryError } from '#libs/kafka/schema-registry.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency-unavailable.ts';
import { untilThere } from './wait-for.ts';

/** Fails with each of them in turn, and then opens. */
function opening(...failures: readonly Error[]) {
  const left = [...failures];
  return async () => {
    const failure = left.shift();
    if (failure !== undefined) throw failure;
    return 'opened';
  };
}

function listening() {
  const said: string[] = [];
  return { said, say: { warn: (_fields: object, message: string) => void said.push(message) } };
}

describe('what a service stands on', () => {
  test('is tried until it is there, and both are said once', async () => {
    const { said, say } = listening();
    const away = [
      new DependencyUnavailableError('keys'),
      new SchemaRegistryError('x', undefined, ''),
      new SchemaRegistryError('x', 503, ''),
    ];
    expect(await untilThere('it', opening(...away), say)).toBe('opened');
    expect(said).toEqual(['it does not answer; trying until it does', 'it answers now']);
  });

  test('is opened without a word where it is there at once', async () => {
    const { said, say } = listening();
    expect(await untilThere('it', opening(), say)).toBe('opened');
    expect(said).toEqual([]);
  });

  test.each([
    ['a schema that is not compatible', new SchemaRegistryError('x', 409, '')],
    ['a bug', new TypeError('x is undefined')],
    ['a table that is not there', Object.assign(new Error('relation does not exist'), { code: '42P01' })],
  ])('is not tried again for %s, which no waiting mends', async (_what, failure) => {
    const { said, say } = listening();
    await expect(untilThere('it', opening(failure), say)).rejects.toBe(failure);
    expect(said).toEqual([]);
  });
});
