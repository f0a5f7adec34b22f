/** Acts on a Loan: each recorded once, told again when repeated, and withdrawn without being forgotten. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { aReceipt, Desk, eventOf, expectRefused, mustBe, pesos } from './desk.ts';
import { account } from './given-loans.ts';
import { house } from './tenant.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open(house());
});
afterAll(() => desk.close());

/** A Loan ready for the act, and what the act states. */
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

async function standing(client: string, stated: Ready['stated']): Promise<Ready> {
  return { loan: await desk.loan(client), stated };
}

async function held(client: string): Promise<Ready> {
  return { loan: await desk.loan(client, { hold_until: '2026-02-10' }), stated: { on: '2026-01-20' } };
}

async function suspended(client: string): Promise<Ready> {
  const { id } = await desk.loan(client);
  const loan = await desk.act(id, 'suspension', { on: '2026-02-01', to: '2026-02-28' });
  return { loan, stated: { on: '2026-02-10', suspension_id: eventOf(loan, 'suspended').id } };
}

/** A payday Loan whose interest the Client has paid on its scheduled day. */
async function rollable(client: string): Promise<Ready> {
  const loan = await desk.payday(client);
  const [{ interest, tax }] = loan.periods;
  await desk.pay(client, interest.minor_units + tax.minor_units, '2026-02-14');
  return { loan, stated: { on: '2026-02-14' } };
}

const rows: readonly Row[] = [
  { segment: 'confirm', kind: 'confirmed', state: 'active', ready: held },
  { segment: 'void', kind: 'voided', state: 'voided', ready: held },
  {
    segment: 'cancel',
    kind: 'cancelled',
    state: 'cancelled',
    ready: (client) => standing(client, { on: '2026-01-20' }),
  },
  {
    segment: 'rescind',
    kind: 'rescinded',
    state: 'rescinded',
    ready: (client) => standing(client, { on: '2026-03-01' }),
  },
  {
    segment: 'withdraw',
    kind: 'withdrawn',
    state: 'withdrawn',
    ready: (client) => standing(client, { on: '2026-01-29' }),
  },
  {
    segment: 'suspension',
    kind: 'suspended',
    state: 'active',
    ready: (client) => standing(client, { on: '2026-02-01', to: '2026-02-28' }),
  },
  { segment: 'suspension-end', kind: 'suspension_ended', state: 'active', ready: suspended },
  {
    segment: 'waiver',
    kind: 'waived',
    state: 'active',
    ready: (client) => standing(client, { on: '2026-02-10', period: 1, charge: 'interest', amount: pesos(1_00) }),
  },
  {
    segment: 'return',
    kind: 'returned',
    state: 'active',
    ready: (client) => standing(client, { on: '2026-02-10', amount: pesos(1_000_00) }),
  },
  { segment: 'rollover', kind: 'rolled_over', state: 'active', ready: rollable },
  {
    segment: 'restructure',
    kind: 'restructured',
    state: 'restructured',
    ready: (client) => standing(client, { on: '2026-03-01', term_periods: 6, rate: '30' }),
  },
  {
    segment: 'acceleration',
    kind: 'accelerated',
    state: 'active',
    ready: (client) => standing(client, { on: '2026-03-01', notified_on: '2026-02-20' }),
  },
  {
    segment: 'settlement',
    kind: 'settled_for_less',
    state: 'active',
    ready: (client) => standing(client, { on: '2026-02-10', agreed: pesos(5_000_00), until: '2026-03-01' }),
  },
  {
    segment: 'write-off',
    kind: 'written_off',
    state: 'written_off',
    ready: (client) => standing(client, { on: '2026-06-01' }),
  },
  { segment: 'cession', kind: 'ceded', state: 'ceded', ready: (client) => standing(client, { on: '2026-06-01' }) },
];

describe('every act', () => {
  test.each(rows)('$segment is recorded once, told again as the Loan reads now, and withdrawn', async (row) => {
    const { loan, stated } = await row.ready(await desk.client());
    const body = { ...stated, ...account({ context: { desk: 4 } }) } as Record<string, unknown>;

    const first = await desk.send(loan.id, row.segment, body);
    expect([first.status, first.body.id, first.body.state]).toEqual([201, loan.id, row.state]);
    const { on, reference, actor, basis, context, ...own } = body;
    const event = eventOf(first.body, row.kind);
    expect(event).toMatchObject({ occurred_on: on, act: { reference, actor, basis, context } });
    if (Object.keys(own).length > 0) expect(event).toMatchObject({ stated: own });

    const again = await desk.send(loan.id, row.segment, body);
    expect([again.status, again.body]).toEqual([200, first.body]);
    const other = await desk.send(loan.id, row.segment, { ...body, basis: 'on second thought' });
    expectRefused(other, 409, 'reference_reused', { recorded_id: event.id });

    const retraction = { on, event_id: event.id, ...account() };
    const withdrawn = await desk.send(loan.id, 'retraction', retraction);
    expect([withdrawn.status, withdrawn.body.state]).toEqual([201, loan.state]);
    const { reference: withdrawnBy } = retraction as unknown as { reference: string };
    expect(eventOf(withdrawn.body, row.kind)).toMatchObject({
      id: event.id,
      retraction: { on, recorded_at: expect.any(String), reference: withdrawnBy, actor: 'ana', basis: 'as agreed' },
    });
    // A retry of the act is answered by what became of it; it is not recorded anew.
    const later = await desk.send(loan.id, row.segment, body);
    expect([later.status, later.body]).toEqual([200, withdrawn.body]);
    const repeated = await desk.send(loan.id, 'retraction', retraction);
    expect([repeated.status, repeated.body]).toEqual([200, withdrawn.body]);
    const changed = await desk.send(loan.id, 'retraction', { ...retraction, basis: 'another' });
    expectRefused(changed, 409, 'reference_reused');
  });

  test.each(rows)('$segment is refused where its body is not whole', async ({ segment, ready }) => {
    const { loan, stated } = await ready(await desk.client());
    const body = { ...stated, ...account() } as Record<string, unknown>;
    const missing = Object.keys(body).filter((name) => name !== 'until');
    for (const name of missing) {
      const told = await desk.send(loan.id, segment, { ...body, [name]: undefined });
      expectRefused(told, 422, 'missing_field', { field: `/${name}` });
    }
    expectRefused(await desk.send(loan.id, segment, { ...body, extra: 1 }), 422, 'unknown_field', { field: '/extra' });
    expectRefused(await desk.send(loan.id, segment, { ...body, on: '2026-02-30' }), 422, 'invalid_field', {
      field: '/on',
    });
    expectRefused(await desk.send(loan.id, segment, { ...body, reference: ' x' }), 422, 'invalid_identifier', {
      field: '/reference',
    });
    expect((await desk.send(loan.id, segment, body)).status).toBe(201);
  });

  test.each(rows)('$segment on a day before the anchor is no event of the Loan', async ({ segment, ready }) => {
    const { loan, stated } = await ready(await desk.client());
    const early = { ...stated, on: '2026-01-14', ...account() };
    expectRefused(await desk.send(loan.id, segment, early), 422, 'invalid_event', {
      field: '/on',
      bound: '2026-01-15',
      observed: '2026-01-14',
    });
  });
});

