import { expect, test } from '@jest/globals';
import { rendered, visitOfOperator } from '../testing/rendered-page.ts';
import { en } from '../texts/en.ts';
import { boundsSection, openingForm } from './pages.ts';

const bounds = { concurrent: 10, patience_ms: 500, per_second: 50, burst: 100, source: 'tenancy' } as const;
const entered = { concurrent: '0', patience_ms: '750', per_second: '50', burst: '100' };
const refused = { entered, problems: [en.tenancies.boundsWrong] };

test('bounds that are refused stay in the form, with what is wrong', () => {
  const page = rendered(boundsSection(visitOfOperator(), 'acme', { bounds, mayAdminister: true, refused }));
  expect(page).toContain(en.tenancies.boundsWrong);
  expect([...page.matchAll(/name="(concurrent|patience_ms)"[^>]*value="(\d+)"/g)].map(([, , value]) => value)).toEqual([
    '0',
    '750',
  ]);
});

test('what is wrong is said also where the form is not offered, as in a Tenancy that was closed meanwhile', () => {
  const page = rendered(boundsSection(visitOfOperator(), 'acme', { bounds, mayAdminister: false, refused }));
  expect([page.includes(en.tenancies.boundsWrong), page.includes('<form')]).toEqual([true, false]);
});

test('an id in use is said at its field, and what was entered stays', () => {
  const entered = { tenantId: 'acme', name: 'Acme', jurisdiction: 'MX', timeZone: 'America/Tijuana', live: false };
  const idProblem = en.tenancies.idTaken('acme');
  const page = rendered(openingForm(visitOfOperator(), { ...entered, idProblem, problems: [] }));
  const [, input = '', note = ''] = /<input name="id"([^>]*)>\s*(<small[^>]*>[^<]*)/.exec(page) ?? [];
  expect(input).toContain('value="acme"');
  expect(input).toContain('aria-invalid="true"');
  expect(note).toContain(`role="alert">${idProblem}`);
  expect(page).toContain('value="America/Tijuana"');
});
