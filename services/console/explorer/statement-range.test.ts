import { expect, test } from '@jest/globals';
import { rendered, visitOfOperator } from '../testing/rendered-page.ts';
import { en } from '../texts/en.ts';
import { es } from '../texts/es.ts';
import { clientStatementPage } from './clients/statement-page.ts';
import { loanStatementPage } from './loans/print-pages.ts';
import { isReversed } from './statement-range.ts';

test.each([
  ['the last day before the first', { from: '2026-03-02', to: '2026-03-01' }, true],
  ['one day', { from: '2026-03-01', to: '2026-03-01' }, false],
  ['what is no day', { from: '2026-03-02', to: '2026-02-30' }, false],
])('the days of a statement: %s', (_, range, expected) => {
  expect(isReversed(range)).toBe(expected);
});

const range = { from: '2026-03-31', to: '2026-03-01', knownAt: '2026-04-01T10:00:00Z' };
const loan = { clientId: 'c', loanId: '01a21684-a73f-764a-b656-5f433d4e1b02', reference: 'r' };
const paper = { part: '', profile: undefined, statement: undefined };

test.each([en, es])(
  'a statement whose days are reversed says so, and its form stays as entered ($language)',
  (texts) => {
    const visit = visitOfOperator({ texts });
    const pages = [
      clientStatementPage(visit, { ...paper, clientId: 'c', range }),
      loanStatementPage(visit, range, { ...paper, loan, isShortened: false }),
    ].map(rendered);
    for (const page of pages) {
      expect(page).toContain(texts.explorer.statement.reversed);
      const values = [...page.matchAll(/name="(from|to|known_at)"[^>]*value="([^"]*)"/g)].map(([, , value]) => value);
      expect(values).toEqual(['2026-03-31', '2026-03-01', '2026-04-01T10:00:00.000']);
    }
  },
);
