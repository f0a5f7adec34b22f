/** Confirmation: a Loan issued with a hold begins on this day, with its plan as issued. */

import { formatDay } from '#libs/calendar/civil-day.ts';
import { defineAct } from '#libs/ledger/act.ts';
import { refuse } from '#libs/schema/refusals.ts';

export const confirmation = defineAct({
  kind: 'confirmed',
  route: {
    operation: 'confirmLoan',
    segment: 'confirm',
    summary: 'Confirm a held Loan',
    description: 'The hold ends, and the Loan is in force from this day on.',
    refusals: ['hold_expired'],
  },
  states: { admitted: ['held'], refusals: { closed: 'not_held', written_off: 'not_held' } },
  timeOfDay: 'first',
  rule: (loan, { on }) => {
    const { holdUntil } = loan.terms;
    return holdUntil !== undefined && on > holdUntil
      ? refuse('hold_expired', { bound: formatDay(holdUntil), observed: formatDay(on) })
      : undefined;
  },
  apply: (loan, { on }) => ({ ...loan, held: false, confirmedOn: on, day: on }),
});
