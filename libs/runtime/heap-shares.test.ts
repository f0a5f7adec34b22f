import { expect, test } from '@jest/globals';
import { type HeapShareName, heapShareBytes } from './heap-shares.ts';

const mebibyte = 1024 * 1024;

const byProcess: readonly (readonly [process: string, share: number, names: readonly HeapShareName[]])[] = [
  ['processor', 0.6, ['processorBooks', 'booksOfRecord', 'unpublishedEvents']],
  ['process of movements', 0.65, ['movementBooks', 'loadedMovementBooks', 'movementBook', 'movementLines']],
  [
    'gateway',
    0.7,
    ['queryBooks', 'knownBooks', 'booksOfReads', 'ingressBooks', 'queryLookups', 'ingressLookups', 'requestLog'],
  ],
];

test.each(byProcess)('all that a %s keeps fits into %f of a small heap', (_process, share, names) => {
  const heap = 256 * mebibyte;
  expect(names.reduce((sum, name) => sum + heapShareBytes(name, heap), 0)).toBeLessThanOrEqual(heap * share);
});

test('the shares of a large heap are bounded', () => {
  expect(heapShareBytes('processorBooks', 16_384 * mebibyte)).toBe(1_536 * mebibyte);
  expect(heapShareBytes('queryBooks', 16_384 * mebibyte)).toBe(640 * mebibyte);
});
