/** A version that only this journey knows of: who does not state it is not served what it introduced. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { house } from '#test/integration/tenant.ts';
import { Lender, mustBe } from './lender.ts';
import { NextVersion, next, required } from './next-version.ts';

let lender: Lender;
let versions: NextVersion;
beforeAll(async () => {
  lender = await Lender.open(house());
  const members = {
    loan_state: ['written_off'],
    rail: ['wallet'],
    undoing_kind: ['rescinded'],
    schedule_kind: ['anchored_every_n_days'],
  };
  versions = await NextVersion.open(house(), lender.tenant.id, members);
});
afterAll(async () => {
  await versions.close();
  await lender.tenant.close();
});

const ask = (path: string, version?: string) => versions.ask(path, { version });

test('a Loan in a state the stated version does not know is 406, and no row of a listing that does not name it', async () => {
  const client = await lender.client();
  const [off, active] = [await lender.loan(client, { merchant_ref: 'shop' }), await lender.loan(client)];
  await lender.act(off.id, 'write-off', '2026-05-01');
  expect(await ask(`/loans/${off.id}`)).toMatchObject(required);
  expect(await ask(`/loans/${off.id}`, '2026-10-16')).toMatchObject(required);
  expect((await ask(`/loans/${off.id}`, next)).json.state).toBe('written_off');
  expect((await ask(`/loans/${active.id}`)).status).toBe(200);
  const ids = async (query: string, version?: string) =>
    (await ask(`/loans?client_id=${client}${query}`, version)).json.loans.map(({ id }: { id: string }) => id);
  expect(await ids('')).toEqual([active.id]);
  expect(await ids('', next)).toEqual([active.id, off.id]);
  expect(await ids('&state=written_off')).toEqual([off.id]);
  const merchant = '/merchants/shop/book?on=2026-06-01';
  expect((await ask(merchant)).json.loans).toEqual([]);
  expect((await ask(merchant, next)).json.loans).toHaveLength(1);
  expect(await ask(`/clients/${client}/book?on=2026-06-01`)).toMatchObject(required);
  expect((await ask(`/clients/${client}/book?on=2026-06-01`, next)).status).toBe(200);
});

test('a Receipt on such a rail is 406, and no row of the Receipts', async () => {
  const client = await lender.client();
  const { receipt } = await lender.pay(client, 100, '2026-02-01', { rail: 'wallet' });
  const other = await lender.pay(client, 100, '2026-02-01', { rail: 'card' });
  expect(await ask(`/receipts/${receipt.reference}`)).toMatchObject(required);
  expect((await ask(`/receipts/${receipt.reference}`, next)).json.receipt.rail).toBe('wallet');
  const listed = async (version?: string) => (await ask(`/clients/${client}/receipts`, version)).json.receipts;
  expect(await listed()).toEqual([other.receipt]);
  expect(await listed(next)).toEqual([other.receipt, receipt]);
  expect(await ask(`/clients/${client}/book?on=2026-06-01`)).toMatchObject(required);
});

test('what is owed back for a Loan undone in such a way is 406', async () => {
  const client = await lender.client();
  const { id } = await lender.loan(client);
  await lender.pay(client, 1_000, '2026-01-20');
  await lender.act(id, 'rescind', '2026-01-25');
  expect(await ask(`/clients/${client}/obligations`)).toMatchObject(required);
  expect((await ask(`/clients/${client}/obligations`, next)).json.undone).toMatchObject([{ kind: 'rescinded' }]);
});

test('a product with such a schedule is left out of listings, and 406 by itself and under its lookup key', async () => {
  const stated = (await lender.read(`/product-configurations/${lender.product.id}`)).values;
  const schedule = { kind: 'anchored_every_n_days', interval_days: 30 };
  const created = { archetype: 'instalment', values: { ...stated, schedule } };
  const { id } = mustBe(await lender.tenant.post('/product-configurations', created), 201).body;
  mustBe(await lender.tenant.post(`/product-configurations/${id}/versions`, { values: stated }), 201);
  const pointing = { configuration_id: id, configuration_version: 1 };
  mustBe(await lender.tenant.put('/product-lookup-keys/every-thirty', pointing), 201);
  mustBe(await lender.tenant.put('/product-lookup-keys/monthly', { ...pointing, configuration_version: 2 }), 201);

  const path = `/product-configurations/${id}`;
  expect((await ask(path)).json.version).toBe(2);
  expect(await ask(`${path}/versions/1`)).toMatchObject(required);
  expect((await ask(`${path}/versions/1`, next)).json.values.schedule).toEqual(schedule);
  const numbers = async (version?: string) =>
    (await ask(`${path}/versions`, version)).json.versions.map((each: { version: number }) => each.version);
  expect(await numbers()).toEqual([2]);
  expect(await numbers(next)).toEqual([1, 2]);

  expect(await ask('/product-lookup-keys/every-thirty')).toMatchObject(required);
  const named = '/product-lookup-keys?lookup_key=every-thirty&lookup_key=monthly';
  const keys = async (target: string, version?: string) =>
    (await ask(target, version)).json.lookup_keys.map((key: { lookup_key: string }) => key.lookup_key);
  expect(await keys(named)).toEqual(['monthly']);
  expect(await keys(named, next)).toEqual(['every-thirty', 'monthly']);
  // Without its version a key holds nothing that is unknown.
  expect(await keys('/product-lookup-keys')).toEqual(['every-thirty', 'monthly']);
});

test('whoever supposes a fact that names the member knows it', async () => {
  const client = await lender.client();
  const supposing = (rail: string) => {
    const amount = { minor_units: 100, currency: 'MXN' };
    const body = { reference: `${client}-1`, client_id: client, amount, value_date: '2026-02-01', rail };
    return JSON.stringify({ on: '2026-03-01', facts: [{ act: 'receipt', body }] });
  };
  const simulate = (rail: string) =>
    versions.ask(`/clients/${client}/simulate`, { method: 'POST', body: supposing(rail) });
  expect((await simulate('wallet')).json.would_be.receipts).toMatchObject([{ rail: 'wallet' }]);
  await lender.pay(client, 100, '2026-02-01', { rail: 'wallet' });
  expect((await simulate('wallet')).status).toBe(200);
  expect(await simulate('card')).toMatchObject(required);
});

test('every answer names the version it was rendered under, and one never published is refused', async () => {
  const client = await lender.client();
  expect((await ask(`/clients/${client}/receipts`)).headers['contract-version']).toBe('2026-10-15');
  expect((await ask(`/clients/${client}/receipts`, next)).headers['contract-version']).toBe(next);
  const refused = await ask(`/clients/${client}/receipts`, '2026-10-17');
  expect(refused).toMatchObject({ status: 400, json: { code: 'invalid_contract_version' } });
  // The house outside does not know this journey's version.
  const outside = await lender.tenant.get(`/clients/${client}/receipts`, { headers: { 'contract-version': next } });
  expect(outside).toMatchObject({ status: 400, body: { code: 'invalid_contract_version' } });
});

test('what a read took is told in parts, and only what it did take', async () => {
  const client = await lender.client();
  await lender.loan(client);
  const parts = async (path: string) => {
    const { headers } = await ask(path);
    return Object.fromEntries(
      String(headers['server-timing'])
        .split(', ')
        .map((part) => part.split(';dur=')),
    );
  };
  const market = await parts('/markets/MX');
  expect(Object.keys(market)).toEqual(['total', 'queue', 'conn', 'db', 'derive']);
  expect(market).toMatchObject({ conn: '0.0', db: '0.0', derive: '0.0' });
  expect(await parts(`/clients/${client}/book-version`)).toMatchObject({ derive: '0.0' });
  const amount = { minor_units: 1, currency: 'MXN' };
  const many = Array.from({ length: 1_000 }, (_, nth) => ({
    reference: `${client}-${nth}`,
    client_id: client,
    amount,
    value_date: '2026-02-01',
  }));
  mustBe(await lender.tenant.post('/receipts/batch', { receipts: many }), 200);
  const path = `/clients/${client}/receipts?limit=200`;
  await parts(path);
  // The book is in memory by now: all that is left to derive are the rows.
  expect((await parts(path))['derive']).not.toBe('0.0');
});
