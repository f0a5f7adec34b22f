/** Declares a property test: a check that runs for many random books. */
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Random } from '#libs/runtime/random.ts';
import { randomBook } from '#test/properties/random-book/random-book.ts';
import type { BookInput } from '#test/reference-model/input.ts';
import { buildProductionBook, type ProductionBook } from './production-fold.ts';

/** Books for each property: few in `npm run test:unit`, 50 in `npm test`, 20,000 in `npm run test:properties`. */
const bookCount = Number(process.env['PROPERTY_BOOKS'] ?? 20);
/** From so many books on, tests that build books of their own run as often as they state. */
const booksOfAllRuns = 100;

/** Runs of a test that builds books of its own: in `npm test` half of them. */
export function propertyRuns(runs: number): number {
  return Math.ceil(runs * Math.min(bookCount / booksOfAllRuns, 1));
}

/** Fixed, so that every machine uses the same books; PROPERTY_SEED chooses others. */
const baseSeed = Number(process.env['PROPERTY_SEED'] ?? 20261121);

/** A random book and random choices about it. Both follow from the seed that a failure prints. */
export type PropertyCase = { readonly input: BookInput; readonly production: ProductionBook; readonly random: Random };

// All properties use the same books: each is made once and stored as JSON.
const booksBySeed = new Map<number, string>();

function inputOf(seed: number): BookInput {
  const text = booksBySeed.get(seed) ?? JSON.stringify(randomBook(seed));
  booksBySeed.set(seed, text);
  return JSON.parse(text);
}

/** As `toEqual`, but fast for equal values: `toEqual` runs only to report a difference. */
export function expectEqual(one: unknown, other: unknown): void {
  if (!isDeepStrictEqual(one, other)) expect(one).toEqual(other);
}

export function propertyTest(title: string, check: (each: PropertyCase) => void): void {
  const seeds = fc.noShrink(fc.noBias(fc.nat(0x7fffffff)));
  test(
    title,
    () => {
      fc.assert(
        fc.property(seeds, (seed) => {
          const input = inputOf(seed);
          check({ input, production: buildProductionBook(input), random: new Random(seed ^ 0x5bd1e995) });
        }),
        { numRuns: bookCount, seed: baseSeed },
      );
    },
    bookCount * 1_000,
  );
}
