import { expect, test } from '@jest/globals';
import { contract } from '#libs/api/versions.ts';
import type { RouteResponse } from '#libs/http/handler.ts';
import { changelog } from './changelog.ts';

test('what is on its way out is told by the request a caller sends, and what becomes of it until its day and from then on', () => {
  const { text } = (changelog(contract).readChangelog as unknown as () => RouteResponse)();
  expect(text).toContain(
    'vat_rate_bps of PUT /v1/tenants/{tenant_id}/company-profile is accepted and ignored until 2027-01-15 and refused from that day on.',
  );
  expect(text).not.toContain('putCompanyProfile');
});
