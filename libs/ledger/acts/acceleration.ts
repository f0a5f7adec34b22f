/** Acceleration: after enough missed periods and due notice the whole debt falls due. */

import { addDays, clampToLastDay, dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { defineAct } from '#libs/ledger/act.ts';
import { callDebt } from '#libs/ledger/charges/new-periods.ts';
import { RUNNING } from '#libs/ledger/loan-state.ts';
import { required } from '#libs/schema/objects.ts';
import { refuse } from '#libs/schema/refusals.ts';
import { civilDay } from '#libs/schema/scalars.ts';

export const acceleration = defineAct({
  kind: 'accelerated',
  route: {
    operation: 'accelerateLoan',
    segment: 'acceleration',
    summary: 'Call the whole balance',
    description: 'Everything owed falls due on `on`.',
    refusals: ['acceleration_forbidden', 'acceleration_unearned', 'notice_too_short'],
  },
  fields: { notified_on: required(civilDay) },
  states: { admitted: RUNNING },
  read: ({ notified_on }) => ({ notifiedOn: dayOf(notified_on) }),
  rule: (loan, { on, body }) => {
    const { forbidden, missedPeriods, noticeDays } = loan.terms.acceleration;
    if (forbidden) return refuse('acceleration_forbidden');
    const needed = Math.max(1, missedPeriods);
    if (loan.lateAtOpening < needed) {
      return refuse('acceleration_unearned', { bound: needed, observed: loan.lateAtOpening });
    }
    const earliest = addDays(body.notifiedOn, noticeDays);
    return on < earliest
      ? refuse('notice_too_short', { bound: formatDay(clampToLastDay(earliest)), observed: formatDay(on) })
      : undefined;
  },
  apply: (loan, { on }) => ({ ...callDebt(loan, on), accelerated: true }),
});
