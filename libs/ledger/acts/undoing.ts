import { addDays, formatDay } from '#libs/calendar/civil-day.ts';
import type { ActRules } from '#libs/ledger/act.ts';
import type { ActOf } from '#libs/ledger/facts.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { refuse } from '#libs/schema/refusals.ts';

/** Rescission: the Loan is undone from this day, and all that Receipts settled on it goes back. */
export const rescission: ActRules<'rescinded'> = {
  rule: () => undefined,
  apply: (loan, act) => undo(loan, act),
};

/** Withdrawal: the borrower's own right to undo, for as many days as the product provides. */
export const withdrawal: ActRules<'withdrawn'> = {
  rule: (loan, { on }) => {
    const { withdrawalDays, anchor } = loan.terms;
    if (withdrawalDays === 0) return refuse('withdrawal_not_provided');
    const last = addDays(anchor, withdrawalDays);
    if (on > last) return refuse('withdrawal_window_closed', { bound: formatDay(last), observed: formatDay(on) });
    return undefined;
  },
  apply: (loan, act) => undo(loan, act),
};

function undo(loan: Loan, { kind, event, reference, on }: ActOf<'rescinded' | 'withdrawn'>): Loan {
  return { ...loan, undone: { kind, event, reference, on } };
}
