import { expect, test } from '@jest/globals';
import type { Route } from '#libs/api/route.ts';
import { RouteMatcher, splitPath } from '#libs/api/route-matcher.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { requestDigest, submissionDigest } from './digest.ts';

const router = new RouteMatcher();
for (const [name, route] of Object.entries(routes)) router.add(name as RouteName, route);

function digestOf(method: string, path: string, body: object = {}): string {
  const matched = router.match(method, splitPath(path));
  if ('refusal' in matched) throw new Error(`${method} ${path} is no route`);
  const { name, params } = matched;
  return requestDigest({ route: name, params, body: { ...body } }).toString('hex');
}

const loan = '0192f0c1-2345-7abc-8def-0123456789ab';

test.each([
  ['a UUID in capitals', `/loans/${loan.toUpperCase()}/write-off`, `/loans/${loan}/write-off`],
  ['a character that need not be encoded', '/receipts/r%2Deq/reversal', '/receipts/r-eq/reversal'],
  ['hexadecimal digits in lower case', '/receipts/a%2fb/reversal', '/receipts/a%2Fb/reversal'],
  ['a character that may stay unencoded', '/receipts/a:b/reversal', '/receipts/a%3Ab/reversal'],
  ['an encoded fixed part of the path', `/loans/${loan}/write%2Doff`, `/loans/${loan}/write-off`],
])('a retry spelled with %s has the same digest', (_, otherSpelling, path) => {
  expect(digestOf('POST', `/v1/tenants/acme${otherSpelling}`)).toBe(digestOf('POST', `/v1/tenants/acme${path}`));
});

test('requests for different resources have different digests', () => {
  const paths = [
    '/receipts/a/reversal',
    '/receipts/A/reversal',
    '/receipts/a%252Fb/reversal',
    '/receipts/a%2Fb/reversal',
  ];
  expect(new Set(paths.map((path) => digestOf('POST', `/v1/tenants/acme${path}`))).size).toBe(paths.length);
});

const samples: { readonly [segment: string]: string } = {
  tenant_id: 'acme',
  loan_id: loan,
  decision_id: loan,
  receipt_reference: "r-1%20(2)_'x'~!*.",
};
const writeRoutes = (Object.entries(routes) as [RouteName, Route][]).filter(([, { servedBy: by }]) => by === 'ingress');

test.each(writeRoutes)('the digest of %s is that of its canonical path', (_, { method, path: template }) => {
  const path = template.replace(/\{(\w+)\}/g, (_match, segment: string) => samples[segment] ?? 'some-name_1');
  const body = { reference: 'r', amount: 1 };
  expect(digestOf(method, path, body)).toBe(submissionDigest({ method, path, body }).toString('hex'));
});
