/** Changes between two versions of any book lead from all figures of the one to all figures of the other. */
import { addDays } from '#libs/calendar/civil-day.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { obligations } from '#libs/ledger/answers/obligations.ts';
import { loanPaymentOptions } from '#libs/ledger/answers/payment-options.ts';
import { scheduleAnswer } from '#libs/ledger/answers/schedule.ts';
import { bookAtLength } from '#libs/ledger/book.ts';
import type { BookReadOptions } from '#libs/ledger/client/book-answer.ts';
import { type BookChanges, bookChanges } from '#libs/ledger/client/book-changes.ts';
import { emptyClientBook } from '#libs/ledger/client/client-book.ts';
import { stateOf } from '#libs/ledger/loan-state.ts';
import type { ProductionBook } from './production-fold.ts';
import { expectEqual, propertyTest } from './property-test.ts';

type Figures = ReadonlyMap<string, unknown>;

function applied(figures: Figures, { changes }: BookChanges): Figures {
  const after = new Map(figures);
  for (const { figure, to } of changes) {
    if (to === undefined) after.delete(figure);
    else after.set(figure, to);
  }
  return after;
}

function changesBetween(
  { book }: ProductionBook,
  fromFacts: number,
  toFacts: number,
  question: BookReadOptions,
): BookChanges {
  const whole = { ...emptyClientBook('acme', 'c'), folded: book };
  const work = bookChanges(whole, { fromFacts, toFacts }, question, Number.POSITIVE_INFINITY);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value as BookChanges;
  }
}

/** Every compared figure, without its path. */
function everyFigure(
  production: ProductionBook,
  facts: number,
  { on, homeCurrency, calendars }: BookReadOptions,
): string[] {
  const book = bookAtLength(production.book, facts, calendars);
  const moment = bookOnDay(book, on, calendars);
  const loans = moment.loans.map((loan) => {
    const { loan_id: _of, any_other_amount: _description, ...options } = loanPaymentOptions(moment, loan);
    const { loan_id: _id, on: _on, anomalies: _anomalies, ...plan } = scheduleAnswer(moment, loan);
    return { loan_id: loan.id, state: stateOf(loan), options, plan };
  });
  const { client_id: _client, ...owedBack } = obligations(book, 'c', homeCurrency);
  return [...leaves({ loans, owedBack })].sort();
}

function* leaves(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || 'minor_units' in value) yield JSON.stringify(value);
  else for (const member of Object.values(value)) yield* leaves(member);
}

propertyTest(
  'the changes between two versions of a book lead from the figures of the one to those of the other',
  (given) => {
    const { production, random } = given;
    const { book, calendars, market } = production;
    const anchors = book.loans.map(({ issuance }) => issuance.terms.anchor);
    if (anchors.length === 0) return;
    const on = addDays(random.pick(anchors), random.integer(0, 200));
    const question = { on, homeCurrency: market.currencies.value[0] as string, calendars };
    const one = random.integer(0, book.length);
    const other = random.integer(one, book.length);
    const nothing = new Map([['/obligations/amount', { minor_units: 0, currency: question.homeCurrency }]]);
    const before = applied(nothing, changesBetween(production, 0, one, question));
    const after = applied(before, changesBetween(production, one, other, question));
    const values = (figures: Figures) => [...figures.values()].map((figure) => JSON.stringify(figure)).sort();
    expectEqual(values(before), everyFigure(production, one, question));
    expectEqual(values(after), everyFigure(production, other, question));
    expectEqual(applied(nothing, changesBetween(production, 0, other, question)), after);
  },
);
