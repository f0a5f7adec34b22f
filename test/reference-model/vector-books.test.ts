/** The reference model answers the worked books of test/vectors. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { answerBook } from './answer-book.ts';
import { type Basis, elapsed, partsOfYear, toDay } from './days.ts';
import type { BookInput, FactOutcome } from './input.ts';

interface VectorBook {
  about: string;
  input: BookInput;
  expected: { facts: FactOutcome[]; answers: unknown[] };
}

const books = new URL('../vectors/books/', import.meta.url);

const read = (name: string): VectorBook => JSON.parse(readFileSync(new URL(name, books), 'utf8'));

/** Code and status are compared; `details` are not. */
const outcomes = (facts: FactOutcome[]): unknown[] =>
  facts.map((fact) => (fact.admitted ? { admitted: true } : { admitted: false, code: fact.code, status: fact.status }));

describe('the reference model answers every worked book exactly', () => {
  const names = readdirSync(books).filter((name) => name.endsWith('.json'));

  test('there are thirty-one books', () => expect(names).toHaveLength(31));

  test.each(names)('%s', (name) => {
    const { input, expected } = read(name);
    const answered = answerBook(input);
    expect(outcomes(answered.facts)).toEqual(outcomes(expected.facts));
    expect(JSON.parse(JSON.stringify(answered.answers))).toEqual(expected.answers);
  });
});

describe('the year fractions of the reference model', () => {
  const cases: [Basis, string, string, bigint, bigint][] = [
    ['actual_actual', '2011-12-28', '2012-02-29', 22999n, 133590n],
    ['actual_actual', '2011-12-28', '2016-02-28', 278497n, 66795n],
    ['actual_actual', '2012-02-29', '2012-03-28', 14n, 183n],
    ['actual_360', '2011-12-28', '2012-02-28', 31n, 180n],
    ['thirty_360', '2026-01-31', '2026-02-28', 28n, 360n],
    ['thirty_360', '2026-02-28', '2026-03-31', 32n, 360n],
  ];

  test.each(cases)('%s from %s to %s', (basis, from, to, numerator, denominator) => {
    expect(elapsed(basis, toDay(from), toDay(to)) * denominator).toBe(numerator * partsOfYear(basis));
  });
});
