import { expect, test } from '@jest/globals';
import { RouteMatcher, splitPath, tenantIdIn } from '#libs/api/route-matcher.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';

const samples: { readonly [name: string]: string } = {
  tenant_id: 'acme',
  loan_id: '0192f0c1-2345-7abc-8def-0123456789ab',
  quote_id: '0192f0c1-2345-7abc-8def-0123456789ab',
  decision_id: '0192f0c1-2345-7abc-8def-0123456789ab',
  facility_id: '0192f0c1-2345-7abc-8def-0123456789ab',
  configuration_id: 'ins-000001',
  configuration_version: '1',
  policy_version: '1',
};

const router = new RouteMatcher();
const names = Object.keys(routes) as RouteName[];
for (const name of names) router.add(name, routes[name]);

const pathOf = (name: RouteName): string =>
  routes[name].path.replace(/\{(\w+)\}/g, (_, segment: string) => samples[segment] ?? 'some-name');

test.each(names)('the path and method of %s match it', (name) => {
  const pieces = splitPath(pathOf(name));
  expect(router.match(routes[name].method, pieces)).toMatchObject({ name });
  expect(tenantIdIn(pieces)).toBe(routes[name].isPublic ? undefined : 'acme');
});

test.each(names)('%s is refused under another method, with the methods it has', (name) => {
  const unmatched = router.match('PATCH', splitPath(pathOf(name)));
  expect(unmatched).toMatchObject({ refusal: { code: 'method_not_allowed' } });
  expect('allow' in unmatched && unmatched.allow?.split(', ')).toContain(routes[name].method);
});

test('POST and PUT routes have a body, other routes have none', () => {
  for (const name of names) {
    const { method, body } = routes[name] as { readonly method: string; readonly body?: unknown };
    expect([name, body !== undefined]).toEqual([name, method === 'POST' || method === 'PUT']);
  }
});
