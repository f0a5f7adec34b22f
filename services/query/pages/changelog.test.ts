import { expect, test } from '@jest/globals';
import { contract } from '#libs/api/contract-versions.ts';
import type { RouteResponse } from '#libs/http/handler.ts';
import { changelogPage } from './document.ts';

test('a deprecated field is shown with its method and path, and with the day from which it is refused', () => {
  const { text } = (changelogPage(contract).readChangelog as unknown as () => RouteResponse)();
  expect(text).toContain(
    'vat_rate_bps of PUT /v1/tenants/{tenant_id}/company-profile is accepted and ignored before 2027-01-15 and refused from that day on.',
  );
  expect(text).not.toContain('putCompanyProfile');
});
