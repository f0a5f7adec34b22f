/** The rules of each act beyond the state of the Loan. A refused act leaves nothing behind. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RefusalCode } from '#libs/schema/refusals.ts';
import { expectRefusal, Lender, lastEventOfKind, pesos } from '#test/support/lender.ts';
import { attributed } from '#test/support/request-bodies.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: Lender;
beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
});
afterAll(() => lender.close());

const unknownId = '01890000-0000-7000-8000-000000000001';

interface Rule {
  readonly title: string;
  readonly segment: string;
  readonly stated: object;
  readonly refused: readonly [status: number, code: RefusalCode, details?: object];
  /** The Loan it is sent to; by default a new instalment Loan. */
  readonly on?: (client: string) => Promise<{ readonly id: string }>;
}

async function loanWithReceipt(client: string) {
  const loan = await lender.loan(client);
  await lender.pay(client, 100_00, '2026-02-20');
  return loan;
}

const twoSchedules = { schedules: [{ kind: 'anchored_monthly' }, { kind: 'anchored_every_n_days', interval_days: 7 }] };

async function loanWithTwoSchedules(client: string) {
  return lender.loan(
    client,
    { schedule: { kind: 'anchored_monthly' } },
    await lender.createProduct('instalment', twoSchedules),
  );
}

async function loanWithoutAcceleration(client: string) {
  const acceleration = { forbidden: true, missed_periods: 1, notice_days: 0 };
  return lender.loan(client, {}, await lender.createProduct('instalment', { acceleration }));
}

async function loanWithNoticePeriod(client: string) {
  const acceleration = { forbidden: false, missed_periods: 2, notice_days: 10 };
  return lender.loan(client, {}, await lender.createProduct('instalment', { acceleration }));
}

async function rolledOverLoan(client: string) {
  const loan = await lender.payday(client);
  const [{ interest, tax }] = loan.periods;
  await lender.pay(client, interest.minor_units + tax.minor_units, '2026-02-14');
  return lender.act(loan.id, 'rollover', { on: '2026-02-14' });
}

