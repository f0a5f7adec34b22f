import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { contractFiles } from '../generate/files.ts';
import { readDocument, routesOf } from '../generate/openapi.ts';
import { typeText } from '../generate/shapes.ts';
import {
  closeConnection,
  instantClock,
  refuseWith,
  replyWith,
  type ScriptedReply,
  type ScriptedService,
  startScriptedService,
} from '../testing/scripted-service.ts';
import { contractVersion, pages, routes } from './contract/routes.ts';
import { Lending } from './lending-sdk.ts';

const key = 'lsk_test_nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A';

let service: ScriptedService | undefined;
afterEach(() => service?.close());

async function lendingAt(...script: ScriptedReply[]): Promise<Lending> {
  service = await startScriptedService(...script);
  return new Lending({ baseUrl: service.baseUrl, tenant: 'acme', key, clock: instantClock() });
}

const sent = () => service?.sent ?? [];

describe('the generated files', () => {
  test.each(Object.entries(contractFiles()))('%s is up to date; npm run schemas:sdk writes it', (_, { url, text }) => {
    expect(readFileSync(url, 'utf8')).toBe(text);
  });

  test('have a method for every route except the stream of events', () => {
    const lending = new Lending({ baseUrl: 'http://lending.example', tenant: 'acme', key });
    const missing = routesOf(readDocument())
      .map(({ name }) => name)
      .filter((name) => !(name in lending));
    expect(missing).toEqual(['streamFeed']);
    expect(Object.keys(routes).length).toBeGreaterThan(70);
    expect(contractVersion).toBe(readDocument().info.version);
  });

  test('page through every listing with a cursor except the feed, which has no end', () => {
    const takes = routesOf(readDocument()).filter(({ operation }) => JSON.stringify(operation).includes('"cursor"'));
    expect(takes.length).toBeGreaterThan(10);
    expect(takes.map(({ name }) => name).filter((name) => !(name in pages))).toEqual(['readFeed']);
  });

  test.each([
    [{ type: 'string', enum: ['a', 'b'], 'x-enum-open': false }, `'a' | 'b'`],
    [{ type: 'string', enum: ['a', 'b'], 'x-enum-open': true }, `'a' | 'b' | (string & {})`],
    [{ anyOf: [{ enum: ['a', 'b'], 'x-enum-open': true }, { type: 'string' }] }, `'a' | 'b' | (string & {})`],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'integer' }] } }, 'readonly (string | number)[]'],
    [{ type: 'object', additionalProperties: { type: 'boolean' } }, '{ readonly [name: string]: boolean }'],
    [{ $ref: '#/components/schemas/Money' }, 'Money'],
    [{}, 'unknown'],
    [
      { type: 'object', properties: { a: { type: 'integer' }, 'b-c': { type: 'null' } }, required: ['a'] },
      '{ readonly a: number; readonly "b-c"?: null }',
    ],
  ] as const)('the schema %j is the type %s', (schema, type) => {
    expect(typeText(schema)).toBe(type);
  });
});

