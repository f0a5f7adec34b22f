import { expect, test } from '@jest/globals';
import type { Request } from 'express';
import { newToken } from '#libs/people/secret-tokens.ts';
import type { Visit } from './console-context.ts';
import { doneNotice, donePath } from './done-notice.ts';
import { rendered } from './testing/rendered-page.ts';

const words = { bounds: 'The bounds are in force.' };
const path = '/tenancies/demo';
const visit = { browserToken: newToken(), path } as Visit;

function shownAt(address: string, by: Visit = visit): string {
  const query = Object.fromEntries(new URLSearchParams(address.split('?')[1]));
  return rendered(doneNotice(by, { query } as unknown as Request, words));
}

test.each([
  ['bounds', true],
  ['toString', false],
  ['<b>anything</b>', false],
  ['', false],
])('a form of this browser that did %s says so: %s', (done, isShown) => {
  const notice = `<main><p role="status" class="notice">${words.bounds}</p></main>`;
  expect(shownAt(donePath(visit, path, done))).toBe(isShown ? notice : '<main></main>');
});

test('a link that another browser made, or one for another page, says nothing', () => {
  const another = { ...visit, browserToken: newToken() };
  for (const link of [`${path}?done=bounds`, donePath(another, path, 'bounds'), donePath(visit, '/account', 'bounds')])
    expect([link, shownAt(link)]).toEqual([link, '<main></main>']);
});
