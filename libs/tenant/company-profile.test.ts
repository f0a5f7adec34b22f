import { expect, test } from '@jest/globals';
import { profileAnswer, putProfile } from '#libs/tenant/company-profile.ts';

const profile = { legal_name: 'Acme SOFOM', tax_id: 'ACM010101AAA' };

test('a profile reads back as it was put, without the deprecated rate', () => {
  expect(putProfile({ ...profile, vat_rate_bps: 1_600 }).profile).toEqual(profile);
});

test('putting a profile replaces it whole: what is not stated again is gone', () => {
  expect(putProfile({ legal_name: 'Acme' }).profile).toEqual({ legal_name: 'Acme' });
});

test('a profile never put is not there to be read', () => {
  expect(profileAnswer(undefined)).toMatchObject({ code: 'not_found' });
  expect(profileAnswer(profile)).toEqual(profile);
});
