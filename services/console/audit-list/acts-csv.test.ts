import { expect, test } from '@jest/globals';
import { csvRows } from './acts-csv.ts';

const act = { sequence: 1, recordedAt: 0, actor: 'ana', action: 'invited', from: 'console', before: '' };

test('quotes and line breaks stay inside their cell', () => {
  expect(csvRows([{ ...act, subject: 'a "b"\nc', after: '' }])).toBe(
    '1970-01-01T00:00:00.000Z,ana,console,invited,"a ""b""\nc",,\r\n',
  );
});

test('a text that a spreadsheet would run as a formula is marked as text', () => {
  expect(csvRows([{ ...act, subject: '=1+1', after: '@x' }])).toContain(",'=1+1,,'@x\r\n");
});
