import type { ActRules } from '#libs/ledger/act.ts';

/** Cession: at the end of this day the debt is the assignee's, and the book stops following it. */
export const cession: ActRules<'ceded'> = {
  rule: () => undefined,
  apply: (loan, { event, on }) => ({ ...loan, cession: { event, on } }),
};
