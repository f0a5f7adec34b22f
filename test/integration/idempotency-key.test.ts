/** Two routes have no reference in the body: their outcome is stored under the `Idempotency-Key`. */
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Database } from '#libs/database/database.ts';
import { minimalValues } from '#libs/product/testing/example-products.ts';
import { expectRefusal, uniqueReference } from '#test/support/lender.ts';
import { Tenant, type TestResponse, testEnvironment } from '#test/support/tenant.ts';
import { type OpenedDatabases, openTestDatabases } from '#test/support/test-databases.ts';

let tenant: Tenant;
let opened: OpenedDatabases;
/** Idempotency keys are stored in the home database. */
let home: Database;
beforeAll(async () => {
  tenant = await Tenant.open(testEnvironment());
  opened = await openTestDatabases(testEnvironment(), { name: 'idempotency keys', as: 'owner' });
  ({ home } = opened.databases);
});
afterAll(async () => {
  await opened.close();
  await tenant.close();
});

const bnpl = { archetype: 'bnpl', values: minimalValues.bnpl };
const path = '/product-configurations';

function create(idempotencyKey: string, body: unknown = bnpl, by = tenant): Promise<TestResponse> {
  return by.post(path, body, { idempotencyKey });
}

/** The ids of all products, newest first. */
async function products(by = tenant): Promise<string[]> {
  const { body } = await by.get(`${path}?limit=200`);
  return body.configurations.map(({ id }: { id: string }) => id);
}

function isReplay({ headers }: TestResponse): boolean {
  return headers['idempotent-replayed'] === 'true';
}

