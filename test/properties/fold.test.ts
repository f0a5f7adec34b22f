/** What no book can break about its fold: the order of recording is no matter, and nothing reaches back before its day. */
import { expect } from '@jest/globals';
import { addDays, type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { bookOnDay } from '#libs/ledger/answers/moment.ts';
import { itemAt, listOf } from '#libs/ledger/append-list.ts';
import { addFact, type Book, bookUntil, NO_BOOK, stateOn, stepsOf } from '#libs/ledger/book.ts';
import { emptyRecord, type RecordedFact, withRecorded } from '#libs/ledger/fact-record.ts';
import type { Fact } from '#libs/ledger/facts.ts';
import { EMPTY, foldStep, type State } from '#libs/ledger/fold.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { differencesOf } from '#test/properties/books/compare.ts';
import type { Dice } from '#test/properties/books/dice.ts';
import { answerBook as oracle } from '#test/reference-model/answer-book.ts';
import type { Question } from '#test/reference-model/input.ts';
import { expectSame, law } from './law.ts';
import { answerBook, ask, type Kept, keepBook } from './production.ts';

/** The facts as recorded, nothing asked: a fact whose rule fails is bounded, not refused. */
function recordAll(entries: readonly RecordedFact[], { calendars }: Kept): Book {
  return entries.reduce((book, entry) => addFact(book, entry, calendars).book, NO_BOOK);
}

function dayOfFact(fact: Fact): CivilDay | undefined {
  switch (fact.type) {
    case 'issuance':
      return fact.terms.anchor;
    case 'receipt':
      return fact.valueDate;
    case 'act':
      return fact.on;
    default:
      return undefined;
  }
}

/** Where a suspension stands among the facts of its day is kept as its number in the order of recording. */
function withoutNumbers({ loans, owedBack }: State): unknown {
  const bare = (loan: Loan | undefined) =>
    loan && { ...loan, suspensions: loan.suspensions.map(({ seq: _seq, ...rest }) => rest) };
  return { loans: loans.map(bare), owedBack };
}

/** An answer without its anomalies: they tell of recordings, not of days. */
function figures(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer, (name, member) => (name === 'anomalies' ? undefined : member)));
}

law('two implementations of one document agree on every outcome and every answer', ({ input }) => {
  expectSame(differencesOf(input, oracle, answerBook), []);
});

law('folding fact by fact as they come is folding all of them from nothing, on every day', ({ kept, dice }) => {
  const { book, calendars } = kept;
  const record = [...book.log.facts(book.length)].reduce(withRecorded, emptyRecord());
  const steps = listOf(stepsOf(record));
  expect(steps.length).toBe(book.steps.length);
  const asked = dice.whole(0, steps.length);
  const on = asked === 0 ? undefined : itemAt(steps, asked - 1).on;
  let state = EMPTY;
  let dated = EMPTY;
  for (let at = 0; at < steps.length; at += 1) {
    const step = itemAt(steps, at);
    state = foldStep(state, step, calendars).state;
    if (on !== undefined && step.on <= on) dated = state;
  }
  expectSame(book.head, state);
  if (on !== undefined) expectSame(stateOn(book, on, calendars), dated);
});

law('a reversal restores the book as if the Receipt had never been', ({ kept, input, dice }) => {
  const { book, recorded, calendars } = kept;
  const receipts = recorded.flatMap(({ fact }) =>
    fact.type === 'receipt' && book.log.reversal(book.length, fact.reference) === undefined ? [fact] : [],
  );
  if (receipts.length === 0) return;
  const { reference } = dice.pick(receipts);
  const fact: Fact = { type: 'reversal', reference: 'undo', receipt: reference };
  const reversed = addFact(book, { seq: input.facts.length + 1, fact, at: '', told: {} }, calendars).book;
  const never = recordAll(
    recorded.filter((entry) => entry.fact.type !== 'receipt' || entry.fact.reference !== reference),
    kept,
  );
  expectSame(reversed.head, never.head);
  for (const question of input.questions) {
    if (question.kind === 'receipt' && question.receipt === reference) continue;
    expectSame(figures(ask({ ...kept, book: reversed }, question)), figures(ask({ ...kept, book: never }, question)));
  }
});

law('a retraction restores the book as if the act had never been', ({ kept, input, dice }) => {
  const { book, recorded, calendars } = kept;
  const withdrawn = new Set(recorded.flatMap(({ fact }) => (fact.type === 'retraction' ? [fact.target] : [])));
  const ended = new Set(
    recorded.flatMap(({ fact }) =>
      fact.type === 'act' && fact.kind === 'suspension_ended' ? [fact.body.suspension] : [],
    ),
  );
  const acts = recorded.flatMap(({ fact }) =>
    fact.type === 'act' && !withdrawn.has(fact.event) && !ended.has(fact.event) ? [fact] : [],
  );
  if (acts.length === 0) return;
  const { event: target, loan, on } = dice.pick(acts);
  const fact: Fact = { type: 'retraction', event: 'undo', reference: 'undo', loan, on, target };
  const without = addFact(book, { seq: input.facts.length + 1, fact, at: '', told: {} }, calendars).book;
  const never = recordAll(
    recorded.filter((entry) => entry.fact.type !== 'act' || entry.fact.event !== target),
    kept,
  );
  expectSame(without.head, never.head);
});

