import { expect, test } from '@jest/globals';
import { startWithoutRecorded } from './find-log-starts.ts';

test.each([
  ['a partition without recorded submissions begins at 0', { last: -1, low: 0 }, 0],
  ['a log of which the recorded part was deleted begins at 0', { last: 10, low: 11 }, 0],
  ['a log that was made again begins after the last position, however long it is', { last: 10, low: 0 }, 11],
])('%s', (_, range, start) => {
  expect(startWithoutRecorded(range)).toBe(start);
});
