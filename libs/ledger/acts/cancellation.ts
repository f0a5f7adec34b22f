import type { ChangeRules } from '#libs/ledger/act.ts';
import { refuse } from '#libs/schema/refusals.ts';

/**
 * Cancellation: the Loan charges nothing, from its anchor on. It is no step of the fold: while it stands the Loan is
 * issued cancelled. Its rule is asked of all that is recorded, so that money received is never passed over.
 */
export const cancellation: ChangeRules<'cancelled'> = {
  rule: (loan) => (loan.received === undefined ? undefined : refuse('loan_has_receipts')),
};
