import { expect, test } from '@jest/globals';
import { profileAnswer, profileFrom } from '#libs/tenant/company-profile.ts';

const profile = { legal_name: 'Acme SOFOM', tax_id: 'ACM010101AAA' };

test('a stored profile leaves out the deprecated VAT rate', () => {
  expect(profileFrom({ ...profile, vat_rate_bps: 1_600 })).toEqual(profile);
});

test('reading a profile that was never put is refused as not found', () => {
  expect(profileAnswer(undefined)).toMatchObject({ code: 'not_found' });
  expect(profileAnswer(profile)).toEqual(profile);
});
