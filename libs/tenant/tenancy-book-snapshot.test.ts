import { expect, test } from '@jest/globals';
import type { Moment } from '#libs/calendar/moment.ts';
import type { Json } from '#libs/schema/json.ts';
import { isObject } from '#libs/schema/json.ts';
import type { TenancyBook } from '#libs/tenant/tenancy-book-state.ts';
import { decodeBook, encodeBook } from './tenancy-book-snapshot.ts';

const at = 1_767_268_800_000_000 as Moment;

/** Everything a book can hold, once. */
const whole: TenancyBook = {
  tenantId: 'acme',
  tenancy: {
    name: 'Acme',
    live: true,
    jurisdiction: 'MX',
    timeZone: 'UTC',
    bounds: { concurrent: 1, patience_ms: 1, per_second: 1, burst: 1 },
    createdAt: at,
  },
  keys: new Map([
    [
      'f',
      {
        fp: 'f',
        publicKey: 'p',
        scope: 'read',
        holder: 'agent',
        label: 'first',
        createdAt: at,
        revokedAt: at,
      },
    ],
  ]),
  configurations: new Map([
    ['bnp-000001', { id: 'bnp-000001', archetype: 'bnpl', versions: [{ values: {}, recordedAt: at }] }],
  ]),
  lookupKeys: new Map([
    [
      'winter',
      [{ pointing: { configurationId: 'bnp-000001', configurationVersion: 1 }, recordedAt: at }, { recordedAt: at }],
    ],
  ]),
  policies: {
    versions: new Map([
      [
        'retail',
        [
          {
            policy: 'retail',
            version: 1,
            digest: 'd',
            content: {},
            drafted_by: 'ana',
            created_at: 'then',
            publication: { by: 'bruno', at: 'then', selfConfirmed: false },
          },
        ],
      ],
    ]),
    adoptions: new Map([
      [
        'bnp-000001',
        {
          configuration_id: 'bnp-000001',
          policy: 'retail',
          version: 1,
          enforce_bar: false,
          adopted_at: 'then',
        },
      ],
    ]),
  },
  companyProfile: {},
};

/** Where there is something, whatever it is. */
function places(value: Json, at = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => places(each, `${at}[]`));
  if (!isObject(value) || Object.keys(value).length === 0) return [at];
  return Object.entries(value).flatMap(([name, each]) => places(each as Json, at === '' ? name : `${at}.${name}`));
}

// A snapshot of yesterday that reads differently today would be served until its book is folded anew.
test('what a Tenancy’s book is kept as changes only together with the format of its snapshot', () => {
  const snapshot = JSON.parse(encodeBook(whole)) as { format: number };
  expect(snapshot.format).toBe(3);
  expect([...new Set(places(snapshot))]).toEqual([
    'format',
    'tenantId',
    ...['name', 'live', 'jurisdiction', 'timeZone'].map((name) => `tenancy.${name}`),
    ...['concurrent', 'patience_ms', 'per_second', 'burst'].map((name) => `tenancy.bounds.${name}`),
    'tenancy.createdAt',
    ...['fp', 'publicKey', 'scope', 'holder', 'label', 'createdAt', 'revokedAt'].map((name) => `keys[].${name}`),
    ...['id', 'archetype', 'versions[].values', 'versions[].recordedAt'].map((name) => `configurations[].${name}`),
    'lookupKeys[][]',
    ...['pointing.configurationId', 'pointing.configurationVersion', 'recordedAt'].map(
      (name) => `lookupKeys[][][].${name}`,
    ),
    ...['policy', 'version', 'digest', 'content', 'drafted_by', 'created_at'].map((name) => `policyVersions[].${name}`),
    ...['by', 'at', 'selfConfirmed'].map((name) => `policyVersions[].publication.${name}`),
    ...['configuration_id', 'policy', 'version', 'enforce_bar', 'adopted_at'].map((name) => `adoptions[].${name}`),
    'companyProfile',
  ]);
});

test.each(['', '\n', 'null', '{}', 'garbage', '[1]', '{"format":0}'])(
  'a text that is none of ours, %j, is no snapshot',
  (text) => {
    expect(decodeBook(text)).toBeUndefined();
  },
);
