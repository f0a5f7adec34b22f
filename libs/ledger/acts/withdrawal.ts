/** Withdrawal: the borrower undoes the Loan, for as many days as the product provides. */

import { addDays, formatDay } from '#libs/calendar/civil-day.ts';
import { defineAct } from '#libs/ledger/act.ts';
import { RUNNING } from '#libs/ledger/loan-state.ts';
import { refuse } from '#libs/schema/refusals.ts';

export const withdrawal = defineAct({
  kind: 'withdrawn',
  route: {
    operation: 'withdrawLoan',
    segment: 'withdraw',
    summary: 'Withdraw from a Loan',
    description: 'The borrower withdraws within the days the product or the law gives.',
    refusals: ['withdrawal_not_provided', 'withdrawal_window_closed'],
  },
  states: { admitted: [...RUNNING, 'closed'], leadsTo: 'withdrawn' },
  rule: (loan, { on }) => {
    const { withdrawalDays, anchor } = loan.terms;
    if (withdrawalDays === 0) return refuse('withdrawal_not_provided');
    const last = addDays(anchor, withdrawalDays);
    if (on > last) return refuse('withdrawal_window_closed', { bound: formatDay(last), observed: formatDay(on) });
    return undefined;
  },
  apply: (loan, { event, reference, on }) => ({ ...loan, undone: { kind: 'withdrawn', event, reference, on } }),
});
