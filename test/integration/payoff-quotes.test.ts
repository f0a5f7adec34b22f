/** A payoff quote: the amount that would discharge the Loan on a day. It changes nothing. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectRefusal, Lender, requireStatus } from '#test/support/lender.ts';
import { attributed } from '#test/support/request-bodies.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: Lender;
beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
});
afterAll(() => lender.close());

async function quotePayoff(loanId: string, on: string) {
  return requireStatus(await lender.sendAct(loanId, 'payoff-quotes', { on, ...attributed() }), 201).body;
}

describe('a payoff quote', () => {
  test('is recorded under a reference, and a repeat answers the recorded quote', async () => {
    const client = await lender.client();
    const loan = await lender.loan(client);
    const { reference, ...response } = attributed({ context: { shown: 'on screen' } }) as { reference: string };
    const body = { on: '2026-01-25', reference, ...response };
    const first = await lender.sendAct(loan.id, 'payoff-quotes', body);
    expect(first.status).toBe(201);
    // Ten days of interest at 36 % over 360 days, and 16 % tax on it.
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
    await lender.pay(client, 1_000_00, '2026-01-20');
    const again = await lender.sendAct(loan.id, 'payoff-quotes', body);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await lender.sendAct(loan.id, 'payoff-quotes', { ...body, on: '2026-01-26' });
    expectRefusal(other, 409, 'reference_reused', { recorded_id: first.body.id });
    expect((await quotePayoff(loan.id, '2026-01-25')).owed.total.minor_units).toBeLessThan(
      first.body.owed.total.minor_units,
    );
  });

  test('is not an event of the Loan and prevents no act', async () => {
    const loan = await lender.loan(await lender.client());
    await quotePayoff(loan.id, '2026-07-01');
    const ceded = await lender.act(loan.id, 'cession', { on: '2026-06-01' });
    expect(ceded.events.map(({ kind }: { kind: string }) => kind)).toEqual(['issued', 'ceded']);
    expect((await quotePayoff(loan.id, '2026-06-02')).owed).toMatchObject({ total: { minor_units: 0 }, charges: [] });
  });

  test('of a held Loan is zero', async () => {
    const loan = await lender.loan(await lender.client(), { hold_until: '2026-02-14' });
    expect((await quotePayoff(loan.id, '2026-02-01')).owed).toMatchObject({ total: { minor_units: 0 }, charges: [] });
  });

  test('paid exactly discharges the Loan, and the Receipt says that the quoted figure agrees', async () => {
    const client = await lender.client();
    const loan = await lender.loan(client);
    const quote = await quotePayoff(loan.id, '2026-02-20');
    const paid = await lender.pay(client, quote.owed.total.minor_units, '2026-02-20', {
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

  test('paid on another day or after other Receipts does not agree, and the money is recorded all the same', async () => {
    const client = await lender.client();
    const loan = await lender.loan(client);
    const quote = await quotePayoff(loan.id, '2026-02-20');
    const named = { designated_loan_id: loan.id, payoff_intent: true, quote_id: quote.id };
    const late = await lender.pay(client, quote.owed.total.minor_units, '2026-02-21', named);
    expect(late).toMatchObject({ quoted_figure_agrees: false, loans: [{ discharged: false }] });
    expect(late.anomalies).toMatchObject([{ kind: 'payoff_short' }]);
    await lender.reverse(late.receipt.reference);
    await lender.pay(client, 1_00, '2026-02-20');
    const after = await lender.pay(client, quote.owed.total.minor_units, '2026-02-20', named);
    expect(after).toMatchObject({ quoted_figure_agrees: false, surplus: { minor_units: 1_00 } });
  });

  test('cannot be named by a Receipt of another Client or Loan', async () => {
    const [ana, bea] = [await lender.client(), await lender.client()];
    const loan = await lender.loan(ana);
    const quote = await quotePayoff(loan.id, '2026-02-20');
    const of = (client: string, over: object) =>
      lender.tenant.post('/receipts', {
        ...{ client_id: client, amount: quote.owed.total, value_date: '2026-02-20', quote_id: quote.id },
        reference: `of-${client}-${Object.keys(over).length}`,
        ...over,
      });
    expectRefusal(await of(bea, {}), 404, 'no_quote', { field: '/quote_id' });
    const other = await lender.loan(ana);
    expectRefusal(await of(ana, { designated_loan_id: other.id }), 404, 'no_quote', { field: '/quote_id' });
    expect((await of(ana, {})).status).toBe(201);
  });
});
