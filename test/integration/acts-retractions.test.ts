/** A recorded fact is withdrawn by another, and stays readable. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { Desk, eventOf, expectRefused } from './desk.ts';
import { account } from './given-loans.ts';
import { house } from './tenant.ts';

let desk: Desk;
beforeAll(async () => {
  desk = await Desk.open(house());
});
afterAll(() => desk.close());

const someone = '01890000-0000-7000-8000-000000000001';

describe('a retraction', () => {
  const retract = (loanId: string, eventId: string, day = '2026-07-01') =>
    desk.send(loanId, 'retraction', { on: day, event_id: eventId, ...account() });

  test('does not take an issuance back', async () => {
    const loan = await desk.loan(await desk.client());
    expectRefused(await retract(loan.id, eventOf(loan, 'issued').id), 422, 'not_retractable');
    const held = await desk.loan(await desk.client(), { hold_until: '2026-02-14' });
    expectRefused(await retract(held.id, eventOf(held, 'issued').id), 422, 'not_retractable');
  });

  test('names a fact of that Loan, and one that still stands', async () => {
    const client = await desk.client();
    const loan = await desk.loanAfter(client, 'write-off', { on: '2026-06-01' });
    const other = await desk.loan(client);
    const { id: event } = eventOf(loan, 'written_off');
    expectRefused(await retract(loan.id, someone), 404, 'not_found', { field: '/event_id' });
    expectRefused(await retract(other.id, event), 404, 'not_found', { field: '/event_id' });
    expect((await retract(loan.id, event.toUpperCase())).status).toBe(201);
    expectRefused(await retract(loan.id, event), 409, 'already_retracted');
  });

  test('leaves a suspension to its early end, as long as that stands', async () => {
    const loan = await desk.suspended(await desk.client());
    const { id: suspension } = eventOf(loan, 'suspended');
    const ended = await desk.act(loan.id, 'suspension-end', { on: '2026-03-10', suspension_id: suspension });
    expectRefused(await retract(loan.id, suspension), 409, 'fact_depended_on');
    expect((await retract(loan.id, eventOf(ended, 'suspension_ended').id)).status).toBe(201);
    expect((await retract(loan.id, suspension)).status).toBe(201);
  });

  test.each([
    ['cession', { on: '2026-06-01' }, 'ceded', 'cession_in_force'],
    ['cancel', { on: '2026-06-01' }, 'cancelled', 'loan_cancelled'],
    ['rescind', { on: '2026-06-01' }, 'rescinded', 'loan_undone'],
  ] as const)('on a Loan after its %s withdraws that alone', async (segment, stated, kind, code) => {
    const loan = await desk.suspended(await desk.client());
    const ended = await desk.act(loan.id, segment, stated);
    expectRefused(await retract(loan.id, eventOf(loan, 'suspended').id), 409, code);
    const told = await retract(loan.id, eventOf(ended, kind).id);
    expect([told.status, told.body.state]).toEqual([201, 'active']);
    expect((await retract(loan.id, eventOf(loan, 'suspended').id)).status).toBe(201);
  });

  test('dated before the anchor is refused last', async () => {
    const loan = await desk.suspended(await desk.client());
    const early = await retract(loan.id, eventOf(loan, 'suspended').id, '2026-01-14');
    expectRefused(early, 422, 'invalid_event', { bound: '2026-01-15' });
    expectRefused(await retract(loan.id, eventOf(loan, 'issued').id, '2026-01-14'), 422, 'not_retractable');
  });
});
