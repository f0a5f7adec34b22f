import { checkSchedule, MOST_SCHEDULE_DAYS } from '#libs/calendar/schedule.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { integer, oneOf } from '#libs/schema/form.ts';
import { optional, required, shape } from '#libs/schema/shape.ts';

/** On which days periods end; the members a kind does not read are no members of it. */
export const schedule = shape(
  {
    kind: required(oneOf(enumerations.schedule_kind)),
    interval_days: optional(integer(1, MOST_SCHEDULE_DAYS)),
    day_of_month: optional(integer(1, 31)),
    first_after_days: optional(integer(0, MOST_SCHEDULE_DAYS)),
  },
  (stated) => {
    if (stated.kind === 'anchored_every_n_days' && stated.interval_days === undefined) {
      return { code: 'missing_field', at: '/interval_days' };
    }
    const checked = checkSchedule(stated);
    return 'refused' in checked ? { code: checked.refused, at: `/${checked.member}` } : undefined;
  },
);
