/** Requests under a made-up next version of the contract that uses every kind of entry. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { type Contract, contract } from '#libs/api/contract-versions.ts';
import type { Signer } from '#libs/auth/signer.ts';
import type { RouteHandler, RouteHandlers, RouteResult } from '#libs/http/handler.ts';
import {
  addKey,
  send,
  startTestServer,
  type TestRequest,
  type TestResponse,
  type TestServer,
} from '#libs/http/testing/server.ts';
import type { JsonObject } from '#libs/schema/json.ts';

const nextVersion = '2027-03-01';
const window = { announcedOn: nextVersion, endsOn: '2027-06-01', changelogAnchor: 'next' };
const change = { changedIn: nextVersion, window };
const announced = {
  deprecation: `@${Date.parse('2027-06-01T00:00:00Z') / 1000}`,
  sunset: 'Tue, 01 Jun 2027 00:00:00 GMT',
  link: '</changelog#next>; rel="deprecation"',
};

const next: Contract = {
  versions: [...contract.versions, { version: nextVersion, changes: ['One change of every kind.'] }],
  entries: [
    ...contract.entries,
    { kind: 'route', route: 'readDues', addedIn: nextVersion },
    { kind: 'route', route: 'readBar', ...change },
    { kind: 'query_parameter', route: 'listLoans', parameter: 'state', addedIn: nextVersion },
    { kind: 'query_parameter', route: 'listLoans', parameter: 'merchant_ref', ...change },
    { kind: 'request_field', route: 'reportReceipt', field: 'designated_loan_id', addedIn: nextVersion },
    { kind: 'request_field', change: 'removed', route: 'reportReceipt', field: 'provider_reference', ...change },
    { kind: 'request_field', change: 'required', route: 'reportReceipt', field: 'rail', ...change },
    {
      kind: 'answer_field',
      route: 'readReceipt',
      holder: 'receipt',
      field: 'designated_loan_id',
      addedIn: nextVersion,
    },
    {
      kind: 'answer_field',
      route: 'readClient',
      holder: '',
      field: 'registered_at',
      before: ({ created_at, ...client }) => ({ ...client, registered_at: created_at as string }),
      ...change,
    },
    {
      kind: 'answer_field',
      route: 'listClients',
      holder: 'clients/*',
      field: 'registered_at',
      before: (client) => (client['actor'] === 'bea' ? undefined : { ...client, registered_at: 'then' }),
      ...change,
    },
    {
      kind: 'meaning',
      of: 'answer',
      route: 'readBookVersion',
      holder: '',
      field: 'facts',
      convert: (book) => (book['facts'] === 0 ? undefined : { ...book, facts: Number(book['facts']) - 1 }),
      ...change,
    },
    {
      kind: 'meaning',
      of: 'request',
      route: 'reportReceipt',
      holder: 'amount',
      field: 'minor_units',
      convert: (amount) => ({ ...amount, minor_units: Number(amount['minor_units']) * 100 }),
      ...change,
    },
    { kind: 'member', enumeration: 'loan_state', member: 'restructured', addedIn: nextVersion },
    { kind: 'member', enumeration: 'election', member: 'later', addedIn: nextVersion },
    {
      kind: 'member',
      enumeration: 'rail',
      member: 'wallet',
      addedIn: nextVersion,
      introducedWith: { routes: ['readDues'], fields: ['designated_loan_id'] },
    },
  ],
};

/** What the routes answer in this test, in the form of the next version. */
let answers: { [route: string]: JsonObject };
let now = 0;
let server: TestServer;
let signer: Signer;
const received: unknown[] = [];

const echo: RouteHandler<{ readonly route: string; readonly body: unknown; readonly query: unknown }> = ({
  route,
  body,
  query,
}): RouteResult => {
  received.push(body ?? query);
  return { status: 200, text: JSON.stringify(answers[route] ?? {}) };
};

const handlers: RouteHandlers = {
  readDues: echo,
  readBar: echo,
  listLoans: echo,
  readLoan: echo,
  reportReceipt: echo,
  readReceipt: echo,
  readClient: echo,
  listClients: echo,
  readBookVersion: echo,
};

beforeAll(async () => {
  server = await startTestServer({ handlers, contract: next, now: () => now });
  signer = addKey(server.keyRing);
});
afterAll(() => server.close());

