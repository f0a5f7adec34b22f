/**
 * Every read there is, asked by a caller who does not know members that the records behind it are in: none of them is
 * served. A read that is new is missed here until it is asked too.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { Desk } from '#test/integration/desk.ts';
import { house } from '#test/integration/tenant.ts';
import { everyQuestion, type Questions } from './every-read.ts';
import { NextVersion, next, required } from './next-version.ts';

/** Words that no open enumeration holds, but the last: it is an event's kind as well. */
const unknown = {
  loan_state: ['closed'],
  rail: ['wallet'],
  schedule_kind: ['anchored_every_n_days'],
  decision_outcome: ['not_offered'],
  undoing_kind: ['rescinded'],
} as const;

let desk: Desk;
let versions: NextVersion;
let asked: Questions;

beforeAll(async () => {
  desk = await Desk.open(house());
  asked = await everyQuestion(desk);
  versions = await NextVersion.open(house(), desk.tenant.id, unknown);
});
afterAll(async () => {
  await versions.close();
  await desk.close();
});

/** The unknown members in an answer, with where they stand. */
function unknownIn(value: unknown, at = ''): string[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => unknownIn(inner, `${at}/${name}`));
  }
  const { undoing_kind: undoing, ...others } = unknown;
  const isUndone = /\/undone\/|\/obligations\/undone/.test(at) && undoing.some((member) => member === value);
  const isOther = Object.values(others).some((members) => (members as readonly unknown[]).includes(value));
  return isUndone || isOther ? [`${at} ${value}`] : [];
}

function ask(route: string, version?: string) {
  const [path, body] = asked[route] as Questions[string];
  const { method } = routes[route as RouteName];
  return versions.ask(path, { version, method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) });
}

/** The stream tells the feed's own rows, and the bounds are told at the door. */
const alike: readonly RouteName[] = ['streamFeed'];

/** They leave records out, and are refused for none. */
const lists: readonly RouteName[] = [
  'listLoans',
  'listReceipts',
  'readMerchantBook',
  'listConfigurations',
  'listConfigurationVersions',
  'rehearse',
  'listLookupKeys',
  'listDecisions',
];

test('every read there is is asked here', () => {
  const reads = (Object.keys(routes) as RouteName[]).filter(
    (name) => routes[name].by === 'query' && !routes[name].open,
  );
  expect([...Object.keys(asked), ...alike].sort()).toEqual(reads.sort());
});

test('every read is answered to HEAD as to GET, without the body', async () => {
  for (const [route, [path, body]] of Object.entries(asked)) {
    if (body !== undefined) continue;
    const got = await desk.tenant.get(path);
    const head = await desk.tenant.call('HEAD', path);
    expect([route, head.status, head.body]).toEqual([route, got.status, undefined]);
    for (const name of ['content-type', 'content-length', 'etag', 'cache-control', 'vary']) {
      expect([route, name, head.headers[name]]).toEqual([route, name, got.headers[name]]);
    }
  }
});

test('no read serves a member to a caller who does not know it: a listing leaves the record out, a read of it is 406', async () => {
  const served: string[] = [];
  const withheld: string[] = [];
  for (const route of Object.keys(asked)) {
    const known = await ask(route, next);
    expect([route, known.status]).toEqual([route, 200]);
    const holds = unknownIn(known.json);
    const got = await ask(route);
    if (holds.length > 0) withheld.push(route);
    if (got.status === 406) {
      expect(got).toMatchObject(required);
      expect([route, lists.includes(route as RouteName)]).toEqual([route, false]);
    } else {
      expect([route, got.status]).toEqual([route, 200]);
      served.push(...unknownIn(got.json).map((found) => `${route} ${found}`));
    }
    // Nothing is withheld from who may read all of it.
    if (holds.length === 0) expect([route, got.status]).toEqual([route, 200]);
  }
  expect(served).toEqual([]);
  // What none of the answers held would not have been missed.
  expect(withheld.length).toBeGreaterThan(15);
});
