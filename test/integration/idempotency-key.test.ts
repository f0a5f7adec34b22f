/** Two routes take no reference of the caller's: what comes of a request there is kept under its `Idempotency-Key`. */
import { createHash, randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { leastValues } from '#libs/product/given.ts';
import { expectRefused, newReference } from './desk.ts';
import { house, Tenant, type Told } from './tenant.ts';

let tenant: Tenant;
let owner: pg.Client;
beforeAll(async () => {
  const { stack } = house();
  tenant = await Tenant.open(house());
  owner = new pg.Client({ connectionString: stack.databaseUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await tenant.close();
});

const bnpl = { archetype: 'bnpl', values: leastValues.bnpl };
const path = '/product-configurations';

function create(idempotencyKey: string, body: unknown = bnpl, by = tenant): Promise<Told> {
  return by.post(path, body, { idempotencyKey });
}

/** Every product there is, newest first. */
async function products(by = tenant): Promise<string[]> {
  const { body } = await by.get(`${path}?limit=200`);
  return body.configurations.map(({ id }: { id: string }) => id);
}

function isReplay({ headers }: Told): boolean {
  return headers['idempotent-replayed'] === 'true';
}

describe('the first outcome answers every repeat', () => {
  test('of a creation, made once however its body is spaced, under the identifier of each request', async () => {
    const key = newReference('key');
    const first = await create(key);
    expect([first.status, isReplay(first)]).toEqual([201, false]);
    const before = await products();
    const turned = JSON.stringify({ values: leastValues.bnpl, archetype: 'bnpl' }, null, 2);
    for (const body of [bnpl, turned]) {
      const again = await create(key, body);
      expect([again.status, isReplay(again)]).toEqual([201, true]);
      expect(again.body).toEqual(first.body);
      expect(again.headers['request-id']).not.toBe(first.headers['request-id']);
    }
    expect(await products()).toEqual(before);
  });

  test('of a version, counted up once', async () => {
    const { id } = (await create(newReference('key'))).body;
    const idempotencyKey = newReference('key');
    const write = () => tenant.post(`${path}/${id}/versions`, { values: leastValues.bnpl }, { idempotencyKey });
    const [first, again] = [await write(), await write()];
    expect([first.status, first.body.version, isReplay(first)]).toEqual([201, 2, false]);
    expect([again.status, again.body.version, isReplay(again)]).toEqual([201, 2, true]);
    expect((await tenant.get(`${path}/${id}`)).body.version).toBe(2);
  });

  test('of a refusal, rendered anew, also where what it lacked is there by now', async () => {
    const key = newReference('key');
    const lacking = { archetype: 'bnpl', values: {} };
    const refused = await create(key, lacking);
    expectRefused(refused, 422, 'missing_field');
    const again = await create(key, lacking);
    expectRefused(again, 422, 'missing_field', refused.body.details);
    expect(isReplay(again)).toBe(true);
    const unnamed = newReference('key');
    for (const replayed of [false, true]) {
      const unread = await create(unnamed, {});
      expectRefused(unread, 422, 'missing_field', { field: '/archetype' });
      expect(isReplay(unread)).toBe(replayed);
    }

    const next = `bnp-${String((await products()).length + 1).padStart(6, '0')}`;
    const idempotencyKey = newReference('key');
    const write = () => tenant.post(`${path}/${next}/versions`, { values: leastValues.bnpl }, { idempotencyKey });
    expectRefused(await write(), 404, 'no_configuration');
    expect((await create(newReference('key'))).body.id).toBe(next);
    const late = await write();
    expectRefused(late, 404, 'no_configuration');
    expect(isReplay(late)).toBe(true);
  });

  test('in its own Tenancy only', async () => {
    const key = newReference('key');
    await create(key);
    const other = await Tenant.open(house());
    const told = await create(key, { archetype: 'payday', values: leastValues.payday }, other);
    expect([told.status, isReplay(told)]).toEqual([201, false]);
    await other.close();
  });

  test('for a day: after it the key is new again', async () => {
    const key = newReference('key');
    const first = await create(key);
    const { rows } = await owner.query(
      `SELECT ends_at > now() + interval '23 hours' AS most, ends_at <= now() + interval '24 hours' AS least
       FROM idempotency WHERE tenant_id = $1 AND key = $2`,
      [tenant.id, key],
    );
    expect(rows).toEqual([{ most: true, least: true }]);
    await owner.query("UPDATE idempotency SET ends_at = now() - interval '1 second' WHERE key = $1", [key]);
    const day = 86_400_000_000;
    const passes = 'UPDATE evidence SET taken_in_at = taken_in_at - $2 WHERE idempotency_key = $1';
    await owner.query(passes, [key, day]);
    const anew = await create(key).finally(() =>
      // Whoever audits this house later must find what was recorded.
      owner.query(`${passes} AND request_id = $3`, [key, -day, first.headers['request-id']]),
    );
    expect([anew.status, isReplay(anew)]).toEqual([201, false]);
    expect(anew.body.id).not.toBe(first.body.id);
    expect((await create(key)).body.id).toBe(anew.body.id);
  });

  test('also where it was lost on its way: what was recorded is told, not recorded again', async () => {
    const key = newReference('key');
    const first = await create(key);
    const idempotencyKey = newReference('key');
    const write = () =>
      tenant.post(`${path}/${first.body.id}/versions`, { values: leastValues.bnpl }, { idempotencyKey });
    const second = await write();
    // As if the process that waited for it had ended.
    await owner.query('DELETE FROM idempotency WHERE tenant_id = $1', [tenant.id]);
    const other = await create(key, { archetype: 'payday', values: leastValues.payday });
    expect([other.status, isReplay(other)]).toEqual([201, false]);
    await owner.query('DELETE FROM idempotency WHERE tenant_id = $1', [tenant.id]);
    for (const again of [await create(key), await create(key)]) {
      expect([again.status, isReplay(again)]).toEqual([201, true]);
      expect(again.body).toEqual(first.body);
    }
    expect((await write()).body).toEqual(second.body);
    expect((await tenant.get(`${path}/${first.body.id}`)).body.version).toBe(2);
  });
});

describe('no outcome is kept', () => {
  test('of what is refused before the fields of its body are read: the same key may be sent again', async () => {
    const key = newReference('key');
    expectRefused(await create(key, '{'), 400, 'invalid_body');
    const query = await tenant.post(`${path}?x=1`, bnpl, { idempotencyKey: key });
    expectRefused(query, 400, 'invalid_query');
    const xml = { idempotencyKey: key, headers: { 'content-type': 'text/xml' } };
    expectRefused(await tenant.post(path, bnpl, xml), 415, 'unsupported_media_type');
    const reader = { idempotencyKey: key, signer: await tenant.mint('read') };
    expectRefused(await tenant.post(path, bnpl, reader), 403, 'not_permitted_scope');
    const stated = { idempotencyKey: key, headers: { 'contract-version': '2020-01-01' } };
    expectRefused(await tenant.post(path, bnpl, stated), 400, 'invalid_contract_version');
    const told = await create(key);
    expect([told.status, isReplay(told)]).toEqual([201, false]);
  });

  test('on a route that reads no key: there it is signed and means nothing', async () => {
    const idempotencyKey = newReference('key');
    const preview = () => tenant.post(`${path}/preview`, bnpl, { idempotencyKey });
    const told = [await preview(), await preview(), await create(idempotencyKey)];
    expect(told.map(isReplay)).toEqual([false, false, false]);
  });
});

describe('another request under a used key', () => {
  test('is refused, whatever came of the first, and takes nothing from it', async () => {
    const key = newReference('key');
    const first = await create(key);
    const { id } = first.body;
    const another = { archetype: 'payday', values: leastValues.payday };
    const mismatch = await create(key, another);
    expectRefused(mismatch, 422, 'idempotency_mismatch', { field: 'Idempotency-Key' });
    expect(isReplay(mismatch)).toBe(false);
    const elsewhere = await tenant.post(
      `${path}/${id}/versions`,
      { values: leastValues.bnpl },
      { idempotencyKey: key },
    );
    expectRefused(elsewhere, 422, 'idempotency_mismatch');
    expectRefused(await create(key, {}), 422, 'idempotency_mismatch');
    expect((await create(key)).body).toEqual(first.body);

    const refused = newReference('key');
    await create(refused, { archetype: 'bnpl', values: {} });
    expectRefused(await create(refused), 422, 'idempotency_mismatch');
  });
});

describe('attempts that overlap', () => {
  test('of one request are answered alike', async () => {
    const key = newReference('key');
    const told = await Promise.all(Array.from({ length: 8 }, () => create(key)));
    expect(told.map(({ status }) => status)).toEqual(told.map(() => 201));
    expect(new Set(told.map(({ body }) => body.id)).size).toBe(1);
    expect((await create(key)).body).toEqual(told[0]?.body);
  });

  test('of several requests are one: the others are refused and not done', async () => {
    const key = newReference('key');
    const before = await products();
    const bodies = [2, 3, 5, 7].map((term) => ({ archetype: 'bnpl', values: { ...leastValues.bnpl, terms: [term] } }));
    const told = await Promise.all(bodies.map((body) => create(key, body)));
    const made = told.filter(({ status }) => status === 201);
    expect(made).toHaveLength(1);
    for (const other of told.filter(({ status }) => status !== 201)) {
      expectRefused(other, 422, 'idempotency_mismatch');
    }
    expect(await products()).toEqual([made[0]?.body.id, ...before]);
  });
});

test('a key is 1 to 255 bytes of visible ASCII and spaces, stated once, and is compared as it stands', async () => {
  const longest = createHash('sha512').update(newReference('key')).digest('hex').padEnd(255, '~ ');
  for (const key of [longest, 'two words', '!']) {
    expect([(await create(key)).status, isReplay(await create(key))]).toEqual([201, true]);
  }
  const cased = newReference('Key');
  const [upper, lower] = [await create(cased), await create(cased.toLowerCase())];
  expect(upper.body.id).not.toBe(lower.body.id);
  expectRefused(await create('x'.repeat(256)), 400, 'invalid_query', { field: 'Idempotency-Key' });
  expectRefused(await create(''), 400, 'invalid_query', { field: 'Idempotency-Key' });
});

test('on any other route a key is signed and ignored, however long it is', async () => {
  // Nothing that compresses: an index of Postgres takes no more than 2,704 bytes.
  const idempotencyKey = randomBytes(7_500).toString('base64');
  const stated = { actor: 'teller', basis: 'walked in' };
  for (const client of ['ada', 'ada']) {
    const { status } = await tenant.put(`/clients/${client}`, stated, { idempotencyKey });
    expect([200, 201]).toContain(status);
  }
  const { body: profile } = await tenant.get('/company-profile');
  expect((await tenant.put('/company-profile', { ...profile, name: 'Acme' }, { idempotencyKey })).status).not.toBe(500);
  // Whose books they are go on.
  expect((await tenant.put('/clients/ada', stated)).status).toBe(200);
  expect((await create(newReference('key'))).status).toBe(201);
});