describe('the stored outcome', () => {
  test('of a creation is repeated for an equal body in any spacing, with a new request id', async () => {
    const key = uniqueReference('key');
    const first = await create(key);
    expect([first.status, isReplay(first)]).toEqual([201, false]);
    const before = await products();
    const reordered = JSON.stringify({ values: minimalValues.bnpl, archetype: 'bnpl' }, null, 2);
    for (const body of [bnpl, reordered]) {
      const again = await create(key, body);
      expect([again.status, isReplay(again)]).toEqual([201, true]);
      expect(again.body).toEqual(first.body);
      expect(again.headers['request-id']).not.toBe(first.headers['request-id']);
    }
    expect(await products()).toEqual(before);
  });

  test('of a new version is repeated, and the version number rises once', async () => {
    const { id } = (await create(uniqueReference('key'))).body;
    const idempotencyKey = uniqueReference('key');
    const write = () => tenant.post(`${path}/${id}/versions`, { values: minimalValues.bnpl }, { idempotencyKey });
    const [first, again] = [await write(), await write()];
    expect([first.status, first.body.version, isReplay(first)]).toEqual([201, 2, false]);
    expect([again.status, again.body.version, isReplay(again)]).toEqual([201, 2, true]);
    expect((await tenant.get(`${path}/${id}`)).body.version).toBe(2);
  });

  test('of a refusal is repeated, also when the missing thing exists by then', async () => {
    const key = uniqueReference('key');
    const incomplete = { archetype: 'bnpl', values: {} };
    const refused = await create(key, incomplete);
    expectRefusal(refused, 422, 'missing_field');
    const again = await create(key, incomplete);
    expectRefusal(again, 422, 'missing_field', refused.body.details);
    expect(isReplay(again)).toBe(true);
    const otherKey = uniqueReference('key');
    for (const replayed of [false, true]) {
      const invalid = await create(otherKey, {});
      expectRefusal(invalid, 422, 'missing_field', { field: '/archetype' });
      expect(isReplay(invalid)).toBe(replayed);
    }

    const next = `bnp-${String((await products()).length + 1).padStart(6, '0')}`;
    const idempotencyKey = uniqueReference('key');
    const write = () => tenant.post(`${path}/${next}/versions`, { values: minimalValues.bnpl }, { idempotencyKey });
    expectRefusal(await write(), 404, 'no_configuration');
    expect((await create(uniqueReference('key'))).body.id).toBe(next);
    const late = await write();
    expectRefusal(late, 404, 'no_configuration');
    expect(isReplay(late)).toBe(true);
  });

  test('applies to its own Tenancy only', async () => {
    const key = uniqueReference('key');
    await create(key);
    const other = await Tenant.open(testEnvironment());
    const response = await create(key, { archetype: 'payday', values: minimalValues.payday }, other);
    expect([response.status, isReplay(response)]).toEqual([201, false]);
    await other.close();
  });

  test('is kept for a day; afterwards the key can be used again', async () => {
    const key = uniqueReference('key');
    const first = await create(key);
    const { rows } = await home.query(
      `SELECT expires_at > now() + interval '23 hours' AS after_23_hours, expires_at <= now() + interval '24 hours' AS within_24_hours
       FROM idempotency_keys WHERE tenant_id = $1 AND key = $2`,
      [tenant.id, key],
    );
    expect(rows).toEqual([{ after_23_hours: true, within_24_hours: true }]);
    await home.query("UPDATE idempotency_keys SET expires_at = now() - interval '1 second' WHERE key = $1", [key]);
    const day = 86_400_000_000;
    const passes = 'UPDATE request_evidence SET received_at = received_at - $2 WHERE idempotency_key = $1';
    const evidence = opened.databases.ofTenancy(tenant.id);
    await evidence.query(passes, [key, day]);
    const afterExpiry = await create(key).finally(() =>
      // A later audit must find the evidence as it was recorded.
      evidence.query(`${passes} AND request_id = $3`, [key, -day, first.headers['request-id']]),
    );
    expect([afterExpiry.status, isReplay(afterExpiry)]).toEqual([201, false]);
    expect(afterExpiry.body.id).not.toBe(first.body.id);
    expect((await create(key)).body.id).toBe(afterExpiry.body.id);
  });

  test('is restored from the recorded facts when the stored one was lost', async () => {
    const key = uniqueReference('key');
    const first = await create(key);
    const idempotencyKey = uniqueReference('key');
    const write = () =>
      tenant.post(`${path}/${first.body.id}/versions`, { values: minimalValues.bnpl }, { idempotencyKey });
    const second = await write();
    // As if the process had ended before it stored the outcome.
    await home.query('DELETE FROM idempotency_keys WHERE tenant_id = $1', [tenant.id]);
    const other = await create(key, { archetype: 'payday', values: minimalValues.payday });
    expect([other.status, isReplay(other)]).toEqual([201, false]);
    await home.query('DELETE FROM idempotency_keys WHERE tenant_id = $1', [tenant.id]);
    for (const again of [await create(key), await create(key)]) {
      expect([again.status, isReplay(again)]).toEqual([201, true]);
      expect(again.body).toEqual(first.body);
    }
    expect((await write()).body).toEqual(second.body);
    expect((await tenant.get(`${path}/${first.body.id}`)).body.version).toBe(2);
  });
});

describe('no outcome is stored', () => {
  test('of a request refused before its body is read; the key can be used again', async () => {
    const key = uniqueReference('key');
    expectRefusal(await create(key, '{'), 400, 'invalid_body');
    const query = await tenant.post(`${path}?x=1`, bnpl, { idempotencyKey: key });
    expectRefusal(query, 400, 'invalid_query');
    const xml = { idempotencyKey: key, headers: { 'content-type': 'text/xml' } };
    expectRefusal(await tenant.post(path, bnpl, xml), 415, 'unsupported_media_type');
    const reader = { idempotencyKey: key, signer: await tenant.mint('read') };
    expectRefusal(await tenant.post(path, bnpl, reader), 403, 'not_permitted_scope');
    const stated = { idempotencyKey: key, headers: { 'contract-version': '2020-01-01' } };
    expectRefusal(await tenant.post(path, bnpl, stated), 400, 'invalid_contract_version');
    const response = await create(key);
    expect([response.status, isReplay(response)]).toEqual([201, false]);
  });

  test('on a route that does not read the key', async () => {
    const idempotencyKey = uniqueReference('key');
    const preview = () => tenant.post(`${path}/preview`, bnpl, { idempotencyKey });
    const responses = [await preview(), await preview(), await create(idempotencyKey)];
    expect(responses.map(isReplay)).toEqual([false, false, false]);
  });
});

