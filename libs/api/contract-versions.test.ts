import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  baselineOf,
  type Contract,
  contract,
  headersOfWindows,
  isMemberKnown,
  parseVersion,
  refuseUnknownMember,
  windowHeaders,
} from '#libs/api/contract-versions.ts';
import { isRefusal, refuse } from '#libs/schema/refusals.ts';

/** A version of these tests that adds members to enumerations. */
const futureContract: Contract = {
  ...contract,
  versions: [...contract.versions, { version: '2027-03-01', changes: ['Barter.'] }],
  entries: [
    ...contract.entries,
    { kind: 'member', enumeration: 'rail', member: 'internal', addedIn: '2027-03-01' },
    { kind: 'member', enumeration: 'charge', member: 'interest', addedIn: '2027-03-01' },
    { kind: 'member', enumeration: 'election', member: 'later', addedIn: '2027-03-01' },
  ],
};

test('a request without Contract-Version is served the baseline', () => {
  expect(parseVersion(contract, [])).toEqual({ version: '2026-10-15' });
  expect(baselineOf(contract)).toBe('2026-10-15');
});

test.each(['2026-10-15', '2026-10-16'])('the published version %s is served if requested', (version) => {
  expect(parseVersion(contract, [version])).toEqual({ version });
});

test.each([[['2026-10-17']], [['']], [['2026-10-15', '2026-10-15']], [['latest']], [['2027-03-01']]])(
  'a version that was never published is refused: %j',
  (headers) => {
    const refusal = parseVersion(contract, headers);
    expect(isRefusal(refusal) && refusal.code).toBe('invalid_contract_version');
  },
);

test('a new member of a closed enumeration is served under its version or a later one, or if the request names it', () => {
  const isServed = (version: string, namedMembers?: string[]): boolean =>
    isMemberKnown({ contract: futureContract, version, ...(namedMembers ? { namedMembers } : {}) }, 'rail', 'internal');
  expect(isServed('2026-10-15')).toBe(false);
  expect(isServed('2026-10-16')).toBe(false);
  expect(isServed('2027-03-01')).toBe(true);
  expect(isServed('2026-10-15', ['internal'])).toBe(true);
  expect(isServed('2026-10-15', ['card'])).toBe(false);
  expect(isMemberKnown({ contract: futureContract, version: '2026-10-15' }, 'rail', 'card')).toBe(true);
});

test('a new member of an open enumeration is served under every version', () => {
  expect(isMemberKnown({ contract: futureContract, version: '2026-10-15' }, 'charge', 'interest')).toBe(true);
});

test('the read of a record with a newer member is refused with the version to request', () => {
  expect(refuseUnknownMember({ contract: futureContract, version: '2026-10-16' }, 'rail', 'internal')).toEqual(
    refuse('contract_version_required', { bound: '2027-03-01', observed: '2026-10-16' }),
  );
  expect(refuseUnknownMember({ contract, version: '2026-10-15' }, 'rail', 'internal')).toBeUndefined();
});

test('a member of election, of which the contract lists none yet, is served from the version that adds it', () => {
  expect(isMemberKnown({ contract: futureContract, version: '2026-10-16' }, 'election', 'later')).toBe(false);
  expect(isMemberKnown({ contract: futureContract, version: '2027-03-01' }, 'election', 'later')).toBe(true);
});

test('several windows are announced with the first day that ends and a link to each', () => {
  const window = { announcedOn: '2026-10-16', endsOn: '2027-02-01', changelogAnchor: 'later' };
  expect(headersOfWindows([])).toEqual({});
  expect(headersOfWindows([window, { ...window, endsOn: '2027-01-15', changelogAnchor: 'sooner' }])).toEqual({
    Deprecation: '@1799971200',
    Sunset: 'Fri, 15 Jan 2027 00:00:00 GMT',
    Link: '</changelog#sooner>; rel="deprecation", </changelog#later>; rel="deprecation"',
  });
});

const dayMs = 86_400_000;

test('a window ends at least 90 days after the version that announced it, on a day that never changes', () => {
  const windows = contract.entries.flatMap((entry) => ('window' in entry ? [entry.window] : []));
  expect(windows).not.toEqual([]);
  const published = contract.versions.map(({ version }) => version);
  for (const { announcedOn, endsOn } of windows) {
    expect(published).toContain(announcedOn);
    expect((Date.parse(endsOn) - Date.parse(announcedOn)) / dayMs).toBeGreaterThanOrEqual(90);
  }
  // Lines are only added here: a published window keeps its days.
  expect(windows).toEqual(
    expect.arrayContaining([{ announcedOn: '2026-10-16', endsOn: '2027-01-15', changelogAnchor: 'vat_rate_bps' }]),
  );
});

test('the day on which a window ends is written in the HTTP date format', () => {
  const days = fc.integer({
    min: Date.parse('1900-01-02T00:00:00Z') / dayMs,
    max: Date.parse('9999-12-30T00:00:00Z') / dayMs,
  });
  fc.assert(
    fc.property(days, (day) => {
      const at = new Date(day * dayMs);
      const endsOn = at.toISOString().slice(0, 10);
      expect(windowHeaders({ announcedOn: '1900-01-01', endsOn, changelogAnchor: 'z' })).toMatchObject({
        Sunset: at.toUTCString(),
        Deprecation: `@${at.getTime() / 1000}`,
      });
    }),
  );
});
