import { expect, test } from '@jest/globals';
import type { StatementLine } from '#libs/sdk/src/contract/shapes.ts';
import { statementPart } from './statement-pages.ts';

function loanWith(reference: string, lineCount: number) {
  const money = { minor_units: 1, currency: 'MXN' };
  const lines = Array.from({ length: lineCount }, (_, index): StatementLine => {
    return {
      on: '2026-01-01',
      kind: 'charged',
      charge: 'interest',
      period: index,
      amount: money,
      tax: money,
      total: money,
    };
  });
  return { reference, lines };
}

test('the parts of a long statement have every line once, in order, and each Loan without lines', () => {
  const loans = [loanWith('a', 700), loanWith('empty', 0), loanWith('b', 1), loanWith('c', 600)];
  const parts = ['1', '2', '3'].map((part) => statementPart(loans, part));

  expect(parts.map(({ part, parts: all }) => [part, all])).toEqual([
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
  const shown = parts.map((part) => part.loans.map(({ reference, lines }) => [reference, lines.length]));
  expect(shown).toEqual([
    [['a', 500]],
    [
      ['a', 200],
      ['empty', 0],
      ['b', 1],
      ['c', 298],
    ],
    [['c', 302]],
  ]);
  const lines = parts.flatMap((part) => part.loans.flatMap((loan) => loan.lines));
  expect(lines).toEqual(loans.flatMap((loan) => loan.lines));
});

test('a part that does not exist is the nearest one', () => {
  const loans = [loanWith('a', 501)];
  expect(statementPart(loans, '9').part).toBe(2);
  expect(statementPart(loans, '0').part).toBe(1);
  expect(statementPart(loans, 'x').part).toBe(1);
  expect(statementPart([], '')).toEqual({ loans: [], part: 1, parts: 1 });
});
