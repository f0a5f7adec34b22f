/** Early end of a suspension: amends the suspension it names. Days count for lateness and penalty again from this day. */

import { formatDay } from '#libs/calendar/civil-day.ts';
import { defineAct } from '#libs/ledger/act.ts';
import { RUNNING } from '#libs/ledger/loan-state.ts';
import { required } from '#libs/schema/objects.ts';
import { refuse } from '#libs/schema/refusals.ts';
import { uuid } from '#libs/schema/scalars.ts';

export const suspensionEnd = defineAct({
  kind: 'suspension_ended',
  route: {
    operation: 'endSuspension',
    segment: 'suspension-end',
    summary: 'End a suspension early',
    description: 'Days count for lateness and penalty again from `on`.',
    refusals: ['not_found'],
  },
  fields: { suspension_id: required(uuid) },
  states: { admitted: RUNNING },
  read: ({ suspension_id }) => ({ suspension: suspension_id.toLowerCase() }),
  amends: ({ suspension }) => ({ event: suspension }),
  admit: (loan, { on, body }) => {
    const named = loan.suspensions.find(({ event }) => event === body.suspension);
    if (named === undefined || named.endedOn !== undefined) {
      const bound = 'a suspension of this Loan that was not ended early';
      return refuse('invalid_event', { field: '/suspension_id', bound, observed: body.suspension });
    }
    if (on <= named.from || on > named.to) {
      return refuse('invalid_event', { bound: formatDay(named.to), observed: formatDay(on) });
    }
    return undefined;
  },
  apply: (loan, { on, body }) => ({
    ...loan,
    suspensions: loan.suspensions.map((recorded) =>
      recorded.event === body.suspension ? { ...recorded, endedOn: on } : recorded,
    ),
  }),
});
