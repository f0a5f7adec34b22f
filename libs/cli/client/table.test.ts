import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CivilDay, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { loanAnswer } from '#libs/ledger/answers/loan.ts';
import { bookOnDay } from '#libs/ledger/answers/moment.ts';
import { obligations } from '#libs/ledger/answers/obligations.ts';
import { loanOptions } from '#libs/ledger/answers/payment-options.ts';
import type { Book } from '#libs/ledger/book.ts';
import { calendars, given, issued, received } from '#libs/ledger/testing/scenario.ts';
import { arbitraryBook } from '#test/properties/books/arbitrary-book.ts';
import { keepBook } from '#test/properties/production.ts';
import { clientTable, type ShownClient } from './table.ts';

function shown(book: Book, on: CivilDay, over: Partial<ShownClient> = {}): string {
  const moment = bookOnDay(book, on, calendars);
  return clientTable({
    client_id: 'ada',
    on: formatDay(on),
    book_version: { version: '2026-03-11T09:00:00.000000Z', facts: book.length },
    loans: moment.loans.map((loan, order) => ({
      loan: loanAnswer(book, order, 'acme'),
      payment_options: loanOptions(moment, loan),
    })),
    obligations: obligations(book, 'ada', 'MXN'),
    bar: { barred: false },
    anomalies: [],
    ...over,
  });
}

test('a Client on a day reads as a line for each Loan, what is owed back and whether it may apply', () => {
  const { book } = given(issued(), issued({ loan: 'M', anchor: '2026-02-01' }), received('2026-01-31', 310_44n));
  expect(
    shown(book, dayOf('2026-03-12')),
  ).toBe(`Client ada on 2026-03-12: 3 facts, the last of 2026-03-11T09:00:00.000000Z

loan   state        overdue  days late  next due    instalment  payoff
ref-L  active  MXN   310.44         10  2026-04-01      303.48  611.60
ref-M  active  MXN   313.57          9  2026-04-02      306.96  915.66

Owed back     0.00 MXN
May apply     yes
Anomalies     none`);
});

test('a Client that is barred is told until when, one without Loans that there are none', () => {
  const told = shown(given().book, dayOf('2026-03-12'), {
    book_version: { facts: 0 },
    bar: { barred: true, lifts_on: '2026-06-01', decision: 'd-1' },
  });
  expect(told).toContain('Client ada on 2026-03-12: nobody registered this Client\n\nno Loans\n');
  expect(told).toContain('May apply     not before 2026-06-01, by decision d-1');
});

test('a Client nobody registered does not look like one that may apply', () => {
  const told = shown(given().book, dayOf('2026-03-12'), { book_version: { facts: 0 } });
  expect(told.split('\n')[0]).toBe('Client ada on 2026-03-12: nobody registered this Client');
  expect(told).toContain('May apply     not before it is registered');
});

test('a Client fits into a hundred columns whatever happened, up to a hundred million', () => {
  fc.assert(
    fc.property(arbitraryBook(), fc.integer({ min: 0, max: 900 }), (input, days) => {
      const { book } = keepBook(input);
      if (input.facts.some((fact) => fact.type === 'issuance' && fact.principal > 100_000_000_00)) return;
      for (const line of shown(book, (dayOf('2026-01-01') + days) as CivilDay).split('\n')) {
        expect(line.length).toBeLessThanOrEqual(100);
      }
    }),
    { numRuns: 60 },
  );
});