const beforeSunset = Date.parse('2027-05-31T23:59:59Z');
const atSunset = Date.parse('2027-06-01T00:00:00Z');

interface SentRequest {
  readonly version?: string;
  readonly at?: number;
  readonly method?: string;
  readonly body?: JsonObject;
}

function ask(path: string, { version, at = beforeSunset, body, ...asked }: SentRequest = {}): Promise<TestResponse> {
  now = at;
  received.length = 0;
  const headers = [
    ...(version === undefined ? [] : [`Contract-Version: ${version}`]),
    ...(body === undefined ? [] : ['Content-Type: application/json']),
  ];
  const request: TestRequest = { target: `/v1/tenants/acme${path}`, headers, signer, nowMs: at, ...asked };
  return send(server.port, body === undefined ? request : { ...request, method: 'POST', body: JSON.stringify(body) });
}

const loan = '/loans/0199b3c2-7d8a-7c1e-9b1a-2f3d4c5b6a79';
const receipt = {
  reference: 'r-1',
  client_id: 'ana',
  amount: { minor_units: 5, currency: 'MXN' },
  value_date: '2027-04-01',
  rail: 'cash',
};

function report(body: JsonObject, asked: SentRequest = {}): Promise<TestResponse> {
  return ask('/receipts', { ...asked, body });
}

test('every answer names the version that was requested', async () => {
  answers = {};
  for (const version of ['2026-10-15', '2026-10-16', nextVersion]) {
    expect((await ask('/dues?on=2027-01-01', { version })).headers['contract-version']).toBe(version);
  }
  expect((await ask('/dues?on=2027-01-01')).headers['contract-version']).toBe('2026-10-15');
});

test('added routes, parameters and fields are served to callers of every version, without headers', async () => {
  answers = { readReceipt: { receipt: { designated_loan_id: 'l' } } };
  for (const path of ['/dues?on=2027-01-01', '/loans?state=held', '/receipts/r-1']) {
    const answer = await ask(path);
    expect([path, answer.status, answer.headers['deprecation']]).toEqual([path, 200, undefined]);
  }
  expect((await ask('/receipts/r-1')).json).toEqual({ receipt: { designated_loan_id: 'l' } });
});

describe('a removed route', () => {
  const path = '/credit-bar/ana?on=2027-01-01';

  test('is served to earlier versions until the sunset, with the headers of the window', async () => {
    answers = {};
    expect(await ask(path)).toMatchObject({ status: 200, headers: announced });
  });

  test('is unknown to the version that removes it, and to every version from the sunset', async () => {
    for (const asked of [{ version: nextVersion }, { at: atSunset }, { at: atSunset, version: '2026-10-16' }]) {
      expect(await ask(path, asked)).toMatchObject({ status: 404, json: { code: 'no_route' } });
    }
    // Its path has no other method that could be allowed.
    expect((await ask(path, { method: 'DELETE' })).status).toBe(405);
    expect((await ask(path, { method: 'DELETE', at: atSunset })).status).toBe(404);
  });
});

describe('a removed query parameter', () => {
  const path = '/loans?merchant_ref=shop';

  test('is read for earlier versions until the sunset, with the headers where it is stated', async () => {
    answers = {};
    expect(await ask(path)).toMatchObject({ status: 200, headers: announced });
    expect(received).toMatchObject([{ merchant_ref: 'shop' }]);
    expect((await ask('/loans')).headers['deprecation']).toBeUndefined();
  });

  test('is an unknown parameter after that', async () => {
    for (const asked of [{ version: nextVersion }, { at: atSunset }]) {
      const refused = await ask(path, asked);
      expect(refused).toMatchObject({
        status: 400,
        json: { code: 'invalid_query', details: { field: 'merchant_ref' } },
      });
    }
  });
});

