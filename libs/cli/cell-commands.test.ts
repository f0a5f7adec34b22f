import { expect, test } from '@jest/globals';
import { hasResult } from './cell-commands.ts';

test('an audit is recorded where it read all topics to their end, and where it found something', () => {
  expect(hasResult({ unreadPartitions: [], findingCount: 0 })).toBe(true);
  expect(hasResult({ unreadPartitions: [3], findingCount: 0 })).toBe(false);
  expect(hasResult({ unreadPartitions: [3], findingCount: 2 })).toBe(true);
});
