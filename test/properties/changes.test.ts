/** What no book can break about why its figures changed: what differs between two versions leads from one to the other. */

import { addDays } from '#libs/calendar/civil-day.ts';
import { bookOnDay } from '#libs/ledger/answers/moment.ts';
import { obligations } from '#libs/ledger/answers/obligations.ts';
import { loanOptions } from '#libs/ledger/answers/payment-options.ts';
import { schedule } from '#libs/ledger/answers/schedule.ts';
import { bookUntil } from '#libs/ledger/book.ts';
import type { BookQuestion } from '#libs/ledger/client/book-answer.ts';
import { type Changes, changesOf } from '#libs/ledger/client/changes.ts';
import { emptyClientBook } from '#libs/ledger/client/client-book.ts';
import { stateOf } from '#libs/ledger/state.ts';
import { expectSame, law } from './law.ts';
import type { Kept } from './production.ts';

type Figures = ReadonlyMap<string, unknown>;

function applied(figures: Figures, { changes }: Changes): Figures {
  const after = new Map(figures);
  for (const { figure, to } of changes) {
    if (to === undefined) after.delete(figure);
    else after.set(figure, to);
  }
  return after;
}

function changesBetween({ book }: Kept, fromFacts: number, toFacts: number, question: BookQuestion): Changes {
  const whole = { ...emptyClientBook('acme', 'c'), folded: book };
  const work = changesOf(whole, { fromFacts, toFacts }, question, Number.POSITIVE_INFINITY);
  for (;;) {
    const step = work.next();
    if (step.done === true) return step.value as Changes;
  }
}

/** Every figure of what is compared, one after the other, with no name for where it stands. */
function everyFigure(kept: Kept, facts: number, { on, homeCurrency, calendars }: BookQuestion): string[] {
  const book = bookUntil(kept.book, facts, calendars);
  const moment = bookOnDay(book, on, calendars);
  const loans = moment.loans.map((loan) => {
    const { loan_id: _of, any_other_amount: _said, ...options } = loanOptions(moment, loan);
    const { loan_id: _id, on: _on, anomalies: _anomalies, ...plan } = schedule(moment, loan);
    return { loan_id: loan.id, state: stateOf(loan), options, plan };
  });
  const { client_id: _client, ...owedBack } = obligations(book, 'c', homeCurrency);
  return [...leaves({ loans, owedBack })].sort();
}

function* leaves(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null || 'minor_units' in value) yield JSON.stringify(value);
  else for (const member of Object.values(value)) yield* leaves(member);
}

law('what differs between two versions leads from all figures of the one to all figures of the other', (given) => {
  const { kept, dice } = given;
  const { book, calendars, market } = kept;
  const anchors = book.loans.map(({ issuance }) => issuance.terms.anchor);
  if (anchors.length === 0) return;
  const on = addDays(dice.pick(anchors), dice.whole(0, 200));
  const question = { on, homeCurrency: market.currencies.value[0] as string, calendars };
  const one = dice.whole(0, book.length);
  const other = dice.whole(one, book.length);
  const nothing = new Map([['/obligations/amount', { minor_units: 0, currency: question.homeCurrency }]]);
  const before = applied(nothing, changesBetween(kept, 0, one, question));
  const after = applied(before, changesBetween(kept, one, other, question));
  const said = (figures: Figures) => [...figures.values()].map((figure) => JSON.stringify(figure)).sort();
  expectSame(said(before), everyFigure(kept, one, question));
  expectSame(said(after), everyFigure(kept, other, question));
  expectSame(applied(nothing, changesBetween(kept, 0, other, question)), after);
});
