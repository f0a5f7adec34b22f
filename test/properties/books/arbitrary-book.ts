import fc from 'fast-check';
import type { BookInput } from '#test/reference-model/input.ts';
import { actOn, reverse } from './act.ts';
import { questionsOf } from './ask.ts';
import { Dice } from './dice.ts';
import { issueLoan } from './issue.ts';
import { payMoney } from './pay.ts';
import { Story } from './story.ts';

const COMMON_SIZE = 18;

/** The book of a seed: `size` is about how many facts it has. */
export function bookOf(seed: number, size: number = COMMON_SIZE): BookInput {
  const dice = new Dice(seed);
  const story = new Story(dice);
  for (let tries = 0; tries < 8 && story.issuances.length === 0; tries += 1) issueLoan(story);
  if (story.issuances.length === 0) return bookOf(seed + 0x9e3779b9, size);
  const wanted = dice.whole(Math.ceil(size / 3), size);
  for (let tries = 0; tries < 2 * size && story.input.facts.length < wanted; tries += 1) takeTurn(story);
  story.input.questions = questionsOf(story);
  return story.input;
}

function takeTurn(story: Story): void {
  const { dice } = story;
  const day = story.day();
  const turn = dice.weighted([
    [10, 'receipt'],
    [9, 'act'],
    [1.5, 'reversal'],
    [story.issuances.length < 3 ? 2 : 0, 'issuance'],
  ] as const);
  if (turn === 'receipt') payMoney(story, day);
  else if (turn === 'act') actOn(story, day);
  else if (turn === 'reversal') reverse(story);
  else issueLoan(story);
}

/** Random but meaningful books. A book is its seed: smaller books are found by dropping facts (see shrink.ts), not by smaller seeds. */
export function arbitraryBook(size: number = COMMON_SIZE): fc.Arbitrary<BookInput> {
  return fc.noShrink(fc.noBias(fc.nat(0x7fffffff))).map((seed) => bookOf(seed, size));
}
