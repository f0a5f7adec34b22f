/** The rule every act has of its own, once the state admits it. What is refused leaves no trace. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { RefusalCode } from '#libs/schema/refusals.ts';
import { Desk, eventOf, expectRefused, pesos } from './desk.ts';
import { account } from './given-loans.ts';
import { house } from './tenant.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open(house());
});
afterAll(() => desk.close());

const someone = '01890000-0000-7000-8000-000000000001';

interface Rule {
  readonly says: string;
  readonly segment: string;
  readonly stated: object;
  readonly refused: readonly [status: number, code: RefusalCode, details?: object];
  /** The Loan it is sent to; an instalment Loan without anything on it where left out. */
  readonly on?: (client: string) => Promise<{ readonly id: string }>;
}

async function paidOnce(client: string) {
  const loan = await desk.loan(client);
  await desk.pay(client, 100_00, '2026-02-20');
  return loan;
}

const menu = { schedules: [{ kind: 'anchored_monthly' }, { kind: 'anchored_every_n_days', interval_days: 7 }] };

async function ofMenu(client: string) {
  return desk.loan(client, { schedule: { kind: 'anchored_monthly' } }, await desk.product('instalment', menu));
}

async function forbidden(client: string) {
  const acceleration = { forbidden: true, missed_periods: 1, notice_days: 0 };
  return desk.loan(client, {}, await desk.product('instalment', { acceleration }));
}

async function noticed(client: string) {
  const acceleration = { forbidden: false, missed_periods: 2, notice_days: 10 };
  return desk.loan(client, {}, await desk.product('instalment', { acceleration }));
}

async function rolledOver(client: string) {
  const loan = await desk.payday(client);
  const [{ interest, tax }] = loan.periods;
  await desk.pay(client, interest.minor_units + tax.minor_units, '2026-02-14');
  return desk.act(loan.id, 'rollover', { on: '2026-02-14' });
}

