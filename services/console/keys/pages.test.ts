import { expect, test } from '@jest/globals';
import { lifetimeDays } from '#libs/database/request-log.ts';
import { rendered, visitOfOperator } from '../testing/rendered-page.ts';
import { en } from '../texts/en.ts';
import { es } from '../texts/es.ts';
import { keySection } from './pages.ts';

const tenancy = { tenantId: 'acme', live: false, next: undefined, isFirst: true, usage: new Map() };

test('a Tenancy without keys says so instead of showing the titles of a table', () => {
  const page = rendered(keySection(visitOfOperator(), { ...tenancy, keys: [], mayAdminister: true }));
  expect(page).toContain(en.keys.none);
  expect(page).toContain('data-mint="test"');
  expect(page).not.toContain('<table');
  expect(page).not.toContain(en.keys.usageCounted);
});

test.each([
  [en, `not used (last ${lifetimeDays} days)`],
  [es, `sin uso (últimos ${lifetimeDays} días)`],
])('a key without requests is not used, also one that was just minted', (texts, text) => {
  const minted = { scope: 'read', holder: 'service', label: 'new', createdAt: Date.now() * 1_000, revokedAt: null };
  const keys = [{ fp: '0'.repeat(32), tenantId: 'acme', ...minted }];
  const page = rendered(keySection(visitOfOperator({ texts }), { ...tenancy, keys, mayAdminister: false }));
  expect(page).toContain(`data-title="${texts.keys.lastUsed}">${text}</td>`);
});
