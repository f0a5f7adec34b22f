import { expect, test } from '@jest/globals';
import { actRows } from './acts-csv.ts';

test('an act is a row with its moment in UTC, and what was before and after', () => {
  const act = { sequence: 1, recordedAt: 0, actor: 'ana', action: 'invited', from: 'console', before: '' };
  expect(actRows([{ ...act, subject: 'bob', after: 'support' }])).toEqual([
    ['1970-01-01T00:00:00.000Z', 'ana', 'console', 'invited', 'bob', '', 'support'],
  ]);
});
