import type { ActRules } from '#libs/ledger/act.ts';
import { callDebt } from '#libs/ledger/charges/call-balance.ts';
import { payoff } from '#libs/ledger/charges/debt.ts';

/** Write-off: the lender stops expecting the rest. The debt stays on record at its cost; charging stops. */
export const writeOff: ActRules<'written_off'> = {
  rule: () => undefined,
  apply: (loan, { event, on }) => ({
    ...callDebt(loan, on),
    writeOff: { event, on, cost: payoff(loan, on), recovered: 0n },
  }),
};
