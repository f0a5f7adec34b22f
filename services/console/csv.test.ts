import { expect, test } from '@jest/globals';
import { csvLine } from './csv.ts';

test('quotes, commas and line breaks stay inside their cell, and an absent value is an empty cell', () => {
  expect(csvLine(['a "b"\nc', 'd,e', undefined, 3])).toBe('"a ""b""\nc","d,e",,3\r\n');
});

test('a text that a spreadsheet would run as a formula is marked as text, and a negative amount is a number', () => {
  expect(csvLine(['=1+1', '@x', '-2+3', '-1035.61'])).toBe("'=1+1,'@x,'-2+3,-1035.61\r\n");
});
