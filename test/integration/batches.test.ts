/** Many Receipts in one request: each is recorded or refused on its own, those of one Client in the given order. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectRefusal, Lender, pesos, receiptBody, uniqueReference } from '#test/support/lender.ts';
import { type TestResponse, testEnvironment } from '#test/support/tenant.ts';

let lender: Lender;
beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
});
afterAll(() => lender.close());

const send = (receipts: unknown): Promise<TestResponse> => lender.tenant.post('/receipts/batch', { receipts });

interface Outcome {
  readonly reference?: string;
  readonly status: number;
  readonly code?: string;
  // biome-ignore lint/suspicious/noExplicitAny: each test states what it expects of the Receipt
  readonly receipt?: any;
}

function outcomesOf(response: TestResponse): readonly Outcome[] {
  expect(response.status).toBe(200);
  expect(Object.keys(response.body)).toEqual(['outcomes']);
  return response.body.outcomes;
}

const statuses = (outcomes: readonly Outcome[]) =>
  outcomes.map(({ status, code }) => (code ? `${status} ${code}` : status));

describe('a batch', () => {
  test('of 1,000 Receipts of one Client, dated before 1,000 others, is recorded whole', async () => {
    const client = await lender.client();
    const loan = await lender.loan(client);
    const receiptsIn = (month: string) =>
      Array.from({ length: 1_000 }, (_, index) =>
        receiptBody(client, 1, `2026-${month}-${String(1 + (index % 28)).padStart(2, '0')}`),
      );
    const later = outcomesOf(await send(receiptsIn('03')));
    const earlier = outcomesOf(await send(receiptsIn('02')));

    expect(new Set([...statuses(later), ...statuses(earlier)])).toEqual(new Set([201]));
    const { body } = await lender.tenant.get(`/loans/${loan.id}`);
    expect(body.paid).toEqual(pesos(2_000));
  });

  test('answers each Receipt at its position, and a malformed one is refused alone', async () => {
    const [ana, bea] = [await lender.client(), await lender.client()];
    await lender.loan(ana);
    const first = receiptBody(ana, 500_00, '2026-03-01');
    const receipts = [
      first,
      receiptBody(uniqueReference('unknown'), 1, '2026-03-01'),
      { client_id: ana, amount: pesos(1), value_date: '2026-03-01' },
      receiptBody(bea, 7_00, '2026-03-01', { amount: { minor_units: 7_00, currency: 'MXN', cents: 0 } }),
      17,
      receiptBody(bea, 7_00, '2026-03-01', { payoff_intent: true }),
      receiptBody(bea, 7_00, '2026-03-01', { reference: ' ' }),
      receiptBody(bea, 9_00, '2026-03-01'),
      first,
      { ...first, amount: pesos(1) },
    ];
    const outcomes = outcomesOf(await send(receipts));
    expect(statuses(outcomes)).toEqual([
      201,
      '422 unknown_client',
      '422 missing_field',
      '422 unknown_field',
      '422 invalid_field',
      '422 payoff_needs_designation',
      '422 invalid_identifier',
      201,
      200,
      '409 reference_reused',
    ]);
    expect(outcomes.map(({ reference }) => reference)).toEqual(
      receipts.map((receipt) => (receipt as { reference?: string }).reference),
    );
    for (const at of [2, 4]) expect(outcomes[at]).not.toHaveProperty('reference');
    expect(outcomes[2]).toEqual({
      status: 422,
      code: 'missing_field',
      error: expect.any(String),
      retry: 'after_change',
      details: { field: '/reference' },
    });
    expect(outcomes[0]?.receipt).toMatchObject({ receipt: { client_id: ana }, settled: pesos(500_00) });
    expect(outcomes[8]?.receipt).toEqual(outcomes[0]?.receipt);
    expect(outcomes[9]).toMatchObject({ details: { recorded_id: outcomes[0]?.receipt.receipt.id } });
    for (const at of [1, 9]) expect(outcomes[at]).not.toHaveProperty('receipt');
  });

  test('records the Receipts of one Client in the given order', async () => {
    const [ana, bea] = [await lender.client(), await lender.client()];
    const loan = await lender.bnpl(ana);
    // Of the same day: the one recorded first is allocated first.
    const receipts = Array.from({ length: 12 }, (_, at) => [
      receiptBody(ana, 1_000_00, '2026-02-01', { context: { at } }),
      receiptBody(bea, 1_00, '2026-02-01'),
    ]).flat();
    const outcomes = outcomesOf(await send(receipts));
    expect(new Set(statuses(outcomes))).toEqual(new Set([201]));
    const ofAna = outcomes.filter((_, at) => at % 2 === 0).map(({ receipt }) => receipt);
    expect(ofAna.map(({ settled }) => settled.minor_units)).toEqual([...Array(10).fill(1_000_00), 0, 0]);
    expect(ofAna.map(({ surplus }) => surplus.minor_units)).toEqual([...Array(10).fill(0), 1_000_00, 1_000_00]);
    expect(ofAna[9].loans).toMatchObject([{ loan_id: loan.id, discharged: true }]);
    const moments = ofAna.map(({ receipt }) => receipt.reported_at);
    expect([...new Set(moments)].sort()).toEqual(moments);
  });

  test('can be repeated, and a Receipt sent alone afterwards is the same Receipt', async () => {
    const ana = await lender.client();
    const unknown = uniqueReference('c');
    const receipts = [receiptBody(ana, 1_00, '2026-03-01'), receiptBody(unknown, 2_00, '2026-03-01')];
    const first = outcomesOf(await send(receipts));
    expect(statuses(first)).toEqual([201, '422 unknown_client']);
    // The refused Receipt left its reference free and is recorded once the Client is registered.
    await lender.tenant.put(`/clients/${unknown}`, { actor: 'ana', basis: 'came in' });
    const again = outcomesOf(await send([...receipts, receiptBody(ana, 3_00, '2026-03-01')]));
    expect(statuses(again)).toEqual([200, 201, 201]);
    expect(again[0]?.receipt).toEqual(first[0]?.receipt);
    const alone = await lender.tenant.post('/receipts', receipts[1]);
    expect([alone.status, alone.body]).toEqual([200, again[1]?.receipt]);
    const reported = receiptBody(ana, 4_00, '2026-03-01');
    const { body } = await lender.tenant.post('/receipts', reported);
    expect(outcomesOf(await send([reported]))).toEqual([{ reference: reported.reference, status: 200, receipt: body }]);
  });

  test('sent twice concurrently records each Receipt once', async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, () => lender.client()));
    const receipts = clients.flatMap((client) => [
      receiptBody(client, 1_00, '2026-03-01'),
      receiptBody(client, 2_00, '2026-03-01'),
    ]);
    const [once, twice] = (await Promise.all([send(receipts), send([...receipts].reverse())])).map(outcomesOf);
    const reversed = [...(twice as readonly Outcome[])].reverse();
    for (const [at, outcome] of (once as readonly Outcome[]).entries()) {
      expect([outcome.status, reversed[at]?.status].sort()).toEqual([200, 201]);
      expect(reversed[at]?.receipt.receipt).toEqual(outcome.receipt.receipt);
    }
  });

  test('gives a reference that two Clients claim concurrently to one of them', async () => {
    const [ana, bea] = [await lender.client(), await lender.client()];
    const references = Array.from({ length: 10 }, () => uniqueReference('receipt'));
    const of = (client: string) =>
      references.map((reference) => receiptBody(client, 1_00, '2026-03-01', { reference }));
    const [ofAna, ofBea] = (await Promise.all([send(of(ana)), send(of(bea))])).map(outcomesOf);
    for (const [at, outcome] of (ofAna as readonly Outcome[]).entries()) {
      expect([outcome.status, ofBea?.[at]?.status].sort()).toEqual([201, 409]);
    }
    const both = references.map((reference) =>
      [ana, bea].map((client) => receiptBody(client, 1_00, '2026-03-01', { reference })),
    );
    const within = outcomesOf(await send(both.flat()));
    expect(within.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), ...Array(10).fill(409)]);
  });

  test('that names several Clients under one reference records one Receipt', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => lender.client()));
    const reference = uniqueReference('receipt');
    const outcomes = outcomesOf(
      await send(clients.map((client) => receiptBody(client, 1_00, '2026-03-01', { reference }))),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  test('records a thousand Receipts of many Clients', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => lender.client()));
    const many = Array.from({ length: 1_000 }, (_, at) => receiptBody(clients[at % 20] as string, 1_00, '2026-03-01'));
    const outcomes = outcomesOf(await send(many));
    expect(new Set(statuses(outcomes))).toEqual(new Set([201]));
    expect(outcomes.map(({ reference }) => reference)).toEqual(many.map(({ reference }) => reference));
  });

  test('is refused as a whole unless it is a list of 1 to 1,000', async () => {
    const receipt = receiptBody(uniqueReference('c'), 1_00, '2026-03-01');
    for (const receipts of [[], Array(1_001).fill(receipt), { 0: receipt }, null]) {
      expectRefusal(await send(receipts), 422, 'invalid_field', { field: '/receipts' });
    }
    expectRefusal(await lender.tenant.post('/receipts/batch', {}), 422, 'missing_field', { field: '/receipts' });
    const more = await lender.tenant.post('/receipts/batch', { receipts: [receipt], atomic: true });
    expectRefusal(more, 422, 'unknown_field', { field: '/atomic' });
  });
});
