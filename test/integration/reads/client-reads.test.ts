/** Reads of one Client: always the latest facts, and of one moment. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OneProductLender, readAllPages } from '#test/support/one-product-lender.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: OneProductLender;
beforeAll(async () => {
  lender = await OneProductLender.open(testEnvironment());
});
afterAll(() => lender.tenant.close());

const absent = '01890000-0000-7000-8000-000000000000';

describe('a Loan', () => {
  test('reads as its issuance, and later as its latest act, was answered', async () => {
    const client = await lender.client();
    const issued = await lender.loan(client);
    expect(await lender.read(`/loans/${issued.id}`)).toEqual(issued);
    const writtenOff = await lender.act(issued.id, 'write-off', '2026-05-01');
    expect(await lender.read(`/loans/${issued.id}`)).toEqual(writtenOff);
    expect(writtenOff.state).toBe('written_off');
  });

  test('is not found under an unknown id or by another Tenancy', async () => {
    const issued = await lender.loan(await lender.client());
    const other = await OneProductLender.open(testEnvironment());
    for (const response of [
      await lender.tenant.get(`/loans/${absent}`),
      await lender.tenant.get('/loans/17'),
      await other.tenant.get(`/loans/${issued.id}`),
      await other.tenant.get(`/loans/${issued.id}/schedule?on=2026-02-01`),
    ]) {
      expect(response).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
    await other.tenant.close();
  });

  test('shows its schedule and delinquency on a stated day', async () => {
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
      const response = await lender.tenant.get(`/loans/${id}/${read}`);
      expect(response).toMatchObject({ status: 422, body: { code: 'missing_field', details: { field: 'on' } } });
    }
  });

  test('has a statement that adds up over any span', async () => {
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

  test('lists its payoff quotes oldest first, and each can be read', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    const other = await lender.loan(client);
    const quotes = [];
    for (const on of ['2026-02-01', '2026-02-02', '2026-02-03']) quotes.push(await lender.act(id, 'payoff-quotes', on));
    await lender.act(other.id, 'payoff-quotes', '2026-02-01');
    expect(await readAllPages(lender, `/loans/${id}/payoff-quotes`, 'quotes', 2)).toEqual(quotes);
    expect(await lender.read(`/loans/${id}/payoff-quotes/${quotes[1].id}`)).toEqual(quotes[1]);
    const elsewhere = await lender.tenant.get(`/loans/${other.id}/payoff-quotes/${quotes[1].id}`);
    expect(elsewhere).toMatchObject({ status: 404, body: { code: 'no_quote' } });
  });
});

describe('payment options', () => {
  test('have an ETag that changes with every recorded change but not with a quote', async () => {
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

  test('answer 304 for a current ETag of the same day and contract version', async () => {
    const client = await lender.client();
    await lender.loan(client);
    const path = `/clients/${client}/payment-options?on=2026-03-01`;
    const { headers } = await lender.tenant.get(path);
    const etag = String(headers['etag']);
    const ask = (on: string, tag: string, more: object = {}) =>
      lender.tenant.get(`/clients/${client}/payment-options?on=${on}`, { headers: { 'if-none-match': tag, ...more } });
    for (const named of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
      const response = await ask('2026-03-01', named);
      expect(response).toMatchObject({ status: 304, body: undefined });
      expect(response.headers).toMatchObject({ etag, 'contract-version': '2026-10-15' });
      expect(response.headers['request-id']).toBeDefined();
      expect(String(response.headers['server-timing'])).toMatch(/derive;dur=0\.0/);
    }
    expect((await ask('2026-03-02', etag)).status).toBe(200);
    expect((await ask('2026-03-01', '"x"')).status).toBe(200);
    expect((await ask('2026-03-01', etag, { 'contract-version': '2026-10-16' })).status).toBe(200);
    await lender.pay(client, 1_000, '2026-02-15');
    expect((await ask('2026-03-01', etag)).status).toBe(200);
  });

  test('are refused without a day or for an impossible day', async () => {
    const client = await lender.client();
    const none = await lender.tenant.get(`/clients/${client}/payment-options`);
    expect(none).toMatchObject({ status: 422, body: { code: 'outside_loan' } });
    const unreadable = await lender.tenant.get(`/clients/${client}/payment-options?on=2026-02-30`);
    expect(unreadable).toMatchObject({ status: 400, body: { code: 'invalid_query', details: { field: 'on' } } });
  });

  test('answer HEAD like GET, without the body', async () => {
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
  test('reads as it was registered, and is not found before', async () => {
    const client = await lender.client();
    const read = await lender.read(`/clients/${client}`);
    expect(read).toMatchObject({ client_id: client, tenant_id: lender.tenant.id, actor: 'ana' });
    expect(read.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/);
    const unknown = await lender.tenant.get('/clients/unknown');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'not_found' } });
  });

  test('that was never registered has an empty book', async () => {
    const empty = { receipts: '/clients/unknown/receipts', loans: '/clients/unknown/payment-options?on=2026-01-01' };
    for (const [member, path] of Object.entries(empty)) expect((await lender.read(path))[member]).toEqual([]);
    expect(await lender.read('/clients/unknown/book-version')).toEqual({ client_id: 'unknown', facts: 0 });
    expect(await lender.read('/clients/unknown/obligations')).toEqual({
      client_id: 'unknown',
      amount: { minor_units: 0, currency: 'MXN' },
      receipts: [],
    });
    const statement = await lender.read('/clients/unknown/statement?from=2026-01-01&to=2026-01-31');
    expect(statement).toMatchObject({ client_id: 'unknown', loans: [], currencies: [] });
  });

  test('has a book version that rises with issuances, acts, Receipts and reversals but not with quotes', async () => {
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
  test('are listed newest first, reversed ones too, and read as they were answered', async () => {
    const client = await lender.client();
    await lender.loan(client);
    const reported = [];
    for (let nth = 0; nth < 5; nth += 1) reported.push(await lender.pay(client, 1_000 + nth, '2026-02-15'));
    const reversed = await lender.reverse(reported[1].receipt.reference);
    const rows = await readAllPages(lender, `/clients/${client}/receipts`, 'receipts', 2);
    const expected = reported.map(({ receipt }) => receipt).reverse();
    expected[3] = reversed.receipt;
    expect(rows).toEqual(expected);
    expect(await lender.read(`/receipts/${reversed.receipt.reference}`)).toEqual(reversed);
    expect(reversed).toMatchObject({ settled: { minor_units: 0 }, loans: [], receipt: { reversed: true } });
  });

  test('recorded while pages are read do not appear on later pages', async () => {
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

  test('are not found under an unknown reference', async () => {
    const unknown = await lender.tenant.get('/receipts/never');
    expect(unknown).toMatchObject({ status: 404, body: { code: 'no_receipt' } });
  });

  test('owed back to a Client are paged oldest first, with the total balance', async () => {
    const client = await lender.client();
    const owed = [];
    for (let nth = 0; nth < 5; nth += 1) owed.push((await lender.pay(client, 100, '2026-02-15')).receipt.reference);
    const path = `/clients/${client}/obligations`;
    const first = await lender.read(`${path}?limit=2`);
    expect(first.amount).toEqual({ minor_units: 500, currency: 'MXN' });
    expect(first.receipts).toEqual(owed.slice(0, 2));
    // Dated before all others: its position is before the cursor.
    const { receipt } = await lender.pay(client, 1, '2026-01-01');
    const rest = await lender.read(`${path}?limit=4&cursor=${first.cursor}`);
    expect(rest.receipts).toEqual(owed.slice(2));
    expect(rest.amount.minor_units).toBe(501);
    expect((await lender.read(path)).receipts).toEqual([receipt.reference, ...owed]);
  });

  test('owed back are paged, while the other members of the obligations are whole on each page', async () => {
    const client = await lender.client();
    for (const name of ['undone', 'returned']) {
      for (const nth of [1, 2]) {
        const { id } = await lender.loan(client);
        await lender.pay(client, 200_000 * nth, '2026-02-15', { designated_loan_id: id });
        if (name === 'undone') await lender.act(id, 'rescind', '2026-02-20');
        else await lender.act(id, 'return', '2026-02-20', { amount: { minor_units: 1_000_000, currency: 'MXN' } });
      }
    }
    const surplus = [];
    for (const amount of [100, 200, 300]) {
      const other = await lender.pay(client, amount, '2026-01-14');
      surplus.push(other.receipt.reference);
    }
    const path = `/clients/${client}/obligations`;
    const whole = await lender.read(path);
    expect([whole.undone.length, whole.returned.length]).toEqual([2, 2]);
    expect(whole.receipts).toEqual(surplus);
    let page = await lender.read(`${path}?limit=1`);
    for (const reference of surplus) {
      const { cursor, ...members } = page;
      expect(members).toEqual({ ...whole, receipts: [reference] });
      expect(cursor === undefined).toBe(reference === surplus.at(-1));
      if (cursor !== undefined) page = await lender.read(`${path}?limit=1&cursor=${cursor}`);
    }
  });

  test('owed back that are reported while pages are read do not appear on later pages, and a reversed one disappears', async () => {
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
    // Every page has the current total.
    expect([second.amount.minor_units, third.amount.minor_units]).toEqual([501, 401]);
    expect((await lender.read(path)).receipts).toContain(between.receipt.reference);
  });
});

test('limits outside 1 to 200 and cursors of another listing are refused', async () => {
  const client = await lender.client();
  for (let nth = 0; nth < 3; nth += 1) await lender.pay(client, 100, '2026-02-15');
  const { cursor } = await lender.read(`/clients/${client}/receipts?limit=1`);
  for (const query of [`limit=0`, 'limit=201', 'limit=x', 'limit=', 'cursor=abc', 'page=2']) {
    const response = await lender.tenant.get(`/clients/${client}/receipts?${query}`);
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
  }
  for (const path of [`/clients/${client}/obligations`, '/clients', '/loan-events', '/clients/other/receipts']) {
    const response = await lender.tenant.get(`${path}?cursor=${cursor}`);
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_query', details: { field: 'cursor' } } });
  }
});
