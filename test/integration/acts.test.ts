/** Acts on a Loan: recorded once, repeated safely, and withdrawn by a retraction that stays on record. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectRefusal, Lender, lastEventOfKind, pesos, receiptBody, requireStatus } from '#test/support/lender.ts';
import { attributed } from '#test/support/request-bodies.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: Lender;
beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
});
afterAll(() => lender.close());

/** A Loan that admits the act, and the members of the act's body. */
interface Ready {
  readonly loan: { readonly id: string; readonly state: string };
  readonly stated: Readonly<Record<string, unknown>>;
}

interface Row {
  readonly segment: string;
  readonly kind: string;
  readonly state: string;
  readonly ready: (client: string) => Promise<Ready>;
}

async function activeLoan(client: string, stated: Ready['stated']): Promise<Ready> {
  return { loan: await lender.loan(client), stated };
}

async function heldLoan(client: string): Promise<Ready> {
  return { loan: await lender.loan(client, { hold_until: '2026-02-10' }), stated: { on: '2026-01-20' } };
}

async function suspendedWithEnd(client: string): Promise<Ready> {
  const { id } = await lender.loan(client);
  const loan = await lender.act(id, 'suspension', { on: '2026-02-01', to: '2026-02-28' });
  return { loan, stated: { on: '2026-02-10', suspension_id: lastEventOfKind(loan, 'suspended').id } };
}

/** A payday Loan whose interest was paid on its scheduled day. */
async function rollableLoan(client: string): Promise<Ready> {
  const loan = await lender.payday(client);
  const [{ interest, tax }] = loan.periods;
  await lender.pay(client, interest.minor_units + tax.minor_units, '2026-02-14');
  return { loan, stated: { on: '2026-02-14' } };
}

const rows: readonly Row[] = [
  { segment: 'confirm', kind: 'confirmed', state: 'active', ready: heldLoan },
  { segment: 'void', kind: 'voided', state: 'voided', ready: heldLoan },
  {
    segment: 'cancel',
    kind: 'cancelled',
    state: 'cancelled',
    ready: (client) => activeLoan(client, { on: '2026-01-20' }),
  },
  {
    segment: 'rescind',
    kind: 'rescinded',
    state: 'rescinded',
    ready: (client) => activeLoan(client, { on: '2026-03-01' }),
  },
  {
    segment: 'withdraw',
    kind: 'withdrawn',
    state: 'withdrawn',
    ready: (client) => activeLoan(client, { on: '2026-01-29' }),
  },
  {
    segment: 'suspension',
    kind: 'suspended',
    state: 'active',
    ready: (client) => activeLoan(client, { on: '2026-02-01', to: '2026-02-28' }),
  },
  { segment: 'suspension-end', kind: 'suspension_ended', state: 'active', ready: suspendedWithEnd },
  {
    segment: 'waiver',
    kind: 'waived',
    state: 'active',
    ready: (client) => activeLoan(client, { on: '2026-02-10', period: 1, charge: 'interest', amount: pesos(1_00) }),
  },
  {
    segment: 'return',
    kind: 'returned',
    state: 'active',
    ready: (client) => activeLoan(client, { on: '2026-02-10', amount: pesos(1_000_00) }),
  },
  { segment: 'rollover', kind: 'rolled_over', state: 'active', ready: rollableLoan },
  {
    segment: 'restructure',
    kind: 'restructured',
    state: 'restructured',
    ready: (client) => activeLoan(client, { on: '2026-03-01', term_periods: 6, rate: '30' }),
  },
  {
    segment: 'acceleration',
    kind: 'accelerated',
    state: 'active',
    ready: (client) => activeLoan(client, { on: '2026-03-01', notified_on: '2026-02-20' }),
  },
  {
    segment: 'settlement',
    kind: 'settled_for_less',
    state: 'active',
    ready: (client) => activeLoan(client, { on: '2026-02-10', agreed: pesos(5_000_00), until: '2026-03-01' }),
  },
  {
    segment: 'write-off',
    kind: 'written_off',
    state: 'written_off',
    ready: (client) => activeLoan(client, { on: '2026-06-01' }),
  },
  { segment: 'cession', kind: 'ceded', state: 'ceded', ready: (client) => activeLoan(client, { on: '2026-06-01' }) },
];