const rules: readonly Rule[] = [
  {
    title: 'a hold cannot be confirmed after its last day',
    segment: 'confirm',
    stated: { on: '2026-02-15' },
    refused: [409, 'hold_expired', { bound: '2026-02-14', observed: '2026-02-15' }],
    on: (client) => lender.loan(client, { hold_until: '2026-02-14' }),
  },
  {
    title: 'an act on a confirmed Loan cannot be dated before its confirmation',
    segment: 'write-off',
    stated: { on: '2026-02-01' },
    refused: [409, 'loan_held'],
    on: (client) => lender.loanAfterAct(client, 'confirm', { on: '2026-02-02' }, { hold_until: '2026-02-14' }),
  },
  {
    title: 'a Loan on which a Receipt has settled something cannot be cancelled',
    segment: 'cancel',
    stated: { on: '2026-01-20' },
    refused: [409, 'loan_has_receipts'],
    on: loanWithReceipt,
  },
  {
    title: 'a withdrawal after the withdrawal days of the product is refused',
    segment: 'withdraw',
    stated: { on: '2026-01-30' },
    refused: [409, 'withdrawal_window_closed', { bound: '2026-01-29', observed: '2026-01-30' }],
  },
  {
    title: 'a withdrawal is refused when the product does not provide it',
    segment: 'withdraw',
    stated: { on: '2026-01-20' },
    refused: [422, 'withdrawal_not_provided'],
    on: async (client) => lender.loan(client, {}, await lender.createProduct('instalment', { withdrawal_days: 0 })),
  },
  {
    title: 'a suspension cannot end before it begins',
    segment: 'suspension',
    stated: { on: '2026-02-10', to: '2026-02-09' },
    refused: [422, 'invalid_event', { bound: '2026-02-10', observed: '2026-02-09' }],
  },
  {
    title: 'a suspension cannot cover a day that is already suspended',
    segment: 'suspension',
    stated: { on: '2026-03-31', to: '2026-04-30' },
    refused: [409, 'already_suspended'],
    on: (client) => lender.suspendedLoan(client),
  },
  {
    title: 'an early end must name a suspension of the Loan',
    segment: 'suspension-end',
    stated: { on: '2026-03-10', suspension_id: unknownId },
    refused: [422, 'invalid_event'],
    on: (client) => lender.suspendedLoan(client),
  },
  {
    title: 'principal cannot be waived',
    segment: 'waiver',
    stated: { on: '2026-02-10', period: 1, charge: 'principal', amount: pesos(1) },
    refused: [422, 'charge_not_waivable'],
  },
  {
    title: 'a waiver cannot exceed the interest accrued so far',
    segment: 'waiver',
    stated: { on: '2026-01-16', period: 1, charge: 'interest', amount: pesos(10_01) },
    refused: [409, 'waiver_exceeds_charge', { bound: pesos(10_00), observed: pesos(10_01) }],
  },
  {
    title: 'a waiver cannot name a period that the plan does not have',
    segment: 'waiver',
    stated: { on: '2026-02-10', period: 99, charge: 'fee', amount: pesos(1) },
    refused: [409, 'waiver_exceeds_charge', { bound: pesos(0), observed: pesos(1) }],
  },
  {
    title: 'a waiver must be in the currency of the Loan',
    segment: 'waiver',
    stated: { on: '2026-02-10', period: 1, charge: 'interest', amount: { minor_units: 1, currency: 'USD' } },
    refused: [422, 'currency_mismatch', { field: '/amount/currency', bound: 'MXN', observed: 'USD' }],
  },
  {
    title: 'goods cannot be returned on a payday Loan',
    segment: 'return',
    stated: { on: '2026-01-20', amount: pesos(1) },
    refused: [422, 'return_not_provided'],
    on: (client) => lender.payday(client),
  },
  {
    title: 'a return above the principal is refused while nothing was received and nothing has fallen due',
    segment: 'return',
    stated: { on: '2026-01-20', amount: pesos(10_000_01) },
    refused: [409, 'return_exceeds_principal'],
  },
  {
    title: 'an instalment Loan cannot be rolled over',
    segment: 'rollover',
    stated: { on: '2026-02-15' },
    refused: [422, 'rollover_not_provided'],
  },
  {
    title: 'a Loan cannot be rolled over while the ending period owes interest',
    segment: 'rollover',
    stated: { on: '2026-02-14' },
    refused: [409, 'rollover_unpaid'],
    on: (client) => lender.payday(client),
  },
  {
    title: 'a Loan cannot be rolled over more often than its product allows',
    segment: 'rollover',
    stated: { on: '2026-03-16' },
    refused: [409, 'rollovers_exhausted', { bound: 1, observed: 2 }],
    on: rolledOverLoan,
  },
  {
    title: 'a restructure must take a term that the product offers',
    segment: 'restructure',
    stated: { on: '2026-03-01', term_periods: 5, rate: '36' },
    refused: [422, 'term_not_offered'],
  },
  {
    title: 'a restructure must take a schedule that the product offers',
    segment: 'restructure',
    stated: {
      on: '2026-03-01',
      term_periods: 6,
      rate: '36',
      schedule: { kind: 'anchored_every_n_days', interval_days: 8 },
    },
    refused: [422, 'schedule_not_offered'],
    on: loanWithTwoSchedules,
  },
  {
    title: 'a restructure must take a rate inside the corridor of the product',
    segment: 'restructure',
    stated: { on: '2026-03-01', term_periods: 6, rate: '60.1' },
    refused: [422, 'rate_outside_corridor'],
  },
  {
    title: 'a restructure must take a penalty rate inside the corridor of the product',
    segment: 'restructure',
    stated: { on: '2026-03-01', term_periods: 6, rate: '36', penalty_rate: '1' },
    refused: [422, 'penalty_rate_outside_corridor'],
  },
  {
    title: 'a restructure cannot plan a day after the end of the calendar',
    segment: 'restructure',
    stated: { on: '2040-12-01', term_periods: 6, rate: '36' },
    refused: [422, 'beyond_horizon'],
  },
  {
    title: 'an acceleration is refused when the product forbids it',
    segment: 'acceleration',
    stated: { on: '2026-04-01', notified_on: '2026-01-20' },
    refused: [409, 'acceleration_forbidden'],
    on: loanWithoutAcceleration,
  },
  {
    title: 'an acceleration is refused while too few periods are late',
    segment: 'acceleration',
    stated: { on: '2026-03-01', notified_on: '2026-02-01' },
    refused: [409, 'acceleration_unearned', { bound: 2, observed: 1 }],
    on: loanWithNoticePeriod,
  },
  {
    title: 'an acceleration is refused before the notice period has passed',
    segment: 'acceleration',
    stated: { on: '2026-04-01', notified_on: '2026-03-23' },
    refused: [409, 'notice_too_short', { bound: '2026-04-02', observed: '2026-04-01' }],
    on: loanWithNoticePeriod,
  },
  {
    title: 'a settlement cannot end before it begins',
    segment: 'settlement',
    stated: { on: '2026-02-10', agreed: pesos(1), until: '2026-02-09' },
    refused: [422, 'invalid_event'],
  },
  {
    title: 'a settlement must be for less than the debt',
    segment: 'settlement',
    stated: { on: '2026-01-15', agreed: pesos(10_000_00) },
    refused: [422, 'settlement_not_less', { bound: pesos(10_000_00), observed: pesos(10_000_00) }],
  },
  {
    title: 'a Loan cannot be written off on a day on which it received money',
    segment: 'write-off',
    stated: { on: '2026-02-20' },
    refused: [422, 'invalid_event', { bound: '2026-02-20', observed: '2026-02-20' }],
    on: loanWithReceipt,
  },
  {
    title: 'a Loan cannot be ceded on a day before its latest act',
    segment: 'cession',
    stated: { on: '2026-02-28' },
    refused: [422, 'invalid_event', { bound: '2026-03-01', observed: '2026-02-28' }],
    on: (client) => lender.suspendedLoan(client),
  },
];

describe('the rule of an act', () => {
  test.each(rules)('$title', async ({ segment, stated, refused: [status, code, details], on: createLoan }) => {
    const client = await lender.client();
    const { id } = await (createLoan ?? ((each) => lender.loan(each)))(client);
    const body = { ...stated, ...attributed() };
    expectRefusal(await lender.sendAct(id, segment, body), status, code, details);
    // The refused act did not take its reference.
    const { reference } = body as unknown as { reference: string };
    const quote = { on: '2026-01-20', ...attributed({ reference }) };
    expect((await lender.sendAct(id, 'payoff-quotes', quote)).status).toBe(201);
  });

  test('a suspension can be ended early once, on one of its own days', async () => {
    const loan = await lender.suspendedLoan(await lender.client());
    const { id } = lastEventOfKind(loan, 'suspended');
    for (const day of ['2026-03-01', '2026-04-01']) {
      const response = await lender.sendAct(loan.id, 'suspension-end', { on: day, suspension_id: id, ...attributed() });
      expectRefusal(response, 422, 'invalid_event');
    }
    await lender.act(loan.id, 'suspension-end', { on: '2026-03-31', suspension_id: id });
    const again = await lender.sendAct(loan.id, 'suspension-end', {
      on: '2026-03-30',
      suspension_id: id,
      ...attributed(),
    });
    expectRefusal(again, 422, 'invalid_event');
  });
});
