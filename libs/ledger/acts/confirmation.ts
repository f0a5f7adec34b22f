import { formatDay } from '#libs/calendar/civil-day.ts';
import type { ActRules } from '#libs/ledger/act.ts';
import { refuse } from '#libs/schema/refusals.ts';

/** Confirmation: the held Loan stands from this day on, its plan as issued. */
export const confirmation: ActRules<'confirmed'> = {
  rule: (loan, { on }) => {
    const { holdUntil } = loan.terms;
    return holdUntil !== undefined && on > holdUntil
      ? refuse('hold_expired', { bound: formatDay(holdUntil), observed: formatDay(on) })
      : undefined;
  },
  apply: (loan, { on }) => ({ ...loan, held: false, confirmedOn: on, day: on }),
};
