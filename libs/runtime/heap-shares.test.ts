import { expect, test } from '@jest/globals';
import { type HeapShareName, heapShareBytes } from './heap-shares.ts';

const mebibyte = 1024 * 1024;

const byProcess: readonly (readonly [process: string, names: readonly HeapShareName[]])[] = [
  ['processor', ['processorBooks', 'booksOfBatch', 'unpublishedEvents']],
  ['gateway', ['queryBooks', 'ingressBooks', 'queryLookups', 'ingressLookups', 'requestLog']],
];

test.each(byProcess)('all that a %s keeps fits into half of a small heap', (_process, names) => {
  const heap = 256 * mebibyte;
  expect(names.reduce((sum, name) => sum + heapShareBytes(name, heap), 0)).toBeLessThanOrEqual(heap / 2);
});

test('the shares of a large heap are bounded', () => {
  expect(heapShareBytes('processorBooks', 16_384 * mebibyte)).toBe(1_536 * mebibyte);
  expect(heapShareBytes('queryBooks', 16_384 * mebibyte)).toBe(75 * mebibyte);
});
