import { expect, test } from '@jest/globals';
import { adaptiveBatchSize } from './adaptive-batch-size.ts';

test('a batch is half of the highest recent number of pending requests, also right after the other half was answered', () => {
  const batchSize = adaptiveBatchSize();
  expect([64, 32, 40, 33].map(batchSize)).toEqual([32, 32, 32, 32]);
});

test('the batch size falls when fewer requests are pending for several sends', () => {
  const batchSize = adaptiveBatchSize();
  batchSize(512);
  const later = Array.from({ length: 8 }, () => batchSize(20));
  expect(later.at(0)).toBe(256);
  expect(later.at(-1)).toBe(10);
});

test('a batch is never smaller than 8', () => {
  expect([0, 1, 8, 15].map(adaptiveBatchSize())).toEqual([8, 8, 8, 8]);
});
