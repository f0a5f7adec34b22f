import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { bookOf } from '#test/properties/books/arbitrary-book.ts';
import { Dice } from '#test/properties/books/dice.ts';
import type { BookInput } from '#test/reference-model/input.ts';
import { type Kept, keepBook } from './production.ts';

/** 500 unless LAWS_BOOKS says otherwise; `npm run laws` looks at 20,000. */
const BOOKS = Number(process.env['LAWS_BOOKS'] ?? 500);
/** The same books on every machine; LAWS_SEED throws others. */
const SEED = Number(process.env['LAWS_SEED'] ?? 20261121);

/** One random book, and dice for what a law chooses about it: both follow from its seed, which a failure prints. */
export type Case = { readonly input: BookInput; readonly kept: Kept; readonly dice: Dice };

// Every law looks at the same books: thrown once, kept as text.
const thrown = new Map<number, string>();

function inputOf(seed: number): BookInput {
  const text = thrown.get(seed) ?? JSON.stringify(bookOf(seed));
  thrown.set(seed, text);
  return JSON.parse(text);
}

/** `toEqual`, which takes several times as long to find no difference as it takes to see that there is none. */
export function expectSame(one: unknown, other: unknown): void {
  if (!isDeepStrictEqual(one, other)) expect(one).toEqual(other);
}

export function law(title: string, holds: (each: Case) => void): void {
  const seeds = fc.noShrink(fc.noBias(fc.nat(0x7fffffff)));
  test(
    title,
    () => {
      fc.assert(
        fc.property(seeds, (seed) => {
          const input = inputOf(seed);
          holds({ input, kept: keepBook(input), dice: new Dice(seed ^ 0x5bd1e995) });
        }),
        { numRuns: BOOKS, seed: SEED },
      );
    },
    BOOKS * 1_000,
  );
}
