import { expect, test } from '@jest/globals';
import { joinRange } from './read-listing.ts';

const page = (numbers: readonly number[], next?: number) => ({
  rows: numbers.map((number) => ({ number })),
  moments: numbers.map((number) => number * 10),
  next,
});

test('rows of one range that are in two databases are in the order of their numbers', () => {
  expect(joinRange([page([9, 4, 1]), page([7, 5])], 'newest')).toEqual(page([9, 7, 5, 4, 1]));
  expect(joinRange([page([1, 4]), page([2, 9])], 'oldest')).toEqual(page([1, 2, 4, 9]));
});

test('a row that a former database still has is there once', () => {
  expect(joinRange([page([9, 7, 4]), page([7])], 'newest')).toEqual(page([9, 7, 4]));
});

test('a page ends where one of the databases may have more', () => {
  expect(joinRange([page([9, 4], 4), page([7, 5, 2], 2)], 'newest')).toEqual(page([9, 7, 5, 4], 4));
  expect(joinRange([page([1, 4], 4), page([], 3)], 'oldest')).toEqual(page([1], 3));
});

test('a range that no database has is empty', () => {
  expect(joinRange([], 'newest')).toEqual(page([]));
});
