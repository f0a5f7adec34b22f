import { addDays, formatDay, writable } from '#libs/calendar/civil-day.ts';
import type { ActRules } from '#libs/ledger/act.ts';
import { callDebt } from '#libs/ledger/charges/call-balance.ts';
import { refuse } from '#libs/schema/refusals.ts';

/** Acceleration: after enough missed periods and due notice the whole debt is called. */
export const acceleration: ActRules<'accelerated'> = {
  rule: (loan, { on, body }) => {
    const { forbidden, missedPeriods, noticeDays } = loan.terms.acceleration;
    if (forbidden) return refuse('acceleration_forbidden');
    const needed = Math.max(1, missedPeriods);
    if (loan.lateAtOpening < needed) {
      return refuse('acceleration_unearned', { bound: needed, observed: loan.lateAtOpening });
    }
    const earliest = addDays(body.notifiedOn, noticeDays);
    return on < earliest
      ? refuse('notice_too_short', { bound: formatDay(writable(earliest)), observed: formatDay(on) })
      : undefined;
  },
  apply: (loan, { on }) => ({ ...callDebt(loan, on), accelerated: true }),
};
