import { expect, test } from '@jest/globals';
import { subjectsOf } from './subjects.ts';

const hrefs = (target: string): readonly string[] => subjectsOf('acme', target).map(({ href }) => href);

test.each([
  ['/v1/tenants/acme/clients/c-1/book?on=2026-01-01', ['/tenancies/acme/clients/c-1']],
  ['/v1/tenants/acme/receipts/a%2Fb%20c/reversal', ['/tenancies/acme/receipts/a%2Fb%20c']],
  ['/v1/tenants/acme/product-configurations/ins-000001/versions/2', ['/tenancies/acme/products/ins-000001']],
  [
    '/v1/tenants/acme/loans?client_id=c-1&configuration_id=ins-000001',
    ['/tenancies/acme/clients/c-1', '/tenancies/acme/products/ins-000001'],
  ],
])('%s is about what it names', (target, expected) => {
  expect(hrefs(target)).toEqual(expected);
});

test.each(['/v1/tenants/acme/receipts/batch', '/v1/tenants/acme/loans', '/v1/tenants/other/loans/1', '/%', '/livez'])(
  '%s names nothing that has a page',
  (target) => {
    expect(hrefs(target)).toEqual([]);
  },
);

test('a path with a broken escape names nothing', () => {
  expect(hrefs('/v1/tenants/acme/clients/%E0%A4')).toEqual([]);
});
