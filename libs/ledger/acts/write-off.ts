/** Write-off: the lender stops expecting the rest. The debt stays on record at its cost; charging stops. */

import { defineAct, refuseUnlessLast } from '#libs/ledger/act.ts';
import { payoff } from '#libs/ledger/charges/debt.ts';
import { callDebt } from '#libs/ledger/charges/new-periods.ts';
import { RUNNING } from '#libs/ledger/loan-state.ts';

export const writeOff = defineAct({
  kind: 'written_off',
  route: {
    operation: 'writeOffLoan',
    segment: 'write-off',
    summary: 'Write a Loan off',
    description: 'Charging stops; the debt stays on record at its cost.',
    refusals: [],
  },
  states: { admitted: RUNNING },
  admit: (_loan, fact, history) => refuseUnlessLast(fact, history),
  apply: (loan, { event, on }) => ({
    ...callDebt(loan, on),
    writeOff: { event, on, cost: payoff(loan, on), recovered: 0n },
  }),
});
