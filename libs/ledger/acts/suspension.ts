import { formatDay } from '#libs/calendar/civil-day.ts';
import type { ActRules, ChangeRules } from '#libs/ledger/act.ts';
import { lastCovered } from '#libs/ledger/charges/running-days.ts';
import { refuse } from '#libs/schema/refusals.ts';

/** Suspension: the clock of lateness stands still on its days, this day included. Interest of the plan goes on. */
export const suspension: ActRules<'suspended'> = {
  rule: (loan, { on, body }) => {
    if (body.to < on) return refuse('invalid_event', { bound: formatDay(on), observed: formatDay(body.to) });
    const overlaps = loan.suspensions.some((each) => each.from <= body.to && on <= lastCovered(each));
    return overlaps ? refuse('already_suspended') : undefined;
  },
  apply: (loan, { event, reference, on, body }, { seq }) => ({
    ...loan,
    suspensions: [...loan.suspensions, { event, seq, reference, from: on, to: body.to }],
  }),
};

/** Early end: shortens the suspension it names, wherever that stands; the clock runs again on this day. */
export const suspensionEnd: ChangeRules<'suspension_ended'> = {
  rule: (loan, { on, body }) => {
    const named = loan.suspensions.find((each) => each.event === body.suspension);
    if (named === undefined || named.endedOn !== undefined) return refuse('invalid_event');
    if (on <= named.from || on > named.to) {
      return refuse('invalid_event', { bound: formatDay(named.to), observed: formatDay(on) });
    }
    return undefined;
  },
};
