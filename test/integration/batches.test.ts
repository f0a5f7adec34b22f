/** Many Receipts in one request: each stands or falls by itself, those of one Client in their order. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aReceipt, Desk, expectRefused, newReference, pesos } from './desk.ts';
import { house, type Told } from './tenant.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open(house());
});
afterAll(() => desk.close());

const send = (receipts: unknown): Promise<Told> => desk.tenant.post('/receipts/batch', { receipts });

interface Outcome {
  readonly reference?: string;
  readonly status: number;
  readonly code?: string;
  // biome-ignore lint/suspicious/noExplicitAny: what came is what the journey says
  readonly receipt?: any;
}

function outcomesOf(told: Told): readonly Outcome[] {
  expect(told.status).toBe(200);
  expect(Object.keys(told.body)).toEqual(['outcomes']);
  return told.body.outcomes;
}

const statuses = (outcomes: readonly Outcome[]) =>
  outcomes.map(({ status, code }) => (code ? `${status} ${code}` : status));

describe('a batch', () => {
  test('answers each Receipt in its place, and a malformed one falls alone', async () => {
    const [ana, bea] = [await desk.client(), await desk.client()];
    await desk.loan(ana);
    const first = aReceipt(ana, 500_00, '2026-03-01');
    const receipts = [
      first,
      aReceipt(newReference('nobody'), 1, '2026-03-01'),
      { client_id: ana, amount: pesos(1), value_date: '2026-03-01' },
      aReceipt(bea, 7_00, '2026-03-01', { amount: { minor_units: 7_00, currency: 'MXN', cents: 0 } }),
      17,
      aReceipt(bea, 7_00, '2026-03-01', { payoff_intent: true }),
      aReceipt(bea, 7_00, '2026-03-01', { reference: ' ' }),
      aReceipt(bea, 9_00, '2026-03-01'),
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

  test('takes the Receipts of one Client in its order', async () => {
    const [ana, bea] = [await desk.client(), await desk.client()];
    const loan = await desk.bnpl(ana);
    // Of one day: the one recorded first is placed first.
    const receipts = Array.from({ length: 12 }, (_, at) => [
      aReceipt(ana, 1_000_00, '2026-02-01', { context: { at } }),
      aReceipt(bea, 1_00, '2026-02-01'),
    ]).flat();
    const outcomes = outcomesOf(await send(receipts));
    expect(new Set(statuses(outcomes))).toEqual(new Set([201]));
    const anas = outcomes.filter((_, at) => at % 2 === 0).map(({ receipt }) => receipt);
    expect(anas.map(({ settled }) => settled.minor_units)).toEqual([...Array(10).fill(1_000_00), 0, 0]);
    expect(anas.map(({ surplus }) => surplus.minor_units)).toEqual([...Array(10).fill(0), 1_000_00, 1_000_00]);
    expect(anas[9].loans).toMatchObject([{ loan_id: loan.id, discharged: true }]);
    const moments = anas.map(({ receipt }) => receipt.reported_at);
    expect([...new Set(moments)].sort()).toEqual(moments);
  });

  test('sent again is safe, Receipt by Receipt, and one sent alone is the same report', async () => {
    const ana = await desk.client();
    const unknown = newReference('c');
    const receipts = [aReceipt(ana, 1_00, '2026-03-01'), aReceipt(unknown, 2_00, '2026-03-01')];
    const first = outcomesOf(await send(receipts));
    expect(statuses(first)).toEqual([201, '422 unknown_client']);
    // What was refused left its reference free, and is taken once the Client is known.
    await desk.tenant.put(`/clients/${unknown}`, { actor: 'ana', basis: 'came in' });
    const again = outcomesOf(await send([...receipts, aReceipt(ana, 3_00, '2026-03-01')]));
    expect(statuses(again)).toEqual([200, 201, 201]);
    expect(again[0]?.receipt).toEqual(first[0]?.receipt);
    const alone = await desk.tenant.post('/receipts', receipts[1]);
    expect([alone.status, alone.body]).toEqual([200, again[1]?.receipt]);
    const reported = aReceipt(ana, 4_00, '2026-03-01');
    const { body } = await desk.tenant.post('/receipts', reported);
    expect(outcomesOf(await send([reported]))).toEqual([{ reference: reported.reference, status: 200, receipt: body }]);
  });

  test('sent twice at the same moment records each Receipt once', async () => {
    const clients = await Promise.all(Array.from({ length: 6 }, () => desk.client()));
    const receipts = clients.flatMap((client) => [
      aReceipt(client, 1_00, '2026-03-01'),
      aReceipt(client, 2_00, '2026-03-01'),
    ]);
    const [once, twice] = (await Promise.all([send(receipts), send([...receipts].reverse())])).map(outcomesOf);
    const turned = [...(twice as readonly Outcome[])].reverse();
    for (const [at, outcome] of (once as readonly Outcome[]).entries()) {
      expect([outcome.status, turned[at]?.status].sort()).toEqual([200, 201]);
      expect(turned[at]?.receipt.receipt).toEqual(outcome.receipt.receipt);
    }
  });

  test('of two that give one reference to two Clients, each reference goes to one', async () => {
    const [ana, bea] = [await desk.client(), await desk.client()];
    const words = Array.from({ length: 10 }, () => newReference('receipt'));
    const of = (client: string) => words.map((reference) => aReceipt(client, 1_00, '2026-03-01', { reference }));
    const [anas, beas] = (await Promise.all([send(of(ana)), send(of(bea))])).map(outcomesOf);
    for (const [at, outcome] of (anas as readonly Outcome[]).entries()) {
      expect([outcome.status, beas?.[at]?.status].sort()).toEqual([201, 409]);
    }
    const both = words.map((reference) =>
      [ana, bea].map((client) => aReceipt(client, 1_00, '2026-03-01', { reference })),
    );
    const within = outcomesOf(await send(both.flat()));
    expect(within.map(({ status }) => status).sort()).toEqual([...Array(10).fill(200), ...Array(10).fill(409)]);
  });

  test('takes one reference for two Clients by whichever is decided first', async () => {
    const clients = await Promise.all(Array.from({ length: 8 }, () => desk.client()));
    const reference = newReference('receipt');
    const outcomes = outcomesOf(
      await send(clients.map((client) => aReceipt(client, 1_00, '2026-03-01', { reference }))),
    );
    expect(outcomes.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
  });

  test('takes a thousand, over many Clients', async () => {
    const clients = await Promise.all(Array.from({ length: 20 }, () => desk.client()));
    const many = Array.from({ length: 1_000 }, (_, at) => aReceipt(clients[at % 20] as string, 1_00, '2026-03-01'));
    const outcomes = outcomesOf(await send(many));
    expect(new Set(statuses(outcomes))).toEqual(new Set([201]));
    expect(outcomes.map(({ reference }) => reference)).toEqual(many.map(({ reference }) => reference));
  });

  test('is refused whole where it is no list of 1 to 1,000', async () => {
    const receipt = aReceipt(newReference('c'), 1_00, '2026-03-01');
    for (const receipts of [[], Array(1_001).fill(receipt), { 0: receipt }, null]) {
      expectRefused(await send(receipts), 422, 'invalid_field', { field: '/receipts' });
    }
    expectRefused(await desk.tenant.post('/receipts/batch', {}), 422, 'missing_field', { field: '/receipts' });
    const more = await desk.tenant.post('/receipts/batch', { receipts: [receipt], atomic: true });
    expectRefused(more, 422, 'unknown_field', { field: '/atomic' });
  });
});
