/** A payoff quote: what discharging the Loan on a day would take. It binds nothing and moves nothing. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Desk, expectRefused, mustBe } from './desk.ts';
import { account } from './given-loans.ts';
import { house } from './tenant.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open(house());
});
afterAll(() => desk.close());

async function quoted(loanId: string, on: string) {
  return mustBe(await desk.send(loanId, 'payoff-quotes', { on, ...account() }), 201).body;
}

describe('a payoff quote', () => {
  test('is recorded under a reference, and answered as recorded when asked again', async () => {
    const client = await desk.client();
    const loan = await desk.loan(client);
    const { reference, ...told } = account({ context: { shown: 'on screen' } }) as { reference: string };
    const body = { on: '2026-01-25', reference, ...told };
    const first = await desk.send(loan.id, 'payoff-quotes', body);
    expect(first.status).toBe(201);
    // Ten days of 36 % a year over 360 days, and the tax on them.
    const [principal, interest] = [10_000_00, 100_00];
    expect(first.body).toEqual({
      id: expect.any(String),
      loan_id: loan.id,
      owed: {
        total: { minor_units: principal + interest + 16_00, currency: 'MXN' },
        charges: [
          expect.objectContaining({ charge: 'principal', amount: { minor_units: principal, currency: 'MXN' } }),
          expect.objectContaining({ charge: 'interest', amount: { minor_units: interest, currency: 'MXN' } }),
        ],
      },
      quoted_at: expect.stringMatching(/\.\d{6}Z$/),
      ...body,
    });
    await desk.pay(client, 1_000_00, '2026-01-20');
    const again = await desk.send(loan.id, 'payoff-quotes', body);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await desk.send(loan.id, 'payoff-quotes', { ...body, on: '2026-01-26' });
    expectRefused(other, 409, 'reference_reused', { recorded_id: first.body.id });
    expect((await quoted(loan.id, '2026-01-25')).owed.total.minor_units).toBeLessThan(
      first.body.owed.total.minor_units,
    );
  });

  test('shows nowhere among what happened to the Loan, and hinders no act', async () => {
    const loan = await desk.loan(await desk.client());
    await quoted(loan.id, '2026-07-01');
    const ceded = await desk.act(loan.id, 'cession', { on: '2026-06-01' });
    expect(ceded.events.map(({ kind }: { kind: string }) => kind)).toEqual(['issued', 'ceded']);
    expect((await quoted(loan.id, '2026-06-02')).owed).toMatchObject({ total: { minor_units: 0 }, charges: [] });
  });

  test('of a held Loan is of nothing', async () => {
    const loan = await desk.loan(await desk.client(), { hold_until: '2026-02-14' });
    expect((await quoted(loan.id, '2026-02-01')).owed).toMatchObject({ total: { minor_units: 0 }, charges: [] });
  });

  test('paid to the letter discharges the Loan, and the Receipt says that the figure agreed', async () => {
    const client = await desk.client();
    const loan = await desk.loan(client);
    const quote = await quoted(loan.id, '2026-02-20');
    const paid = await desk.pay(client, quote.owed.total.minor_units, '2026-02-20', {
      designated_loan_id: loan.id,
      payoff_intent: true,
      quote_id: quote.id,
    });
    expect(paid).toMatchObject({
      quote_id: quote.id,
      quoted_figure_agrees: true,
      surplus: { minor_units: 0 },
      loans: [{ loan_id: loan.id, discharged: true }],
    });
  });

  test('paid on another day, or after other money, does not agree and is taken all the same', async () => {
    const client = await desk.client();
    const loan = await desk.loan(client);
    const quote = await quoted(loan.id, '2026-02-20');
    const named = { designated_loan_id: loan.id, payoff_intent: true, quote_id: quote.id };
    const late = await desk.pay(client, quote.owed.total.minor_units, '2026-02-21', named);
    expect(late).toMatchObject({ quoted_figure_agrees: false, loans: [{ discharged: false }] });
    expect(late.anomalies).toMatchObject([{ kind: 'payoff_short' }]);
    await desk.reverse(late.receipt.reference);
    await desk.pay(client, 1_00, '2026-02-20');
    const after = await desk.pay(client, quote.owed.total.minor_units, '2026-02-20', named);
    expect(after).toMatchObject({ quoted_figure_agrees: false, surplus: { minor_units: 1_00 } });
  });

  test('is not known to another Client, nor another Loan', async () => {
    const [ana, bea] = [await desk.client(), await desk.client()];
    const loan = await desk.loan(ana);
    const quote = await quoted(loan.id, '2026-02-20');
    const of = (client: string, over: object) =>
      desk.tenant.post('/receipts', {
        ...{ client_id: client, amount: quote.owed.total, value_date: '2026-02-20', quote_id: quote.id },
        reference: `of-${client}-${Object.keys(over).length}`,
        ...over,
      });
    expectRefused(await of(bea, {}), 404, 'no_quote', { field: '/quote_id' });
    const other = await desk.loan(ana);
    expectRefused(await of(ana, { designated_loan_id: other.id }), 404, 'no_quote', { field: '/quote_id' });
    expect((await of(ana, {})).status).toBe(201);
  });
});
