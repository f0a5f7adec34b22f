/** Cession: at the end of this day the debt belongs to the assignee, and the book stops following it. */

import { defineAct, refuseUnlessLast } from '#libs/ledger/act.ts';
import { RUNNING } from '#libs/ledger/loan-state.ts';

export const cession = defineAct({
  kind: 'ceded',
  route: {
    operation: 'cedeLoan',
    segment: 'cession',
    summary: 'Cede a Loan',
    description: 'The debt is the assignee’s from the cut-off on.',
    refusals: [],
  },
  states: {
    admitted: [...RUNNING, 'written_off'],
    refusals: { ceded: 'already_ceded', cancelled: 'invalid_event' },
    leadsTo: 'ceded',
    admittedOnceRecovered: true,
  },
  timeOfDay: 'end_of_day',
  admit: (_loan, fact, history) => refuseUnlessLast(fact, history),
  apply: (loan, { event, on }) => ({ ...loan, cession: { event, on } }),
});
