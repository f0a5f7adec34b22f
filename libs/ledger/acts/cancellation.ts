/**
 * Cancellation: the Loan charges nothing, from its anchor on. It amends the issuance, so its rule is checked against
 * everything recorded: a Loan that has received money cannot be cancelled.
 */

import { defineAct } from '#libs/ledger/act.ts';
import { RUNNING } from '#libs/ledger/loan-state.ts';
import { refuse } from '#libs/schema/refusals.ts';

export const cancellation = defineAct({
  kind: 'cancelled',
  route: {
    operation: 'cancelLoan',
    segment: 'cancel',
    summary: 'Cancel a Loan',
    description: 'Only while no Receipt has settled anything on it.',
    refusals: ['loan_has_receipts'],
  },
  states: { admitted: RUNNING, refusals: { closed: 'loan_has_receipts' }, leadsTo: 'cancelled' },
  amends: () => 'issuance',
  admit: (loan) => (loan.received === undefined ? undefined : refuse('loan_has_receipts')),
  apply: (loan) => ({ ...loan, cancelled: true }),
});
