/** The Loans of a Tenancy, newest first, by every filter. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { instalment } from '#test/integration/given-loans.ts';
import { house } from '#test/integration/tenant.ts';
import { everyPage, Lender, mustBe } from './lender.ts';

let lender: Lender;
beforeAll(async () => {
  lender = await Lender.open(house());
});
afterAll(() => lender.tenant.close());

type Row = { readonly id: string; readonly state: string };
const idsOf = (rows: readonly Row[]): string[] => rows.map(({ id }) => id);
const held = { hold_until: '2026-01-25' };

describe('a row', () => {
  test('says of a Loan what its own read says, and its terms as issued', async () => {
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

  test('dates what ended the Loan', async () => {
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
  test('is newest first through all its pages, whatever is issued meanwhile', async () => {
    const own = await Lender.open(house());
    const client = await own.client();
    const other = await own.client();
    const issued = [];
    for (let nth = 0; nth < 7; nth += 1) issued.push((await own.loan(nth % 2 === 0 ? client : other)).id);
    const first = await own.read('/loans?limit=3');
    const late = await own.loan(client);
    const rest = await own.read(`/loans?limit=200&cursor=${first.cursor}`);
    expect(idsOf([...first.loans, ...rest.loans])).toEqual(issued.reverse());
    expect(rest).not.toHaveProperty('cursor');
    expect(idsOf((await own.read('/loans')).loans)[0]).toBe(late.id);
    await own.tenant.close();
  });

  test('shows a Client, a product or a merchant its own Loans, and several filters what meets them all', async () => {
    const own = await Lender.open(house());
    const created = await own.tenant.post('/product-configurations', instalment);
    const product = mustBe(created, 201).body.id;
    const [one, two] = [await own.client(), await own.client()];
    const plain = await own.loan(one);
    const sold = await own.loan(one, { merchant_ref: 'shop' });
    const other = await own.loan(two, { merchant_ref: 'shop', configuration_id: product });
    const ids = async (query: string) => idsOf((await own.read(`/loans?${query}`)).loans);
    expect(await ids(`client_id=${one}`)).toEqual([sold.id, plain.id]);
    expect(await ids('merchant_ref=shop')).toEqual([other.id, sold.id]);
    expect(await ids(`configuration_id=${product}`)).toEqual([other.id]);
    expect(await ids(`client_id=${one}&merchant_ref=shop&configuration_id=${own.product.id}`)).toEqual([sold.id]);
    expect(await ids('client_id=nobody')).toEqual([]);
    await own.tenant.close();
  });

  test('leaves out what is held or was voided, unless the state is named', async () => {
    const client = await lender.client();
    const active = await lender.loan(client);
    const waits = await lender.loan(client, held);
    const voided = await lender.loan(client, held);
    await lender.act(voided.id, 'void', '2026-01-20');
    const ids = async (query: string) => idsOf((await lender.read(`/loans?client_id=${client}${query}`)).loans);
    expect(await ids('')).toEqual([active.id]);
    expect(await ids('&state=active')).toEqual([active.id]);
    expect(await ids('&state=held')).toEqual([waits.id]);
    expect(await ids('&state=voided')).toEqual([voided.id]);
    await lender.act(waits.id, 'confirm', '2026-01-20');
    expect(await ids('')).toEqual([waits.id, active.id]);
    expect(await ids('&state=held')).toEqual([]);
  });

  test('reads a hold past its last day as expired where the day is stated, and as held where it is not', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client, held);
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

  test('examines at most ten rows for each asked under a state: a page may be empty and still go on', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    await lender.act(id, 'write-off', '2026-05-01');
    for (let nth = 0; nth < 11; nth += 1) await lender.loan(client);
    const path = `/loans?client_id=${client}&state=written_off`;
    const first = await lender.read(`${path}&limit=1`);
    expect(first.loans).toEqual([]);
    expect(first.cursor).toBeDefined();
    expect(idsOf((await lender.read(`${path}&limit=1&cursor=${first.cursor}`)).loans)).toEqual([id]);
    expect(idsOf(await everyPage(lender, path, 'loans', 1))).toEqual([id]);
    expect(await lender.read(`${path}&limit=2`)).not.toHaveProperty('cursor');
  });

  test('shows a change at once after it was answered', async () => {
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

  test('goes on only under the filters its cursor was given for, with any limit', async () => {
    const client = await lender.client();
    for (let nth = 0; nth < 3; nth += 1) await lender.loan(client);
    const { cursor } = await lender.read(`/loans?client_id=${client}&limit=1`);
    expect((await lender.read(`/loans?client_id=${client}&limit=2&cursor=${cursor}`)).loans).toHaveLength(2);
    for (const query of ['', `client_id=${client}&state=active&`, `client_id=${client}&on=2026-01-01&`]) {
      const told = await lender.tenant.get(`/loans?${query}cursor=${cursor}`);
      expect(told).toMatchObject({ status: 400, body: { code: 'invalid_query', details: { field: 'cursor' } } });
    }
  });
});
