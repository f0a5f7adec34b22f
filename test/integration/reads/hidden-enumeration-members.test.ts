/**
 * No read route serves a member of an enumeration that the caller's contract version does not know. A new read route fails
 * this test until it is added to `read-requests.ts`.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { ContractEntry } from '#libs/api/contract-versions.ts';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { Lender } from '#test/support/lender.ts';
import { testEnvironment } from '#test/support/tenant.ts';
import { FutureVersionServer, futureVersion, versionRequired } from './future-contract-version.ts';
import { prepareReadRequests, type ReadRequests } from './request-per-read-route.ts';

/** Members that occur nowhere else, except `rescinded`, which is also the kind of an event. */
const unknownByKind = {
  loan_state: ['closed'],
  rail: ['wallet'],
  schedule_kind: ['anchored_every_n_days'],
  decision_outcome: ['not_offered'],
  undoing_kind: ['rescinded'],
} as const;

const change = {
  changedIn: futureVersion,
  window: { announcedOn: futureVersion, endsOn: '2027-06-01', changelogAnchor: 'next' },
};

/** Under earlier versions a Client has a context, facts are counted from 1000, and no policy can be expressed. */
const changes: readonly ContractEntry[] = [
  {
    kind: 'answer_field',
    route: 'readClient',
    holder: '',
    field: 'context',
    before: (client) => ({ ...client, context: { earlier: true } }),
    ...change,
  },
  {
    kind: 'meaning',
    of: 'answer',
    route: 'readBookVersion',
    holder: '',
    field: 'facts',
    convert: (book) => ({ ...book, facts: Number(book['facts']) + 1000 }),
    ...change,
  },
  {
    kind: 'meaning',
    of: 'answer',
    route: 'listPolicies',
    holder: 'policies/*',
    field: 'policy',
    convert: () => undefined,
    ...change,
  },
];

let lender: Lender;
let versions: FutureVersionServer;
let requests: ReadRequests;

beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
  requests = await prepareReadRequests(lender);
  versions = await FutureVersionServer.open(testEnvironment(), lender.tenant.id, unknownByKind, changes);
});
afterAll(async () => {
  await versions.close();
  await lender.close();
});

/** The unknown members in an answer, with their paths. */
function unknownIn(value: unknown, at = ''): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => unknownIn(inner, `${at}/${name}`));
  }
  const { undoing_kind: undoing, ...others } = unknownByKind;
  const isUndone = /\/undone\/|\/obligations\/undone/.test(at) && undoing.some((member) => member === value);
  const isOther = Object.values(others).some((members) => (members as readonly unknown[]).includes(value));
  return isUndone || isOther ? [`${at} ${value}`] : [];
}

function ask(route: string, version?: string) {
  const [path, body] = requests[route] as ReadRequests[string];
  const { method } = routes[route as RouteName];
  return versions.ask(path, { version, method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

/** The stream has the rows of the feed and is not requested separately. */
const notRequested: readonly RouteName[] = ['streamFeed'];

/** Listings leave such records out and are never refused. */
const listings: readonly RouteName[] = [
  'listLoans',
  'listReceipts',
  'readMerchantBook',
  'listConfigurations',
  'listConfigurationVersions',
  'rehearse',
  'listLookupKeys',
  'listDecisions',
];

test('every read route is requested here', () => {
  const reads = (Object.keys(routes) as RouteName[]).filter(
    (name) => routes[name].servedBy === 'query' && !routes[name].isPublic,
  );
  expect([...Object.keys(requests), ...notRequested].sort()).toEqual(reads.sort());
});

test('every read route answers HEAD like GET, without the body', async () => {
  for (const [route, [path, body]] of Object.entries(requests)) {
    if (body !== undefined) continue;
    const got = await lender.tenant.get(path);
    const head = await lender.tenant.call('HEAD', path);
    expect([route, head.status, head.body]).toEqual([route, got.status, undefined]);
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary']) {
      expect([route, name, head.headers[name]]).toEqual([route, name, got.headers[name]]);
    }
  }
});

test('a listing leaves out records with an unknown member, and a read of one is refused with 406', async () => {
  const served: string[] = [];
  const routesWithUnknown: string[] = [];
  for (const route of Object.keys(requests)) {
    const known = await ask(route, futureVersion);
    expect([route, known.status]).toEqual([route, 200]);
    const unknownMembers = unknownIn(known.json);
    const got = await ask(route);
    if (unknownMembers.length > 0) routesWithUnknown.push(route);
    if (got.status === 406) {
      expect(got).toMatchObject(versionRequired);
      expect([route, listings.includes(route as RouteName)]).toEqual([route, false]);
    } else {
      expect([route, got.status]).toEqual([route, 200]);
      served.push(...unknownIn(got.json).map((found) => `${route} ${found}`));
    }
    // Nothing is withheld when the answer has no unknown member.
    if (unknownMembers.length === 0) expect([route, got.status]).toEqual([route, 200]);
  }
  expect(served).toEqual([]);
  // Make sure that most answers do have unknown members.
  expect(routesWithUnknown.length).toBeGreaterThan(15);
});

test('an answer is rendered for the requested version, with the headers of the window', async () => {
  const [current, earlier] = await Promise.all([ask('readClient', futureVersion), ask('readClient')]);
  expect(earlier.json).toEqual({ ...current.json, context: { earlier: true } });
  expect(earlier.headers).toMatchObject({ sunset: 'Tue, 01 Jun 2027 00:00:00 GMT', 'contract-version': '2026-10-15' });
  expect(current.headers['sunset']).toBeUndefined();

  const facts = async (version?: string) => (await ask('readBookVersion', version)).json.facts;
  expect(await facts('2026-10-16')).toBe((await facts(futureVersion)) + 1000);

  const policies = async (version?: string) => (await ask('listPolicies', version)).json.policies;
  expect(await policies()).toEqual([]);
  expect(await policies(futureVersion)).toHaveLength(1);
});
