import { expect, test } from '@jest/globals';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { formatError } from './format-error.ts';

test('an unavailable dependency is named with the reason of the driver', () => {
  const error = new DependencyUnavailableError('list_keys', { cause: new Error('Postgres is in recovery') });
  expect(formatError(error)).toBe('list_keys is unavailable: Postgres is in recovery');
});
