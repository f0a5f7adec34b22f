import { expect, test } from '@jest/globals';
import { describeProgress, formatDuration } from './progress-line.ts';

test.each([
  [{ count: 1_200, total: 4_000 }, 4_000, '1,200 of 4,000 facts, 300/s, 10 s left'],
  [{ count: 1_200 }, 4_000, '1,200 facts, 300/s'],
  [{ count: 0 }, 65_000, '1 min 5 s …'],
])('the progress %j is shown with its rate and the time left', (progress, elapsedMs, text) => {
  expect(describeProgress(progress, elapsedMs, 'facts')).toBe(text);
});

test('a duration has at most two units', () => {
  expect([0.2, 59, 185, 7_800].map(formatDuration)).toEqual(['1 s', '59 s', '3 min 5 s', '2 h 10 min']);
});
