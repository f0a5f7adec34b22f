import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { account, anInstalmentLoan, instalment, type Pin, register } from './given-loans.ts';
import { house, Tenant, type Told } from './tenant.ts';

let tenant: Tenant;
let product: Pin;
let count = 0;
beforeAll(async () => {
  tenant = await Tenant.open(house());
  product = (await tenant.post('/product-configurations', instalment)).body;
});
afterAll(() => tenant.close());

const pesos = (minor_units: number) => ({ minor_units, currency: 'MXN' });

async function aBorrower(): Promise<{ client: string; loan: Told['body'] }> {
  count += 1;
  const client = `borrower-${count}`;
  await register(tenant, client);
  const { body: loan } = await tenant.post('/loans', anInstalmentLoan(product, client, `loan-${client}`));
  return { client, loan };
}

function receipt(client_id: string, reference: string, over: object = {}): object {
  return { reference, client_id, amount: pesos(50_000), value_date: '2026-03-01', ...over };
}

describe('a Receipt', () => {
  test('is placed on what is owed, and reported again it is the same Receipt', async () => {
    const { client, loan } = await aBorrower();
    const body = receipt(client, 'money-1', { rail: 'bank_transfer', provider_reference: 'spei-7' });
    const first = await tenant.post('/receipts', body);
    expect(first).toMatchObject({
      status: 201,
      body: {
        receipt: { reference: 'money-1', reversed: false },
        settled: pesos(50_000),
        loans: [{ loan_id: loan.id }],
      },
    });
    const again = await tenant.post('/receipts', { ...body, amount: { currency: 'MXN', minor_units: 50_000 } });
    expect(again).toMatchObject({ status: 200, body: { receipt: { id: first.body.receipt.id } } });
    // A member left out and one stated with its default are two bodies.
    const stated = await tenant.post('/receipts', { ...body, payoff_intent: false });
    expect(stated).toMatchObject({
      status: 409,
      body: { code: 'reference_reused', details: { recorded_id: first.body.receipt.id } },
    });
  });

  test('numbers are compared by what they are, not by how they are written', async () => {
    const { client } = await aBorrower();
    const text = (amount: string) =>
      `{"reference":"written","client_id":"${client}","amount":{"minor_units":${amount},"currency":"MXN"},"value_date":"2026-03-01"}`;
    expect(await tenant.post('/receipts', text('100'))).toMatchObject({ status: 201 });
    expect(await tenant.post('/receipts', text('1e2'))).toMatchObject({ status: 200 });
    expect(await tenant.post('/receipts', text('100.0'))).toMatchObject({ status: 200 });
    expect(await tenant.post('/receipts', text('101'))).toMatchObject({ status: 409 });
  });

  test('a reference is one in the whole Tenancy: of many Clients at the same moment one takes it', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => aBorrower()));
    const told = await Promise.all(clients.map(({ client }) => tenant.post('/receipts', receipt(client, 'raced'))));
    expect(told.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    for (const { status, body } of told) if (status === 409) expect(body.code).toBe('reference_reused');
  });

  test('the same report sent many times at once is recorded once', async () => {
    const { client } = await aBorrower();
    const told = await Promise.all(
      Array.from({ length: 12 }, () => tenant.post('/receipts', receipt(client, 'insistent'))),
    );
    expect(told.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(new Set(told.map(({ body }) => body.receipt.id)).size).toBe(1);
  });

  test('is refused for a Client or a Loan nobody knows, and for what it names wrongly', async () => {
    const { client, loan } = await aBorrower();
    const code = async (body: object) => (await tenant.post('/receipts', body)).body.code;
    expect(await code(receipt('nobody', 'x-1'))).toBe('unknown_client');
    expect(await code(receipt(client, 'x-2', { designated_loan_id: '0193e9c4-7b5a-7000-8000-000000000001' }))).toBe(
      'unknown_loan',
    );
    expect(await code(receipt(client, 'x-3', { payoff_intent: true }))).toBe('payoff_needs_designation');
    expect(
      await code(receipt(client, 'x-4', { amount: { minor_units: 1, currency: 'USD' }, designated_loan_id: loan.id })),
    ).toBe('currency_mismatch');
    expect(await code(receipt(client, 'x-5', { amount: pesos(0) }))).toBe('invalid_field');
    expect(await code(receipt(client, 'x-6', { quote_id: '0193e9c4-7b5a-7000-8000-000000000001' }))).toBe('no_quote');
    // A refused report leaves its reference free.
    expect(await tenant.post('/receipts', receipt(client, 'x-1'))).toMatchObject({ status: 201 });
  });

  test('that pays a quoted payoff discharges the Loan and agrees with its quote', async () => {
    const { client, loan } = await aBorrower();
    const quote = await tenant.post(`/loans/${loan.id}/payoff-quotes`, account({ on: '2026-03-01' }));
    const paid = await tenant.post(
      '/receipts',
      receipt(client, 'payoff', {
        amount: quote.body.owed.total,
        payoff_intent: true,
        designated_loan_id: loan.id,
        quote_id: quote.body.id,
      }),
    );
    expect(paid).toMatchObject({
      status: 201,
      body: { quoted_figure_agrees: true, loans: [{ loan_id: loan.id, discharged: true }] },
    });
  });

  test('is reversed once, and reads as if it had settled nothing', async () => {
    const { client } = await aBorrower();
    await tenant.post('/receipts', receipt(client, 'bounced'));
    const act = account({ reason: 'returned_by_bank' });
    const reversed = await tenant.post('/receipts/bounced/reversal', act);
    expect(reversed).toMatchObject({
      status: 201,
      body: { receipt: { reversed: true }, settled: pesos(0), loans: [] },
    });
    expect(await tenant.post('/receipts/bounced/reversal', act)).toMatchObject({ status: 200 });
    const second = await tenant.post('/receipts/bounced/reversal', account({ reason: 'other' }));
    expect(second).toMatchObject({ status: 409, body: { code: 'already_reversed' } });
    const absent = await tenant.post('/receipts/never-reported/reversal', account({ reason: 'other' }));
    expect(absent).toMatchObject({ status: 404, body: { code: 'no_receipt' } });
  });
});

