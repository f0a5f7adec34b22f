import { expect, test } from '@jest/globals';
import { jsonPage, pageResponse } from './json-page.ts';

const options = { textOf: (row: string) => JSON.stringify(row), cursorAfter: (row: string) => `after ${row[0]}` };
const row = (name: string, bytes: number): string => name.padEnd(bytes, '.');

test('a page of short rows ends at the limit of rows', () => {
  expect(jsonPage(['a', 'b', 'c'], { ...options, limit: 2 })).toEqual({ texts: ['"a"', '"b"'], cursor: 'after b' });
  expect(jsonPage(['a', 'b'], { ...options, limit: 2 }).cursor).toBeUndefined();
  expect(jsonPage([], { ...options, limit: 2 })).toEqual({ texts: [], cursor: undefined });
});

test('a page of long rows ends at 1 MiB, with a cursor after its last row', () => {
  const rows = ['a', 'b', 'c', 'd'].map((name) => row(name, 500_000));
  const page = jsonPage(rows, { ...options, limit: 200 });
  expect([page.texts.length, page.cursor]).toEqual([2, 'after b']);
});

test('a row above the limit of bytes has a page of its own', () => {
  const page = jsonPage([row('a', 3_000_000), 'b'], { ...options, limit: 200 });
  expect([page.texts.length, page.cursor]).toEqual([1, 'after a']);
});

test('rows that Postgres left out are on the next page', () => {
  expect(jsonPage(['a'], { ...options, limit: 200, found: 5 }).cursor).toBe('after a');
});

test('the rows follow the other members of an answer', () => {
  const page = { texts: ['1', '2'], cursor: 'next' };
  expect(pageResponse('rows', page, { policy: 'p' }).text).toBe('{"policy":"p","rows":[1,2],"cursor":"next"}');
  expect(pageResponse('rows', { texts: [], cursor: undefined }).text).toBe('{"rows":[]}');
});
