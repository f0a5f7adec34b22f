/** Listings of a Tenancy: Clients, products, the market and the feed. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { OneProductLender, readAllPages } from '#test/support/one-product-lender.ts';
import { instalmentProduct } from '#test/support/request-bodies.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: OneProductLender;
beforeAll(async () => {
  lender = await OneProductLender.open(testEnvironment());
});
afterAll(() => lender.tenant.close());

test('Clients are listed newest first, and new ones do not appear on later pages', async () => {
  const registered = [];
  for (let index = 0; index < 5; index += 1) registered.push(await lender.client());
  const first = await lender.read('/clients?limit=2');
  await lender.client();
  const rest = await lender.read(`/clients?limit=10&cursor=${first.cursor}`);
  const seen = [...first.clients, ...rest.clients];
  expect(seen.slice(0, 5).map(({ client_id }) => client_id)).toEqual(registered.reverse());
  expect(seen[0]).toEqual(await lender.read(`/clients/${seen[0].client_id}`));
});

test('products are listed newest first with their latest version, and every version reads as it was answered', async () => {
  const answers = [];
  for (let index = 0; index < 3; index += 1)
    answers.push((await lender.tenant.post('/product-configurations', instalmentProduct)).body);
  const { id } = answers[1];
  const { values } = instalmentProduct;
  const path = `/product-configurations/${id}`;
  const versions = [answers[1]];
  for (const max of ['50', '40']) {
    const response = await lender.tenant.post(`${path}/versions`, { values: { ...values, rate_max: max } });
    versions.push(response.body);
  }
  answers[1] = versions[2];
  const listed = await readAllPages(lender, '/product-configurations', 'configurations', 2);
  expect(listed.slice(0, 3)).toEqual(answers.reverse());
  expect(listed.at(-1).id).toBe(lender.product.id);
  expect(await lender.read(path)).toEqual(versions[2]);
  expect(await readAllPages(lender, `${path}/versions`, 'versions', 2)).toEqual(versions);
  expect(await lender.read(`${path}/versions/2`)).toEqual(versions[1]);
  for (const none of ['/product-configurations/ins-999999', '/product-configurations/x', `${path}/versions/4`]) {
    expect(await lender.tenant.get(none)).toMatchObject({ status: 404, body: { code: 'no_configuration' } });
  }
  expect(await lender.tenant.get('/product-configurations/ins-999999/versions')).toMatchObject({ status: 404 });
  expect(await lender.tenant.get(`${path}/versions/99999999999`)).toMatchObject({ status: 404 });
});

test('the market states each rule with its source, and an unknown market is not found', async () => {
  const market = await lender.read('/markets/MX');
  expect(market).toMatchObject({ jurisdiction: 'MX', currencies: { value: ['MXN'] } });
  for (const rule of ['penalty_cap', 'acceleration', 'tax', 'disclosure', 'calendar', 'facility_window']) {
    expect(market[rule]).toMatchObject({ source: expect.any(String), provisional: expect.any(Boolean) });
  }
  for (const code of ['XX', 'mx']) {
    expect(await lender.tenant.get(`/markets/${code}`)).toMatchObject({ status: 404, body: { code: 'not_found' } });
  }
});

test('the feed has every event once in the order of recording and continues from its cursor', async () => {
  const otherLender = await OneProductLender.open(testEnvironment());
  const empty = await otherLender.read('/loan-events');
  expect(empty.events).toEqual([]);
  const client = await otherLender.client();
  const loan = await otherLender.loan(client, { merchant_ref: 'shop-1' });
  const other = await otherLender.loan(client);
  await otherLender.pay(client, 1_000, '2026-02-01');
  const first = await otherLender.read(`/loan-events?limit=1&cursor=${empty.cursor}`);
  expect(first.events).toEqual([
    {
      id: loan.events[0].id,
      loan_id: loan.id,
      kind: 'issued',
      occurred_on: '2026-01-15',
      recorded_at: loan.created_at,
      merchant_ref: 'shop-1',
    },
  ]);
  const second = await otherLender.read(`/loan-events?cursor=${first.cursor}`);
  expect(second.events.map(({ loan_id }: { loan_id: string }) => loan_id)).toEqual([other.id]);
  expect(second.events[0]).not.toHaveProperty('merchant_ref');
  const caughtUp = await otherLender.read(`/loan-events?cursor=${second.cursor}`);
  expect(caughtUp).toEqual({ events: [], cursor: second.cursor });
  const off = await otherLender.act(loan.id, 'write-off', '2026-07-01');
  await otherLender.act(loan.id, 'retraction', '2026-07-02', { event_id: off.events.at(-1).id });
  const last = await otherLender.read(`/loan-events?cursor=${caughtUp.cursor}`);
  expect(last.events.map(({ kind }: { kind: string }) => kind)).toEqual(['written_off']);
  const foreign = await lender.tenant.get(`/loan-events?cursor=${last.cursor}`);
  expect(foreign).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
  await otherLender.tenant.close();
});
