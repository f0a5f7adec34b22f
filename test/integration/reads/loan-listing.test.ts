/** The listing of a Tenancy's Loans, newest first, with its filters. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { requireStatus } from '#test/support/lender.ts';
import { OneProductLender, readAllPages } from '#test/support/one-product-lender.ts';
import { instalmentProduct } from '#test/support/request-bodies.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: OneProductLender;
beforeAll(async () => {
  lender = await OneProductLender.open(testEnvironment());
});
afterAll(() => lender.tenant.close());

type Row = { readonly id: string; readonly state: string };
const idsOf = (rows: readonly Row[]): string[] => rows.map(({ id }) => id);
const holdTerms = { hold_until: '2026-01-25' };

describe('a row', () => {
  test('shows the same figures as the Loan itself, and its terms as issued', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client, { merchant_ref: 'shop', rate: '36.50', penalty_rate: '0.0' });
    await lender.pay(client, 500_000, '2026-02-15');
    const whole = await lender.read(`/loans/${id}`);
    const { loans } = await lender.read(`/loans?client_id=${client}`);
    expect(loans).toEqual([
      {
        id,
        reference: whole.terms.reference,
        tenant_id: lender.tenant.id,
        client_id: client,
        merchant_ref: 'shop',
        configuration: lender.product,
        principal: { minor_units: 1_000_000, currency: 'MXN' },
        term_periods: 12,
        rate: '36.5',
        penalty_rate: '0',
        fee: { minor_units: 0, currency: 'MXN' },
        anchor: '2026-01-15',
        created_at: whole.created_at,
        state: 'active',
        owes: true,
        owed_to: 'tenant',
        paid: { minor_units: 500_000, currency: 'MXN' },
        totals: { payments: whole.totals.payments },
        settled_periods: whole.settled_periods,
        remaining_periods: whole.remaining_periods,
        rolled_over: 0,
        anomalies: [],
      },
    ]);
  });

  test('shows the day of the write-off, cession or closing', async () => {
    const client = await lender.client();
    const [off, ceded, closed] = [await lender.loan(client), await lender.loan(client), await lender.loan(client)];
    await lender.act(off.id, 'write-off', '2026-05-01');
    await lender.act(ceded.id, 'cession', '2026-05-02');
    await lender.pay(client, 2_000_000, '2026-05-03', { designated_loan_id: closed.id, payoff_intent: true });
    const { loans } = await lender.read(`/loans?client_id=${client}`);
    expect(loans).toMatchObject([
      { state: 'closed', closed_on: '2026-05-03', owes: false },
      { state: 'ceded', ceded_on: '2026-05-02', owes: true, owed_to: 'assignee' },
      { state: 'written_off', written_off_on: '2026-05-01', owes: true, owed_to: 'tenant' },
    ]);
  });
});

describe('the listing', () => {
  test('is newest first across all pages, also while Loans are issued', async () => {
    const otherLender = await OneProductLender.open(testEnvironment());
    const client = await otherLender.client();
    const other = await otherLender.client();
    const issued = [];
    for (let index = 0; index < 7; index += 1)
      issued.push((await otherLender.loan(index % 2 === 0 ? client : other)).id);
    const first = await otherLender.read('/loans?limit=3');
    const late = await otherLender.loan(client);
    const rest = await otherLender.read(`/loans?limit=200&cursor=${first.cursor}`);
    expect(idsOf([...first.loans, ...rest.loans])).toEqual(issued.reverse());
    expect(rest).not.toHaveProperty('cursor');
    expect(idsOf((await otherLender.read('/loans')).loans)[0]).toBe(late.id);
    await otherLender.tenant.close();
  });

  test('can be filtered by Client, product and merchant, and by several at once', async () => {
    const otherLender = await OneProductLender.open(testEnvironment());
    const created = await otherLender.tenant.post('/product-configurations', instalmentProduct);
    const product = requireStatus(created, 201).body.id;
    const [one, two] = [await otherLender.client(), await otherLender.client()];
    const plain = await otherLender.loan(one);
    const sold = await otherLender.loan(one, { merchant_ref: 'shop' });
    const other = await otherLender.loan(two, { merchant_ref: 'shop', configuration_id: product });
    const ids = async (query: string) => idsOf((await otherLender.read(`/loans?${query}`)).loans);
    expect(await ids(`client_id=${one}`)).toEqual([sold.id, plain.id]);
    expect(await ids('merchant_ref=shop')).toEqual([other.id, sold.id]);
    expect(await ids(`configuration_id=${product}`)).toEqual([other.id]);
    expect(await ids(`client_id=${one}&merchant_ref=shop&configuration_id=${otherLender.product.id}`)).toEqual([
      sold.id,
    ]);
    expect(await ids('client_id=unknown')).toEqual([]);
    await otherLender.tenant.close();
  });

  test('filtered by a product has the Loans of all its versions', async () => {
    const created = await lender.tenant.post('/product-configurations', instalmentProduct);
    const product: string = requireStatus(created, 201).body.id;
    const client = await lender.client();
    const first = await lender.loan(client, { configuration_id: product });
    const { values } = instalmentProduct;
    requireStatus(await lender.tenant.post(`/product-configurations/${product}/versions`, { values }), 201);
    const second = await lender.loan(client, { configuration_id: product, configuration_version: 2 });
    await lender.loan(client);
    const { loans } = await lender.read(`/loans?configuration_id=${product}`);
    expect(loans).toMatchObject([
      { id: second.id, configuration: { id: product, version: 2 } },
      { id: first.id, configuration: { id: product, version: 1 } },
    ]);
    expect(loans).toHaveLength(2);
  });

  test('leaves out held and voided Loans unless the state is named', async () => {
    const client = await lender.client();
    const active = await lender.loan(client);
    const heldLoan = await lender.loan(client, holdTerms);
    const voided = await lender.loan(client, holdTerms);
    await lender.act(voided.id, 'void', '2026-01-20');
    const ids = async (query: string) => idsOf((await lender.read(`/loans?client_id=${client}${query}`)).loans);
    expect(await ids('')).toEqual([active.id]);
    expect(await ids('&state=active')).toEqual([active.id]);
    expect(await ids('&state=held')).toEqual([heldLoan.id]);
    expect(await ids('&state=voided')).toEqual([voided.id]);
    await lender.act(heldLoan.id, 'confirm', '2026-01-20');
    expect(await ids('')).toEqual([heldLoan.id, active.id]);
    expect(await ids('&state=held')).toEqual([]);
  });

  test('shows a hold as expired after its last day when a day is stated, otherwise as held', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client, holdTerms);
    const rows = async (query: string) =>
      (await lender.read(`/loans?client_id=${client}&${query}`)).loans.map((row: Row) => [row.id, row.state]);
    expect(await rows('state=held')).toEqual([[id, 'held']]);
    expect(await rows('state=held&on=2026-01-25')).toEqual([[id, 'held']]);
    expect(await rows('state=expired&on=2026-01-25')).toEqual([]);
    expect(await rows('state=held&on=2026-01-26')).toEqual([]);
    expect(await rows('state=expired&on=2026-01-26')).toEqual([[id, 'expired']]);
    expect(await rows('on=2026-01-26')).toEqual([]);
    expect((await lender.read(`/loans/${id}`)).state).toBe('held');
  });

  test('examines at most ten times its limit when filtered by state, so a page may be empty and have a cursor', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    await lender.act(id, 'write-off', '2026-05-01');
    for (let index = 0; index < 11; index += 1) await lender.loan(client);
    const path = `/loans?client_id=${client}&state=written_off`;
    const first = await lender.read(`${path}&limit=1`);
    expect(first.loans).toEqual([]);
    expect(first.cursor).toBeDefined();
    expect(idsOf((await lender.read(`${path}&limit=1&cursor=${first.cursor}`)).loans)).toEqual([id]);
    expect(idsOf(await readAllPages(lender, path, 'loans', 1))).toEqual([id]);
    expect(await lender.read(`${path}&limit=2`)).not.toHaveProperty('cursor');
  });

  test('shows a change as soon as it was answered', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    const state = async () => (await lender.read(`/loans?client_id=${client}`)).loans[0].state;
    const off = await lender.act(id, 'write-off', '2026-05-01');
    expect(await state()).toBe('written_off');
    expect(idsOf((await lender.read(`/loans?client_id=${client}&state=active`)).loans)).toEqual([]);
    await lender.act(id, 'retraction', '2026-05-02', { event_id: off.events.at(-1).id });
    expect(await state()).toBe('active');
    expect(idsOf((await lender.read(`/loans?client_id=${client}&state=active`)).loans)).toEqual([id]);
  });

  test.each([
    'state=expired',
    'state=open',
    'state=',
    'state=active&state=active',
    'client_id=no%20name',
    'merchant_ref=a.b',
    'configuration_id=%2F',
    'on=2026-02-30',
    'loan_id=1',
    'limit=0',
    'limit=201',
    'limit=01',
    'cursor=x',
  ])('refuses ?%s', async (query) => {
    expect(await lender.tenant.get(`/loans?${query}`)).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
  });

  test('accepts a cursor only with the filters it was given for, and any limit', async () => {
    const client = await lender.client();
    for (let index = 0; index < 3; index += 1) await lender.loan(client);
    const { cursor } = await lender.read(`/loans?client_id=${client}&limit=1`);
    expect((await lender.read(`/loans?client_id=${client}&limit=2&cursor=${cursor}`)).loans).toHaveLength(2);
    for (const query of ['', `client_id=${client}&state=active&`, `client_id=${client}&on=2026-01-01&`]) {
      const response = await lender.tenant.get(`/loans?${query}cursor=${cursor}`);
      expect(response).toMatchObject({ status: 400, body: { code: 'invalid_query', details: { field: 'cursor' } } });
    }
  });
});
