/** Receipts: reported once, allocated to what is owed, and refused when they name something wrong. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RefusalCode } from '#libs/schema/refusals.ts';
import { expectRefusal, Lender, pesos, receiptBody, requireStatus, uniqueReference } from '#test/support/lender.ts';
import { attributed } from '#test/support/request-bodies.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: Lender;
beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
});
afterAll(() => lender.close());

const unknownId = '01890000-0000-7000-8000-000000000000';

describe('a Receipt', () => {
  test('is answered with its allocation, and an identical report answers the same Receipt', async () => {
    const client = await lender.client();
    const loan = await lender.loan(client);
    const body = receiptBody(client, 500_00, '2026-03-01', {
      rail: 'bank_transfer',
      provider_reference: 'spei-7',
      context: { teller: 9 },
    });
    const first = await lender.tenant.post('/receipts', body);
    expect(first.status).toBe(201);
    expect(first.body).toEqual({
      receipt: {
        id: expect.any(String),
        payoff_intent: false,
        reported_at: expect.stringMatching(/\.\d{6}Z$/),
        reversed: false,
        ...body,
      },
      settled: pesos(500_00),
      loans: [
        {
          loan_id: loan.id,
          reference: loan.terms.reference,
          settled: expect.objectContaining({ total: pesos(500_00) }),
          lines: expect.any(Array),
          discharged: false,
        },
      ],
      surplus: pesos(0),
      anomalies: [],
    });
    const [{ lines, settled }] = first.body.loans;
    const total = lines.reduce((sum: number, line: typeof settled) => sum + line.total.minor_units, 0);
    expect(total).toBe(500_00);
    const again = await lender.tenant.post('/receipts', body);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await lender.tenant.post('/receipts', { ...body, rail: 'cash' });
    expectRefusal(other, 409, 'reference_reused', { recorded_id: first.body.receipt.id });
  });

  test('repeated later is answered as it is by then', async () => {
    const client = await lender.client();
    await lender.loan(client);
    const body = receiptBody(client, 500_00, '2026-03-01');
    requireStatus(await lender.tenant.post('/receipts', body), 201);
    const earlier = await lender.pay(client, 5_000_00, '2026-02-16');
    expect(earlier.settled).toEqual(pesos(5_000_00));
    await lender.reverse(body.reference);
    const again = await lender.tenant.post('/receipts', body);
    expect(again).toMatchObject({ status: 200, body: { receipt: { reversed: true }, settled: pesos(0), loans: [] } });
  });

  test('of more than the Client owes leaves the rest as surplus', async () => {
    const client = await lender.client();
    const paid = await lender.pay(client, 77_00, '2026-03-01');
    expect(paid).toMatchObject({ settled: pesos(0), surplus: pesos(77_00), loans: [] });
    const loan = await lender.bnpl(client);
    const all = await lender.pay(client, 10_077_00, '2026-02-01');
    expect(all).toMatchObject({ settled: pesos(10_000_00), surplus: pesos(77_00) });
    expect(all.loans).toMatchObject([{ loan_id: loan.id, discharged: true }]);
  });

  test('designated to a Loan pays that Loan only', async () => {
    const client = await lender.client();
    await lender.loan(client, { anchor: '2026-01-01' });
    const named = await lender.loan(client);
    const paid = await lender.pay(client, 300_00, '2026-03-20', { designated_loan_id: named.id.toUpperCase() });
    expect(paid.loans).toMatchObject([{ loan_id: named.id }]);
    expect(paid.settled).toEqual(pesos(300_00));
  });

  test('without a designation pays what fell due first, across all Loans', async () => {
    const client = await lender.client();
    const later = await lender.loan(client);
    const earlier = await lender.loan(client, { anchor: '2026-01-01' });
    const [{ payment }] = earlier.periods;
    const paid = await lender.pay(client, payment.minor_units + 1_00, '2026-02-20');
    expect(paid.loans.map((each: { loan_id: string }) => each.loan_id).sort()).toEqual([earlier.id, later.id].sort());
    const first = paid.loans.find((each: { loan_id: string }) => each.loan_id === earlier.id);
    expect(first.settled.total).toEqual(payment);
  });

  test.each([
    ['cancelled', 'cancel', { on: '2026-01-20' }],
    ['rescinded', 'rescind', { on: '2026-01-20' }],
  ])('designated to a %s Loan is surplus', async (_, segment, stated) => {
    const client = await lender.client();
    await lender.loan(client);
    const { id } = await lender.loanAfterAct(client, segment, stated);
    const paid = await lender.pay(client, 300_00, '2026-03-20', { designated_loan_id: id });
    expect(paid).toMatchObject({ settled: pesos(0), surplus: pesos(300_00), loans: [] });
  });

  test('dated before the anchor of the Loan is surplus', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    const paid = await lender.pay(client, 300_00, '2026-01-14', { designated_loan_id: id });
    expect(paid.surplus).toEqual(pesos(300_00));
  });

  test('meant as payoff discharges the Loan; a smaller amount is allocated normally and marked as short', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    const payoff = { designated_loan_id: id, payoff_intent: true };
    const short = await lender.pay(client, 100_00, '2026-02-01', payoff);
    expect(short).toMatchObject({ settled: pesos(100_00), loans: [{ discharged: false }] });
    const { reference } = short.receipt;
    expect(short.anomalies).toMatchObject([{ kind: 'payoff_short', facts: [{ type: 'receipt', id: reference }] }]);
    const full = await lender.pay(client, 15_000_00, '2026-02-01', payoff);
    expect(full).toMatchObject({ loans: [{ loan_id: id, discharged: true }], anomalies: [] });
    const closed = await lender.sendAct(id, 'write-off', { on: '2026-06-01', ...attributed() });
    expectRefusal(closed, 409, 'loan_closed');
    const response = await lender.act(id, 'return', { on: '2026-02-10', amount: pesos(1_00) });
    expect(response).toMatchObject({ state: 'closed', closed_on: '2026-02-01', owes: false });
    expect(response.events.at(-1)).toEqual({ kind: 'settled', occurred_on: '2026-02-01' });
  });

  test('dated up to the day of the cession still pays a ceded Loan', async () => {
    const client = await lender.client();
    const { id } = await lender.loanAfterAct(client, 'cession', { on: '2026-06-01' });
    const paid = await lender.pay(client, 300_00, '2026-06-01', { designated_loan_id: id });
    expect(paid.settled).toEqual(pesos(300_00));
  });
});

describe('a Receipt is refused', () => {
  /** An expected refusal, and the correction that leads to the next one. */
  type ExpectedRefusal = readonly [status: number, code: RefusalCode, details: object | undefined, correction: object];

  test('in a fixed order, from missing members to the quote it names', async () => {
    const client = await lender.client();
    const otherClient = await lender.client();
    const held = await lender.loan(client, { hold_until: '2026-02-14' });
    const ceded = await lender.loanAfterAct(client, 'cession', { on: '2026-06-01' });
    const open = await lender.loan(client);
    const of = async (loanId: string) =>
      requireStatus(await lender.sendAct(loanId, 'payoff-quotes', { on: '2026-06-02', ...attributed() }), 201).body.id;
    const taken = await lender.pay(otherClient, 1_00, '2026-06-02');
    const refusals: readonly ExpectedRefusal[] = [
      [422, 'unknown_field', { field: '/colour' }, { colour: undefined, amount: undefined }],
      [422, 'missing_field', { field: '/amount' }, { amount: { minor_units: 0, currency: 'USD' } }],
      [422, 'invalid_field', { field: '/amount/minor_units' }, { amount: { minor_units: 100, currency: 'USD' } }],
      [422, 'payoff_needs_designation', undefined, { designated_loan_id: unknownId }],
      [409, 'reference_reused', { recorded_id: taken.receipt.id }, { reference: uniqueReference('receipt') }],
      [422, 'unknown_client', { field: '/client_id' }, { client_id: otherClient, designated_loan_id: held.id }],
      [422, 'unknown_loan', { field: '/designated_loan_id' }, { client_id: client }],
      [422, 'currency_mismatch', { field: '/amount/currency', bound: 'MXN', observed: 'USD' }, { amount: pesos(1_00) }],
      [409, 'loan_held', undefined, { designated_loan_id: ceded.id }],
      [
        409,
        'cession_in_force',
        { bound: '2026-06-01', observed: '2026-06-02' },
        { designated_loan_id: open.id, quote_id: unknownId },
      ],
      [404, 'no_quote', { field: '/quote_id' }, { quote_id: await of(ceded.id) }],
      [404, 'no_quote', { field: '/quote_id' }, { quote_id: await of(open.id) }],
    ];
    let stated: Record<string, unknown> = receiptBody(uniqueReference('c'), 1_00, '2026-06-02', {
      reference: taken.receipt.reference,
      colour: 'blue',
      quote_id: unknownId,
      payoff_intent: true,
    });
    for (const [status, code, details, correction] of refusals) {
      expectRefusal(await lender.tenant.post('/receipts', stated), status, code, details);
      stated = { ...stated, ...correction };
    }
    const response = await lender.tenant.post('/receipts', stated);
    expect([response.status, response.body.receipt.reference]).toEqual([201, stated['reference']]);
  });

  test.each([
    ['without a day', { value_date: undefined }, 'missing_field', '/value_date'],
    ['without a Client', { client_id: undefined }, 'missing_field', '/client_id'],
    ['over an unknown rail', { rail: 'pigeon' }, 'invalid_field', '/rail'],
    ['for a Loan id that is not a UUID', { designated_loan_id: '17' }, 'invalid_identifier', '/designated_loan_id'],
    ['with a quote id that is not a UUID', { quote_id: 17 }, 'invalid_field', '/quote_id'],
    ['of a negative amount', { amount: pesos(-1) }, 'invalid_field', '/amount/minor_units'],
    ['above 2^53 - 1', { amount: pesos(2 ** 53) }, 'amount_out_of_range', '/amount/minor_units'],
    ['in an unknown currency', { amount: { minor_units: 1, currency: 'pesos' } }, 'invalid_field', '/amount/currency'],
    ['with null for an absent member', { rail: null }, 'invalid_field', '/rail'],
    [
      'under a reference longer than 128 characters',
      { reference: 'r'.repeat(129) },
      'invalid_identifier',
      '/reference',
    ],
    ['under a reference that is a path segment', { reference: '..' }, 'invalid_identifier', '/reference'],
    ['meant as payoff without a Loan', { payoff_intent: true }, 'payoff_needs_designation', '/designated_loan_id'],
  ] as const)('%s', async (_, over, code, field) => {
    const body = receiptBody(uniqueReference('c'), 1_00, '2026-03-01', over);
    expectRefusal(await lender.tenant.post('/receipts', body), 422, code, { field });
  });
});

