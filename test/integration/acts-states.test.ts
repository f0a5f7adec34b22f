/** Which act the state of a Loan does not admit. What is refused leaves no trace. */
import { afterAll, beforeAll, describe, test } from '@jest/globals';
import type { RefusalCode } from '#libs/schema/refusals.ts';
import { Desk, expectRefused, pesos } from './desk.ts';
import { account } from './given-loans.ts';
import { house } from './tenant.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open(house());
});
afterAll(() => desk.close());

const someone = '01890000-0000-7000-8000-000000000001';
const on = '2026-07-01';

/** Every act, stated so that nothing but the state of the Loan speaks against it. */
const acts = {
  'write-off': { on },
  cession: { on },
  return: { on, amount: pesos(1) },
  waiver: { on, period: 1, charge: 'interest', amount: pesos(1) },
  settlement: { on, agreed: pesos(1) },
  suspension: { on, to: on },
  'suspension-end': { on, suspension_id: someone },
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

const course: readonly Segment[] = ['suspension', 'suspension-end', 'acceleration', 'rollover', 'restructure'];
const all = Object.keys(acts) as Segment[];

type Refused = { readonly [segment in Segment]?: readonly [status: number, code: RefusalCode] };

function each(segments: readonly Segment[], status: number, code: RefusalCode): Refused {
  return Object.fromEntries(segments.map((segment) => [segment, [status, code]]));
}

interface State {
  readonly state: string;
  readonly reached: (client: string) => Promise<{ readonly id: string }>;
  readonly refused: Refused;
}

const notHeld = each(['confirm', 'void'], 409, 'not_held');

const states: readonly State[] = [
  { state: 'active', reached: (client) => desk.loan(client), refused: notHeld },
  {
    state: 'restructured',
    reached: (client) => desk.loanAfter(client, 'restructure', { on: '2026-02-01', term_periods: 6, rate: '36' }),
    refused: notHeld,
  },
  {
    state: 'closed',
    async reached(client) {
      const loan = await desk.loan(client);
      await desk.pay(client, 20_000_00, '2026-02-01', { designated_loan_id: loan.id, payoff_intent: true });
      return loan;
    },
    refused: {
      ...each(['write-off', 'cession', 'waiver', 'settlement', ...course], 409, 'loan_closed'),
      ...each(['cancel'], 409, 'loan_has_receipts'),
      ...notHeld,
    },
  },
  {
    state: 'written_off',
    reached: (client) => desk.loanAfter(client, 'write-off', { on: '2026-06-01' }),
    refused: {
      ...each(['write-off', 'return', ...course, 'cancel', 'rescind', 'withdraw'], 409, 'already_written_off'),
      ...notHeld,
    },
  },
  {
    state: 'ceded',
    reached: (client) => desk.loanAfter(client, 'cession', { on: '2026-06-01' }),
    refused: { ...each(all, 409, 'cession_in_force'), ...each(['cession'], 409, 'already_ceded') },
  },
  {
    state: 'held',
    reached: (client) => desk.loan(client, { hold_until: '2026-02-14' }),
    refused: each(
      all.filter((segment) => segment !== 'confirm' && segment !== 'void'),
      409,
      'loan_held',
    ),
  },
  {
    state: 'voided',
    reached: (client) => desk.loanAfter(client, 'void', { on: '2026-01-20' }, { hold_until: '2026-02-14' }),
    refused: each(all, 409, 'loan_voided'),
  },
  {
    state: 'cancelled',
    reached: (client) => desk.loanAfter(client, 'cancel', { on: '2026-01-20' }),
    refused: { ...each(all, 409, 'loan_cancelled'), ...each(['cession'], 422, 'invalid_event') },
  },
  {
    state: 'rescinded',
    reached: (client) => desk.loanAfter(client, 'rescind', { on: '2026-03-01' }),
    refused: each(all, 409, 'loan_undone'),
  },
  {
    state: 'withdrawn',
    reached: (client) => desk.loanAfter(client, 'withdraw', { on: '2026-01-20' }),
    refused: each(all, 409, 'loan_undone'),
  },
];

describe('what the state of a Loan does not admit', () => {
  test.each(states)('is refused on a Loan that is $state', async ({ refused, reached }) => {
    const { id } = await reached(await desk.client());
    for (const [segment, [status, code]] of Object.entries(refused)) {
      expectRefused(await desk.send(id, segment, { ...acts[segment as Segment], ...account() }), status, code);
    }
  });

  test('is refused whatever its day, since the state has none', async () => {
    const { id } = await desk.loanAfter(await desk.client(), 'cession', { on: '2026-06-01' });
    const early = await desk.send(id, 'waiver', { ...acts.waiver, on: '2020-01-01', ...account() });
    expectRefused(early, 409, 'cession_in_force');
  });
});