describe('a field of a request', () => {
  test('that is removed is accepted until the sunset and then refused by name', async () => {
    answers = {};
    const stated = { ...receipt, provider_reference: 'p' };
    expect(await report(stated)).toMatchObject({ status: 200, headers: announced });
    const refusals = [
      [{ version: nextVersion }, nextVersion],
      [{ at: atSunset }, '2027-06-01'],
    ] as const;
    for (const [asked, bound] of refusals) {
      const refused = { code: 'invalid_body', details: { field: '/provider_reference', bound } };
      expect(await report(stated, asked)).toMatchObject({ status: 400, json: refused });
    }
  });

  test('that becomes required may be absent until the sunset', async () => {
    const { rail: _, ...absent } = receipt;
    expect(await report(absent)).toMatchObject({ status: 200, headers: announced });
    for (const asked of [{ version: nextVersion }, { at: atSunset }]) {
      const refused = { code: 'missing_field', details: { field: '/rail' } };
      expect(await report(absent, asked)).toMatchObject({ status: 422, json: refused });
    }
  });

  test('with a changed meaning reaches the route in its current meaning', async () => {
    expect(await report(receipt)).toMatchObject({ status: 200, headers: announced });
    expect(received).toMatchObject([{ amount: { minor_units: 500 } }]);
    for (const asked of [{ version: nextVersion }, { at: atSunset }]) {
      expect((await report(receipt, asked)).headers['deprecation']).toBeUndefined();
      expect(received).toMatchObject([{ amount: { minor_units: 5 } }]);
    }
  });
});

describe('an answer', () => {
  test('has the fields of the requested version', async () => {
    answers = { readClient: { client_id: 'ana', created_at: 'then' } };
    const old = await ask('/clients/ana');
    expect(old).toMatchObject({ status: 200, headers: announced });
    expect(old.json).toEqual({ client_id: 'ana', registered_at: 'then' });
    for (const asked of [{ version: nextVersion }, { at: atSunset }]) {
      const current = await ask('/clients/ana', asked);
      expect(current.json).toEqual(answers['readClient']);
      expect(current.headers['deprecation']).toBeUndefined();
    }
  });

  test('has the meanings of the requested version; one without an earlier meaning is refused with 406', async () => {
    answers = { readBookVersion: { client_id: 'ana', facts: 5 } };
    expect(await ask('/clients/ana/book-version')).toMatchObject({ json: { facts: 4 }, headers: announced });
    expect((await ask('/clients/ana/book-version', { version: nextVersion })).json.facts).toBe(5);
    answers = { readBookVersion: { client_id: 'ana', facts: 0 } };
    const refused = { code: 'contract_version_required', details: { bound: nextVersion, observed: '2026-10-15' } };
    expect(await ask('/clients/ana/book-version')).toMatchObject({ status: 406, json: refused });
    expect((await ask('/clients/ana/book-version', { at: atSunset })).status).toBe(200);
  });

  test('of a listing leaves out the records that the version cannot express', async () => {
    answers = { listClients: { clients: [{ actor: 'ana' }, { actor: 'bea' }], cursor: 'c' } };
    const old = { clients: [{ actor: 'ana', registered_at: 'then' }], cursor: 'c' };
    expect((await ask('/clients')).json).toEqual(old);
    expect((await ask('/clients', { version: nextVersion })).json).toEqual(answers['listClients']);
  });
});

describe('a new member of a closed enumeration', () => {
  test.each([{ state: 'restructured' }, { election: 'later' }, { anomalies: [{ election: 'later' }] }])(
    'is refused with 406 to earlier versions, at any time: %j',
    async (record) => {
      answers = { readLoan: record };
      for (const asked of [{}, { version: '2026-10-16' }, { at: atSunset }]) {
        const refused = { code: 'contract_version_required', details: { bound: nextVersion } };
        expect(await ask(loan, asked)).toMatchObject({ status: 406, json: refused });
      }
      expect((await ask(loan, { version: nextVersion })).json).toEqual(record);
    },
  );

  test('is refused in the answer of a write, unless the request names it', async () => {
    answers = { reportReceipt: { rail: 'wallet' } };
    expect((await report(receipt)).status).toBe(406);
    expect((await report({ ...receipt, rail: 'wallet' })).status).toBe(200);
    expect((await report(receipt, { version: nextVersion })).status).toBe(200);
  });

  test('is served on a route, and in a record with a field, that came with it', async () => {
    answers = { readDues: { rail: 'wallet' }, readReceipt: { receipt: { rail: 'wallet', designated_loan_id: 'l' } } };
    expect((await ask('/dues?on=2027-01-01')).status).toBe(200);
    expect((await ask('/receipts/r-1')).status).toBe(200);
    answers = { readReceipt: { receipt: { rail: 'wallet' }, other: { designated_loan_id: 'l' } } };
    expect((await ask('/receipts/r-1')).status).toBe(406);
  });
});
