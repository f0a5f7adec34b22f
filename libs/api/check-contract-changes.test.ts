import { expect, test } from '@jest/globals';
import { checkContract } from '#libs/api/check-contract-changes.ts';
import { type Contract, type ContractEntry, contract } from '#libs/api/contract-versions.ts';

const version = '2027-03-01';
const window = { announcedOn: version, endsOn: '2027-06-01', changelogAnchor: 'next' };
const change = { changedIn: version, window };

function withEntry(...entries: readonly unknown[]): Contract {
  const versions = [...contract.versions, { version, changes: [] }];
  return { versions, entries: [...contract.entries, ...(entries as readonly ContractEntry[])] };
}

test('the published table is accepted', () => {
  expect(() => checkContract(contract)).not.toThrow();
});

const convert = (holder: unknown) => holder;
const meaning = { kind: 'meaning', of: 'answer', holder: '', convert, ...change };

test.each<[string, object]>([
  ['90 days', { kind: 'route', route: 'readBar', window: { ...window, endsOn: '2027-05-30' } }],
  ['a removed parameter', { kind: 'query_parameter', route: 'listLoans', parameter: 'state', ...change }],
  ['a field of a request', { kind: 'request_field', change: 'removed', route: 'reportReceipt', field: 'rail', window }],
  ['a field of one alternative', { ...meaning, of: 'request', route: 'createConfiguration', field: 'values' }],
  ['a field of a listed record', { ...meaning, route: 'listClients', holder: 'clients/*', field: 'actor' }],
  [
    'a removed field of an answer',
    { kind: 'answer_field', route: 'readClient', holder: '', field: 'x', before: convert, ...change },
  ],
  ['a member', { kind: 'member', enumeration: 'rail', member: 'cash', addedIn: version }],
  ['a member of election', { kind: 'member', enumeration: 'election', member: 'later', addedIn: version }],
])('an entry is accepted: %s', (_, entry) => {
  expect(() => checkContract(withEntry(entry))).not.toThrow();
});

test.each<[string, object]>([
  [
    'the window is 89 days long; expected at least 90',
    { kind: 'route', route: 'readBar', window: { ...window, endsOn: '2027-05-29' } },
  ],
  ['is -1 days long', { kind: 'route', route: 'readBar', window: { ...window, endsOn: '2027-02-28' } }],
  ['is not a day', { kind: 'route', route: 'readBar', window: { ...window, endsOn: '2027-06-31' } }],
  [
    'version 2027-03-01 is after the end of the window',
    {
      kind: 'route',
      route: 'readBar',
      changedIn: version,
      window: { ...window, announcedOn: '2026-10-16', endsOn: '2027-02-01' },
    },
  ],
  ['2027-03-02 is not a version after the baseline', { kind: 'route', route: 'readBar', addedIn: '2027-03-02' }],
  ['2026-10-15 is not a version after the baseline', { kind: 'route', route: 'readBar', addedIn: '2026-10-15' }],
  ['route readNothing does not exist', { kind: 'route', route: 'readNothing', addedIn: version }],
  [
    'parameter colour does not exist',
    { kind: 'query_parameter', route: 'listLoans', parameter: 'colour', addedIn: version },
  ],
  [
    "no field colour at ''",
    { kind: 'request_field', change: 'removed', route: 'reportReceipt', field: 'colour', window },
  ],
  ['the route has no such body', { kind: 'request_field', route: 'readLoan', field: 'rail', addedIn: version }],
  [
    'field amount is required already',
    { kind: 'request_field', change: 'required', route: 'reportReceipt', field: 'amount', window },
  ],
  [
    "no field colour at ''",
    { kind: 'answer_field', route: 'readClient', holder: '', field: 'colour', addedIn: version },
  ],
  [
    "no object at 'colours/*'",
    { kind: 'answer_field', route: 'readClient', holder: 'colours/*', field: 'x', before: convert, ...change },
  ],
  ["no field colour at 'clients/*'", { ...meaning, route: 'listClients', holder: 'clients/*', field: 'colour' }],
  ['the route has no such body', { ...meaning, route: 'streamFeed', field: 'id' }],
  ['the route has no such body', { ...meaning, route: 'readOpenApi', field: 'openapi' }],
  ['barter is not a member of rail', { kind: 'member', enumeration: 'rail', member: 'barter', addedIn: version }],
  ['enumeration charge is open', { kind: 'member', enumeration: 'charge', member: 'fee', addedIn: version }],
  [
    'readDues is not a route or field that 2027-03-01 adds',
    { kind: 'member', enumeration: 'rail', member: 'cash', addedIn: version, introducedWith: { routes: ['readDues'] } },
  ],
])('an entry is rejected with its name: %s', (fault, entry) => {
  const check = () => checkContract(withEntry(entry));
  expect(check).toThrow(fault);
  expect(check).toThrow(`"kind":"${(entry as ContractEntry).kind}"`);
});

test.each([
  ['2026-10-16', 'contract version 2026-10-16 is not after 2026-10-16'],
  ['2026-10-14', 'contract version 2026-10-14 is not after 2026-10-16'],
  ['soon', 'contract version soon is not a day'],
])('a version must be a later day: %s', (added, fault) => {
  const versions = [...contract.versions, { version: added, changes: [] }];
  expect(() => checkContract({ ...contract, versions })).toThrow(fault);
});
