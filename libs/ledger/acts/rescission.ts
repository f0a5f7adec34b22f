/** Rescission: the lender undoes the Loan from this day on, and everything that Receipts settled on it goes back. */

import { defineAct } from '#libs/ledger/act.ts';
import { RUNNING } from '#libs/ledger/loan-state.ts';

export const rescission = defineAct({
  kind: 'rescinded',
  route: {
    operation: 'rescindLoan',
    segment: 'rescind',
    summary: 'Rescind a Loan',
    description: 'The Loan is undone, and what it received goes back to the Client.',
    refusals: [],
  },
  states: { admitted: [...RUNNING, 'closed'], leadsTo: 'rescinded' },
  apply: (loan, { event, reference, on }) => ({ ...loan, undone: { kind: 'rescinded', event, reference, on } }),
});