describe('what an act says of itself', () => {
  test('is shown where a caller looks for it', async () => {
    const client = await desk.client();
    const { loan, stated } = await suspended(client);
    const ended = await desk.act(loan.id, 'suspension-end', stated);
    expect(eventOf(ended, 'suspended')).toMatchObject({ to: '2026-02-28', ended_on: '2026-02-10' });
    expect(eventOf(ended, 'suspension_ended')).toMatchObject({ suspension_id: stated['suspension_id'] });

    const returned = await desk.act(loan.id, 'return', { on: '2026-03-20', amount: pesos(20_000_00) });
    expect(eventOf(returned, 'returned')).toMatchObject({ amount: pesos(20_000_00) });
    expect(returned.returns).toHaveLength(1);
    const [entry] = returned.returns;
    expect(entry).toMatchObject({ on: '2026-03-20', amount: pesos(20_000_00), returned_whole: true });
    const { unwound_principal: unwound, principal_owed_back: back, beyond_the_loan: beyond } = entry;
    expect([unwound.minor_units, back.minor_units, beyond.minor_units]).toEqual([10_000_00, 0, 10_000_00]);
  });

  test('a write-off states its cost, and money that comes afterwards is recovered and never closes the Loan', async () => {
    const client = await desk.client();
    const { id } = await desk.loan(client);
    const { write_off: judged } = await desk.act(id, 'write-off', { on: '2026-06-01' });
    expect(judged).toMatchObject({ on: '2026-06-01', recovered: pesos(0) });
    const cost = judged.cost.total.minor_units;
    expect(cost).toBeGreaterThan(10_000_00);
    const paid = aReceipt(client, cost, '2026-07-01');
    mustBe(await desk.tenant.post('/receipts', paid), 201);
    const after = await desk.act(id, 'cession', { on: '2026-08-01' });
    expect(after.write_off.recovered).toEqual(pesos(cost));
    expect(after).not.toHaveProperty('closed_on');
  });

  test('the Loan counts the rollovers in force', async () => {
    const { loan, stated } = await rollable(await desk.client());
    const rolled = await desk.act(loan.id, 'rollover', stated);
    expect([rolled.rolled_over, rolled.remaining_periods]).toEqual([1, 1]);
    expect(rolled.periods).toEqual((loan as unknown as { periods: unknown }).periods);
  });
});

describe('a Loan nobody issued', () => {
  test.each([...rows.map(({ segment }) => segment), 'retraction', 'payoff-quotes'])('admits no %s', async (segment) => {
    const body = { ...(bodies[segment] ?? { on: '2026-02-01' }), ...account() };
    for (const id of ['01890000-0000-7000-8000-000000000000', 'no-uuid', '%00']) {
      expectRefused(await desk.send(id, segment, body), 404, 'not_found');
    }
  });

  test('is one of another Tenancy too', async () => {
    const other = await Desk.open(house());
    const { id } = await other.loan(await other.client());
    expectRefused(await desk.send(id, 'write-off', { on: '2026-06-01', ...account() }), 404, 'not_found');
    expect((await other.send(id, 'write-off', { on: '2026-06-01', ...account() })).status).toBe(201);
    await other.close();
  });

  test('is found under its identifier in capitals', async () => {
    const { id } = await desk.loan(await desk.client());
    const told = await desk.send(id.toUpperCase(), 'write-off', { on: '2026-06-01', ...account() });
    expect([told.status, told.body.id]).toEqual([201, id]);
  });
});

const someone = '01890000-0000-7000-8000-000000000001';
const bodies: { readonly [segment: string]: object } = {
  suspension: { on: '2026-02-01', to: '2026-02-28' },
  'suspension-end': { on: '2026-02-01', suspension_id: someone },
  waiver: { on: '2026-02-01', period: 1, charge: 'interest', amount: pesos(1) },
  return: { on: '2026-02-01', amount: pesos(1) },
  restructure: { on: '2026-02-01', term_periods: 6, rate: '30' },
  acceleration: { on: '2026-02-01', notified_on: '2026-02-01' },
  settlement: { on: '2026-02-01', agreed: pesos(1) },
  retraction: { on: '2026-02-01', event_id: someone },
};
