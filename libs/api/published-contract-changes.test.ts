import { expect, test } from '@jest/globals';
import { ContractRules } from '#libs/api/apply-contract-changes.ts';
import { contract } from '#libs/api/contract-versions.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';

const rules = new ContractRules(contract);
const baseline = { version: '2026-10-15', at: Date.parse('2027-01-14T23:59:59.999Z') };

test('a deprecated field is announced until its last day, and refused by name from then on, under every version', () => {
  const body = { legal_name: 'x', vat_rate_bps: 1600 };
  const ending = { endsOn: '2027-01-15', changelogAnchor: 'vat_rate_bps' };
  for (const { version } of contract.versions) {
    const before = { ...baseline, version };
    expect(rules.readBody('putCompanyProfile', before, body)).toMatchObject({ body, windows: [ending] });
    const after = { version, at: Date.parse('2027-01-15T00:00:00Z') };
    expect(rules.readBody('putCompanyProfile', after, body)).toMatchObject({
      code: 'invalid_body',
      details: { field: '/vat_rate_bps', bound: '2027-01-15' },
    });
  }
  expect(rules.readBody('putCompanyProfile', baseline, { legal_name: 'x' })).toMatchObject({ windows: [] });
  expect(rules.readBody('registerClient', baseline, body)).toMatchObject({ windows: [] });
});

test('the published table changes no route, no query and no answer', () => {
  expect(rules.rendersAnswers).toBe(false);
  expect(rules.removedRoutes(baseline)).toEqual([]);
  for (const route of Object.keys(routes) as RouteName[]) {
    expect(rules.querySchema(route, baseline)).toBe(routes[route].query);
    expect(rules.needsRendering({ ...baseline, route, query: {}, body: undefined })).toBe(false);
    expect(rules.windowsOfRoute(route)).toEqual([]);
  }
});
