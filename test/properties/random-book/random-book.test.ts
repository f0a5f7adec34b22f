/** Random books are reproducible and find faults in an implementation. */
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { propertyRuns } from '#test/properties/property-test.ts';
import { answerBook } from '#test/reference-model/answer-book.ts';
import { toDay, toText } from '#test/reference-model/days.ts';
import type { BookInput, BookOutcome, Question, ReceiptFact } from '#test/reference-model/input.ts';
import { differencesOf } from './differences.ts';
import { arbitraryBook, randomBook } from './random-book.ts';
import { shrinkBook } from './shrink-book.ts';

interface LoanStatement {
  id: string;
  opening: number;
  charged: number;
  received: number;
  released: number;
  ceded_away: number;
  closing: number;
  lines: { kind: string; total: number }[];
}

const RUNS = { numRuns: propertyRuns(150), seed: 20261121 };

/** The answers to these questions only. */
const answer = <T>(input: BookInput, ...questions: Question[]): T[] =>
  answerBook({ ...input, questions }).answers as T[];

const statements = (input: BookInput, from: string, to: string): LoanStatement[] =>
  answer<{ loans: LoanStatement[] }>(input, { kind: 'statement', client_id: 'c', from, to }).flatMap(
    ({ loans }) => loans,
  );

test('a seed always makes the same book, and another seed a different one', () => {
  expect(randomBook(7)).toEqual(randomBook(7));
  expect(randomBook(8)).not.toEqual(randomBook(7));
});

test('the opening balance plus charges minus payments, releases and cessions is the closing balance', () => {
  fc.assert(
    fc.property(arbitraryBook(), fc.nat(200), fc.nat(120), (input, start, length) => {
      const first = Math.min(...input.facts.map((fact) => (fact.type === 'issuance' ? toDay(fact.anchor) : 1e6)));
      const [from, middle, to] = [first + start - 20, first + start + length, first + start + 2 * length + 1].map(
        toText,
      );
      const early = statements(input, from as string, middle as string);
      const late = statements(input, toText(toDay(middle as string) + 1), to as string);
      for (const { opening, charged, received, released, ceded_away, closing, lines } of [...early, ...late]) {
        expect(opening + charged - received - released - ceded_away).toBe(closing);
        for (const { kind, total } of lines) if (kind !== 'moved') expect(total).toBeGreaterThan(0);
      }
      expect(late.map(({ opening }) => opening)).toEqual(early.map(({ closing }) => closing));
    }),
    RUNS,
  );
});

interface ReceiptRead {
  settled: number;
  surplus: number;
  excess?: number;
}

test('money received is settled or owed back', () => {
  fc.assert(
    fc.property(arbitraryBook(), (input) => {
      const { facts } = answerBook({ ...input, questions: [] });
      const receipts = input.facts.filter(
        (fact, place) => fact.type === 'receipt' && facts[place]?.admitted,
      ) as ReceiptFact[];
      const reads = answer<ReceiptRead>(
        input,
        ...receipts.map(({ reference }) => ({ kind: 'receipt' as const, receipt: reference })),
      );
      const reversed = new Set(
        input.facts.flatMap((fact, place) =>
          fact.type === 'reversal' && facts[place]?.admitted ? [fact.receipt] : [],
        ),
      );
      receipts.forEach(({ amount, reference }, place) => {
        const { settled, surplus, excess = 0 } = reads[place] as ReceiptRead;
        expect(settled + surplus + excess).toBe(reversed.has(reference) ? 0 : amount);
      });
    }),
    RUNS,
  );
});

test('an implementation that waives one unit too little is detected and shown with a book of few facts', () => {
  const wrong = (input: BookInput): BookOutcome =>
    answerBook({
      ...input,
      facts: input.facts.map((fact) =>
        fact.type === 'act' && fact.kind === 'waiver' && (fact.amount ?? 0) > 1
          ? { ...fact, amount: (fact.amount ?? 0) - 1 }
          : fact,
      ),
    });
  for (let seed = 1; seed < 400; seed += 1) {
    const input = randomBook(seed);
    const difference = differencesOf(input, answerBook, wrong).find(({ group }) => group.startsWith('answer'));
    if (difference === undefined) continue;
    const min = shrinkBook(input, difference.group, answerBook, wrong);
    expect(min.facts.length).toBeLessThanOrEqual(3);
    expect(min.facts.some((fact) => fact.type === 'act' && fact.kind === 'waiver')).toBe(true);
    expect(min.questions).toHaveLength(1);
    return;
  }
  throw new Error('no book of four hundred shows a difference in a waiver');
});
