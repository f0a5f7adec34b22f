import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CivilDay, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { loanAnswer } from '#libs/ledger/answers/loan.ts';
import { obligations } from '#libs/ledger/answers/obligations.ts';
import { loanPaymentOptions } from '#libs/ledger/answers/payment-options.ts';
import type { FoldedFacts } from '#libs/ledger/book.ts';
import { calendars, issued, received } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { buildProductionBook } from '#test/properties/production-fold.ts';
import { arbitraryBook } from '#test/properties/random-book/random-book.ts';
import { type ClientBookAnswer, formatClient } from './show-client.ts';

function shown(book: FoldedFacts, on: CivilDay, over: Partial<ClientBookAnswer> = {}): string {
  const moment = bookOnDay(book, on, calendars);
  return formatClient({
    client_id: 'ada',
    on: formatDay(on),
    book_version: { version: '2026-03-11T09:00:00.000000Z', facts: book.length },
    loans: moment.loans.map((loan, order) => ({
      loan: loanAnswer(book, order, 'acme'),
      payment_options: loanPaymentOptions(moment, loan),
    })),
    obligations: obligations(book, 'ada', 'MXN'),
    bar: { barred: false },
    anomalies: [],
    ...over,
  });
}

test('shows one line per Loan, what is owed back and whether the Client may apply', () => {
  const { book } = given(issued(), issued({ loan: 'M', anchor: '2026-02-01' }), received('2026-01-31', 310_44n));
  expect(
    shown(book, dayOf('2026-03-12')),
  ).toBe(`Client ada on 2026-03-12: 3 facts, the last recorded at 2026-03-11T09:00:00.000000Z

loan   state        overdue  days late  next due    instalment  payoff
ref-L  active  MXN   310.44         10  2026-04-01      303.48  611.60
ref-M  active  MXN   313.57          9  2026-04-02      306.96  915.66

Owed back     0.00 MXN
May apply     yes
Anomalies     none`);
});

test('shows until when a Client is barred, and that it has no Loans', () => {
  const text = shown(given().book, dayOf('2026-03-12'), {
    bar: { barred: true, lifts_on: '2026-06-01', decision: 'd-1' },
  });
  expect(text).toContain('\n\nno Loans\n');
  expect(text).toContain('May apply     no, barred until 2026-06-01 by Decision d-1');
});

test('fits into 100 columns for any book, up to amounts of a hundred million', () => {
  fc.assert(
    fc.property(arbitraryBook(), fc.integer({ min: 0, max: 900 }), (input, days) => {
      const { book } = buildProductionBook(input);
      if (input.facts.some((fact) => fact.type === 'issuance' && fact.principal > 100_000_000_00)) return;
      for (const line of shown(book, (dayOf('2026-01-01') + days) as CivilDay).split('\n')) {
        expect(line.length).toBeLessThanOrEqual(100);
      }
    }),
    { numRuns: 60 },
  );
});
