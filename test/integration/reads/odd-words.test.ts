/**
 * What callers say in words of their own is kept and served whatever it holds, U+0000 as well, which Postgres takes in
 * no text: all that is said of every kind of record, and then every read there is.
 */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type RouteName, routes } from '#libs/api/routes.ts';
import { content } from '#libs/credit/testing/example.ts';
import { Desk, mustBe } from '#test/integration/desk.ts';
import { account } from '#test/integration/given-loans.ts';
import { house } from '#test/integration/tenant.ts';
import { Underwriter } from '#test/integration/underwriter.ts';
import { everyQuestion, type Questions } from './every-read.ts';

const word = 'a\u0000b\u2028\uffff\u{1f600}';
const context = { [word]: [word, { [word]: null }] };

/** By a member that no other bodies have, what is said freely in them. */
const saidFreely: { readonly [member: string]: object } = {
  basis: { basis: word, context },
  anchor: { context },
  value_date: { provider_reference: word, context },
  reason: { reason: word },
  legal_name: { legal_name: word, trade_name: word, tax_id: word, address: context, contact: word },
  sources: { sources: [word] },
  content: {
    content: {
      ...content,
      knockouts: content.knockouts.map((knockout) => ({ ...knockout, text: word })),
    },
  },
};

function inOddWords(body: object): object {
  const said = Object.entries(saidFreely).flatMap(([member, words]) => (member in body ? [words] : []));
  return Object.assign({}, body, ...said);
}

interface Sent {
  readonly method: 'POST' | 'PUT';
  readonly path: string;
  readonly body: string;
}

let desk: Desk;
let asked: Questions;
let decisions: number;
const sent: Sent[] = [];

beforeAll(async () => {
  desk = await Desk.open(house());
  const { tenant } = desk;
  const { post, put } = tenant;
  const saying =
    (method: Sent['method'], send: typeof post): typeof post =>
    (path, body, call) => {
      const said = inOddWords(body as object);
      if (JSON.stringify(said).includes('\\u0000')) sent.push({ method, path, body: JSON.stringify(said) });
      return send(path, said, call);
    };
  tenant.post = saying('POST', post);
  tenant.put = saying('PUT', put);
  asked = await everyQuestion(desk);
  const client = await desk.client();
  const { receipt } = await desk.pay(client, 5_000, '2026-02-01');
  mustBe(await desk.reverse(receipt.reference), 201);
  const loan = await desk.suspended(client);
  const { id: event_id } = loan.events.at(-1);
  mustBe(await desk.send(loan.id, 'retraction', account({ on: '2026-04-01', event_id })), 201);
  await new Underwriter(desk, await desk.pin('payday')).draft('other');
  decisions = sent.filter(({ path }) => path === '/credit-decisions').length;
});
afterAll(() => desk.close());

test('every read is answered of records in odd words', async () => {
  for (const [route, [path, body]] of Object.entries(asked)) {
    const { method } = routes[route as RouteName];
    const told = await desk.tenant.call(method, path, body);
    expect([route, told.status]).toEqual([route, 200]);
  }
});

test('and says them as they were said', async () => {
  const read = async (route: string) => mustBe(await desk.tenant.get((asked[route] as Questions[string])[0]), 200).body;
  const listed = await read('listDecisions');
  expect(listed.decisions).toHaveLength(decisions);
  for (const decision of listed.decisions) expect(decision).toMatchObject({ context, sources: [word] });
  const client = listed.decisions[0].client_id;
  const own = mustBe(await desk.tenant.get(`/credit-decisions?client=${client}&limit=1`), 200).body;
  expect(own.decisions).toEqual([listed.decisions[0]]);
  expect(await read('readDecision')).toMatchObject({ context });
  expect(await read('readResolution')).toMatchObject({ basis: word, context });
  expect(await read('readFacility')).toMatchObject({ basis: word, context });
  expect(await read('readClient')).toMatchObject({ basis: word, context });
  expect((await read('readReceipt')).receipt).toMatchObject({ provider_reference: word });
  expect((await read('readLoan')).terms).toMatchObject({ context });
  expect((await read('readPolicyVersion')).content.knockouts[0]).toMatchObject({ text: word });
  expect(await read('readCompanyProfile')).toMatchObject({ legal_name: word, address: context });
});

test('half a surrogate pair, and U+0000 unescaped, are no words: the body is refused wherever they stand', async () => {
  expect(new Set(sent.map(({ path }) => path.split('/').at(-1))).size).toBeGreaterThan(8);
  for (const { method, path, body } of sent) {
    for (const other of ['\\ud800', '\\udc00', '\u0000']) {
      const told = await desk.tenant.call(method, path, body.replaceAll('\\u0000', other));
      expect([path, other, told.status, told.body.code]).toEqual([path, other, 400, 'invalid_body']);
    }
  }
});

test.each(['%00', 'a%00b', '%F0%9F%98%80'])('nothing goes by the name of %s', async (name) => {
  for (const [route, [path]] of Object.entries(asked)) {
    if (routes[route as RouteName].method !== 'GET') continue;
    const [way = '', query = ''] = path.split('?');
    const below = way.split('/').length > 2 && !way.startsWith('/markets');
    if (below) {
      const segments = way.split('/').with(2, name).join('/');
      const told = await desk.tenant.get(query === '' ? segments : `${segments}?${query}`);
      expect([route, told.status >= 500]).toEqual([route, false]);
    }
    const told = await desk.tenant.get(`${way}?${query === '' ? '' : `${query}&`}cursor=${name}`);
    expect([route, told.status]).toEqual([route, 400]);
  }
  for (const filter of [
    '/loans?merchant_ref',
    '/loans?client_id',
    '/loans?state',
    '/credit-decisions?client',
    '/facilities?client',
  ]) {
    const told = await desk.tenant.get(`${filter}=${name}`);
    expect([filter, told.status, told.body.code]).toEqual([filter, 400, 'invalid_query']);
  }
});