describe('another request under a used key', () => {
  test('is refused and does not affect the first request', async () => {
    const key = uniqueReference('key');
    const first = await create(key);
    const { id } = first.body;
    const another = { archetype: 'payday', values: minimalValues.payday };
    const mismatch = await create(key, another);
    expectRefusal(mismatch, 422, 'idempotency_mismatch', { field: 'Idempotency-Key' });
    expect(isReplay(mismatch)).toBe(false);
    const elsewhere = await tenant.post(
      `${path}/${id}/versions`,
      { values: minimalValues.bnpl },
      { idempotencyKey: key },
    );
    expectRefusal(elsewhere, 422, 'idempotency_mismatch');
    expectRefusal(await create(key, {}), 422, 'idempotency_mismatch');
    expect((await create(key)).body).toEqual(first.body);

    const refused = uniqueReference('key');
    await create(refused, { archetype: 'bnpl', values: {} });
    expectRefusal(await create(refused), 422, 'idempotency_mismatch');
  });
});

describe('concurrent attempts', () => {
  test('at one request have the same answer', async () => {
    const key = uniqueReference('key');
    const responses = await Promise.all(Array.from({ length: 8 }, () => create(key)));
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 201));
    expect(new Set(responses.map(({ body }) => body.id)).size).toBe(1);
    expect((await create(key)).body).toEqual(responses[0]?.body);
  });

  test('at different requests succeed once; the others are refused and not executed', async () => {
    const key = uniqueReference('key');
    const before = await products();
    const bodies = [2, 3, 5, 7].map((term) => ({
      archetype: 'bnpl',
      values: { ...minimalValues.bnpl, terms: [term] },
    }));
    const responses = await Promise.all(bodies.map((body) => create(key, body)));
    const succeeded = responses.filter(({ status }) => status === 201);
    expect(succeeded).toHaveLength(1);
    for (const other of responses.filter(({ status }) => status !== 201)) {
      expectRefusal(other, 422, 'idempotency_mismatch');
    }
    expect(await products()).toEqual([succeeded[0]?.body.id, ...before]);
  });
});

test('a key is 1 to 255 bytes of visible ASCII and spaces and is compared byte by byte', async () => {
  const longest = createHash('sha512').update(uniqueReference('key')).digest('hex').padEnd(255, '~ ');
  for (const key of [longest, 'two words', '!']) {
    expect([(await create(key)).status, isReplay(await create(key))]).toEqual([201, true]);
  }
  const cased = uniqueReference('Key');
  const [upper, lower] = [await create(cased), await create(cased.toLowerCase())];
  expect(upper.body.id).not.toBe(lower.body.id);
  expectRefusal(await create('x'.repeat(256)), 400, 'invalid_query', { field: 'Idempotency-Key' });
  expectRefusal(await create(''), 400, 'invalid_query', { field: 'Idempotency-Key' });
});

test('on any other route a key is part of the signature and otherwise ignored, whatever its length', async () => {
  // Random bytes do not compress: a Postgres index entry holds at most 2,704 bytes.
  const idempotencyKey = randomBytes(7_500).toString('base64');
  const stated = { actor: 'teller', basis: 'walked in' };
  for (const client of ['ada', 'ada']) {
    const { status } = await tenant.put(`/clients/${client}`, stated, { idempotencyKey });
    expect([200, 201]).toContain(status);
  }
  const { body: profile } = await tenant.get('/company-profile');
  expect((await tenant.put('/company-profile', { ...profile, name: 'Acme' }, { idempotencyKey })).status).not.toBe(500);
  // The books can still be written.
  expect((await tenant.put('/clients/ada', stated)).status).toBe(200);
  expect((await create(uniqueReference('key'))).status).toBe(201);
});
