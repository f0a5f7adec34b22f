import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CivilDay, dayOf } from '#libs/calendar/civil-day.ts';
import { calendars, issued } from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { buildProductionBook } from '#test/properties/production-fold.ts';
import { arbitraryBook } from '#test/properties/random-book/random-book.ts';
import { bookOnDay } from './book-on-day.ts';
import { clientDues, duesTotals } from './dues.ts';
import { paymentOptions } from './payment-options.ts';

const RUNS = { numRuns: 60, seed: 20261121 };
const all = { onlyLate: false };

test('dues are the overdue amounts of payment options, and of no other Loan', () => {
  fc.assert(
    fc.property(arbitraryBook(), fc.nat(300), (input, after) => {
      const { book, calendars } = buildProductionBook(input);
      const first = Math.min(...book.loans.map(({ issuance }) => issuance.terms.anchor));
      const moment = bookOnDay(book, (first + after) as CivilDay, calendars);
      const owing = paymentOptions(moment, 'c').loans.filter(({ overdue }) => overdue.total.minor_units > 0);
      const dues = clientDues(moment, 'c', all);
      expect(dues?.loans ?? []).toMatchObject(owing.map(({ loan_id, overdue }) => ({ loan_id, overdue })));
      const late = clientDues(moment, 'c', { onlyLate: true });
      expect(late?.loans ?? []).toEqual((dues?.loans ?? []).filter((loan) => loan.late !== undefined));
      expect(clientDues(moment, 'c', { onlyLate: false, minDaysPastDue: 1 })?.loans).toEqual(late?.loans);
      const sum = (dues?.totals ?? []).reduce((total, { overdue }) => total + overdue.minor_units, 0);
      expect(sum).toBe(owing.reduce((total, { overdue }) => total + overdue.total.minor_units, 0));
    }),
    RUNS,
  );
});

test('the totals of a page give each currency with the number of Clients that owe in it', () => {
  const of = (client_id: string, currency: string, minor_units: number) => {
    const owed = { total: { minor_units, currency }, charges: [] };
    const figures = { overdue: owed.total, late: { minor_units: 0, currency } };
    return {
      client_id,
      loans: [{ loan_id: client_id, reference: client_id, overdue: owed }],
      totals: [{ currency, ...figures }],
    };
  };
  expect(duesTotals([of('a', 'MXN', 3), of('b', 'MXN', 4), of('c', 'EUR', 5)])).toMatchObject([
    { currency: 'EUR', clients: 1, overdue: { minor_units: 5 } },
    { currency: 'MXN', clients: 2, overdue: { minor_units: 7 } },
  ]);
});

test('a debt too large for an exact JSON number is answered and summed digit for digit', () => {
  const { book } = given(issued({ principal: 6_000_000_000_000_000n, penaltyRate: '100', rate: '0' }));
  const moment = bookOnDay(book, dayOf('2028-06-01'), calendars);
  const [loan] = paymentOptions(moment, 'c').loans;
  const dues = clientDues(moment, 'c', all);
  const overdue = JSON.stringify(loan?.overdue.total);
  expect(BigInt(/\d{16,}/.exec(overdue)?.[0] ?? 0)).toBeGreaterThan(2n ** 53n);
  expect(JSON.stringify(dues?.loans[0]?.overdue.total)).toBe(overdue);
  expect(JSON.stringify(duesTotals(dues === undefined ? [] : [dues, dues])[0]?.overdue)).toBe(
    overdue.replace(/\d{16,}/, (digits) => String(2n * BigInt(digits))),
  );
});