describe('every act', () => {
  test.each(rows)(
    '$segment is recorded once, a repeat answers the Loan as it is now, and a retraction withdraws it',
    async (row) => {
      const { loan, stated } = await row.ready(await lender.client());
      const body = { ...stated, ...attributed({ context: { lender: 4 } }) } as Record<string, unknown>;

      const first = await lender.sendAct(loan.id, row.segment, body);
      expect([first.status, first.body.id, first.body.state]).toEqual([201, loan.id, row.state]);
      const { on, reference, actor, basis, context, ...actMembers } = body;
      const event = lastEventOfKind(first.body, row.kind);
      expect(event).toMatchObject({ occurred_on: on, act: { reference, actor, basis, context } });
      if (Object.keys(actMembers).length > 0) expect(event).toMatchObject({ stated: actMembers });

      const again = await lender.sendAct(loan.id, row.segment, body);
      expect([again.status, again.body]).toEqual([200, first.body]);
      const other = await lender.sendAct(loan.id, row.segment, { ...body, basis: 'on second thought' });
      expectRefusal(other, 409, 'reference_reused', { recorded_id: event.id });

      const retraction = { on, event_id: event.id, ...attributed() };
      const withdrawn = await lender.sendAct(loan.id, 'retraction', retraction);
      expect([withdrawn.status, withdrawn.body.state]).toEqual([201, loan.state]);
      const { reference: withdrawnBy } = retraction as unknown as { reference: string };
      expect(lastEventOfKind(withdrawn.body, row.kind)).toMatchObject({
        id: event.id,
        retraction: { on, recorded_at: expect.any(String), reference: withdrawnBy, actor: 'ana', basis: 'as agreed' },
      });
      // A retry of the act answers the Loan after the retraction; the act is not recorded a second time.
      const later = await lender.sendAct(loan.id, row.segment, body);
      expect([later.status, later.body]).toEqual([200, withdrawn.body]);
      const repeated = await lender.sendAct(loan.id, 'retraction', retraction);
      expect([repeated.status, repeated.body]).toEqual([200, withdrawn.body]);
      const changed = await lender.sendAct(loan.id, 'retraction', { ...retraction, basis: 'another' });
      expectRefusal(changed, 409, 'reference_reused');
    },
  );

  test.each(rows)('$segment is refused with a missing, unknown or malformed member', async ({ segment, ready }) => {
    const { loan, stated } = await ready(await lender.client());
    const body = { ...stated, ...attributed() } as Record<string, unknown>;
    const missing = Object.keys(body).filter((name) => name !== 'until');
    for (const name of missing) {
      const response = await lender.sendAct(loan.id, segment, { ...body, [name]: undefined });
      expectRefusal(response, 422, 'missing_field', { field: `/${name}` });
    }
    expectRefusal(await lender.sendAct(loan.id, segment, { ...body, extra: 1 }), 422, 'unknown_field', {
      field: '/extra',
    });
    expectRefusal(await lender.sendAct(loan.id, segment, { ...body, on: '2026-02-30' }), 422, 'invalid_field', {
      field: '/on',
    });
    expectRefusal(await lender.sendAct(loan.id, segment, { ...body, reference: ' x' }), 422, 'invalid_identifier', {
      field: '/reference',
    });
    expect((await lender.sendAct(loan.id, segment, body)).status).toBe(201);
  });

  test.each(rows)('$segment dated before the anchor of the Loan is refused', async ({ segment, ready }) => {
    const { loan, stated } = await ready(await lender.client());
    const early = { ...stated, on: '2026-01-14', ...attributed() };
    expectRefusal(await lender.sendAct(loan.id, segment, early), 422, 'invalid_event', {
      field: '/on',
      bound: '2026-01-15',
      observed: '2026-01-14',
    });
  });
});

