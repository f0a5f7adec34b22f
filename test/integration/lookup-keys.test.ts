/** Lookup keys: a lender's own words for the versions it sells. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { leastValues } from '#libs/product/given.ts';
import { Desk, expectRefused, newReference, products } from './desk.ts';
import type { Pin } from './given-loans.ts';
import { house, Tenant } from './tenant.ts';

let desk: Desk;
let first: Pin;
let second: Pin;
beforeAll(async () => {
  desk = await Desk.open(house());
  first = await desk.product('bnpl');
  second = await desk.version(first.id, 'bnpl');
});
afterAll(() => desk.close());

const at = (key: string) => `/product-lookup-keys/${key}`;
const names = ({ id, version }: Pin, over: object = {}) => ({
  configuration_id: id,
  configuration_version: version,
  ...over,
});

function point(key: string, pin: Pin, over: object = {}) {
  return desk.tenant.put(at(key), names(pin, over));
}

describe('a key is pointed', () => {
  test('at a version, moved only by a transfer, and reads as it was answered', async () => {
    const key = newReference('winter');
    const pointed = await point(key, first);
    expect(pointed.status).toBe(201);
    expect(pointed.body).toEqual({
      lookup_key: key,
      ...names(first),
      pointed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      latest_version: 2,
      version: {
        id: first.id,
        tenant_id: desk.tenant.id,
        archetype: 'bnpl',
        created_at: expect.any(String),
        version: 1,
        values: { ...leastValues.bnpl, ...products.bnpl },
      },
    });
    expect(await desk.tenant.get(at(key))).toMatchObject({ status: 200, body: pointed.body });

    for (const transfer of [{}, { transfer: true }, { transfer: false }]) {
      const again = await point(key, first, transfer);
      expect(again).toMatchObject({ status: 200, body: pointed.body });
    }
    for (const transfer of [{}, { transfer: false }]) {
      const taken = await point(key, second, transfer);
      expectRefused(taken, 409, 'lookup_key_taken', { recorded_id: first.id, recorded_value: 1 });
    }
    const moved = await point(key, second, { transfer: true });
    expect(moved).toMatchObject({ status: 200, body: { ...names(second), version: { version: 2 } } });
    expect(moved.body.pointed_at > pointed.body.pointed_at).toBe(true);
    expect((await desk.tenant.get(at(key))).body).toEqual(moved.body);
  });

  test('once by those who point it at different versions at the same moment, and the others are told what it names', async () => {
    const key = newReference('race');
    const told = await Promise.all([first, second, first, second].map((pin) => point(key, pin)));
    const [won] = told.filter(({ status }) => status === 201);
    expect(told.filter(({ status }) => status === 201)).toHaveLength(1);
    const { configuration_version } = won?.body ?? {};
    for (const { status, body } of told.filter(({ status }) => status !== 201)) {
      if (status === 200) expect(body.configuration_version).toBe(configuration_version);
      else expect(`${status} ${body.details.recorded_value}`).toBe(`409 ${configuration_version}`);
    }
  });

  test('at no version that is not there, and under no word that could be an identifier', async () => {
    expectRefused(await point('autumn', { ...first, version: 3 }), 404, 'no_configuration');
    expectRefused(await point('autumn', { id: 'bnp-999999', version: 1 }), 404, 'no_configuration');
    const identifiers = ['bnp-000001', 'BNP-000001', '0192f0c1-2345-7abc-8def-0123456789ab', 'a.b', 'a'.repeat(65)];
    for (const word of identifiers) {
      const field = { field: 'lookup_key', bound: expect.any(String), observed: word };
      expectRefused(await point(word, first), 422, 'invalid_identifier', field);
    }
    const { configuration_id, configuration_version } = names(first);
    const put = (body: object) => desk.tenant.put(at('autumn'), body);
    expectRefused(await put({ configuration_version }), 422, 'missing_field', { field: '/configuration_id' });
    expectRefused(await put({ configuration_id }), 422, 'missing_field', { field: '/configuration_version' });
    const word = await put({ configuration_id, configuration_version: '1' });
    expectRefused(word, 422, 'invalid_field', { field: '/configuration_version' });
    const more = await put({ configuration_id, configuration_version, actor: 'ana' });
    expectRefused(more, 422, 'unknown_field', { field: '/actor' });
    expectRefused(await desk.tenant.get(at('autumn')), 404, 'not_found');
  });

  test('whatever Idempotency-Key came with it', async () => {
    const key = newReference('keyed');
    const idempotencyKey = newReference('once');
    const put = (pin: Pin) => desk.tenant.put(at(key), names(pin, { transfer: true }), { idempotencyKey });
    expect((await put(first)).status).toBe(201);
    const moved = await put(second);
    expect(`${moved.status} ${moved.headers['idempotent-replayed']}`).toBe('200 undefined');
  });
});

describe('a removed key', () => {
  test('answers as it last read, is absent, and may be pointed anew', async () => {
    const key = newReference('spring');
    await point(key, first);
    const { body: read } = await desk.tenant.get(at(key));
    expect(await desk.tenant.delete(at(key))).toMatchObject({ status: 200, body: read });
    expectRefused(await desk.tenant.delete(at(key)), 404, 'not_found');
    expectRefused(await desk.tenant.get(at(key)), 404, 'not_found');
    expect((await point(key, second)).status).toBe(201);
  });

  test('is removed whatever body came with it, since none is read', async () => {
    const key = newReference('bodied');
    await point(key, first);
    expect((await desk.tenant.call('DELETE', at(key), 'not a word of JSON')).status).toBe(200);
    expect((await point(key, first)).status).toBe(201);
  });

  test('was a key: a word that cannot be one is refused, and one nobody pointed is absent', async () => {
    expectRefused(await desk.tenant.delete(at('bnp-000001')), 422, 'invalid_identifier');
    expectRefused(await desk.tenant.delete(at('never')), 404, 'not_found');
    expectRefused(await desk.tenant.get(at('bnp-000001')), 404, 'not_found');
  });
});

describe('the listing', () => {
  test('holds every key by its word, or of those named the ones held, with their versions', async () => {
    const own = await Desk.open(house());
    const pin = await own.product('bnpl');
    for (const key of ['b', 'a', 'B', 'gone']) await own.tenant.put(at(key), names(pin));
    await own.tenant.delete(at('gone'));
    const { body: whole } = await own.tenant.get('/product-lookup-keys');
    expect(whole.lookup_keys.map((key: { lookup_key: string }) => key.lookup_key)).toEqual(['B', 'a', 'b']);
    const { version: _, ...bare } = (await own.tenant.get(at('B'))).body;
    expect(whole.lookup_keys[0]).toEqual(bare);

    const named = await own.tenant.get('/product-lookup-keys?lookup_key=b&lookup_key=gone&lookup_key=a&lookup_key=b');
    const each = await Promise.all(['a', 'b'].map(async (key) => (await own.tenant.get(at(key))).body));
    expect(named.body).toEqual({ lookup_keys: each });
    const eleven = Array.from({ length: 11 }, (_, nth) => `lookup_key=k${nth}`);
    expect((await own.tenant.get(`/product-lookup-keys?${eleven.slice(1).join('&')}`)).body).toEqual({
      lookup_keys: [],
    });
    for (const query of [eleven.join('&'), 'lookup_key=', 'lookup_key=a.b', 'limit=1']) {
      expectRefused(await own.tenant.get(`/product-lookup-keys?${query}`), 400, 'invalid_query');
    }
    await own.close();
  });

  test('tells that a newer version is there, which is sold to nobody until a key is pointed at it', async () => {
    const pin = await desk.product('bnpl');
    const key = newReference('steady');
    await point(key, pin);
    await desk.version(pin.id, 'bnpl');
    const { body } = await desk.tenant.get(at(key));
    expect(body).toMatchObject({ configuration_version: 1, latest_version: 2, version: { version: 1 } });
  });
});

test('on a live Tenancy an agent reads keys and cannot point or remove one; elsewhere it can', async () => {
  const live = await Tenant.open(house(), undefined, { live: true });
  const created = await live.post('/product-configurations', { archetype: 'bnpl', values: leastValues.bnpl });
  const pin = { id: created.body.id, version: 1 };
  await live.put(at('winter'), names(pin));
  const agent = { signer: await live.mint('write', 'agent') };
  expectRefused(await live.put(at('winter'), names(pin), agent), 403, 'not_permitted_agent');
  expectRefused(await live.delete(at('winter'), agent), 403, 'not_permitted_agent');
  expect((await live.get(at('winter'), agent)).status).toBe(200);
  await live.close();

  const elsewhere = { signer: await desk.tenant.mint('write', 'agent') };
  const key = newReference('agent');
  expect((await desk.tenant.put(at(key), names(first), elsewhere)).status).toBe(201);
  expect((await desk.tenant.delete(at(key), elsewhere)).status).toBe(200);
});
