/** Money that arrived: reported once, placed where it is owed, and refused for what it names wrongly. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RefusalCode } from '#libs/schema/refusals.ts';
import { aReceipt, Desk, expectRefused, mustBe, newReference, pesos } from './desk.ts';
import { account } from './given-loans.ts';
import { house } from './tenant.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open(house());
});
afterAll(() => desk.close());

const absent = '01890000-0000-7000-8000-000000000000';

describe('a Receipt', () => {
  test('is answered with its row and where its money went, and reported again it is the same Receipt', async () => {
    const client = await desk.client();
    const loan = await desk.loan(client);
    const body = aReceipt(client, 500_00, '2026-03-01', {
      rail: 'bank_transfer',
      provider_reference: 'spei-7',
      context: { teller: 9 },
    });
    const first = await desk.tenant.post('/receipts', body);
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
    const again = await desk.tenant.post('/receipts', body);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await desk.tenant.post('/receipts', { ...body, rail: 'cash' });
    expectRefused(other, 409, 'reference_reused', { recorded_id: first.body.receipt.id });
  });

  test('reported again after something else reads as it reads by then', async () => {
    const client = await desk.client();
    await desk.loan(client);
    const body = aReceipt(client, 500_00, '2026-03-01');
    mustBe(await desk.tenant.post('/receipts', body), 201);
    const earlier = await desk.pay(client, 5_000_00, '2026-02-16');
    expect(earlier.settled).toEqual(pesos(5_000_00));
    await desk.reverse(body.reference);
    const again = await desk.tenant.post('/receipts', body);
    expect(again).toMatchObject({ status: 200, body: { receipt: { reversed: true }, settled: pesos(0), loans: [] } });
  });

  test('of more than the Client owes anywhere leaves the rest as surplus', async () => {
    const client = await desk.client();
    const paid = await desk.pay(client, 77_00, '2026-03-01');
    expect(paid).toMatchObject({ settled: pesos(0), surplus: pesos(77_00), loans: [] });
    const loan = await desk.bnpl(client);
    const all = await desk.pay(client, 10_077_00, '2026-02-01');
    expect(all).toMatchObject({ settled: pesos(10_000_00), surplus: pesos(77_00) });
    expect(all.loans).toMatchObject([{ loan_id: loan.id, discharged: true }]);
  });

  test('designated to a Loan pays that Loan alone', async () => {
    const client = await desk.client();
    await desk.loan(client, { anchor: '2026-01-01' });
    const named = await desk.loan(client);
    const paid = await desk.pay(client, 300_00, '2026-03-20', { designated_loan_id: named.id.toUpperCase() });
    expect(paid.loans).toMatchObject([{ loan_id: named.id }]);
    expect(paid.settled).toEqual(pesos(300_00));
  });

  test('without a designation pays what fell due first, whatever Loan it is of', async () => {
    const client = await desk.client();
    const later = await desk.loan(client);
    const earlier = await desk.loan(client, { anchor: '2026-01-01' });
    const [{ payment }] = earlier.periods;
    const paid = await desk.pay(client, payment.minor_units + 1_00, '2026-02-20');
    expect(paid.loans.map((each: { loan_id: string }) => each.loan_id).sort()).toEqual([earlier.id, later.id].sort());
    const first = paid.loans.find((each: { loan_id: string }) => each.loan_id === earlier.id);
    expect(first.settled.total).toEqual(payment);
  });

  test.each([
    ['cancelled', 'cancel', { on: '2026-01-20' }],
    ['rescinded', 'rescind', { on: '2026-01-20' }],
  ])('designated to a %s Loan is surplus whole', async (_, segment, stated) => {
    const client = await desk.client();
    await desk.loan(client);
    const { id } = await desk.loanAfter(client, segment, stated);
    const paid = await desk.pay(client, 300_00, '2026-03-20', { designated_loan_id: id });
    expect(paid).toMatchObject({ settled: pesos(0), surplus: pesos(300_00), loans: [] });
  });

  test('dated before the Loan begins is surplus', async () => {
    const client = await desk.client();
    const { id } = await desk.loan(client);
    const paid = await desk.pay(client, 300_00, '2026-01-14', { designated_loan_id: id });
    expect(paid.surplus).toEqual(pesos(300_00));
  });

  test('meant as payoff discharges the Loan; short of it, it is ordinary money and says so', async () => {
    const client = await desk.client();
    const { id } = await desk.loan(client);
    const payoff = { designated_loan_id: id, payoff_intent: true };
    const short = await desk.pay(client, 100_00, '2026-02-01', payoff);
    expect(short).toMatchObject({ settled: pesos(100_00), loans: [{ discharged: false }] });
    const { reference } = short.receipt;
    expect(short.anomalies).toMatchObject([{ kind: 'payoff_short', facts: [{ type: 'receipt', id: reference }] }]);
    const whole = await desk.pay(client, 15_000_00, '2026-02-01', payoff);
    expect(whole).toMatchObject({ loans: [{ loan_id: id, discharged: true }], anomalies: [] });
    const closed = await desk.send(id, 'write-off', { on: '2026-06-01', ...account() });
    expectRefused(closed, 409, 'loan_closed');
    const told = await desk.act(id, 'return', { on: '2026-02-10', amount: pesos(1_00) });
    expect(told).toMatchObject({ state: 'closed', closed_on: '2026-02-01', owes: false });
    expect(told.events.at(-1)).toEqual({ kind: 'settled', occurred_on: '2026-02-01' });
  });

  test('reaches a ceded Loan up to its cut-off', async () => {
    const client = await desk.client();
    const { id } = await desk.loanAfter(client, 'cession', { on: '2026-06-01' });
    const paid = await desk.pay(client, 300_00, '2026-06-01', { designated_loan_id: id });
    expect(paid.settled).toEqual(pesos(300_00));
  });
});

describe('a Receipt is refused', () => {
  /** A refusal, and the mend of the one thing refused. */
  type Rung = readonly [status: number, code: RefusalCode, details: object | undefined, mend: object];

  test('in one order, from what it lacks to the quote it names', async () => {
    const client = await desk.client();
    const stranger = await desk.client();
    const held = await desk.loan(client, { hold_until: '2026-02-14' });
    const ceded = await desk.loanAfter(client, 'cession', { on: '2026-06-01' });
    const open = await desk.loan(client);
    const of = async (loanId: string) =>
      mustBe(await desk.send(loanId, 'payoff-quotes', { on: '2026-06-02', ...account() }), 201).body.id;
    const taken = await desk.pay(stranger, 1_00, '2026-06-02');
    const ladder: readonly Rung[] = [
      [422, 'unknown_field', { field: '/colour' }, { colour: undefined, amount: undefined }],
      [422, 'missing_field', { field: '/amount' }, { amount: { minor_units: 0, currency: 'USD' } }],
      [422, 'invalid_field', { field: '/amount/minor_units' }, { amount: { minor_units: 100, currency: 'USD' } }],
      [422, 'payoff_needs_designation', undefined, { designated_loan_id: absent }],
      [409, 'reference_reused', { recorded_id: taken.receipt.id }, { reference: newReference('receipt') }],
      [422, 'unknown_client', { field: '/client_id' }, { client_id: stranger, designated_loan_id: held.id }],
      [422, 'unknown_loan', { field: '/designated_loan_id' }, { client_id: client }],
      [422, 'currency_mismatch', { field: '/amount/currency', bound: 'MXN', observed: 'USD' }, { amount: pesos(1_00) }],
      [409, 'loan_held', undefined, { designated_loan_id: ceded.id }],
      [
        409,
        'cession_in_force',
        { bound: '2026-06-01', observed: '2026-06-02' },
        { designated_loan_id: open.id, quote_id: absent },
      ],
      [404, 'no_quote', { field: '/quote_id' }, { quote_id: await of(ceded.id) }],
      [404, 'no_quote', { field: '/quote_id' }, { quote_id: await of(open.id) }],
    ];
    let stated: Record<string, unknown> = aReceipt(newReference('c'), 1_00, '2026-06-02', {
      reference: taken.receipt.reference,
      colour: 'blue',
      quote_id: absent,
      payoff_intent: true,
    });
    for (const [status, code, details, mend] of ladder) {
      expectRefused(await desk.tenant.post('/receipts', stated), status, code, details);
      stated = { ...stated, ...mend };
    }
    const told = await desk.tenant.post('/receipts', stated);
    expect([told.status, told.body.receipt.reference]).toEqual([201, stated['reference']]);
  });

  test.each([
    ['without a day', { value_date: undefined }, 'missing_field', '/value_date'],
    ['without a Client', { client_id: undefined }, 'missing_field', '/client_id'],
    ['over no rail there is', { rail: 'pigeon' }, 'invalid_field', '/rail'],
    ['for a Loan that is no UUID', { designated_loan_id: '17' }, 'invalid_identifier', '/designated_loan_id'],
    ['with a quote that is no UUID', { quote_id: 17 }, 'invalid_field', '/quote_id'],
    ['of less than nothing', { amount: pesos(-1) }, 'invalid_field', '/amount/minor_units'],
    ['beyond exact numbers', { amount: pesos(2 ** 53) }, 'amount_out_of_range', '/amount/minor_units'],
    ['in no currency', { amount: { minor_units: 1, currency: 'pesos' } }, 'invalid_field', '/amount/currency'],
    ['with null for what is left out', { rail: null }, 'invalid_field', '/rail'],
    ['under a reference longer than 128', { reference: 'r'.repeat(129) }, 'invalid_identifier', '/reference'],
    ['under a reference of a path', { reference: '..' }, 'invalid_identifier', '/reference'],
    ['meant as payoff of no Loan', { payoff_intent: true }, 'payoff_needs_designation', '/designated_loan_id'],
  ] as const)('%s', async (_, over, code, field) => {
    const body = aReceipt(newReference('c'), 1_00, '2026-03-01', over);
    expectRefused(await desk.tenant.post('/receipts', body), 422, code, { field });
  });
});

