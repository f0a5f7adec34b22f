/**
 * Free text of callers is stored and served whatever characters it has, also U+0000, which Postgres does not accept in
 * text. Every kind of record is written with such text, then every route is read.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { policyContent } from '#libs/credit/testing/example.ts';
import { CreditWorkflow } from '#test/support/credit-workflow.ts';
import { Lender, requireStatus } from '#test/support/lender.ts';
import { attributed } from '#test/support/request-bodies.ts';
import { testEnvironment } from '#test/support/tenant.ts';
import { prepareReadRequests, type ReadRequests } from './request-per-read-route.ts';

const unusualText = 'a\u0000b\u2028\uffff\u{1f600}';
const context = { [unusualText]: [unusualText, { [unusualText]: null }] };

/** The free text of each kind of body, by a member that only this kind has. */
const freeText: { readonly [member: string]: object } = {
  basis: { basis: unusualText, context },
  anchor: { context },
  value_date: { provider_reference: unusualText, context },
  reason: { reason: unusualText },
  legal_name: {
    legal_name: unusualText,
    trade_name: unusualText,
    tax_id: unusualText,
    address: context,
    contact: unusualText,
  },
  sources: { sources: [unusualText] },
  content: {
    content: {
      ...policyContent,
      knockouts: policyContent.knockouts.map((knockout) => ({ ...knockout, text: unusualText })),
    },
  },
};

function replaceText(body: object): object {
  const unusual = Object.entries(freeText).flatMap(([member, text]) => (member in body ? [text] : []));
  return Object.assign({}, body, ...unusual);
}

interface Sent {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body: string;
}

let lender: Lender;
let requests: ReadRequests;
let decisions: number;
const sent: Sent[] = [];

beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
  const { tenant } = lender;
  const { post, put } = tenant;
  const withUnusualText =
    (method: Sent['method'], send: typeof post): typeof post =>
    (path, body, call) => {
      const unusual = replaceText(body as object);
      if (JSON.stringify(unusual).includes('\\u0000')) sent.push({ method, path, body: JSON.stringify(unusual) });
      return send(path, unusual, call);
    };
  tenant.post = withUnusualText('POST', post);
  tenant.put = withUnusualText('PUT', put);
  requests = await prepareReadRequests(lender);
  const client = await lender.client();
  const { receipt } = await lender.pay(client, 5_000, '2026-02-01');
  requireStatus(await lender.reverse(receipt.reference), 201);
  const loan = await lender.suspendedLoan(client);
  const { id: event_id } = loan.events.at(-1);
  requireStatus(await lender.sendAct(loan.id, 'retraction', attributed({ on: '2026-04-01', event_id })), 201);
  await new CreditWorkflow(lender, await lender.defaultProduct('payday')).draft('other');
  decisions = sent.filter(({ path }) => path === '/credit-decisions').length;
});
afterAll(() => lender.close());

test('every read route answers records with unusual text', async () => {
  for (const [route, [path, body]] of Object.entries(requests)) {
    const { method } = routes[route as RouteName];
    const response = await lender.tenant.call(method, path, body);
    expect([route, response.status]).toEqual([route, 200]);
  }
});

test('the text is served unchanged', async () => {
  const read = async (route: string) =>
    requireStatus(await lender.tenant.get((requests[route] as ReadRequests[string])[0]), 200).body;
  const listed = await read('listDecisions');
  expect(listed.decisions).toHaveLength(decisions);
  for (const decision of listed.decisions) expect(decision).toMatchObject({ context, sources: [unusualText] });
  const client = listed.decisions[0].client_id;
  const ofClient = requireStatus(await lender.tenant.get(`/credit-decisions?client=${client}&limit=1`), 200).body;
  expect(ofClient.decisions).toEqual([listed.decisions[0]]);
  expect(await read('readDecision')).toMatchObject({ context });
  expect(await read('readResolution')).toMatchObject({ basis: unusualText, context });
  expect(await read('readFacility')).toMatchObject({ basis: unusualText, context });
  expect(await read('readClient')).toMatchObject({ basis: unusualText, context });
  expect((await read('readReceipt')).receipt).toMatchObject({ provider_reference: unusualText });
  expect((await read('readLoan')).terms).toMatchObject({ context });
  expect((await read('readPolicyVersion')).content.knockouts[0]).toMatchObject({ text: unusualText });
  expect(await read('readCompanyProfile')).toMatchObject({ legal_name: unusualText, address: context });
});

test('a body with a lone surrogate or an unescaped U+0000 is refused', async () => {
  expect(new Set(sent.map(({ path }) => path.split('/').at(-1))).size).toBeGreaterThan(8);
  for (const { method, path, body } of sent) {
    for (const other of ['\\ud800', '\\udc00', '\u0000']) {
      const response = await lender.tenant.call(method, path, body.replaceAll('\\u0000', other));
      expect([path, other, response.status, response.body.code]).toEqual([path, other, 400, 'invalid_body']);
    }
  }
});

test.each(['%00', 'a%00b', '%F0%9F%98%80'])('the name %s is refused or not found on every read route', async (name) => {
  for (const [route, [path]] of Object.entries(requests)) {
    if (routes[route as RouteName].method !== 'GET') continue;
    const [pathOnly = '', query = ''] = path.split('?');
    const hasSegment = pathOnly.split('/').length > 2 && !pathOnly.startsWith('/markets');
    if (hasSegment) {
      const segments = pathOnly.split('/').with(2, name).join('/');
      const response = await lender.tenant.get(query === '' ? segments : `${segments}?${query}`);
      expect([route, response.status >= 500]).toEqual([route, false]);
    }
    const response = await lender.tenant.get(`${pathOnly}?${query === '' ? '' : `${query}&`}cursor=${name}`);
    expect([route, response.status]).toEqual([route, 400]);
  }
  for (const filter of [
    '/loans?merchant_ref',
    '/loans?client_id',
    '/loans?state',
    '/credit-decisions?client',
    '/facilities?client',
  ]) {
    const response = await lender.tenant.get(`${filter}=${name}`);
    expect([filter, response.status, response.body.code]).toEqual([filter, 400, 'invalid_query']);
  }
});
