/** A Client's book and a merchant's book: many figures of one moment, also as known earlier. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { OneProductLender, readAllPages } from '#test/support/one-product-lender.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: OneProductLender;
beforeAll(async () => {
  lender = await OneProductLender.open(testEnvironment());
});
afterAll(() => lender.tenant.close());

const mxn = (minor_units: number) => ({ minor_units, currency: 'MXN' });

describe("a Client's book", () => {
  test('agrees with every other read of the Client on that day', async () => {
    const client = await lender.client();
    const [one, two] = [await lender.loan(client), await lender.loan(client, { anchor: '2026-02-01' })];
    await lender.pay(client, 150_000, '2026-02-15');
    const { receipt } = await lender.pay(client, 10, '2026-02-16');
    await lender.reverse(receipt.reference);
    const on = '2026-03-20';
    const book = await lender.read(`/clients/${client}/book?on=${on}`);
    const { loans: options } = await lender.read(`/clients/${client}/payment-options?on=${on}`);
    const expectedLoans = [];
    for (const [at, { id }] of [one, two].entries()) {
      const loan = await lender.read(`/loans/${id}`);
      expectedLoans.push({
        loan,
        payment_options: options[at],
        schedule: await lender.read(`/loans/${id}/schedule?on=${on}`),
      });
    }
    const version = await lender.read(`/clients/${client}/book-version`);
    expect(book).toEqual({
      client_id: client,
      on,
      book_version: version,
      loans: expectedLoans,
      receipts: (await lender.read(`/clients/${client}/receipts`)).receipts,
      obligations: await lender.read(`/clients/${client}/obligations`),
      facilities: [],
      bar: { barred: false },
      anomalies: [],
    });
  });

  test('of an unregistered Client is empty', async () => {
    expect(await lender.read('/clients/unknown/book?on=2026-01-01')).toMatchObject({
      book_version: { facts: 0 },
      loans: [],
      receipts: [],
    });
  });
});

describe('a book as known at an earlier moment', () => {
  test('has the facts recorded by then, including later retracted ones', async () => {
    const client = await lender.client();
    const { id, created_at: issuedAt } = await lender.loan(client);
    const on = '2026-03-20';
    const reads = [
      `/clients/${client}/payment-options?on=${on}`,
      `/clients/${client}/statement?from=2026-01-01&to=${on}`,
      `/loans/${id}/schedule?on=${on}`,
      `/loans/${id}/delinquency?on=${on}`,
      `/loans/${id}/statement?from=2026-01-01&to=${on}`,
      `/clients/${client}/book?on=${on}`,
    ];
    const moments: string[] = [];
    const answersAtMoment: unknown[][] = [];
    const recordAnswers = async (moment: string) => {
      moments.push(moment);
      answersAtMoment.push(await Promise.all(reads.map((read) => lender.read(read))));
    };
    await recordAnswers(issuedAt);
    const { receipt } = await lender.pay(client, 150_000, '2026-02-15');
    await recordAnswers(receipt.reported_at);
    await recordAnswers((await lender.reverse(receipt.reference)).receipt.reversed_at);
    const off = await lender.act(id, 'write-off', '2026-03-01');
    await recordAnswers(off.events.at(-1).recorded_at);
    const back = await lender.act(id, 'retraction', '2026-03-02', { event_id: off.events.at(-1).id });
    await recordAnswers(back.events.at(-1).retraction.recorded_at);
    for (const [at, moment] of moments.entries()) {
      for (const [index, read] of reads.entries()) {
        expect(await lender.read(`${read}&known_at=${encodeURIComponent(moment)}`)).toEqual(
          answersAtMoment[at]?.[index],
        );
      }
    }
    const different = new Set(answersAtMoment.map((answers) => JSON.stringify(answers[5])));
    expect(different.size).toBe(moments.length);
  });

  test('before the first fact is empty, and the Loan is not found', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    const before = encodeURIComponent('2020-01-01T00:00:00Z');
    expect((await lender.read(`/clients/${client}/payment-options?on=2026-02-01&known_at=${before}`)).loans).toEqual(
      [],
    );
    const response = await lender.tenant.get(`/loans/${id}/schedule?on=2026-02-01&known_at=${before}`);
    expect(response).toMatchObject({ status: 404, body: { code: 'not_found' } });
    const unreadable = await lender.tenant.get(`/loans/${id}/schedule?on=2026-02-01&known_at=yesterday`);
    expect(unreadable).toMatchObject({ status: 400, body: { code: 'invalid_query', details: { field: 'known_at' } } });
  });

  test('has its own ETag of payment options', async () => {
    const client = await lender.client();
    const { created_at } = await lender.loan(client);
    const path = `/clients/${client}/payment-options?on=2026-02-01`;
    const known = `${path}&known_at=${encodeURIComponent(created_at)}`;
    const [now, then] = [await lender.tenant.get(path), await lender.tenant.get(known)];
    expect(then.body).toEqual(now.body);
    expect(then.headers['etag']).not.toBe(now.headers['etag']);
    const headers = { 'if-none-match': String(then.headers['etag']) };
    expect((await lender.tenant.get(known, { headers })).status).toBe(304);
  });
});

describe("a merchant's book", () => {
  test('lists its Loans newest first with the outstanding amount, and totals of the page by currency', async () => {
    const merchant = 'shop-7';
    const [one, two] = [await lender.client(), await lender.client()];
    const first = await lender.loan(one, { merchant_ref: merchant });
    const second = await lender.loan(two, { merchant_ref: merchant });
    const third = await lender.loan(one, { merchant_ref: merchant, anchor: '2026-04-01' });
    await lender.loan(one);
    await lender.pay(two, 120_000, '2026-02-15');
    await lender.act(first.id, 'return', '2026-02-20', { amount: mxn(200_000) });
    const path = `/merchants/${merchant}/book?on=2026-03-01`;
    const book = await lender.read(path);
    expect(book).toMatchObject({ merchant_ref: merchant, on: '2026-03-01', page_totals: true });
    expect(book).not.toHaveProperty('cursor');
    const listed = await lender.read(`/loans?merchant_ref=${merchant}`);
    const rows = book.loans.map(({ outstanding: _outstanding, ...row }: { outstanding: unknown }) => row);
    expect(rows).toEqual(listed.loans);
    expect(book.loans.map(({ id }: { id: string }) => id)).toEqual([third.id, second.id, first.id]);
    const out = book.loans.map((row: { outstanding: { minor_units: number } }) => row.outstanding.minor_units);
    // The first has not begun, the second has paid an instalment, goods for 2,000 of the third were returned.
    expect(out[0]).toBe(0);
    expect(out[1]).toBeLessThan(1_000_000);
    expect(out[2]).toBe(800_000);
    const due = async (client: string, loan: { id: string }) => {
      const { loans } = await lender.read(`/clients/${client}/payment-options?on=2026-03-01`);
      return loans.find(({ loan_id }: { loan_id: string }) => loan_id === loan.id).overdue.total.minor_units;
    };
    expect(book.currencies).toEqual([
      {
        currency: 'MXN',
        loans: 3,
        sold: mxn(3_000_000),
        returned: mxn(200_000),
        outstanding: mxn(out[0] + out[1] + out[2]),
        overdue: mxn((await due(one, first)) + (await due(two, second))),
      },
    ]);
    expect(await readAllPages(lender, path, 'loans', 1)).toEqual(book.loans);
    const page = await lender.read(`${path}&limit=1`);
    expect(page.currencies).toMatchObject([{ loans: 1, sold: mxn(1_000_000) }]);
    const otherDay = await lender.tenant.get(`/merchants/${merchant}/book?on=2026-03-02&cursor=${page.cursor}`);
    expect(otherDay).toMatchObject({ status: 400, body: { code: 'invalid_query' } });
  });

  test('of an unknown merchant is empty, and the day is required', async () => {
    expect(await lender.read('/merchants/unknown/book?on=2026-03-01')).toEqual({
      merchant_ref: 'unknown',
      on: '2026-03-01',
      loans: [],
      currencies: [],
      page_totals: true,
    });
    const response = await lender.tenant.get('/merchants/unknown/book');
    expect(response).toMatchObject({ status: 422, body: { code: 'missing_field', details: { field: 'on' } } });
  });
});