/** What must be recorded before a fact: what it names, and what its own day has seen already. */
function needs(fact: Fact, earlier: readonly Fact[]): readonly Fact[] {
  const on = dayOfFact(fact);
  return earlier.filter((other, at) => {
    // What is owed back in several currencies is told in that of the Client's first fact.
    if (at === 0) return true;
    if (other.type === 'issuance' && fact.type !== 'receipt') return true;
    if (on !== undefined && dayOfFact(other) === on) return true;
    switch (fact.type) {
      case 'receipt':
        return other.type === 'issuance' && fact.designated !== undefined;
      case 'reversal':
        return other.type === 'receipt' && other.reference === fact.receipt;
      case 'retraction':
        // An end that was withdrawn is withdrawn before its suspension is.
        return (
          (other.type === 'act' && other.loan === fact.loan) ||
          (other.type === 'retraction' && other.loan === fact.loan)
        );
      case 'act':
        return (
          fact.kind === 'suspension_ended' &&
          (other.type === 'act' || other.type === 'retraction') &&
          other.loan === fact.loan
        );
      default:
        return false;
    }
  });
}

/** The same facts, recorded in another order that they admit. */
function shuffled(recorded: readonly RecordedFact[], dice: Dice): RecordedFact[] {
  const facts = recorded.map(({ fact }) => fact);
  const waiting = recorded.map((entry, at) => ({ entry, needs: new Set(needs(entry.fact, facts.slice(0, at))) }));
  const order: RecordedFact[] = [];
  while (waiting.length > 0) {
    const ready = waiting.filter((each) => each.needs.size === 0);
    const next = dice.pick(ready);
    waiting.splice(waiting.indexOf(next), 1);
    for (const each of waiting) each.needs.delete(next.entry.fact);
    order.push({ ...next.entry, seq: order.length + 1 });
  }
  return order;
}

law(
  'recording late is recording early: in whatever order facts are recorded, the figures are the same',
  ({ kept, input, dice }) => {
    const { recorded } = kept;
    const book = recordAll(shuffled(recorded, dice), kept);
    expectSame(withoutNumbers(book.head), withoutNumbers(kept.book.head));
    for (const question of input.questions) {
      expectSame(figures(ask({ ...kept, book }, question)), figures(ask(kept, question)));
    }
  },
);

/** These change the fact they name, wherever it stands. */
function reachesBack(fact: Fact): boolean {
  if (fact.type !== 'act') return fact.type === 'reversal' || fact.type === 'retraction';
  return fact.kind === 'cancelled' || fact.kind === 'suspension_ended';
}

interface Options {
  loans: { loan_id: string }[];
}

/** Every answer about a day on the Loans of an earlier book. */
function datedAnswers(kept: Kept, book: Book, loans: readonly string[], on: CivilDay): unknown {
  const law = { ...kept, book };
  const day = formatDay(on);
  const options = ask(law, { kind: 'payment_options', client_id: 'c', on: day }) as Options;
  const about = (kind: 'schedule' | 'delinquency') =>
    loans.map((loan) => ask(law, { kind, loan, on: day } as Question));
  return figures([
    options.loans.slice(0, loans.length),
    about('schedule'),
    about('delinquency'),
    bookOnDay(book, on, kept.calendars)
      .loans.slice(0, loans.length)
      .map(({ paid }) => Number(paid)),
  ]);
}

law('a fact never changes a dated answer before its day', ({ kept, dice }) => {
  const { recorded, calendars } = kept;
  let book = NO_BOOK;
  const names: string[] = [];
  for (const entry of recorded) {
    const after = addFact(book, entry, calendars).book;
    const on = dayOfFact(entry.fact);
    if (on !== undefined && !reachesBack(entry.fact) && dice.chance(0.4)) {
      const before = addDays(on, -dice.pick([1, 1, 2, 7, 30, 90]));
      expectSame(datedAnswers(kept, after, names, before), datedAnswers(kept, book, names, before));
    }
    if (entry.fact.type === 'issuance') names.push(entry.fact.loanId);
    book = after;
  }
});

law('a refused fact changes nothing, then or later', ({ kept, input }) => {
  const clean = recordAll(kept.recorded, kept);
  expectSame(kept.book.head, clean.head);
  expectSame(kept.book.causes, clean.causes);
  for (const question of input.questions) {
    expectSame(ask(kept, question), ask({ ...kept, book: clean }, question));
  }
});

law('a book cut off after any of its facts is the book that was grown to there', ({ kept }) => {
  const { book, recorded, calendars } = kept;
  let grown = NO_BOOK;
  for (const entry of recorded) {
    grown = addFact(grown, entry, calendars).book;
    expectSame(allOf(bookUntil(book, grown.length, calendars)), allOf(grown));
  }
});

/** All but its marks: those stand where it was folded from. */
function allOf({ log, steps, marks: _marks, ...rest }: Book) {
  return { ...rest, facts: [...log.facts(rest.length)], steps: steps.items.slice(0, steps.length) };
}

law('a value of a book stays what it was, whatever is recorded after it', ({ kept, input, dice }) => {
  const half = { ...input, facts: input.facts.slice(0, dice.whole(1, input.facts.length)) };
  const early = keepBook(half);
  const held = [...early.book.log.facts(early.book.length)];
  const { head, length } = early.book;
  const was = JSON.stringify(head, (_, member) => (typeof member === 'bigint' ? `${member}` : member));
  // Two futures grow from one past.
  const left = kept.recorded.slice(length);
  const grow = (entries: readonly RecordedFact[]) =>
    entries.reduce((book, entry) => addFact(book, entry, kept.calendars).book, early.book);
  const one = grow(left);
  const other = grow(left);
  expectSame(other.head, one.head);
  expectSame([...early.book.log.facts(length)], held);
  expect(JSON.stringify(head, (_, member) => (typeof member === 'bigint' ? `${member}` : member))).toBe(was);
  expectSame(one.head, kept.book.head);
});
