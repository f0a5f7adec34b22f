import { expect, test } from '@jest/globals';
import { commonest, startWithoutRecorded } from './find-log-starts.ts';

test('the start on which most submissions agree is chosen over those of copies and of released books', () => {
  expect(commonest([500, 500, 485, 500, 530])).toBe(500);
});

test('of two starts on which as many agree the higher is chosen, so that no submission is skipped', () => {
  expect(commonest([0, -3])).toBe(0);
});

test.each([
  ['a partition without recorded submissions begins at 0', { last: -1, low: 0 }, 0],
  ['a log of which the recorded part was deleted begins at 0', { last: 10, low: 11 }, 0],
  ['a log that was made again begins after the last position, however long it is', { last: 10, low: 0 }, 11],
])('%s', (_, range, start) => {
  expect(startWithoutRecorded(range)).toBe(start);
});
