import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type CivilDay, dayOf } from '#libs/calendar/civil-day.ts';
import { loanInBook } from '#libs/ledger/admit.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { delinquency } from '#libs/ledger/answers/delinquency.ts';
import { type LoanAnswer, loanAnswer } from '#libs/ledger/answers/loan.ts';
import { loanPaymentOptions } from '#libs/ledger/answers/payment-options.ts';
import { scheduleAnswer } from '#libs/ledger/answers/schedule.ts';
import type { FoldedFacts } from '#libs/ledger/book.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import {
  accelerated,
  calendars,
  type FactBuilder,
  issued,
  received,
  restructured,
  returned,
  reversed,
  suspended,
  waived,
  writtenOff,
} from '#libs/ledger/testing/facts.ts';
import { given } from '#libs/ledger/testing/scenario.ts';
import { buildProductionBook } from '#test/properties/production-fold.ts';
import { arbitraryBook } from '#test/properties/random-book/random-book.ts';
import { formatLoan } from './loan-table.ts';

/** The answer of the service, with the terms that a caller stated at issuance. */
function shownOf(book: FoldedFacts, order: number, on: CivilDay, over: object = {}): string {
  const moment = bookOnDay(book, on, calendars);
  const loan = moment.loans[order] as Loan;
  const terms = {
    client_id: 'ada',
    reference: 'loan-1',
    principal: { minor_units: Number(loan.terms.principal), currency: loan.terms.currency },
    term_periods: 3,
    rate: '12',
    penalty_rate: '36',
    anchor: '2026-01-01',
    ...over,
  };
  const answer: LoanAnswer = {
    ...loanAnswer(book, order, 'acme'),
    configuration: { id: 'ins-000001', version: 1 },
    terms,
  };
  return formatLoan({
    loan: answer,
    payment_options: loanPaymentOptions(moment, loan),
    schedule: scheduleAnswer(moment, loan),
    delinquency: delinquency(moment, loan),
  });
}

function shown(on: string, facts: readonly FactBuilder[], over: object = {}): string {
  return shownOf(given(...facts).book, 0, dayOf(on), over);
}

describe('a Loan on a day', () => {
  test('shows its plan, what was paid and what is owed', () => {
    expect(shown('2026-03-12', [issued(), received('2026-01-31', 310_44n)])).toBe(
      `Loan loan-1 of ada: active, owed to the tenant
L, product ins-000001 version 1
900.00 MXN from 2026-01-01 over 3 periods at 12 %, penalty 36 %; paid to date 310.44

On 2026-03-12, in MXN
#  due on      charged  settled    owed  days late  settled on
1  2026-01-31   310.44   310.44    0.00             2026-01-31
2  2026-03-02   310.44     0.00  310.44         10
3  2026-04-01   303.48     0.00  303.48
   total        924.36   310.44  613.92

Overdue       310.44
              principal 300.00, interest 6.00 and 0.96 tax, penalty 3.00 and 0.48 tax
Late          310.44  1 period, the longest for 10 days
              principal 300.00, interest 6.00 and 0.96 tax, penalty 3.00 and 0.48 tax
Instalment    303.48  period 3, due 2026-04-01, payable from 2026-03-03
              principal 300.00, interest 3.00 and 0.48 tax
Payoff        611.60  on 2026-03-12, with payoff_intent and designated to this Loan
              principal 600.00, interest 7.00 and 1.12 tax, penalty 3.00 and 0.48 tax

Anomalies     none`,
    );
  });

  test('shows a column of waived amounts only where something was waived', () => {
    const facts = [issued(), waived('2026-02-10', { period: 1, charge: 'interest', amount: 5_00n })];
    expect(shown('2026-02-12', facts)).toContain('waived');
    expect(shown('2026-02-12', [issued()])).not.toContain('waived');
  });

  test('names the periods that differ from the plan at issuance', () => {
    expect(shown('2026-02-02', [issued(), returned('2026-01-20', 100_00n)])).toMatch(/^1-3: recalculated after/m);
    const terms = { termPeriods: 2, rate: '12' };
    const restructuredPlan = shown('2026-02-02', [issued(), restructured('2026-01-20', terms)]);
    expect(restructuredPlan).toMatch(/^1-3: ended/m);
    expect(restructuredPlan).toMatch(/^4-5: from a restructure/m);
  });

  test.each<[string, readonly FactBuilder[], RegExp]>([
    ['suspended', [issued(), suspended('2026-02-10', '2026-03-31')], /^Suspended {5}2026-02-10 to 2026-03-31$/m],
    [
      'written off',
      [issued(), writtenOff('2026-02-20')],
      /^Written off {3}9\d\d\.\d\d {2}on 2026-02-20; recovered since 0\.00$/m,
    ],
    ['called', [issued(), accelerated('2026-02-20')], /called due at once/],
    [
      'closed',
      [issued(), received('2026-01-10', 1_000_00n, { loan: 'L', payoff: true })],
      /closed on 2026-01-10, owes nothing/,
    ],
  ])('shows that it is %s', (_, facts, expected) => {
    expect(shown('2026-03-01', facts)).toMatch(expected);
  });

  test('lists the anomalies and the facts behind them', () => {
    const facts = [issued(), received('2026-01-31', 310_44n), writtenOff('2026-02-20'), reversed('r-2026-01-31')];
    const text = shown('2026-03-01', facts);
    expect(text).toContain('Anomalies     reversal_after_write_off: ');
    expect(text).toContain('              reversal v-r-2026-01-31');
  });

  test('fits into 100 columns for any book, up to amounts of a hundred million', () => {
    fc.assert(
      fc.property(arbitraryBook(), fc.integer({ min: 0, max: 900 }), (input, days) => {
        const { book } = buildProductionBook(input);
        for (const order of book.loans.keys()) {
          if (loanInBook(book, order).terms.principal > 100_000_000_00n) continue;
          const lines = shownOf(book, order, (dayOf('2026-01-01') + days) as CivilDay).split('\n');
          for (const line of lines) expect(line.length).toBeLessThanOrEqual(100);
        }
      }),
      { numRuns: 60 },
    );
    const large = { principal: 99_999_999_99n, termPeriods: 12 };
    for (const line of shown('2026-12-01', [issued(large)]).split('\n')) expect(line.length).toBeLessThanOrEqual(100);
  });
});