const rules: readonly Rule[] = [
  {
    says: 'a hold is not confirmed after its last day',
    segment: 'confirm',
    stated: { on: '2026-02-15' },
    refused: [409, 'hold_expired', { bound: '2026-02-14', observed: '2026-02-15' }],
    on: (client) => desk.loan(client, { hold_until: '2026-02-14' }),
  },
  {
    says: 'nothing happens to a confirmed Loan before its confirmation',
    segment: 'write-off',
    stated: { on: '2026-02-01' },
    refused: [409, 'loan_held'],
    on: (client) => desk.loanAfter(client, 'confirm', { on: '2026-02-02' }, { hold_until: '2026-02-14' }),
  },
  {
    says: 'a Loan on which money has settled something is not cancelled',
    segment: 'cancel',
    stated: { on: '2026-01-20' },
    refused: [409, 'loan_has_receipts'],
    on: paidOnce,
  },
  {
    says: 'the borrower withdraws within the days of the product',
    segment: 'withdraw',
    stated: { on: '2026-01-30' },
    refused: [409, 'withdrawal_window_closed', { bound: '2026-01-29', observed: '2026-01-30' }],
  },
  {
    says: 'the borrower withdraws from no product without withdrawal',
    segment: 'withdraw',
    stated: { on: '2026-01-20' },
    refused: [422, 'withdrawal_not_provided'],
    on: async (client) => desk.loan(client, {}, await desk.product('instalment', { withdrawal_days: 0 })),
  },
  {
    says: 'a suspension does not end before it begins',
    segment: 'suspension',
    stated: { on: '2026-02-10', to: '2026-02-09' },
    refused: [422, 'invalid_event', { bound: '2026-02-10', observed: '2026-02-09' }],
  },
  {
    says: 'a suspension covers no day that is suspended already',
    segment: 'suspension',
    stated: { on: '2026-03-31', to: '2026-04-30' },
    refused: [409, 'already_suspended'],
    on: (client) => desk.suspended(client),
  },
  {
    says: 'no suspension is ended that is none of the Loan',
    segment: 'suspension-end',
    stated: { on: '2026-03-10', suspension_id: someone },
    refused: [422, 'invalid_event'],
    on: (client) => desk.suspended(client),
  },
  {
    says: 'principal is never waived',
    segment: 'waiver',
    stated: { on: '2026-02-10', period: 1, charge: 'principal', amount: pesos(1) },
    refused: [422, 'charge_not_waivable'],
  },
  {
    says: 'no more interest is waived than has accrued',
    segment: 'waiver',
    stated: { on: '2026-01-16', period: 1, charge: 'interest', amount: pesos(10_01) },
    refused: [409, 'waiver_exceeds_charge', { bound: pesos(10_00), observed: pesos(10_01) }],
  },
  {
    says: 'nothing is waived of a period the plan does not have',
    segment: 'waiver',
    stated: { on: '2026-02-10', period: 99, charge: 'fee', amount: pesos(1) },
    refused: [409, 'waiver_exceeds_charge', { bound: pesos(0), observed: pesos(1) }],
  },
  {
    says: 'a waiver is in the currency of the Loan',
    segment: 'waiver',
    stated: { on: '2026-02-10', period: 1, charge: 'interest', amount: { minor_units: 1, currency: 'USD' } },
    refused: [422, 'currency_mismatch', { field: '/amount/currency', bound: 'MXN', observed: 'USD' }],
  },
  {
    says: 'goods come back on no payday Loan',
    segment: 'return',
    stated: { on: '2026-01-20', amount: pesos(1) },
    refused: [422, 'return_not_provided'],
    on: (client) => desk.payday(client),
  },
  {
    says: 'a return is not above the principal while nothing was received and nothing has fallen due',
    segment: 'return',
    stated: { on: '2026-01-20', amount: pesos(10_000_01) },
    refused: [409, 'return_exceeds_principal'],
  },
  {
    says: 'an instalment Loan is not rolled over',
    segment: 'rollover',
    stated: { on: '2026-02-15' },
    refused: [422, 'rollover_not_provided'],
  },
  {
    says: 'a Loan is not rolled over while the ending period owes interest',
    segment: 'rollover',
    stated: { on: '2026-02-14' },
    refused: [409, 'rollover_unpaid'],
    on: (client) => desk.payday(client),
  },
  {
    says: 'a Loan is rolled over as often as its product says',
    segment: 'rollover',
    stated: { on: '2026-03-16' },
    refused: [409, 'rollovers_exhausted', { bound: 1, observed: 2 }],
    on: rolledOver,
  },
  {
    says: 'a restructure takes a term the product offers',
    segment: 'restructure',
    stated: { on: '2026-03-01', term_periods: 5, rate: '36' },
    refused: [422, 'term_not_offered'],
  },
  {
    says: 'a restructure takes a schedule the product offers',
    segment: 'restructure',
    stated: {
      on: '2026-03-01',
      term_periods: 6,
      rate: '36',
      schedule: { kind: 'anchored_every_n_days', interval_days: 8 },
    },
    refused: [422, 'schedule_not_offered'],
    on: ofMenu,
  },
  {
    says: 'a restructure takes a rate inside the corridor',
    segment: 'restructure',
    stated: { on: '2026-03-01', term_periods: 6, rate: '60.1' },
    refused: [422, 'rate_outside_corridor'],
  },
  {
    says: 'a restructure takes a penalty rate inside the corridor',
    segment: 'restructure',
    stated: { on: '2026-03-01', term_periods: 6, rate: '36', penalty_rate: '1' },
    refused: [422, 'penalty_rate_outside_corridor'],
  },
  {
    says: 'a restructure plans no day beyond the calendar',
    segment: 'restructure',
    stated: { on: '2040-12-01', term_periods: 6, rate: '36' },
    refused: [422, 'beyond_horizon'],
  },
  {
    says: 'the debt is not called where the regime forbids it',
    segment: 'acceleration',
    stated: { on: '2026-04-01', notified_on: '2026-01-20' },
    refused: [409, 'acceleration_forbidden'],
    on: forbidden,
  },
  {
    says: 'the debt is not called before enough periods are late',
    segment: 'acceleration',
    stated: { on: '2026-03-01', notified_on: '2026-02-01' },
    refused: [409, 'acceleration_unearned', { bound: 2, observed: 1 }],
    on: noticed,
  },
  {
    says: 'the debt is not called before the notice has run',
    segment: 'acceleration',
    stated: { on: '2026-04-01', notified_on: '2026-03-23' },
    refused: [409, 'notice_too_short', { bound: '2026-04-02', observed: '2026-04-01' }],
    on: noticed,
  },
  {
    says: 'a settlement runs to no day before it',
    segment: 'settlement',
    stated: { on: '2026-02-10', agreed: pesos(1), until: '2026-02-09' },
    refused: [422, 'invalid_event'],
  },
  {
    says: 'a settlement is for less than the debt',
    segment: 'settlement',
    stated: { on: '2026-01-15', agreed: pesos(10_000_00) },
    refused: [422, 'settlement_not_less', { bound: pesos(10_000_00), observed: pesos(10_000_00) }],
  },
  {
    says: 'a Loan is not written off on a day when money still came',
    segment: 'write-off',
    stated: { on: '2026-02-20' },
    refused: [422, 'invalid_event', { bound: '2026-02-20', observed: '2026-02-20' }],
    on: paidOnce,
  },
  {
    says: 'a Loan is not ceded before something that happened to it',
    segment: 'cession',
    stated: { on: '2026-02-28' },
    refused: [422, 'invalid_event', { bound: '2026-03-01', observed: '2026-02-28' }],
    on: (client) => desk.suspended(client),
  },
];

describe('the rule of an act', () => {
  test.each(rules)('$says', async ({ segment, stated, refused: [status, code, details], on: made }) => {
    const client = await desk.client();
    const { id } = await (made ?? ((each) => desk.loan(each)))(client);
    const body = { ...stated, ...account() };
    expectRefused(await desk.send(id, segment, body), status, code, details);
    // The word is free for whoever needs it next, and the Loan shows nothing of what was refused.
    const { reference } = body as unknown as { reference: string };
    const quote = { on: '2026-01-20', ...account({ reference }) };
    expect((await desk.send(id, 'payoff-quotes', quote)).status).toBe(201);
  });

  test('an ended suspension is not ended again, and ends on one of its own days', async () => {
    const loan = await desk.suspended(await desk.client());
    const { id } = eventOf(loan, 'suspended');
    for (const day of ['2026-03-01', '2026-04-01']) {
      const told = await desk.send(loan.id, 'suspension-end', { on: day, suspension_id: id, ...account() });
      expectRefused(told, 422, 'invalid_event');
    }
    await desk.act(loan.id, 'suspension-end', { on: '2026-03-31', suspension_id: id });
    const again = await desk.send(loan.id, 'suspension-end', { on: '2026-03-30', suspension_id: id, ...account() });
    expectRefused(again, 422, 'invalid_event');
  });
});
