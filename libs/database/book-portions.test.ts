import { expect, test } from '@jest/globals';
import { bookPortions } from './book-portions.ts';

const limits = { maxBytes: 10, maxBooks: 3 };

/** The books are their bytes. */
function portions(books: readonly number[]) {
  return [...bookPortions(books, (bytes) => bytes, limits)].map(({ keys }) => keys);
}

test('a portion ends where the next book would be beyond the bytes or the books', () => {
  expect(portions([4, 6, 1, 1, 1, 1, 9])).toEqual([
    [4, 6],
    [1, 1, 1],
    [1, 9],
  ]);
});

test('a book beyond the bytes is alone', () => {
  expect(portions([1, 50, 1])).toEqual([[1], [50], [1]]);
});

test('a portion states the bytes of its books', () => {
  expect([...bookPortions([4, 5, 2], (bytes) => bytes, limits)].map(({ bytes }) => bytes)).toEqual([9, 2]);
});

test('no books are no portion', () => {
  expect(portions([])).toEqual([]);
});
