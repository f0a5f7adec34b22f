/** Voiding: a Loan issued with a hold never begins. Its acts had no effect, so none of them is an anomaly. */

import { defineAct } from '#libs/ledger/act.ts';

export const voiding = defineAct({
  kind: 'voided',
  route: {
    operation: 'voidLoan',
    segment: 'void',
    summary: 'Void a held Loan',
    description: 'The Loan counts as not issued.',
    refusals: [],
  },
  states: { admitted: ['held'], refusals: { closed: 'not_held', written_off: 'not_held' }, leadsTo: 'voided' },
  apply: (loan) => ({ ...loan, voided: true, bounded: [] }),
});
