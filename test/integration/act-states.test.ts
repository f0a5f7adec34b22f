/** Which acts each state of a Loan refuses. */
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import type { RefusalCode } from '#libs/schema/refusals.ts';
import { expectRefusal, Lender, pesos } from '#test/support/lender.ts';
import { attributed } from '#test/support/request-bodies.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: Lender;
beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
});
afterAll(() => lender.close());

const unknownId = '01890000-0000-7000-8000-000000000001';
const on = '2026-07-01';

/** A body for each act that only the state of the Loan can refuse. */
const acts = {
  'write-off': { on },
  cession: { on },
  return: { on, amount: pesos(1) },
  waiver: { on, period: 1, charge: 'interest', amount: pesos(1) },
  settlement: { on, agreed: pesos(1) },
  suspension: { on, to: on },
  'suspension-end': { on, suspension_id: unknownId },
  acceleration: { on, notified_on: on },
  rollover: { on },
  restructure: { on, term_periods: 6, rate: '36' },
  cancel: { on },
  rescind: { on },
  withdraw: { on },
  confirm: { on },
  void: { on },
} as const;
type Segment = keyof typeof acts;

const planActs: readonly Segment[] = ['suspension', 'suspension-end', 'acceleration', 'rollover', 'restructure'];
const allActs = Object.keys(acts) as Segment[];

type Refused = { readonly [segment in Segment]?: readonly [status: number, code: RefusalCode] };

function refuseEach(segments: readonly Segment[], status: number, code: RefusalCode): Refused {
  return Object.fromEntries(segments.map((segment) => [segment, [status, code]]));
}

interface State {
  readonly state: string;
  readonly reached: (client: string) => Promise<{ readonly id: string }>;
  readonly refused: Refused;
}

const notHeld = refuseEach(['confirm', 'void'], 409, 'not_held');

const states: readonly State[] = [
  { state: 'active', reached: (client) => lender.loan(client), refused: notHeld },
  {
    state: 'restructured',
    reached: (client) => lender.loanAfterAct(client, 'restructure', { on: '2026-02-01', term_periods: 6, rate: '36' }),
    refused: notHeld,
  },
  {
    state: 'closed',
    async reached(client) {
      const loan = await lender.loan(client);
      await lender.pay(client, 20_000_00, '2026-02-01', { designated_loan_id: loan.id, payoff_intent: true });
      return loan;
    },
    refused: {
      ...refuseEach(['write-off', 'cession', 'waiver', 'settlement', ...planActs], 409, 'loan_closed'),
      ...refuseEach(['cancel'], 409, 'loan_has_receipts'),
      ...notHeld,
    },
  },
  {
    state: 'written_off',
    reached: (client) => lender.loanAfterAct(client, 'write-off', { on: '2026-06-01' }),
    refused: {
      ...refuseEach(['write-off', 'return', ...planActs, 'cancel', 'rescind', 'withdraw'], 409, 'already_written_off'),
      ...notHeld,
    },
  },
  {
    state: 'ceded',
    reached: (client) => lender.loanAfterAct(client, 'cession', { on: '2026-06-01' }),
    refused: { ...refuseEach(allActs, 409, 'cession_in_force'), ...refuseEach(['cession'], 409, 'already_ceded') },
  },
  {
    state: 'held',
    reached: (client) => lender.loan(client, { hold_until: '2026-02-14' }),
    refused: refuseEach(
      allActs.filter((segment) => segment !== 'confirm' && segment !== 'void'),
      409,
      'loan_held',
    ),
  },
  {
    state: 'voided',
    reached: (client) => lender.loanAfterAct(client, 'void', { on: '2026-01-20' }, { hold_until: '2026-02-14' }),
    refused: refuseEach(allActs, 409, 'loan_voided'),
  },
  {
    state: 'cancelled',
    reached: (client) => lender.loanAfterAct(client, 'cancel', { on: '2026-01-20' }),
    refused: { ...refuseEach(allActs, 409, 'loan_cancelled'), ...refuseEach(['cession'], 422, 'invalid_event') },
  },
  {
    state: 'rescinded',
    reached: (client) => lender.loanAfterAct(client, 'rescind', { on: '2026-03-01' }),
    refused: refuseEach(allActs, 409, 'loan_undone'),
  },
  {
    state: 'withdrawn',
    reached: (client) => lender.loanAfterAct(client, 'withdraw', { on: '2026-01-20' }),
    refused: refuseEach(allActs, 409, 'loan_undone'),
  },
];

describe('an act that the state of the Loan does not admit', () => {
  test.each(states)('is refused on a Loan that is $state', async ({ refused, reached }) => {
    const { id } = await reached(await lender.client());
    for (const [segment, [status, code]] of Object.entries(refused)) {
      expectRefusal(await lender.sendAct(id, segment, { ...acts[segment as Segment], ...attributed() }), status, code);
    }
  });

  test('is refused for its state before its day is checked', async () => {
    const { id } = await lender.loanAfterAct(await lender.client(), 'cession', { on: '2026-06-01' });
    const early = await lender.sendAct(id, 'waiver', { ...acts.waiver, on: '2020-01-01', ...attributed() });
    expectRefusal(early, 409, 'cession_in_force');
  });
});
