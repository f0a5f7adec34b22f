/** Members introduced by a future contract version are not served to callers of earlier versions. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requireStatus } from '#test/support/lender.ts';
import { OneProductLender } from '#test/support/one-product-lender.ts';
import { testEnvironment } from '#test/support/tenant.ts';
import { FutureVersionServer, futureVersion, versionRequired } from './future-contract-version.ts';

let lender: OneProductLender;
let versions: FutureVersionServer;
beforeAll(async () => {
  lender = await OneProductLender.open(testEnvironment());
  const members = {
    loan_state: ['written_off'],
    rail: ['wallet'],
    undoing_kind: ['rescinded'],
    schedule_kind: ['anchored_every_n_days'],
  };
  versions = await FutureVersionServer.open(testEnvironment(), lender.tenant.id, members);
});
afterAll(async () => {
  await versions.close();
  await lender.tenant.close();
});

const ask = (path: string, version?: string) => versions.ask(path, { version });

test('a Loan in an unknown state is refused with 406 and left out of listings that do not filter by it', async () => {
  const client = await lender.client();
  const [off, active] = [await lender.loan(client, { merchant_ref: 'shop' }), await lender.loan(client)];
  await lender.act(off.id, 'write-off', '2026-05-01');
  expect(await ask(`/loans/${off.id}`)).toMatchObject(versionRequired);
  expect(await ask(`/loans/${off.id}`, '2026-10-16')).toMatchObject(versionRequired);
  expect((await ask(`/loans/${off.id}`, futureVersion)).json.state).toBe('written_off');
  expect((await ask(`/loans/${active.id}`)).status).toBe(200);
  const ids = async (query: string, version?: string) =>
    (await ask(`/loans?client_id=${client}${query}`, version)).json.loans.map(({ id }: { id: string }) => id);
  expect(await ids('')).toEqual([active.id]);
  expect(await ids('', futureVersion)).toEqual([active.id, off.id]);
  expect(await ids('&state=written_off')).toEqual([off.id]);
  const merchant = '/merchants/shop/book?on=2026-06-01';
  expect((await ask(merchant)).json.loans).toEqual([]);
  expect((await ask(merchant, futureVersion)).json.loans).toHaveLength(1);
  expect(await ask(`/clients/${client}/book?on=2026-06-01`)).toMatchObject(versionRequired);
  expect((await ask(`/clients/${client}/book?on=2026-06-01`, futureVersion)).status).toBe(200);
});

test('a Receipt on an unknown rail is refused with 406 and left out of the listing', async () => {
  const client = await lender.client();
  const { receipt } = await lender.pay(client, 100, '2026-02-01', { rail: 'wallet' });
  const other = await lender.pay(client, 100, '2026-02-01', { rail: 'card' });
  expect(await ask(`/receipts/${receipt.reference}`)).toMatchObject(versionRequired);
  expect((await ask(`/receipts/${receipt.reference}`, futureVersion)).json.receipt.rail).toBe('wallet');
  const listed = async (version?: string) => (await ask(`/clients/${client}/receipts`, version)).json.receipts;
  expect(await listed()).toEqual([other.receipt]);
  expect(await listed(futureVersion)).toEqual([other.receipt, receipt]);
  expect(await ask(`/clients/${client}/book?on=2026-06-01`)).toMatchObject(versionRequired);
});

test('obligations from a Loan undone in an unknown way are refused with 406', async () => {
  const client = await lender.client();
  const { id } = await lender.loan(client);
  await lender.pay(client, 1_000, '2026-01-20');
  await lender.act(id, 'rescind', '2026-01-25');
  expect(await ask(`/clients/${client}/obligations`)).toMatchObject(versionRequired);
  expect((await ask(`/clients/${client}/obligations`, futureVersion)).json.undone).toMatchObject([
    { kind: 'rescinded' },
  ]);
});

test('a product with an unknown schedule is left out of listings and refused with 406, also under its lookup key', async () => {
  const stated = (await lender.read(`/product-configurations/${lender.product.id}`)).values;
  const schedule = { kind: 'anchored_every_n_days', interval_days: 30 };
  const created = { archetype: 'instalment', values: { ...stated, schedule } };
  const { id } = requireStatus(await lender.tenant.post('/product-configurations', created), 201).body;
  requireStatus(await lender.tenant.post(`/product-configurations/${id}/versions`, { values: stated }), 201);
  const pointing = { configuration_id: id, configuration_version: 1 };
  requireStatus(await lender.tenant.put('/product-lookup-keys/every-thirty', pointing), 201);
  requireStatus(
    await lender.tenant.put('/product-lookup-keys/monthly', { ...pointing, configuration_version: 2 }),
    201,
  );

  const path = `/product-configurations/${id}`;
  expect((await ask(path)).json.version).toBe(2);
  expect(await ask(`${path}/versions/1`)).toMatchObject(versionRequired);
  expect((await ask(`${path}/versions/1`, futureVersion)).json.values.schedule).toEqual(schedule);
  const numbers = async (version?: string) =>
    (await ask(`${path}/versions`, version)).json.versions.map((each: { version: number }) => each.version);
  expect(await numbers()).toEqual([2]);
  expect(await numbers(futureVersion)).toEqual([1, 2]);

  expect(await ask('/product-lookup-keys/every-thirty')).toMatchObject(versionRequired);
  const named = '/product-lookup-keys?lookup_key=every-thirty&lookup_key=monthly';
  const keys = async (target: string, version?: string) =>
    (await ask(target, version)).json.lookup_keys.map((key: { lookup_key: string }) => key.lookup_key);
  expect(await keys(named)).toEqual(['monthly']);
  expect(await keys(named, futureVersion)).toEqual(['every-thirty', 'monthly']);
  // A key listed without its version has no unknown member.
  expect(await keys('/product-lookup-keys')).toEqual(['every-thirty', 'monthly']);
});

test('a simulation may answer a member that the request itself names', async () => {
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
  expect(await simulate('card')).toMatchObject(versionRequired);
});

test('every answer names its contract version, and an unpublished version is refused', async () => {
  const client = await lender.client();
  expect((await ask(`/clients/${client}/receipts`)).headers['contract-version']).toBe('2026-10-15');
  expect((await ask(`/clients/${client}/receipts`, futureVersion)).headers['contract-version']).toBe(futureVersion);
  const refused = await ask(`/clients/${client}/receipts`, '2026-10-17');
  expect(refused).toMatchObject({ status: 400, json: { code: 'invalid_contract_version' } });
  // The shared service does not know the future version.
  const outside = await lender.tenant.get(`/clients/${client}/receipts`, {
    headers: { 'contract-version': futureVersion },
  });
  expect(outside).toMatchObject({ status: 400, body: { code: 'invalid_contract_version' } });
});

test('Server-Timing names the parts of a read and the time of those that ran', async () => {
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
  expect(Object.keys(market)).toEqual(['total', 'queue', 'conn', 'db', 'derive', 'submit', 'app']);
  expect(market).toMatchObject({ conn: '0.0', db: '0.0', derive: '0.0', submit: '0.0' });
  expect(await parts(`/clients/${client}/book-version`)).toMatchObject({ derive: '0.0' });
  const amount = { minor_units: 1, currency: 'MXN' };
  const many = Array.from({ length: 1_000 }, (_, index) => ({
    reference: `${client}-${index}`,
    client_id: client,
    amount,
    value_date: '2026-02-01',
  }));
  requireStatus(await lender.tenant.post('/receipts/batch', { receipts: many }), 200);
  const path = `/clients/${client}/receipts?limit=200`;
  await parts(path);
  // The book is in memory by now: only the rows are derived.
  expect((await parts(path))['derive']).not.toBe('0.0');
});
