/** Properties of the explanation of any Loan on any day: its parts are the figures that they explain. */
import { addDays } from '#libs/calendar/civil-day.ts';
import { penaltyYear } from '#libs/calendar/day-count.ts';
import { type OwedFigure, owedFigure } from '#libs/ledger/answers/amounts-json.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { loanExplanation } from '#libs/ledger/answers/explanation.ts';
import { NO_DEBT } from '#libs/ledger/charges/debt.ts';
import { halfEven } from '#libs/money/minor.ts';
import { RATE_SCALE, rateOf } from '#libs/money/rate.ts';
import { CHARGES } from '#libs/product/terms.ts';
import type { MoneyJson } from '#libs/schema/objects.ts';
import { expectEqual, propertyTest } from './property-test.ts';

function sum(amounts: readonly MoneyJson[]): number {
  return amounts.reduce((total, { minor_units }) => total + minor_units, 0);
}

function total(parts: readonly OwedFigure[], currency: string): OwedFigure {
  const debt = CHARGES.map((charge) => {
    const lines = parts.flatMap(({ charges }) => charges.filter((line) => line.charge === charge));
    const of = (member: 'amount' | 'tax') => BigInt(sum(lines.map((line) => line[member])));
    return [charge, { amount: of('amount'), tax: of('tax') }] as const;
  });
  return owedFigure({ ...NO_DEBT, ...Object.fromEntries(debt) }, currency);
}

propertyTest(
  'the parts of the periods add up to each figure, and the Receipts to what was paid',
  ({ production, random }) => {
    const { book, calendars } = production;
    const order = random.integer(0, book.loans.length - 1);
    const anchor = book.loans[order]?.issuance.terms.anchor;
    if (anchor === undefined) return;
    for (const days of [-5, 0, random.integer(1, 90), random.integer(91, 400)]) {
      const bookDay = bookOnDay(book, addDays(anchor, days), calendars);
      const explained = loanExplanation({ bookDay, clientId: 'c', tenantId: 't', calendars }, order);
      const { periods, payment_options: options, schedule, paid, receipts, earlier_receipts: earlier } = explained;
      const { currency } = paid;
      const nothing = owedFigure(NO_DEBT, currency);
      const partsOf = (figure: 'overdue' | 'late' | 'instalment' | 'payoff') =>
        total(
          periods.map((period) => period[figure]),
          currency,
        );
      expectEqual(partsOf('overdue'), options.overdue);
      expectEqual(partsOf('late'), options.late?.owed ?? nothing);
      expectEqual(partsOf('instalment'), options.instalment?.owed ?? nothing);
      expectEqual(partsOf('payoff'), options.payoff.owed);
      expectEqual(
        sum(receipts.map(({ allocation }) => allocation.settled.total)) + sum([earlier.settled]),
        sum([paid]),
      );
      const listed = schedule.periods.filter(({ index }) => index > 0);
      expectEqual(
        listed.map(({ index }) => index),
        periods.map(({ index }) => index),
      );
    }
  },
);

propertyTest(
  'in the schedule of any Loan, what a period owes is what it is charged less what is settled and waived of it',
  ({ production, random }) => {
    const { book, calendars } = production;
    const order = random.integer(0, book.loans.length - 1);
    const anchor = book.loans[order]?.issuance.terms.anchor;
    if (anchor === undefined) return;
    const bookDay = bookOnDay(book, addDays(anchor, random.integer(0, 400)), calendars);
    const { schedule } = loanExplanation({ bookDay, clientId: 'c', tenantId: 't', calendars }, order);
    for (const { charged, settled, waived, owed, alive } of schedule.periods) {
      const left = sum([charged.total]) - sum([settled.total]) - sum([waived.total]);
      // A period that ended, or whose Loan was undone or sold, owes nothing.
      if (alive && owed.total.minor_units !== 0) expectEqual(owed.total.minor_units, left);
    }
  },
);

propertyTest(
  'the penalty of a period is its rate on the bases of the counted days, added up',
  ({ production, random }) => {
    const { book, calendars } = production;
    const order = random.integer(0, book.loans.length - 1);
    const terms = book.loans[order]?.issuance.terms;
    if (terms === undefined) return;
    const bookDay = bookOnDay(book, addDays(terms.anchor, random.integer(30, 400)), calendars);
    const { periods, schedule } = loanExplanation({ bookDay, clientId: 'c', tenantId: 't', calendars }, order);
    for (const { index, penalty } of periods) {
      const shown = schedule.periods.find((period) => period.index === index);
      // An act may have moved penalty of other periods here.
      if (penalty?.base_days === undefined || shown?.origin === 'called' || shown?.origin === 'restructured') continue;
      const exact = rateOf(penalty.rate) * BigInt(penalty.base_days);
      const own = halfEven(exact, RATE_SCALE * penaltyYear(terms.basis));
      const amountOf = (side: OwedFigure | undefined) =>
        BigInt(sum((side?.charges ?? []).filter(({ charge }) => charge === 'penalty').map(({ amount }) => amount)));
      const met = amountOf(shown?.settled) + amountOf(shown?.waived);
      expectEqual(amountOf(shown?.charged), own > met ? own : met);
    }
  },
);
