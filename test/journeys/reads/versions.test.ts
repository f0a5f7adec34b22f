/** A version that only this journey knows of: who does not state it is not served what it introduced. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Redis } from 'ioredis';
import { type Contract, contract } from '#libs/contract/versions.ts';
import { KeyTable } from '#libs/door/key-ring.ts';
import { addKey, type Got, type Served, send, serve } from '#libs/door/testing/served.ts';
import type { Signer } from '#libs/signing/sign.ts';
import { type Database, openDatabase } from '#libs/store/database.ts';
import { isReady, openRedis } from '#libs/store/redis.ts';
import { openReads } from '#services/query/mount.ts';
import { queryHandlers } from '#services/query/query.ts';
import { eventually, house } from '../tenant.ts';
import { Lender } from './lender.ts';

const next = '2027-03-01';
const withNext: Contract = {
  ...contract,
  versions: [
    ...contract.versions,
    {
      version: next,
      introduced: ['Members that had been there all along.'],
      members: { loan_state: ['written_off'], rail: ['wallet'], undoing_kind: ['rescinded'] },
    },
  ],
};

let lender: Lender;
let database: Database;
let redis: Redis;
let served: Served;
let signer: Signer;
beforeAll(async () => {
  const { stack } = house();
  lender = await Lender.open(house());
  database = openDatabase({ url: stack.databaseUrl, name: 'versions' });
  redis = openRedis(stack.redisUrl, 'versions');
  await eventually(() => isReady(redis));
  const ring = new KeyTable();
  ring.putTenancy({ id: lender.tenant.id, live: false, jurisdiction: 'MX', timeZone: 'America/Mexico_City' });
  signer = addKey(ring, { tenantId: lender.tenant.id, scope: 'read' });
  const handlers = queryHandlers(await openReads({}, { database, redis }, withNext));
  served = await serve({ handlers, contract: withNext }, ring);
});
afterAll(async () => {
  await served.close();
  redis.disconnect();
  await database.end();
  await lender.tenant.close();
});

function ask(path: string, version?: string): Promise<Got> {
  const headers = version === undefined ? [] : [`Contract-Version: ${version}`];
  return send(served.port, { target: `/v1/tenants/${lender.tenant.id}${path}`, headers, signer });
}

const required = {
  status: 406,
  json: { code: 'contract_version_required', retry: 'after_change', details: { bound: next } },
};

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
});
