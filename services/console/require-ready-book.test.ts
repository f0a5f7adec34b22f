import { expect, test } from '@jest/globals';
import { consoleRoutes } from '#test/browser/console-routes.ts';

const isDownload = (path: string): boolean => /\.csv$|\/answer$|\/bodies\/:sequence$/.test(path);

test('every page and form of one Client, Loan or Receipt is answered at once while its book is loaded', () => {
  const ofBook = consoleRoutes().filter(
    ({ path }) => /\/:(client|loan|reference|name)(\/|$)/.test(path) && !isDownload(path),
  );
  expect(ofBook.length).toBeGreaterThan(10);
  expect(ofBook.flatMap(({ path, hasReadyBook }) => (hasReadyBook ? [] : [path]))).toEqual([]);
});
