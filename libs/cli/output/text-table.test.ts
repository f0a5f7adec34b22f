import { afterEach, expect, test } from '@jest/globals';
import { formatValue } from './text-table.ts';

const { columns } = process.stdout;
afterEach(() => {
  process.stdout.columns = columns;
});

const keys = [
  { fp: '29e0994f', label: 'reports' },
  { fp: 'b424fd2f', label: 'accounting' },
];

test('a list of flat records is a table where the terminal is wide enough, and else one field per line', () => {
  process.stdout.columns = 20;
  expect(formatValue(keys).slice(1)).toEqual(['29e0994f  reports', 'b424fd2f  accounting']);
  process.stdout.columns = 19;
  expect(formatValue(keys)).toEqual(['fp     29e0994f', 'label  reports', '', 'fp     b424fd2f', 'label  accounting']);
});
