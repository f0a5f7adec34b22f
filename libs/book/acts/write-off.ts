import type { ActRules } from '#libs/book/act.ts';
import { callDebt } from '#libs/book/charges/calling.ts';
import { payoff } from '#libs/book/charges/debt.ts';

/** Write-off: the lender stops expecting the rest. The debt stays on record at its cost; charging stops. */
export const writeOff: ActRules<'written_off'> = {
  rule: () => undefined,
  apply: (loan, { event, on }) => ({
    ...callDebt(loan, on),
    writeOff: { event, on, cost: payoff(loan, on), recovered: 0n },
  }),
};