describe('a method', () => {
  test('puts its arguments into path, query and body', async () => {
    const lending = await lendingAt(replyWith(201, { id: 'l-1' }));
    const act = { reference: 'a-1', actor: 'ana', basis: 'as agreed', on: '2026-02-01' };
    await lending.writeOffLoan({ loan_id: 'l/1' }, act, { callerRequestId: 'mine' });
    expect(sent()[0]).toMatchObject({
      method: 'POST',
      target: '/v1/tenants/acme/loans/l%2F1/write-off',
      body: JSON.stringify(act),
      headers: { 'request-id': 'mine', 'content-type': 'application/json' },
    });
    await lending.listLookupKeys({ lookup_key: ['a', 'b'] });
    expect(sent()[1]?.target).toBe('/v1/tenants/acme/product-lookup-keys?lookup_key=a&lookup_key=b');
    await lending.listLoans();
    expect(sent()[2]).toMatchObject({ target: '/v1/tenants/acme/loans', body: '' });
    expect(sent()[2]?.headers).not.toHaveProperty('content-type');
  });

  test('called by ask returns status and headers', async () => {
    const lending = await lendingAt(replyWith(200, { loans: [] }, { ETag: '"v1"' }), (_, response) =>
      response.writeHead(304, { ETag: '"v1"' }).end(),
    );
    const at = { client_id: 'ada', on: '2026-03-20' };
    const first = await lending.ask('readPaymentOptions', at, undefined);
    const tag = first.headers.get('ETag') ?? '';
    expect(await lending.ask('readPaymentOptions', at, undefined, { ifNoneMatch: tag })).toMatchObject({ status: 304 });
    const asked = lending.readPaymentOptions(at, { ifNoneMatch: tag } as never);
    await expect(asked).rejects.toThrow('readPaymentOptions has no option "ifNoneMatch"');
    expect(sent()[1]?.headers['if-none-match']).toBe('"v1"');
  });

  test('without a reference uses one idempotency key for its retries, or that of the caller', async () => {
    const lending = await lendingAt(closeConnection, replyWith(201, {}));
    const values = {} as never;
    await lending.createConfiguration({ archetype: 'bnpl', values });
    const keys = sent().map(({ headers }) => headers['idempotency-key']);
    expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(keys[1]).toBe(keys[0]);
    await lending.createConfiguration({ archetype: 'bnpl', values }, { idempotencyKey: 'mine' });
    expect(sent()[2]?.headers['idempotency-key']).toBe('mine');
    await lending.readBounds();
    expect(sent()[3]?.headers).not.toHaveProperty('idempotency-key');
  });

  test.each([
    ['an empty address before its body', {}],
    ['nothing before its body', undefined],
  ])('of a route without parameters refuses %s before it sends anything', async (_, at) => {
    const lending = await lendingAt(replyWith(201, {}));
    const receipt = { reference: 'r-1', client_id: 'ada' };
    const misplaced = lending.reportReceipt(at as never, receipt as never);
    await expect(misplaced).rejects.toThrow(TypeError);
    await expect(misplaced).rejects.toThrow('reportReceipt has no parameters in its path; pass its body first');
    expect(sent()).toEqual([]);
  });

  test.each([
    ['a name it does not know', { requestId: 'mine' }, 'readClient has no option "requestId"; expected '],
    ['no object', 'mine', 'the options of readClient are a string; expected '],
    ['nothing of an object', null, 'the options of readClient are null; expected '],
  ])('refuses options that are %s', async (_, options, says) => {
    const lending = await lendingAt(replyWith(200, {}));
    const misled = lending.readClient({ client_id: 'ada' }, options as never);
    await expect(misled).rejects.toThrow(TypeError);
    await expect(misled).rejects.toThrow(says);
    expect(sent()).toEqual([]);
  });

  test('of a text route returns its text', async () => {
    const lending = await lendingAt((_, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>'),
    );
    expect(await lending.readChangelog()).toBe('<p>');
  });
});

describe('a listing', () => {
  const loan = (at: number) => ({ id: `l-${at}` });

  test('is paged to the page without a cursor, over short and empty pages', async () => {
    const lending = await lendingAt(
      replyWith(200, { loans: [loan(1), loan(2)], cursor: 'a' }),
      replyWith(200, { loans: [], cursor: 'b&c' }),
      replyWith(200, { loans: [loan(3)] }),
    );
    const ids: string[] = [];
    for await (const { id } of lending.each('listLoans', { state: 'active', limit: 2 })) ids.push(id);
    expect(ids).toEqual(['l-1', 'l-2', 'l-3']);
    expect(sent().map(({ target }) => target)).toEqual([
      '/v1/tenants/acme/loans?state=active&limit=2',
      '/v1/tenants/acme/loans?state=active&limit=2&cursor=a',
      '/v1/tenants/acme/loans?state=active&limit=2&cursor=b%26c',
    ]);
  });

  test('requests a page only when it is needed', async () => {
    const lending = await lendingAt(
      replyWith(200, { clients: [{ client_id: 'ada' }, { client_id: 'bo' }], cursor: 'a' }),
    );
    for await (const { client_id } of lending.each('readDues', { on: '2026-03-20' })) {
      expect(client_id).toBe('ada');
      break;
    }
    expect(sent()).toHaveLength(1);
  });

  test('that is requested with a body has its cursor there', async () => {
    const lending = await lendingAt(
      replyWith(200, { loans: [{ loan_id: 'l-1' }], cursor: 'a' }),
      replyWith(200, { loans: [] }),
    );
    const body = { values: {} as never, on: '2026-03-20' };
    for await (const { loan_id } of lending.each('rehearse', { configuration_id: 'ins-000001' }, { body }))
      expect(loan_id).toBe('l-1');
    expect(sent().map(({ body }) => JSON.parse(body))).toEqual([body, { ...body, cursor: 'a' }]);
  });

  test('is what the method of its route returns: awaited it is the first page, iterated all items', async () => {
    const lending = await lendingAt(
      replyWith(200, { loans: [loan(1)], cursor: 'a' }),
      replyWith(200, { loans: [loan(1)], cursor: 'a' }),
      replyWith(200, { loans: [loan(2)] }),
    );
    const listing = lending.listLoans({ state: 'active' });
    expect(sent()).toHaveLength(0);
    expect((await listing).loans).toEqual([loan(1)]);
    expect((await listing).cursor).toBe('a');
    expect(sent()).toHaveLength(1);
    const ids: string[] = [];
    for await (const { id } of lending.listLoans({ state: 'active' }, { callerRequestId: 'mine' })) ids.push(id);
    expect(ids).toEqual(['l-1', 'l-2']);
    expect(sent()[2]).toMatchObject({
      target: '/v1/tenants/acme/loans?state=active&cursor=a',
      headers: { 'request-id': 'mine' },
    });
  });

  test('that fails can be caught, and ends with the signal of the caller', async () => {
    const lending = await lendingAt(refuseWith(403, 'not_permitted_scope', 'after_change'));
    const codes = [await lending.listClients().catch((cause) => cause.code)];
    let hasEnded = false;
    const failing = lending.listClients().finally(() => {
      hasEnded = true;
    });
    await expect(failing).rejects.toThrow('not_permitted_scope');
    expect([codes, hasEnded]).toEqual([['not_permitted_scope'], true]);
    const stopped = lending.listClients({}, { signal: AbortSignal.abort(new Error('enough')) });
    await expect(stopped.pages().next()).rejects.toThrow('enough');
  });

  test('with further fields is read page by page', async () => {
    const lending = await lendingAt(
      replyWith(200, { loans: [loan(1)], currencies: [{ currency: 'MXN' }], page_totals: true }),
    );
    for await (const page of lending.pages('readMerchantBook', { merchant_ref: 'shop', on: '2026-03-20' }))
      expect(page.currencies[0]?.currency).toBe('MXN');
  });
});
