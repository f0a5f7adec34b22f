import { expect, test } from '@jest/globals';
import { rendered, visitOfOperator } from '../testing/rendered-page.ts';
import { en } from '../texts/en.ts';
import { keySection } from './pages.ts';

const tenancy = { tenantId: 'acme', live: false, next: undefined, isFirst: true, usage: new Map() };

test('a Tenancy without keys says so instead of showing the titles of a table', () => {
  const page = rendered(keySection(visitOfOperator(), { ...tenancy, keys: [], mayAdminister: true }));
  expect(page).toContain(en.keys.none);
  expect(page).toContain('data-mint="test"');
  expect(page).not.toContain('<table');
  expect(page).not.toContain(en.keys.usageCounted);
});
