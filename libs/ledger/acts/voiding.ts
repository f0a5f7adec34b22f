import type { ActRules } from '#libs/ledger/act.ts';

/** Voiding: the held Loan never came to be, and that its acts did nothing contradicts nothing. */
export const voiding: ActRules<'voided'> = {
  rule: () => undefined,
  apply: (loan) => ({ ...loan, voided: true, bounded: [] }),
};
