import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fromNewest, mergePages, type SourcePage } from './merge-pages.ts';

const rowsOf = (...numbers: number[]) => numbers.map((number) => ({ number }));

test('rows of several databases are merged newest first, each with the place after it', () => {
  const pages = [
    { rows: rowsOf(9, 8), moments: [900, 700], next: undefined },
    { rows: rowsOf(105, 104), moments: [800, 600], next: undefined },
  ];
  expect(mergePages(pages, { start: [10, 200], limit: 3, order: 'newest' })).toEqual({
    rows: [
      { number: 9, source: 0, position: [9, 106] },
      { number: 105, source: 1, position: [9, 105] },
      { number: 8, source: 0, position: [8, 105] },
    ],
    next: [8, 105],
  });
});

test('a page ends behind a database that has more rows than were read', () => {
  const pages = [
    { rows: rowsOf(9), moments: [900], next: 7 },
    { rows: rowsOf(105), moments: [800], next: undefined },
  ];
  expect(mergePages(pages, { start: [10, 200], limit: 3, order: 'newest' })).toEqual({
    rows: [{ number: 9, source: 0, position: [9, 106] }],
    next: [7, 106],
  });
});

test('what is recorded during a walk from the newest row is not met by it', () => {
  const pagesFrom = (stored: readonly (readonly number[])[], start: readonly number[]) =>
    stored.map((numbers, index): SourcePage<{ number: number }> => {
      const rows = rowsOf(...numbers.filter((number) => number < (start[index] as number)));
      return { rows, moments: rows.map(({ number }) => number), next: undefined };
    });
  const start = [fromNewest, fromNewest, fromNewest];
  const first = mergePages(pagesFrom([[9, 8], [5], []], start), { start, limit: 1, order: 'newest' });
  const next = first.next ?? [];
  const rest = mergePages(pagesFrom([[10, 9, 8], [11, 5], [7]], next), { start: next, limit: 9, order: 'newest' });
  expect([...first.rows, ...rest.rows].map(({ number }) => number)).toEqual([9, 8, 5]);
});

test('walking by pages meets every row once, in the order of each database', () => {
  const table = fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { maxLength: 20 });
  fc.assert(
    fc.property(fc.array(table, { minLength: 1, maxLength: 4 }), fc.integer({ min: 1, max: 7 }), (tables, limit) => {
      const stored = tables.map((moments) =>
        moments.toSorted((a, b) => a - b).map((moment, at) => ({ number: at + 1, moment })),
      );
      const read = (table: (typeof stored)[number], after: number): SourcePage<{ number: number }> => {
        const rows = table.filter(({ number }) => number > after);
        const page = rows.slice(0, limit);
        return {
          rows: page,
          moments: page.map(({ moment }) => moment),
          next: rows.length > limit ? page.at(-1)?.number : undefined,
        };
      };
      const walked: number[][] = stored.map(() => []);
      let start: readonly number[] | undefined = stored.map(() => 0);
      while (start !== undefined) {
        const from: readonly number[] = start;
        const { rows, next } = mergePages(
          stored.map((each, index) => read(each, from[index] as number)),
          { start: from, limit, order: 'oldest' },
        );
        for (const { number, source } of rows) walked[source]?.push(number);
        start = next;
      }
      expect(walked).toEqual(stored.map((each) => each.map(({ number }) => number)));
    }),
  );
});
