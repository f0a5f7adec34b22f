import type { ActRules } from '#libs/book/act.ts';
import { refuse } from '#libs/contract/refusals.ts';

/** Voiding: the held Loan never came to be. */
export const voiding: ActRules<'voided'> = {
  kind: 'voided',
  rule: (loan) => (loan.held ? undefined : refuse('not_held')),
  apply: (loan) => ({ ...loan, voided: true }),
};
