/** Properties of the fold of any book: the order of recording does not matter, and no fact changes answers before its day. */
import { expect } from '@jest/globals';
import { addDays, type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { isFactOf } from '#libs/ledger/act.ts';
import { suspensionEnd } from '#libs/ledger/acts/suspension-end.ts';
import { bookOnDay } from '#libs/ledger/answers/book-on-day.ts';
import { itemAt, listOf } from '#libs/ledger/append-list.ts';
import { addFact, bookAtLength, EMPTY_BOOK, type FoldedFacts } from '#libs/ledger/book.ts';
import { appendFact, emptyRecord } from '#libs/ledger/book-record.ts';
import { stateOn } from '#libs/ledger/checkpoints.ts';
import type { RecordedFact } from '#libs/ledger/fact-log.ts';
import type { Fact } from '#libs/ledger/facts.ts';
import { type BookState, EMPTY_STATE, foldStep } from '#libs/ledger/fold.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { orderedSteps } from '#libs/ledger/step-list.ts';
import type { Random } from '#libs/runtime/random.ts';
import { differencesOf } from '#test/properties/random-book/differences.ts';
import { answerBook as referenceAnswers } from '#test/reference-model/answer-book.ts';
import type { Question } from '#test/reference-model/input.ts';
import { answerBook, answerQuestion, buildProductionBook, type ProductionBook } from './production-fold.ts';
import { expectEqual, propertyTest } from './property-test.ts';

/** Adds the facts without admission: a fact whose rule fails is bounded, not refused. */
function recordAll(entries: readonly RecordedFact[], { calendars }: ProductionBook): FoldedFacts {
  return entries.reduce((book, entry) => addFact(book, entry, calendars).book, EMPTY_BOOK);
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

/** The state without the recording numbers of suspensions, which depend on the order of recording. */
function withoutNumbers({ loans, owedBack }: BookState): unknown {
  const bare = (loan: Loan | undefined) =>
    loan && { ...loan, suspensions: loan.suspensions.map(({ seq: _seq, ...rest }) => rest) };
  return { loans: loans.map(bare), owedBack };
}

/** An answer without anomalies, which depend on the order of recording. */
function figures(answer: unknown): unknown {
  return JSON.parse(JSON.stringify(answer, (name, member) => (name === 'anomalies' ? undefined : member)));
}

propertyTest('the fold and the reference model agree on every outcome and every answer', ({ input }) => {
  expectEqual(differencesOf(input, referenceAnswers, answerBook), []);
});

propertyTest(
  'folding facts one by one as they are recorded equals folding all of them from the beginning, on every day',
  ({ production, random }) => {
    const { book, calendars } = production;
    const record = [...book.log.entries(book.length)].reduce(appendFact, emptyRecord());
    const steps = listOf(orderedSteps(record));
    expect(steps.length).toBe(book.steps.length);
    const stepCount = random.integer(0, steps.length);
    const on = stepCount === 0 ? undefined : itemAt(steps, stepCount - 1).on;
    let state = EMPTY_STATE;
    let dated = EMPTY_STATE;
    for (let at = 0; at < steps.length; at += 1) {
      const step = itemAt(steps, at);
      state = foldStep(state, step, calendars).state;
      if (on !== undefined && step.on <= on) dated = state;
    }
    expectEqual(book.head, state);
    if (on !== undefined) expectEqual(stateOn(book, on, calendars), dated);
  },
);

propertyTest(
  'a reversal restores the book as if the Receipt had never been reported',
  ({ production, input, random }) => {
    const { book, recorded, calendars } = production;
    const receipts = recorded.flatMap(({ fact }) =>
      fact.type === 'receipt' && book.log.reversal(book.length, fact.reference) === undefined ? [fact] : [],
    );
    if (receipts.length === 0) return;
    const { reference } = random.pick(receipts);
    const fact: Fact = { type: 'reversal', reference: 'undo', receipt: reference };
    const reversed = addFact(book, { seq: input.facts.length + 1, fact, at: '', statement: {} }, calendars).book;
    const never = recordAll(
      recorded.filter((entry) => entry.fact.type !== 'receipt' || entry.fact.reference !== reference),
      production,
    );
    expectEqual(reversed.head, never.head);
    for (const question of input.questions) {
      if (question.kind === 'receipt' && question.receipt === reference) continue;
      expectEqual(
        figures(answerQuestion({ ...production, book: reversed }, question)),
        figures(answerQuestion({ ...production, book: never }, question)),
      );
    }
  },
);

propertyTest(
  'a retraction restores the book as if the act had never been recorded',
  ({ production, input, random }) => {
    const { book, recorded, calendars } = production;
    const withdrawn = new Set(recorded.flatMap(({ fact }) => (fact.type === 'retraction' ? [fact.target] : [])));
    const ended = new Set(
      recorded.flatMap(({ fact }) =>
        fact.type === 'act' && isFactOf(suspensionEnd, fact) ? [fact.body.suspension] : [],
      ),
    );
    const acts = recorded.flatMap(({ fact }) =>
      fact.type === 'act' && !withdrawn.has(fact.event) && !ended.has(fact.event) ? [fact] : [],
    );
    if (acts.length === 0) return;
    const { event: target, loan, on } = random.pick(acts);
    const fact: Fact = { type: 'retraction', event: 'undo', reference: 'undo', loan, on, target };
    const without = addFact(book, { seq: input.facts.length + 1, fact, at: '', statement: {} }, calendars).book;
    const never = recordAll(
      recorded.filter((entry) => entry.fact.type !== 'act' || entry.fact.event !== target),
      production,
    );
    expectEqual(without.head, never.head);
  },
);

/** The facts that must be recorded before a fact: those it names and earlier ones of the same day. */
function prerequisitesOf(fact: Fact, earlier: readonly Fact[]): readonly Fact[] {
  const on = dayOfFact(fact);
  return earlier.filter((other, at) => {
    // The first fact decides the currency in which obligations are stated.
    if (at === 0) return true;
    if (other.type === 'issuance' && fact.type !== 'receipt') return true;
    if (on !== undefined && dayOfFact(other) === on) return true;
    switch (fact.type) {
      case 'receipt':
        return other.type === 'issuance' && fact.designated !== undefined;
      case 'reversal':
        return other.type === 'receipt' && other.reference === fact.receipt;
      case 'retraction':
        // The early end of a suspension is retracted before the suspension.
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

/** The same facts in another admissible order of recording. */
function shuffled(recorded: readonly RecordedFact[], random: Random): RecordedFact[] {
  const facts = recorded.map(({ fact }) => fact);
  const waiting = recorded.map((entry, at) => ({
    entry,
    prerequisites: new Set(prerequisitesOf(entry.fact, facts.slice(0, at))),
  }));
  const order: RecordedFact[] = [];
  while (waiting.length > 0) {
    const ready = waiting.filter((each) => each.prerequisites.size === 0);
    const next = random.pick(ready);
    waiting.splice(waiting.indexOf(next), 1);
    for (const each of waiting) each.prerequisites.delete(next.entry.fact);
    order.push({ ...next.entry, seq: order.length + 1 });
  }
  return order;
}

propertyTest('the figures are the same in whatever order the facts are recorded', ({ production, input, random }) => {
  const { recorded } = production;
  const book = recordAll(shuffled(recorded, random), production);
  expectEqual(withoutNumbers(book.head), withoutNumbers(production.book.head));
  for (const question of input.questions) {
    expectEqual(
      figures(answerQuestion({ ...production, book }, question)),
      figures(answerQuestion(production, question)),
    );
  }
});

/** Whether the fact changes an earlier one that it names. */
function changesEarlierFact(fact: Fact): boolean {
  if (fact.type !== 'act') return fact.type === 'reversal' || fact.type === 'retraction';
  return fact.kind === 'cancelled' || fact.kind === 'suspension_ended';
}

interface Options {
  loans: { loan_id: string }[];
}

/** All answers about a day for these Loans. */
function datedAnswers(production: ProductionBook, book: FoldedFacts, loans: readonly string[], on: CivilDay): unknown {
  const atBook = { ...production, book };
  const day = formatDay(on);
  const options = answerQuestion(atBook, { kind: 'payment_options', client_id: 'c', on: day }) as Options;
  const about = (kind: 'schedule' | 'delinquency') =>
    loans.map((loan) => answerQuestion(atBook, { kind, loan, on: day } as Question));
  return figures([
    options.loans.slice(0, loans.length),
    about('schedule'),
    about('delinquency'),
    bookOnDay(book, on, production.calendars)
      .loans.slice(0, loans.length)
      .map(({ paid }) => Number(paid)),
  ]);
}

propertyTest('a fact changes no answer about a day before its own', ({ production, random }) => {
  const { recorded, calendars } = production;
  let book = EMPTY_BOOK;
  const names: string[] = [];
  for (const entry of recorded) {
    const after = addFact(book, entry, calendars).book;
    const on = dayOfFact(entry.fact);
    if (on !== undefined && !changesEarlierFact(entry.fact) && random.chance(0.4)) {
      const before = addDays(on, -random.pick([1, 1, 2, 7, 30, 90]));
      expectEqual(datedAnswers(production, after, names, before), datedAnswers(production, book, names, before));
    }
    if (entry.fact.type === 'issuance') names.push(entry.fact.loanId);
    book = after;
  }
});

propertyTest('a refused fact changes nothing, now or later', ({ production, input }) => {
  const clean = recordAll(production.recorded, production);
  expectEqual(production.book.head, clean.head);
  expectEqual(production.book.causes, clean.causes);
  for (const question of input.questions) {
    expectEqual(answerQuestion(production, question), answerQuestion({ ...production, book: clean }, question));
  }
});

propertyTest('a book cut off after any fact equals the book built up to that fact', ({ production }) => {
  const { book, recorded, calendars } = production;
  let grown = EMPTY_BOOK;
  for (const entry of recorded) {
    grown = addFact(grown, entry, calendars).book;
    expectEqual(allOf(bookAtLength(book, grown.length, calendars)), allOf(grown));
  }
});

/** All but the checkpoints, which depend on where the fold started. */
function allOf({ log, steps, checkpoints: _marks, ...rest }: FoldedFacts) {
  return { ...rest, facts: [...log.entries(rest.length)], steps: steps.items.slice(0, steps.length) };
}

propertyTest('a book value stays unchanged whatever is recorded on top of it', ({ production, input, random }) => {
  const half = { ...input, facts: input.facts.slice(0, random.integer(1, input.facts.length)) };
  const early = buildProductionBook(half);
  const held = [...early.book.log.entries(early.book.length)];
  const { head, length } = early.book;
  const was = JSON.stringify(head, (_, member) => (typeof member === 'bigint' ? `${member}` : member));
  // Two continuations of the same book.
  const left = production.recorded.slice(length);
  const grow = (entries: readonly RecordedFact[]) =>
    entries.reduce((book, entry) => addFact(book, entry, production.calendars).book, early.book);
  const one = grow(left);
  const other = grow(left);
  expectEqual(other.head, one.head);
  expectEqual([...early.book.log.entries(length)], held);
  expect(JSON.stringify(head, (_, member) => (typeof member === 'bigint' ? `${member}` : member))).toBe(was);
  expectEqual(one.head, production.book.head);
});
