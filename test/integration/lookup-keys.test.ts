/** Lookup keys: a lender's own names for the product versions it offers. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { minimalValues } from '#libs/product/testing/example-products.ts';
import { expectRefusal, Lender, productValues, uniqueReference } from '#test/support/lender.ts';
import type { ProductVersion } from '#test/support/request-bodies.ts';
import { Tenant, testEnvironment } from '#test/support/tenant.ts';

let lender: Lender;
let first: ProductVersion;
let second: ProductVersion;
beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
  first = await lender.createProduct('bnpl');
  second = await lender.createVersion(first.id, 'bnpl');
});
afterAll(() => lender.close());

const keyPath = (key: string) => `/product-lookup-keys/${key}`;
const pinning = ({ id, version }: ProductVersion, over: object = {}) => ({
  configuration_id: id,
  configuration_version: version,
  ...over,
});

function pointKey(key: string, pin: ProductVersion, over: object = {}) {
  return lender.tenant.put(keyPath(key), pinning(pin, over));
}

describe('a lookup key', () => {
  test('points at a version, moves only with transfer, and reads as it was answered', async () => {
    const key = uniqueReference('winter');
    const pointed = await pointKey(key, first);
    expect(pointed.status).toBe(201);
    expect(pointed.body).toEqual({
      lookup_key: key,
      ...pinning(first),
      pointed_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
      latest_version: 2,
      version: {
        id: first.id,
        tenant_id: lender.tenant.id,
        archetype: 'bnpl',
        created_at: expect.any(String),
        version: 1,
        values: { ...minimalValues.bnpl, ...productValues.bnpl },
      },
    });
    expect(await lender.tenant.get(keyPath(key))).toMatchObject({ status: 200, body: pointed.body });

    for (const transfer of [{}, { transfer: true }, { transfer: false }]) {
      const again = await pointKey(key, first, transfer);
      expect(again).toMatchObject({ status: 200, body: pointed.body });
    }
    for (const transfer of [{}, { transfer: false }]) {
      const taken = await pointKey(key, second, transfer);
      expectRefusal(taken, 409, 'lookup_key_taken', { recorded_id: first.id, recorded_value: 1 });
    }
    const moved = await pointKey(key, second, { transfer: true });
    expect(moved).toMatchObject({ status: 200, body: { ...pinning(second), version: { version: 2 } } });
    expect(moved.body.pointed_at > pointed.body.pointed_at).toBe(true);
    expect((await lender.tenant.get(keyPath(key))).body).toEqual(moved.body);
  });

  test('created concurrently for different versions is created once; the refusals name its version', async () => {
    const key = uniqueReference('race');
    const responses = await Promise.all([first, second, first, second].map((pin) => pointKey(key, pin)));
    const [won] = responses.filter(({ status }) => status === 201);
    expect(responses.filter(({ status }) => status === 201)).toHaveLength(1);
    const { configuration_version } = won?.body ?? {};
    for (const { status, body } of responses.filter(({ status }) => status !== 201)) {
      if (status === 200) expect(body.configuration_version).toBe(configuration_version);
      else expect(`${status} ${body.details.recorded_value}`).toBe(`409 ${configuration_version}`);
    }
  });

  test('cannot point at an unknown version or look like an identifier of the service', async () => {
    expectRefusal(await pointKey('autumn', { ...first, version: 3 }), 404, 'no_configuration');
    expectRefusal(await pointKey('autumn', { id: 'bnp-999999', version: 1 }), 404, 'no_configuration');
    const identifiers = ['bnp-000001', 'BNP-000001', '0192f0c1-2345-7abc-8def-0123456789ab', 'a.b', 'a'.repeat(65)];
    for (const word of identifiers) {
      const field = { field: 'lookup_key', bound: expect.any(String), observed: word };
      expectRefusal(await pointKey(word, first), 422, 'invalid_identifier', field);
    }
    const { configuration_id, configuration_version } = pinning(first);
    const put = (body: object) => lender.tenant.put(keyPath('autumn'), body);
    expectRefusal(await put({ configuration_version }), 422, 'missing_field', { field: '/configuration_id' });
    expectRefusal(await put({ configuration_id }), 422, 'missing_field', { field: '/configuration_version' });
    const word = await put({ configuration_id, configuration_version: '1' });
    expectRefusal(word, 422, 'invalid_field', { field: '/configuration_version' });
    const more = await put({ configuration_id, configuration_version, actor: 'ana' });
    expectRefusal(more, 422, 'unknown_field', { field: '/actor' });
    expectRefusal(await lender.tenant.get(keyPath('autumn')), 404, 'not_found');
  });

  test('is written whatever Idempotency-Key is sent', async () => {
    const key = uniqueReference('keyed');
    const idempotencyKey = uniqueReference('once');
    const put = (pin: ProductVersion) =>
      lender.tenant.put(keyPath(key), pinning(pin, { transfer: true }), { idempotencyKey });
    expect((await put(first)).status).toBe(201);
    const moved = await put(second);
    expect(`${moved.status} ${moved.headers['idempotent-replayed']}`).toBe('200 undefined');
  });
});

describe('a removed key', () => {
  test('is answered as it last was, is not found afterwards, and can be created again', async () => {
    const key = uniqueReference('spring');
    await pointKey(key, first);
    const { body: read } = await lender.tenant.get(keyPath(key));
    expect(await lender.tenant.delete(keyPath(key))).toMatchObject({ status: 200, body: read });
    expectRefusal(await lender.tenant.delete(keyPath(key)), 404, 'not_found');
    expectRefusal(await lender.tenant.get(keyPath(key)), 404, 'not_found');
    expect((await pointKey(key, second)).status).toBe(201);
  });

  test('is removed whatever body is sent, because none is read', async () => {
    const key = uniqueReference('bodied');
    await pointKey(key, first);
    expect((await lender.tenant.call('DELETE', keyPath(key), 'not a word of JSON')).status).toBe(200);
    expect((await pointKey(key, first)).status).toBe(201);
  });

  test('must be a valid key name; an unknown key is not found', async () => {
    expectRefusal(await lender.tenant.delete(keyPath('bnp-000001')), 422, 'invalid_identifier');
    expectRefusal(await lender.tenant.delete(keyPath('never')), 404, 'not_found');
    expectRefusal(await lender.tenant.get(keyPath('bnp-000001')), 404, 'not_found');
  });
});

describe('the listing', () => {
  test('has every key in order, or the existing ones of those named, with their versions', async () => {
    const otherLender = await Lender.open(testEnvironment());
    const pin = await otherLender.createProduct('bnpl');
    for (const key of ['b', 'a', 'B', 'removed']) await otherLender.tenant.put(keyPath(key), pinning(pin));
    await otherLender.tenant.delete(keyPath('removed'));
    const { body: listing } = await otherLender.tenant.get('/product-lookup-keys');
    expect(listing.lookup_keys.map((key: { lookup_key: string }) => key.lookup_key)).toEqual(['B', 'a', 'b']);
    const { version: _, ...bare } = (await otherLender.tenant.get(keyPath('B'))).body;
    expect(listing.lookup_keys[0]).toEqual(bare);

    const named = await otherLender.tenant.get(
      '/product-lookup-keys?lookup_key=b&lookup_key=removed&lookup_key=a&lookup_key=b',
    );
    const each = await Promise.all(['a', 'b'].map(async (key) => (await otherLender.tenant.get(keyPath(key))).body));
    expect(named.body).toEqual({ lookup_keys: each });
    const eleven = Array.from({ length: 11 }, (_, index) => `lookup_key=k${index}`);
    expect((await otherLender.tenant.get(`/product-lookup-keys?${eleven.slice(1).join('&')}`)).body).toEqual({
      lookup_keys: [],
    });
    for (const query of [eleven.join('&'), 'lookup_key=', 'lookup_key=a.b', 'limit=1']) {
      expectRefusal(await otherLender.tenant.get(`/product-lookup-keys?${query}`), 400, 'invalid_query');
    }
    await otherLender.close();
  });

  test('shows that a newer version exists; the key keeps its version until it is moved', async () => {
    const pin = await lender.createProduct('bnpl');
    const key = uniqueReference('steady');
    await pointKey(key, pin);
    await lender.createVersion(pin.id, 'bnpl');
    const { body } = await lender.tenant.get(keyPath(key));
    expect(body).toMatchObject({ configuration_version: 1, latest_version: 2, version: { version: 1 } });
  });
});

test('on a live Tenancy an agent may read lookup keys but not write or remove them; on a test Tenancy it may', async () => {
  const live = await Tenant.open(testEnvironment(), undefined, { live: true });
  const created = await live.post('/product-configurations', { archetype: 'bnpl', values: minimalValues.bnpl });
  const pin = { id: created.body.id, version: 1 };
  await live.put(keyPath('winter'), pinning(pin));
  const agent = { signer: await live.mint('write', 'agent') };
  expectRefusal(await live.put(keyPath('winter'), pinning(pin), agent), 403, 'not_permitted_agent');
  expectRefusal(await live.delete(keyPath('winter'), agent), 403, 'not_permitted_agent');
  expect((await live.get(keyPath('winter'), agent)).status).toBe(200);
  await live.close();

  const elsewhere = { signer: await lender.tenant.mint('write', 'agent') };
  const key = uniqueReference('agent');
  expect((await lender.tenant.put(keyPath(key), pinning(first), elsewhere)).status).toBe(201);
  expect((await lender.tenant.delete(keyPath(key), elsewhere)).status).toBe(200);
});
