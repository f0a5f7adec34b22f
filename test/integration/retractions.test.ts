/** A retraction withdraws an act; the act stays readable. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { expectRefusal, Lender, lastEventOfKind } from '#test/support/lender.ts';
import { attributed } from '#test/support/request-bodies.ts';
import { testEnvironment } from '#test/support/tenant.ts';

let lender: Lender;
beforeAll(async () => {
  lender = await Lender.open(testEnvironment());
});
afterAll(() => lender.close());

const unknownId = '01890000-0000-7000-8000-000000000001';

describe('a retraction', () => {
  const retract = (loanId: string, eventId: string, day = '2026-07-01') =>
    lender.sendAct(loanId, 'retraction', { on: day, event_id: eventId, ...attributed() });

  test('cannot withdraw an issuance', async () => {
    const loan = await lender.loan(await lender.client());
    expectRefusal(await retract(loan.id, lastEventOfKind(loan, 'issued').id), 422, 'not_retractable');
    const held = await lender.loan(await lender.client(), { hold_until: '2026-02-14' });
    expectRefusal(await retract(held.id, lastEventOfKind(held, 'issued').id), 422, 'not_retractable');
  });

  test('must name an act of the same Loan that was not withdrawn before', async () => {
    const client = await lender.client();
    const loan = await lender.loanAfterAct(client, 'write-off', { on: '2026-06-01' });
    const other = await lender.loan(client);
    const { id: event } = lastEventOfKind(loan, 'written_off');
    expectRefusal(await retract(loan.id, unknownId), 404, 'not_found', { field: '/event_id' });
    expectRefusal(await retract(other.id, event), 404, 'not_found', { field: '/event_id' });
    expect((await retract(loan.id, event.toUpperCase())).status).toBe(201);
    expectRefusal(await retract(loan.id, event), 409, 'already_retracted');
  });

  test('cannot withdraw a suspension while its early end is in force', async () => {
    const loan = await lender.suspendedLoan(await lender.client());
    const { id: suspension } = lastEventOfKind(loan, 'suspended');
    const ended = await lender.act(loan.id, 'suspension-end', { on: '2026-03-10', suspension_id: suspension });
    expectRefusal(await retract(loan.id, suspension), 409, 'fact_depended_on');
    expect((await retract(loan.id, lastEventOfKind(ended, 'suspension_ended').id)).status).toBe(201);
    expect((await retract(loan.id, suspension)).status).toBe(201);
  });

  test.each([
    ['cession', { on: '2026-06-01' }, 'ceded', 'cession_in_force'],
    ['cancel', { on: '2026-06-01' }, 'cancelled', 'loan_cancelled'],
    ['rescind', { on: '2026-06-01' }, 'rescinded', 'loan_undone'],
  ] as const)('on a Loan after its %s can withdraw only that act', async (segment, stated, kind, code) => {
    const loan = await lender.suspendedLoan(await lender.client());
    const ended = await lender.act(loan.id, segment, stated);
    expectRefusal(await retract(loan.id, lastEventOfKind(loan, 'suspended').id), 409, code);
    const response = await retract(loan.id, lastEventOfKind(ended, kind).id);
    expect([response.status, response.body.state]).toEqual([201, 'active']);
    expect((await retract(loan.id, lastEventOfKind(loan, 'suspended').id)).status).toBe(201);
  });

  test('dated before the anchor is refused after all other checks', async () => {
    const loan = await lender.suspendedLoan(await lender.client());
    const early = await retract(loan.id, lastEventOfKind(loan, 'suspended').id, '2026-01-14');
    expectRefusal(early, 422, 'invalid_event', { bound: '2026-01-15' });
    expectRefusal(await retract(loan.id, lastEventOfKind(loan, 'issued').id, '2026-01-14'), 422, 'not_retractable');
  });
});
