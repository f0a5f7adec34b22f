/** Suspension: no day of it counts for lateness or penalty, its first day included. Interest of the plan goes on. */

import { type CivilDay, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { defineAct } from '#libs/ledger/act.ts';
import { lastCovered } from '#libs/ledger/charges/lateness.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { RUNNING } from '#libs/ledger/loan-state.ts';
import { required } from '#libs/schema/objects.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';
import { civilDay } from '#libs/schema/scalars.ts';

export const suspension = defineAct({
  kind: 'suspended',
  route: {
    operation: 'suspendLoan',
    segment: 'suspension',
    summary: 'Suspend a Loan',
    description: 'The days from `on` to `to` do not count for lateness or penalty.',
    refusals: ['already_suspended'],
  },
  fields: { to: required(civilDay) },
  states: { admitted: RUNNING },
  timeOfDay: 'before_opening',
  read: ({ to }) => ({ to: dayOf(to) }),
  // Of two that overlap the later one would have no effect, but it may be recorded already: checked whatever its day.
  admit: (loan, { on, body }) => (body.to < on ? undefined : overlap(loan, on, body.to)),
  rule: (loan, { on, body }) => {
    if (body.to < on) return refuse('invalid_event', { bound: formatDay(on), observed: formatDay(body.to) });
    return overlap(loan, on, body.to);
  },
  apply: (loan, { event, reference, on, body }, { seq }) => ({
    ...loan,
    suspensions: [...loan.suspensions, { event, seq, reference, from: on, to: body.to }],
  }),
});

function overlap(loan: Loan, from: CivilDay, to: CivilDay): Refusal | undefined {
  const other = loan.suspensions.find((each) => each.from <= to && from <= lastCovered(each));
  if (other === undefined) return undefined;
  return refuse('already_suspended', { recorded_id: other.event, bound: 'days that no suspension covers' });
}