describe('a reversal', () => {
  test('makes the Receipt read as if it had settled nothing', async () => {
    const client = await lender.client();
    const loan = await lender.loan(client);
    const paid = await lender.pay(client, 20_000_00, '2026-02-01', {
      designated_loan_id: loan.id,
      payoff_intent: true,
    });
    expect(paid.loans).toMatchObject([{ discharged: true }]);
    const { reference } = paid.receipt;
    const body = { reason: 'chargeback', ...attributed({ context: { case: 3 } }) };
    const path = `/receipts/${reference}/reversal`;
    const response = await lender.tenant.post(path, body);
    expect(response.status).toBe(201);
    expect(response.body).toEqual({
      receipt: {
        ...paid.receipt,
        reversed: true,
        reversed_at: expect.stringMatching(/\.\d{6}Z$/),
        reversal: body,
      },
      settled: pesos(0),
      loans: [],
      surplus: pesos(0),
      anomalies: [],
    });
    const again = await lender.tenant.post(path, body);
    expect([again.status, again.body]).toEqual([200, response.body]);
    expectRefusal(await lender.tenant.post(path, { ...body, reason: 'other' }), 409, 'reference_reused');
    expectRefusal(await lender.reverse(reference), 409, 'already_reversed');
    // The Loan is open again.
    expect(await lender.act(loan.id, 'write-off', { on: '2026-06-01' })).toMatchObject({ state: 'written_off' });
  });

  test.each([
    ['ceded', 'cession', 'reversal_after_cession'],
    ['written_off', 'write-off', 'reversal_after_write_off'],
  ])('is recorded although the Loan is %s, and shows there as an anomaly', async (state, segment, kind) => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    const { receipt } = await lender.pay(client, 300_00, '2026-03-01');
    const body = { on: '2026-06-01', ...attributed() };
    requireStatus(await lender.sendAct(id, segment, body), 201);
    const reversed = await lender.reverse(receipt.reference, { reason: 'reported_in_error' });
    expect([reversed.status, reversed.body.receipt.reversed]).toEqual([201, true]);
    const { reference: reversal } = reversed.body.receipt.reversal;
    const loan = (await lender.sendAct(id, segment, body)).body;
    expect(loan).toMatchObject({
      state,
      anomalies: [{ kind, facts: [{ type: 'event' }, { type: 'reversal', id: reversal }] }],
    });
  });

  test('of an unknown Receipt is not found', async () => {
    expectRefusal(await lender.reverse(uniqueReference('never')), 404, 'no_receipt');
    const other = await Lender.open(testEnvironment());
    const { receipt } = await other.pay(await other.client(), 1_00, '2026-03-01');
    expectRefusal(await lender.reverse(receipt.reference), 404, 'no_receipt');
    await other.close();
  });

  test('needs a reason, which may be any text', async () => {
    const client = await lender.client();
    const { receipt } = await lender.pay(client, 1_00, '2026-03-01');
    expectRefusal(await lender.reverse(receipt.reference, { reason: undefined }), 422, 'missing_field', {
      field: '/reason',
    });
    expectRefusal(await lender.reverse(receipt.reference, { on: '2026-03-01' }), 422, 'unknown_field', {
      field: '/on',
    });
    const response = await lender.reverse(receipt.reference, { reason: 'the vault flooded' });
    expect([response.status, response.body.receipt.reversal.reason]).toEqual([201, 'the vault flooded']);
  });

  test('finds a Receipt whose reference must be escaped in the path', async () => {
    const client = await lender.client();
    const reference = `SPEI 50% / ñ ? # ${uniqueReference('r')} é\u0301 😀`;
    const { receipt } = await lender.pay(client, 1_00, '2026-03-01', { reference });
    expect(receipt.reference).toBe(reference);
    const response = await lender.reverse(reference);
    expect([response.status, response.body.receipt.reference]).toEqual([201, reference]);
  });
});
