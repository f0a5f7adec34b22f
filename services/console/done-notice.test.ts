import { expect, test } from '@jest/globals';
import type { Request } from 'express';
import { doneNotice } from './done-notice.ts';
import { rendered } from './testing/rendered-page.ts';

const words = { bounds: 'The bounds are in force.' };

test.each([
  ['bounds', true],
  ['toString', false],
  ['<b>anything</b>', false],
  ['', false],
])('the address says that %s was done: %s', (done, isShown) => {
  const shown = rendered(doneNotice({ query: { done } } as unknown as Request, words));
  expect(shown).toBe(isShown ? `<main><p role="status" class="notice">${words.bounds}</p></main>` : '<main></main>');
});
