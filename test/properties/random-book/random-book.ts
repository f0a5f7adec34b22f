/** Makes a random book from a seed. */
import fc from 'fast-check';
import { Random } from '#libs/runtime/random.ts';
import type { BookInput } from '#test/reference-model/input.ts';
import { BookBuilder } from './book-builder.ts';
import { recordRandomAct, recordRandomReversal } from './random-acts.ts';
import { recordRandomIssuance } from './random-issuance.ts';
import { randomQuestions } from './random-questions.ts';
import { recordRandomReceipt } from './random-receipts.ts';

const DEFAULT_SIZE = 18;

/** The random book of a seed with at most about `size` facts. */
export function randomBook(seed: number, size: number = DEFAULT_SIZE): BookInput {
  const random = new Random(seed);
  const builder = new BookBuilder(random);
  for (let attempt = 0; attempt < 8 && builder.issuances.length === 0; attempt += 1) recordRandomIssuance(builder);
  if (builder.issuances.length === 0) return randomBook(seed + 0x9e3779b9, size);
  const factCount = random.integer(Math.ceil(size / 3), size);
  for (let attempt = 0; attempt < 2 * size && builder.input.facts.length < factCount; attempt += 1)
    recordRandomFact(builder);
  builder.input.questions = randomQuestions(builder);
  return builder.input;
}

function recordRandomFact(builder: BookBuilder): void {
  const { random } = builder;
  const day = builder.nextDay();
  const choice = random.weighted([
    [10, 'receipt'],
    [9, 'act'],
    [1.5, 'reversal'],
    [builder.issuances.length < 3 ? 2 : 0, 'issuance'],
  ] as const);
  if (choice === 'receipt') recordRandomReceipt(builder, day);
  else if (choice === 'act') recordRandomAct(builder, day);
  else if (choice === 'reversal') recordRandomReversal(builder);
  else recordRandomIssuance(builder);
}

/** Random but plausible books. Smaller failing books are found by dropping facts (shrink-book.ts), not by smaller seeds. */
export function arbitraryBook(size: number = DEFAULT_SIZE): fc.Arbitrary<BookInput> {
  return fc.noShrink(fc.noBias(fc.nat(0x7fffffff))).map((seed) => randomBook(seed, size));
}
