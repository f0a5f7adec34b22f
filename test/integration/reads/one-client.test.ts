/** What is read of one Client: always what was last recorded, and of one moment. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { house } from '#test/integration/tenant.ts';
import { everyPage, Lender } from './lender.ts';

let lender: Lender;
beforeAll(async () => {
  lender = await Lender.open(house());
});
afterAll(() => lender.tenant.close());

const absent = '01890000-0000-7000-8000-000000000000';

describe('a Loan', () => {
  test('reads as its issuance answered it, and after an act as the act answered', async () => {
    const client = await lender.client();
    const issued = await lender.loan(client);
    expect(await lender.read(`/loans/${issued.id}`)).toEqual(issued);
    const writtenOff = await lender.act(issued.id, 'write-off', '2026-05-01');
    expect(await lender.read(`/loans/${issued.id}`)).toEqual(writtenOff);
    expect(writtenOff.state).toBe('written_off');
  });

  test('is absent where nobody issued it, and to another Tenancy', async () => {
    const issued = await lender.loan(await lender.client());
    const other = await Lender.open(house());
    for (const told of [
      await lender.tenant.get(`/loans/${absent}`),
      await lender.tenant.get('/loans/17'),
      await other.tenant.get(`/loans/${issued.id}`),
      await other.tenant.get(`/loans/${issued.id}/schedule?on=2026-02-01`),
    ]) {
      expect(told).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    await other.tenant.close();
  });

  test('shows its schedule and its delays on a day that must be stated', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    const schedule = await lender.read(`/loans/${id}/schedule?on=2026-02-20`);
    expect(schedule).toMatchObject({ loan_id: id, on: '2026-02-20', anomalies: [] });
    expect(schedule.periods).toHaveLength(12);
    expect(schedule.periods[0]).toMatchObject({ index: 1, fallen_due: true, origin: 'issued' });
    const late = await lender.read(`/loans/${id}/delinquency?on=2026-02-20`);
    expect(late.late.periods).toBe(1);
    expect(late.days_past_due).toBe(late.late.worst_days_past_due);
    for (const read of ['schedule', 'delinquency']) {
      const told = await lender.tenant.get(`/loans/${id}/${read}`);
      expect(told).toMatchObject({ status: 422, body: { code: 'missing_field', details: { field: 'on' } } });
    }
  });

  test('has an account that adds up over any span', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    await lender.pay(client, 200_000, '2026-02-15');
    const account = await lender.read(`/loans/${id}/statement?from=2026-01-15&to=2026-03-31`);
    const [opening, charged, received, released, ceded, closing] = [
      'opening',
      'charged',
      'received',
      'released',
      'ceded_away',
      'closing',
    ].map((figure) => account[figure].minor_units);
    expect(opening + charged - received - released - ceded).toBe(closing);
    expect(received).toBe(200_000);
    const backwards = await lender.tenant.get(`/loans/${id}/statement?from=2026-03-31&to=2026-01-15`);
    expect(backwards).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
    const endless = await lender.tenant.get(`/loans/${id}/statement?from=2026-03-31`);
    expect(endless).toMatchObject({ status: 422, body: { code: 'missing_field', details: { field: 'to' } } });
  });

  test('keeps its payoff quotes, oldest first, and each by itself', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    const other = await lender.loan(client);
    const quotes = [];
    for (const on of ['2026-02-01', '2026-02-02', '2026-02-03']) quotes.push(await lender.act(id, 'payoff-quotes', on));
    await lender.act(other.id, 'payoff-quotes', '2026-02-01');
    expect(await everyPage(lender, `/loans/${id}/payoff-quotes`, 'quotes', 2)).toEqual(quotes);
    expect(await lender.read(`/loans/${id}/payoff-quotes/${quotes[1].id}`)).toEqual(quotes[1]);
    const elsewhere = await lender.tenant.get(`/loans/${other.id}/payoff-quotes/${quotes[1].id}`);
    expect(elsewhere).toMatchObject({ status: 404, body: { code: 'no_quote' } });
  });
});

describe('payment options', () => {
  test('are told apart by a tag that every recorded change moves, and a quote does not', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    const path = `/clients/${client}/payment-options?on=2026-03-01`;
    const tagOf = async () => String((await lender.tenant.get(path)).headers['etag']);
    const first = await tagOf();
    expect(first).toMatch(/^"[^"]+"$/);
    expect(await tagOf()).toBe(first);
    await lender.act(id, 'payoff-quotes', '2026-02-01');
    expect(await tagOf()).toBe(first);
    const tags = [first];
    const paid = await lender.pay(client, 50_000, '2026-02-15');
    tags.push(await tagOf());
    await lender.reverse(paid.receipt.reference);
    tags.push(await tagOf());
    const waived = await lender.act(id, 'write-off', '2026-06-01');
    tags.push(await tagOf());
    await lender.act(id, 'retraction', '2026-06-02', { event_id: waived.events.at(-1).id });
    tags.push(await tagOf());
    await lender.loan(client);
    tags.push(await tagOf());
    expect(new Set(tags).size).toBe(6);
  });

  test('answer 304 without a body to whoever has them, of that day and that version only', async () => {
    const client = await lender.client();
    await lender.loan(client);
    const path = `/clients/${client}/payment-options?on=2026-03-01`;
    const { headers } = await lender.tenant.get(path);
    const etag = String(headers['etag']);
    const ask = (on: string, tag: string, more: object = {}) =>
      lender.tenant.get(`/clients/${client}/payment-options?on=${on}`, { headers: { 'if-none-match': tag, ...more } });
    for (const named of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const told = await ask('2026-03-01', named);
      expect(told).toMatchObject({ status: 304, body: undefined });
      expect(told.headers).toMatchObject({ etag, 'contract-version': '2026-10-15' });
      expect(told.headers['request-id']).toBeDefined();
      expect(String(told.headers['server-timing'])).toMatch(/derive;dur=0\.0/);
    }
    expect((await ask('2026-03-02', etag)).status).toBe(200);
    expect((await ask('2026-03-01', '"x"')).status).toBe(200);
    expect((await ask('2026-03-01', etag, { 'contract-version': '2026-10-16' })).status).toBe(200);
    await lender.pay(client, 1_000, '2026-02-15');
    expect((await ask('2026-03-01', etag)).status).toBe(200);
  });

  test('of a day not stated, or one that is none, are refused', async () => {
    const client = await lender.client();
    const none = await lender.tenant.get(`/clients/${client}/payment-options`);
    expect(none).toMatchObject({ status: 422, body: { code: 'outside_loan' } });
    const unreadable = await lender.tenant.get(`/clients/${client}/payment-options?on=2026-02-30`);
    expect(unreadable).toMatchObject({ status: 400, body: { code: 'invalid_query', details: { field: 'on' } } });
  });

  test('are answered to HEAD as to GET, without the body', async () => {
    const client = await lender.client();
    await lender.loan(client);
    const path = `/clients/${client}/payment-options?on=2026-03-01`;
    const [got, head] = [await lender.tenant.get(path), await lender.tenant.call('HEAD', path)];
    expect(head).toMatchObject({ status: 200, body: undefined });
    expect(head.headers['etag']).toBe(got.headers['etag']);
    expect(head.headers['content-length']).toBe(got.headers['content-length']);
  });
});

describe('a Client', () => {
  test('reads as it was registered, and is absent before', async () => {
    const client = await lender.client();
    const read = await lender.read(`/clients/${client}`);
    expect(read).toMatchObject({ client_id: client, tenant_id: lender.tenant.id, actor: 'ana' });
    expect(read.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const unknown = await lender.tenant.get('/clients/nobody');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('never registered has an empty book everywhere else', async () => {
    const empty = { receipts: '/clients/nobody/receipts', loans: '/clients/nobody/payment-options?on=2026-01-01' };
    for (const [member, path] of Object.entries(empty)) expect((await lender.read(path))[member]).toEqual([]);
    expect(await lender.read('/clients/nobody/book-version')).toEqual({ client_id: 'nobody', facts: 0 });
    expect(await lender.read('/clients/nobody/obligations')).toEqual({
      client_id: 'nobody',
      amount: { minor_units: 0, currency: 'MXN' },
      receipts: [],
    });
    const statement = await lender.read('/clients/nobody/statement?from=2026-01-01&to=2026-01-31');
    expect(statement).toMatchObject({ client_id: 'nobody', loans: [], currencies: [] });
  });

  test('has a book version that issuances, acts, Receipts and reversals move, and a quote does not', async () => {
    const client = await lender.client();
    const version = () => lender.read(`/clients/${client}/book-version`);
    const seen = [await version()];
    const { id, created_at } = await lender.loan(client);
    seen.push(await version());
    expect(seen[1].version).toBe(created_at);
    await lender.act(id, 'payoff-quotes', '2026-02-01');
    expect(await version()).toEqual(seen[1]);
    const { receipt } = await lender.pay(client, 1_000, '2026-02-15');
    seen.push(await version());
    expect(seen[2].version).toBe(receipt.reported_at);
    await lender.reverse(receipt.reference);
    seen.push(await version());
    expect(seen.map(({ facts }) => facts)).toEqual([0, 1, 2, 3]);
    expect(seen[0]).not.toHaveProperty('version');
    expect(seen[3].version > seen[2].version).toBe(true);
  });
});

describe('Receipts', () => {
  test('are listed newest first, reversed ones too, and each reads as it was answered', async () => {
    const client = await lender.client();
    await lender.loan(client);
    const reported = [];
    for (let nth = 0; nth < 5; nth += 1) reported.push(await lender.pay(client, 1_000 + nth, '2026-02-15'));
    const reversed = await lender.reverse(reported[1].receipt.reference);
    const rows = await everyPage(lender, `/clients/${client}/receipts`, 'receipts', 2);
    const expected = reported.map(({ receipt }) => receipt).reverse();
    expected[3] = reversed.receipt;
    expect(rows).toEqual(expected);
    expect(await lender.read(`/receipts/${reversed.receipt.reference}`)).toEqual(reversed);
    expect(reversed).toMatchObject({ settled: { minor_units: 0 }, loans: [], receipt: { reversed: true } });
  });

  test('recorded while the pages are turned come before the first of them', async () => {
    const client = await lender.client();
    await lender.loan(client);
    const before = [];
    for (let nth = 0; nth < 4; nth += 1) before.push((await lender.pay(client, 1_000, '2026-02-15')).receipt.reference);
    const first = await lender.read(`/clients/${client}/receipts?limit=2`);
    await lender.pay(client, 1_000, '2026-02-14');
    const second = await lender.read(`/clients/${client}/receipts?limit=2&cursor=${first.cursor}`);
    const seen = [...first.receipts, ...second.receipts].map(({ reference }) => reference);
    expect(seen).toEqual(before.reverse());
    expect(second).not.toHaveProperty('cursor');
  });

  test('by a reference nobody reported, or of another Tenancy, are absent', async () => {
    const unknown = await lender.tenant.get('/receipts/never');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'no_receipt' } });
  });

  test('that a Client is owed back are paged oldest first, beside the whole balance', async () => {
    const client = await lender.client();
    const owed = [];
    for (let nth = 0; nth < 5; nth += 1) owed.push((await lender.pay(client, 100, '2026-02-15')).receipt.reference);
    const path = `/clients/${client}/obligations`;
    const first = await lender.read(`${path}?limit=2`);
    expect(first.amount).toEqual({ minor_units: 500, currency: 'MXN' });
    expect(first.receipts).toEqual(owed.slice(0, 2));
    // Dated before every other: it takes a place that the walk has passed.
    const { receipt } = await lender.pay(client, 1, '2026-01-01');
    const rest = await lender.read(`${path}?limit=4&cursor=${first.cursor}`);
    expect(rest.receipts).toEqual(owed.slice(2));
    expect(rest.amount.minor_units).toBe(501);
    expect((await lender.read(path)).receipts).toEqual([receipt.reference, ...owed]);
  });

  test('that a Client is owed back meanwhile are outside the walk, wherever they are dated, and a reversed one leaves it', async () => {
    const client = await lender.client();
    const owed = [];
    for (const day of ['01', '05', '10', '15', '20']) {
      owed.push((await lender.pay(client, 100, `2026-02-${day}`)).receipt.reference);
    }
    const path = `/clients/${client}/obligations`;
    const first = await lender.read(`${path}?limit=2`);
    const between = await lender.pay(client, 1, '2026-02-12');
    const second = await lender.read(`${path}?limit=1&cursor=${first.cursor}`);
    await lender.reverse(owed[3]);
    const third = await lender.read(`${path}?cursor=${second.cursor}`);
    expect([...first.receipts, ...second.receipts, ...third.receipts]).toEqual(owed.toSpliced(3, 1));
    // What is owed in all is told as it stands, on every page.
    expect([second.amount.minor_units, third.amount.minor_units]).toEqual([501, 401]);
    expect((await lender.read(path)).receipts).toContain(between.receipt.reference);
  });
});

test('limits outside 1 to 200 and cursors of another listing are refused', async () => {
  const client = await lender.client();
  for (let nth = 0; nth < 3; nth += 1) await lender.pay(client, 100, '2026-02-15');
  const { cursor } = await lender.read(`/clients/${client}/receipts?limit=1`);
  for (const query of [`limit=0`, 'limit=201', 'limit=x', 'limit=', 'cursor=abc', 'page=2']) {
    const told = await lender.tenant.get(`/clients/${client}/receipts?${query}`);
    expect(told).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
  }
  for (const path of [`/clients/${client}/obligations`, '/clients', '/loan-events', '/clients/other/receipts']) {
    const told = await lender.tenant.get(`${path}?cursor=${cursor}`);
    expect(told).toMatchObject({ status: 400, body: { code: 'invalid_query', details: { field: 'cursor' } } });
  }
});
