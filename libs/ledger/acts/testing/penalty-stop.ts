/** Penalty stop: from this day on the Loan bears no penalty. What was charged before stays owed. */

import { dayOf, formatDay } from '#libs/calendar/civil-day.ts';
import { defineAct } from '#libs/ledger/act.ts';
import { RUNNING } from '#libs/ledger/loan-state.ts';
import { rateOf } from '#libs/money/rate.ts';
import { required } from '#libs/schema/objects.ts';
import { refuse } from '#libs/schema/refusals.ts';
import { civilDay } from '#libs/schema/scalars.ts';

export const penaltyStop = defineAct({
  kind: 'penalty_stopped',
  route: {
    operation: 'stopPenalty',
    segment: 'penalty-stop',
    summary: 'Stop the penalty of a Loan',
    description: 'The Loan bears no penalty from this day on.',
    refusals: [],
  },
  fields: { announced_on: required(civilDay, 'The day on which the borrower was notified. Not after `on`.') },
  states: { admitted: RUNNING },
  read: ({ announced_on }) => ({ announcedOn: dayOf(announced_on) }),
  rule: (_loan, { on, body }) =>
    body.announcedOn > on
      ? refuse('invalid_event', { bound: formatDay(on), observed: formatDay(body.announcedOn) })
      : undefined,
  apply: (loan) => ({ ...loan, penaltyRate: rateOf('0') }),
});
