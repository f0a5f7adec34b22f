/** Schemas of product fields that no other body has, and the schedule that products and Loans share. */
import { checkSchedule, MAX_SCHEDULE_DAYS, type Schedule } from '#libs/calendar/schedule.ts';
import { enumerations } from '#libs/schema/enumerations.ts';
import { isIdentifier } from '#libs/schema/identifiers.ts';
import { canonicalJson, type Json } from '#libs/schema/json.ts';
import { array, object, optional, required } from '#libs/schema/objects.ts';
import { boolean, grammars, identifier, integer, oneOf } from '#libs/schema/scalars.ts';
import { leaf, refine, type Schema, type SchemaFault } from '#libs/schema/schema.ts';

/** The longest term a plan can have. */
export const maxTermPeriods = 600;
const maxNoticeDays = 366;

/** On which days periods end. A member that the kind does not use is refused. */
export const schedule: Schema<Schedule> = refine(
  object({
    kind: required(oneOf(enumerations.schedule_kind), 'By months, or by a number of days. Both count from the anchor.'),
    interval_days: optional(integer(1, MAX_SCHEDULE_DAYS), 'With `anchored_every_n_days`: the days of each period.'),
    day_of_month: optional(
      integer(1, 31),
      'With `anchored_monthly`: the day on which periods end, in a shorter month its last day. That of the anchor by default.',
    ),
    first_after_days: optional(
      integer(0, MAX_SCHEDULE_DAYS),
      'With `day_of_month`: the days that the first period has at least. One by default.',
    ),
  }),
  (value) => {
    if (value.kind === 'anchored_every_n_days' && value.interval_days === undefined) {
      return { code: 'missing_field', at: '/interval_days' };
    }
    const checked = checkSchedule(value);
    if (!('refused' in checked)) return undefined;
    const { refused: code, member } = checked;
    const isIncomplete = value.kind === 'anchored_monthly' && member === 'first_after_days';
    const bound = isIncomplete ? 'absent without day_of_month' : `absent with kind ${value.kind}`;
    return { code, at: `/${member}`, bound };
  },
);

const schedules = array(schedule, { minItems: 2, maxItems: 12 });

/** Schedules of which a Loan must state one. */
export const scheduleMenu: Schema<readonly [Schedule, ...Schedule[]]> = refine(
  schedules,
  (menu) => {
    const texts = menu.map((schedule) => canonicalJson(schedule));
    const repeated = texts.findIndex((text, index) => texts.indexOf(text) !== index);
    return repeated === -1 ? undefined : { code: 'invalid_field', at: `/${repeated}`, bound: 'distinct schedules' };
  },
  { ...schedules.jsonSchema, uniqueItems: true },
);

/** Any identifier is accepted. The service knows some; others have no effect. */
export function openIdentifier(known: readonly string[]): Schema<string> {
  const fault: SchemaFault = { code: 'invalid_field', at: '', bound: grammars.identifier };
  return leaf(
    { type: 'string', anyOf: [{ type: 'string', enum: known, 'x-enum-open': true }, identifier.jsonSchema] },
    (value) => (typeof value === 'string' && isIdentifier(value) ? undefined : fault),
  );
}

/** At least one integer, each above the one before it. */
export function ascendingIntegers(min: number, max: number): Schema<readonly number[]> {
  const elements = array(integer(min, max), { minItems: 1, maxItems: max - min + 1 });
  const bound = `ascending distinct integers from ${min} to ${max}`;
  return leaf({ ...elements.jsonSchema, uniqueItems: true, description: 'Ascending.' }, (value) => {
    const fault = elements.find('invalid', value, 1)?.[0];
    if (fault !== undefined) return { ...fault, bound };
    const numbers = value as readonly number[];
    const at = numbers.findIndex((number, index) => number <= (numbers[index - 1] ?? 0));
    return at === -1 ? undefined : { code: 'invalid_field', at: `/${at}`, bound };
  });
}

/** Each member once, in an order of the caller's choice. */
export function permutation<const Member extends string>(members: readonly Member[]): Schema<readonly Member[]> {
  const { length } = members;
  const fault: SchemaFault = { code: 'invalid_field', at: '', bound: `each of ${members.join(', ')} once` };
  const isPermutation = (value: Json): boolean =>
    Array.isArray(value) && value.length === length && members.every((member) => value.includes(member));
  return leaf(
    {
      type: 'array',
      items: { type: 'string', enum: members, 'x-enum-open': true },
      minItems: length,
      maxItems: length,
      uniqueItems: true,
    },
    (value) => (isPermutation(value) ? undefined : fault),
  );
}

export const accelerationTexts = {
  forbidden: 'Whether the whole balance may never be called.',
  missed_periods: 'How many periods must be late before it may be called.',
  notice_days: 'The days between the notice to the borrower and the call.',
} as const;

/** Zero missed periods are accepted: a lender may waive acceleration altogether. */
export const acceleration = object({
  forbidden: required(boolean, accelerationTexts.forbidden),
  missed_periods: required(integer(0, maxTermPeriods), accelerationTexts.missed_periods),
  notice_days: required(integer(0, maxNoticeDays), accelerationTexts.notice_days),
});
