import { expect, test } from '@jest/globals';
import { rendered, visitOfOperator } from '../testing/rendered-page.ts';
import { en } from '../texts/en.ts';
import { es } from '../texts/es.ts';
import { type EarlierRight, invitationResult } from './pages.ts';

const visit = visitOfOperator();
const { person } = visit;
if (person === undefined) throw new Error('the visit is of no person');
const back = '/tenancies/acme/people';
const url = 'https://console.example/sign-in/link/token';

const changed = { tenantId: 'acme', before: 'support', after: 'admin' } as const;
const earlierRights: readonly (readonly [EarlierRight, string])[] = [
  [changed, 'The role was changed from support to admin.'],
  [{ ...changed, after: 'support' }, 'The role did not change.'],
  ['operator', 'No right changed.'],
];

test.each(earlierRights)('inviting a person again says what became of the right: %j', (earlier, text) => {
  expect(rendered(invitationResult(visit, { person, url, back, earlier }))).toContain(text);
  expect(rendered(invitationResult(visit, { person, url: undefined, back, earlier }))).toContain(text);
});

test.each([en, es])('the page of a new link says that an earlier one no longer works ($language)', (texts) => {
  const page = rendered(invitationResult({ ...visit, texts }, { person, url, back }));
  expect(page).toMatch(/no longer works|ya no sirve/);
  expect(page).not.toContain('class="notice"');
});