describe('what an act changes on the Loan', () => {
  test('an early end and a return are shown in the events and the returns of the Loan', async () => {
    const client = await lender.client();
    const { loan, stated } = await suspendedWithEnd(client);
    const ended = await lender.act(loan.id, 'suspension-end', stated);
    expect(lastEventOfKind(ended, 'suspended')).toMatchObject({ to: '2026-02-28', ended_on: '2026-02-10' });
    expect(lastEventOfKind(ended, 'suspension_ended')).toMatchObject({ suspension_id: stated['suspension_id'] });

    const returned = await lender.act(loan.id, 'return', { on: '2026-03-20', amount: pesos(20_000_00) });
    expect(lastEventOfKind(returned, 'returned')).toMatchObject({ amount: pesos(20_000_00) });
    expect(returned.returns).toHaveLength(1);
    const [entry] = returned.returns;
    expect(entry).toMatchObject({ on: '2026-03-20', amount: pesos(20_000_00), returned_whole: true });
    const { unwound_principal: unwound, principal_owed_back: back, beyond_the_loan: beyond } = entry;
    expect([unwound.minor_units, back.minor_units, beyond.minor_units]).toEqual([10_000_00, 0, 10_000_00]);
  });

  test('a write-off states its cost; money received afterwards counts as recovered and does not close the Loan', async () => {
    const client = await lender.client();
    const { id } = await lender.loan(client);
    const { write_off: judged } = await lender.act(id, 'write-off', { on: '2026-06-01' });
    expect(judged).toMatchObject({ on: '2026-06-01', recovered: pesos(0) });
    const cost = judged.cost.total.minor_units;
    expect(cost).toBeGreaterThan(10_000_00);
    const paid = receiptBody(client, cost, '2026-07-01');
    requireStatus(await lender.tenant.post('/receipts', paid), 201);
    const after = await lender.act(id, 'cession', { on: '2026-08-01' });
    expect(after.write_off.recovered).toEqual(pesos(cost));
    expect(after).not.toHaveProperty('closed_on');
  });

  test('the Loan counts the rollovers that are in force', async () => {
    const { loan, stated } = await rollableLoan(await lender.client());
    const rolled = await lender.act(loan.id, 'rollover', stated);
    expect([rolled.rolled_over, rolled.remaining_periods]).toEqual([1, 1]);
    expect(rolled.periods).toEqual((loan as unknown as { periods: unknown }).periods);
  });
});

describe('a Loan that does not exist', () => {
  test.each([...rows.map(({ segment }) => segment), 'retraction', 'payoff-quotes'])('admits no %s', async (segment) => {
    const body = { ...(bodies[segment] ?? { on: '2026-02-01' }), ...attributed() };
    for (const id of ['01890000-0000-7000-8000-000000000000', 'no-uuid', '%00']) {
      expectRefusal(await lender.sendAct(id, segment, body), 404, 'not_found');
    }
  });

  test('includes a Loan of another Tenancy', async () => {
    const other = await Lender.open(testEnvironment());
    const { id } = await other.loan(await other.client());
    expectRefusal(await lender.sendAct(id, 'write-off', { on: '2026-06-01', ...attributed() }), 404, 'not_found');
    expect((await other.sendAct(id, 'write-off', { on: '2026-06-01', ...attributed() })).status).toBe(201);
    await other.close();
  });

  test('does not include a Loan whose id is written in capitals', async () => {
    const { id } = await lender.loan(await lender.client());
    const response = await lender.sendAct(id.toUpperCase(), 'write-off', { on: '2026-06-01', ...attributed() });
    expect([response.status, response.body.id]).toEqual([201, id]);
  });
});

const unknownId = '01890000-0000-7000-8000-000000000001';
const bodies: { readonly [segment: string]: object } = {
  suspension: { on: '2026-02-01', to: '2026-02-28' },
  'suspension-end': { on: '2026-02-01', suspension_id: unknownId },
  waiver: { on: '2026-02-01', period: 1, charge: 'interest', amount: pesos(1) },
  return: { on: '2026-02-01', amount: pesos(1) },
  restructure: { on: '2026-02-01', term_periods: 6, rate: '30' },
  acceleration: { on: '2026-02-01', notified_on: '2026-02-01' },
  settlement: { on: '2026-02-01', agreed: pesos(1) },
  retraction: { on: '2026-02-01', event_id: unknownId },
};
