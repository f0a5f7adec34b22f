import { expect, test } from '@jest/globals';
import { retryAfterSeconds } from './retry-after.ts';

const now = Date.UTC(1994, 10, 6, 8, 49, 7);

test.each<[string | null, number | undefined]>([
  ['5', 5],
  [' 0 ', 0],
  ['Sun, 06 Nov 1994 08:49:37 GMT', 30],
  ['Sunday, 06-Nov-94 08:49:37 GMT', 30],
  ['Sun Nov  6 08:49:37 1994', 30],
  ['Sun, 06 Nov 1994 08:00:00 GMT', 0],
  [null, undefined],
  ['', undefined],
  ['soon', undefined],
  ['-5', undefined],
  ['1.5', undefined],
])('Retry-After %j is %j seconds', (header, seconds) => {
  expect(retryAfterSeconds(header, now)).toBe(seconds);
});
