import { expect, test } from '@jest/globals';
import {
  baselineOf,
  type Contract,
  closedWindow,
  contract,
  mayServe,
  statedVersion,
  unservable,
  windowHeaders,
  windowsOf,
} from '#libs/api/versions.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';

/** A version known to these tests only, so that what guards closed enumerations is seen at work. */
const later: Contract = {
  ...contract,
  versions: [
    ...contract.versions,
    { version: '2027-03-01', introduced: ['Barter.'], members: { rail: ['internal'], event_kind: ['issued'] } },
  ],
};

test('a caller that states no version is served the baseline', () => {
  expect(statedVersion(contract, [])).toEqual({ version: '2026-10-15' });
  expect(baselineOf(contract)).toBe('2026-10-15');
});

test.each(['2026-10-15', '2026-10-16'])('the published version %s is served as itself', (version) => {
  expect(statedVersion(contract, [version])).toEqual({ version });
});

test.each([[['2026-10-17']], [['']], [['2026-10-15', '2026-10-15']], [['latest']], [['2027-03-01']]])(
  'a version never published is refused: %j',
  (stated) => {
    const refusal = statedVersion(contract, stated);
    expect(isRefusal(refusal) && refusal.code).toBe('invalid_contract_version');
  },
);

test('a new member of a closed enumeration is served to who states its version, names it, or a later one', () => {
  const asking = (version: string, named?: string[]): boolean =>
    mayServe({ contract: later, version, ...(named ? { named } : {}) }, 'rail', 'internal');
  expect(asking('2026-10-15')).toBe(false);
  expect(asking('2026-10-16')).toBe(false);
  expect(asking('2027-03-01')).toBe(true);
  expect(asking('2026-10-15', ['internal'])).toBe(true);
  expect(asking('2026-10-15', ['card'])).toBe(false);
  expect(mayServe({ contract: later, version: '2026-10-15' }, 'rail', 'card')).toBe(true);
});

test('an open enumeration gains members for everyone', () => {
  expect(mayServe({ contract: later, version: '2026-10-15' }, 'event_kind', 'issued')).toBe(true);
});

test('a read of such a record names the version to state', () => {
  expect(unservable({ contract: later, version: '2026-10-16' }, 'rail', 'internal')).toEqual(
    refuse('contract_version_required', { bound: '2027-03-01', observed: '2026-10-16' }),
  );
  expect(unservable({ contract, version: '2026-10-15' }, 'rail', 'internal')).toBeUndefined();
});

test('the deprecated field is announced with its day until the day, then refused by name', () => {
  const windows = windowsOf(contract, 'putCompanyProfile', { legal_name: 'x', vat_rate_bps: 1600 });
  expect(windows).toHaveLength(1);
  expect(windowsOf(contract, 'putCompanyProfile', { legal_name: 'x' })).toHaveLength(0);
  expect(windowsOf(contract, 'registerClient', { vat_rate_bps: 1600 })).toHaveLength(0);
  expect(windowHeaders(windows[0] as (typeof windows)[0])).toEqual({
    Deprecation: '@1799971200',
    Sunset: 'Fri, 15 Jan 2027 00:00:00 GMT',
    Link: '</changelog#vat_rate_bps>; rel="deprecation"',
  });
  expect(closedWindow(windows, Date.parse('2027-01-14T23:59:59.999Z'))).toBeUndefined();
  expect(closedWindow(windows, Date.parse('2027-01-15T00:00:00Z'))).toMatchObject({
    code: 'invalid_body',
    details: { field: '/vat_rate_bps' },
  });
});
