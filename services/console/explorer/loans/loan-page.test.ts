import { expect, test } from '@jest/globals';
import { dayOf } from '#libs/calendar/civil-day.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { delinquency } from '#libs/ledger/answers/delinquency.ts';
import { loanExplanation } from '#libs/ledger/answers/explanation.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { calendars, cancelled, ceded, type FactBuilder, issued, received } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { rendered, visitOfOperator } from '../../testing/rendered-page.ts';
import { en } from '../../texts/en.ts';
import { loanPage } from './loan-page.ts';
import type { LoanView } from './read-loan.ts';

const { loan: words, loans } = en.explorer;

/** The page of the first Loan, with the terms that a caller stated at issuance. */
function pageOf(on: string, facts: readonly FactBuilder[]): string {
  const { book } = given(...facts);
  const bookDay = bookOnDay(book, dayOf(on), calendars);
  const explanation = loanExplanation({ bookDay, clientId: 'ada', tenantId: 'acme', calendars }, 0);
  const { schedule, payment_options: options } = explanation;
  const terms = {
    client_id: 'ada',
    reference: 'loan-1',
    principal: { minor_units: 1_000_00, currency: 'MXN' },
    term_periods: 3,
    rate: '12',
    penalty_rate: '36',
    anchor: '2026-01-01',
    jurisdiction: 'mx',
    tax: { rate: '0', on: [] },
  };
  const loan = {
    ...explanation.loan,
    configuration: { id: 'product', version: 1 },
    terms,
    events: [],
    created_at: '2026-01-01T00:00:00Z',
  };
  const figures = {
    schedule,
    options,
    delinquency: delinquency(bookDay, bookDay.loans[0] as Loan),
    statement: undefined,
    receipts: { receipts: [], earlier_receipts: explanation.earlier_receipts },
  };
  const view = { loan, figures, quotes: { quotes: [], hasMore: false } };
  return rendered(loanPage(visitOfOperator(), { on, isDefaultDay: false, timeZone: 'UTC' }, view as LoanView));
}

function rowsOf(page: string): readonly string[] {
  return [loans.payoff, words.otherAmount].filter((label) => page.includes(`<dt>${label}</dt>`));
}

test('an active Loan shows its payoff, and what any other amount does', () => {
  expect(rowsOf(pageOf('2026-01-05', [issued()]))).toEqual([loans.payoff, words.otherAmount]);
});

test.each<[string, readonly FactBuilder[]]>([
  ['cancelled', [issued(), cancelled('2026-01-10')]],
  ['ceded', [issued(), ceded('2026-01-10')]],
  ['closed', [issued(), received('2026-01-05', 100_000_00n, { loan: 'L', payoff: true })]],
])('a %s Loan offers neither a payoff nor any other amount', (state, facts) => {
  const page = pageOf('2026-03-15', facts);
  expect(page).toContain(`<dd>${state}</dd>`);
  expect(rowsOf(page)).toEqual([]);
});
