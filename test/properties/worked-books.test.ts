/** The production fold answers the worked books of test/vectors. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import type { BookInput, FactOutcome } from '#test/reference-model/input.ts';
import { answerBook } from './production-fold.ts';

interface WorkedBook {
  about: string;
  input: BookInput;
  expected: { facts: FactOutcome[]; answers: unknown[] };
  hand: [string, unknown][];
}

const books = new URL('../vectors/books/', import.meta.url);
const read = (name: string): WorkedBook => JSON.parse(readFileSync(new URL(name, books), 'utf8'));
const names = readdirSync(books).filter((name) => name.endsWith('.json'));

/** Code and status are compared; `details` are not. */
const outcomes = (facts: FactOutcome[]) =>
  facts.map((fact) => (fact.admitted ? { admitted: true } : { admitted: false, code: fact.code, status: fact.status }));

/** The figure a path leads to; an absent member counts as null. */
function at(path: string, from: unknown): unknown {
  return path.split('.').reduce((value, step) => (value as Record<string, unknown>)[step] ?? null, from);
}

test('there are thirty-one worked books', () => expect(names).toHaveLength(31));

describe.each(names)('the worked book %s', (name) => {
  const { input, expected, hand } = read(name);
  // Through JSON, so that an absent member and an undefined one are equal.
  const answer = (): WorkedBook['expected'] => JSON.parse(JSON.stringify(answerBook(input)));

  test('has exactly the expected outcomes and answers', () => {
    const answered = answer();
    expect(outcomes(answered.facts)).toEqual(outcomes(expected.facts));
    expect(answered.answers).toEqual(expected.answers);
  });

  test('has the figures that were worked out by hand', () => {
    const answered = answer();
    expect(hand.map(([path]) => [path, at(path, answered)])).toEqual(hand);
  });
});
