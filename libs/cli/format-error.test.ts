import { expect, test } from '@jest/globals';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';

import { formatError } from './format-error.ts';
import { RefusedError } from './refused-error.ts';

test('an unavailable dependency is named with the reason of the driver', () => {
  const error = new DependencyUnavailableError('list_keys', { cause: new Error('Postgres is in recovery') });
  expect(formatError(error)).toBe('list_keys is unavailable: Postgres is in recovery');
});

test('a refusal for several fields names the first one with its reason, and the others by their code', () => {
  const fields = [
    { code: 'missing_field', field: '/client_id' },
    { code: 'invalid_field', field: '/value_date', bound: 'a day', observed: 7 },
  ];
  const details = { field: '/client_id', fields };
  const refusal = new RefusedError(422, {
    error: 'A required field is missing.',
    code: 'missing_field',
    retry: 'after_change',
    details,
  });
  expect(formatError(refusal).split('\n').slice(1, 3)).toEqual([
    '  field: /client_id',
    '  also /value_date: invalid_field',
  ]);
});