describe('a reversal', () => {
  test('tells what happened to the money: the Receipt reads as if it had settled nothing', async () => {
    const client = await desk.client();
    const loan = await desk.loan(client);
    const paid = await desk.pay(client, 20_000_00, '2026-02-01', { designated_loan_id: loan.id, payoff_intent: true });
    expect(paid.loans).toMatchObject([{ discharged: true }]);
    const { reference } = paid.receipt;
    const body = { reason: 'chargeback', ...account({ context: { case: 3 } }) };
    const path = `/receipts/${reference}/reversal`;
    const told = await desk.tenant.post(path, body);
    expect(told.status).toBe(201);
    expect(told.body).toEqual({
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
    const again = await desk.tenant.post(path, body);
    expect([again.status, again.body]).toEqual([200, told.body]);
    expectRefused(await desk.tenant.post(path, { ...body, reason: 'other' }), 409, 'reference_reused');
    expectRefused(await desk.reverse(reference), 409, 'already_reversed');
    // The Loan is owed again.
    expect(await desk.act(loan.id, 'write-off', { on: '2026-06-01' })).toMatchObject({ state: 'written_off' });
  });

  test.each([
    ['ceded', 'cession', 'reversal_after_cession'],
    ['written_off', 'write-off', 'reversal_after_write_off'],
  ])('is taken though the Loan is %s, and shows there as an anomaly', async (state, segment, kind) => {
    const client = await desk.client();
    const { id } = await desk.loan(client);
    const { receipt } = await desk.pay(client, 300_00, '2026-03-01');
    const body = { on: '2026-06-01', ...account() };
    mustBe(await desk.send(id, segment, body), 201);
    const reversed = await desk.reverse(receipt.reference, { reason: 'reported_in_error' });
    expect([reversed.status, reversed.body.receipt.reversed]).toEqual([201, true]);
    const { reference: reversal } = reversed.body.receipt.reversal;
    const loan = (await desk.send(id, segment, body)).body;
    expect(loan).toMatchObject({
      state,
      anomalies: [{ kind, facts: [{ type: 'event' }, { type: 'reversal', id: reversal }] }],
    });
  });

  test('of a Receipt nobody reported finds none', async () => {
    expectRefused(await desk.reverse(newReference('never')), 404, 'no_receipt');
    const other = await Desk.open(house());
    const { receipt } = await other.pay(await other.client(), 1_00, '2026-03-01');
    expectRefused(await desk.reverse(receipt.reference), 404, 'no_receipt');
    await other.close();
  });

  test('may have any reason, and has one', async () => {
    const client = await desk.client();
    const { receipt } = await desk.pay(client, 1_00, '2026-03-01');
    expectRefused(await desk.reverse(receipt.reference, { reason: undefined }), 422, 'missing_field', {
      field: '/reason',
    });
    expectRefused(await desk.reverse(receipt.reference, { on: '2026-03-01' }), 422, 'unknown_field', { field: '/on' });
    const told = await desk.reverse(receipt.reference, { reason: 'the vault flooded' });
    expect([told.status, told.body.receipt.reversal.reason]).toEqual([201, 'the vault flooded']);
  });

  test('finds a Receipt whose reference a path must escape', async () => {
    const client = await desk.client();
    const reference = `SPEI 50% / ñ ? # ${newReference('r')} é\u0301 😀`;
    const { receipt } = await desk.pay(client, 1_00, '2026-03-01', { reference });
    expect(receipt.reference).toBe(reference);
    const told = await desk.reverse(reference);
    expect([told.status, told.body.receipt.reference]).toEqual([201, reference]);
  });
});
