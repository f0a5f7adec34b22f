import { expect, test } from '@jest/globals';
import { mostFrequent } from './find-log-starts.ts';

test('the start on which most submissions agree is chosen over those of copies and of released books', () => {
  expect(mostFrequent([500, 500, 485, 500, 530])).toBe(500);
});