describe('a batch of Receipts', () => {
  test('each stands or falls by itself, in its order, and the whole may be sent again', async () => {
    const { client } = await aBorrower();
    const other = (await aBorrower()).client;
    const receipts = [
      receipt(client, 'b-1'),
      receipt('nobody', 'b-2'),
      { client_id: client, amount: pesos(1), value_date: '2026-03-01' },
      receipt(other, 'b-3'),
      receipt(client, 'b-1'),
      receipt(client, 'b-1', { amount: pesos(1) }),
    ];
    const told = await tenant.post('/receipts/batch', { receipts });
    expect(told.status).toBe(200);
    const outcomes = told.body.outcomes.map(({ reference, status, code }: Record<string, unknown>) => [
      reference,
      status,
      code,
    ]);
    expect(outcomes).toEqual([
      ['b-1', 201, undefined],
      ['b-2', 422, 'unknown_client'],
      [undefined, 422, 'missing_field'],
      ['b-3', 201, undefined],
      ['b-1', 200, undefined],
      ['b-1', 409, 'reference_reused'],
    ]);
    const again = await tenant.post('/receipts/batch', { receipts });
    expect(again.body.outcomes.map(({ status }: { status: number }) => status)).toEqual([200, 422, 422, 200, 200, 409]);
    // Sent alone it is the same report.
    expect(await tenant.post('/receipts', receipts[3])).toMatchObject({ status: 200 });
  });

  test('takes up to a thousand, over many Clients, and no empty one', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => aBorrower()));
    const many = Array.from({ length: 1_000 }, (_, at) =>
      receipt(clients[at % 20]?.client as string, `many-${at}`, { amount: pesos(100) }),
    );
    const told = await tenant.post('/receipts/batch', { receipts: many });
    expect(new Set(told.body.outcomes.map(({ status }: { status: number }) => status))).toEqual(new Set([201]));
    expect(told.body.outcomes.map(({ reference }: { reference: string }) => reference)).toEqual(
      many.map((_, at) => `many-${at}`),
    );
    for (const receipts of [[], [...many, receipt('x', 'y')]]) {
      const refused = await tenant.post('/receipts/batch', { receipts });
      expect(refused).toMatchObject({ status: 422, body: { code: 'invalid_field', details: { field: '/receipts' } } });
    }
  });
});
