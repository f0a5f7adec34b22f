/** Warnings about a product that is permitted but perhaps not intended. Advisories refuse nothing. */
import type { Schedule } from '#libs/calendar/schedule.ts';
import { rateOf } from '#libs/money/rate.ts';
import type { EffectiveValues } from '#libs/product/effective-values.ts';
import type { FieldName } from '#libs/product/frame-table.ts';

interface AdvisoryRule {
  readonly code: string;
  readonly field: FieldName;
  readonly says: string;
  readonly applies: (effective: EffectiveValues) => boolean;
}

/** In the order in which they are answered. More codes may be added. */
export const ADVISORIES = [
  {
    code: 'first_period_may_fall_next_day',
    field: 'schedule',
    says: 'The first period of a Loan may be scheduled on the day after its anchor.',
    applies: ({ schedule, schedules }) => (schedules.value ?? [schedule.value]).some(mayFallNextDay),
  },
  {
    code: 'no_tolerance',
    field: 'tolerance_days',
    says: 'A period is late on the day after it was due, however little of it is unpaid.',
    applies: ({ tolerance_days, tolerance }) => tolerance_days.value === 0 && (tolerance.value?.minor_units ?? 0) === 0,
  },
  {
    code: 'zero_rate',
    field: 'rate_max',
    says: 'The highest contract rate is zero: no Loan bears interest.',
    applies: ({ rate_max }) => rate_max.value !== undefined && rateOf(rate_max.value) === 0n,
  },
  {
    code: 'penalty_without_ceiling',
    field: 'penalty_rate_max',
    says: 'A penalty accrues for as long as a period is overdue: there is no ceiling in days or for the whole Loan.',
    applies: ({ penalty_rate_max, penalty_ceiling_days, penalty_ceiling_bps }) =>
      penalty_rate_max.value !== undefined &&
      rateOf(penalty_rate_max.value) > 0n &&
      penalty_ceiling_days.value === undefined &&
      penalty_ceiling_bps.value === undefined,
  },
  {
    code: 'single_term',
    field: 'terms',
    says: 'Only one term is offered, so the borrower cannot choose.',
    applies: ({ terms }) => terms.source === 'stated' && terms.value?.length === 1,
  },
  {
    code: 'guard_without_amount',
    field: 'max_outstanding_per_client',
    says: 'Loans of a Client are limited by count or lateness, but not by the principal the Client owes.',
    applies: ({ max_open_loans_per_client, max_outstanding_per_client, refuse_while_any_loan_overdue }) =>
      max_outstanding_per_client.value === undefined &&
      (max_open_loans_per_client.value !== undefined || refuse_while_any_loan_overdue.value === true),
  },
] as const satisfies readonly AdvisoryRule[];

type AdvisoryCode = (typeof ADVISORIES)[number]['code'];

export type Advisory = {
  readonly code: AdvisoryCode;
  /** A JSON pointer to the field that the lender would change. */
  readonly field: string;
  readonly says: string;
};

export function advisoriesOf(effective: EffectiveValues): readonly Advisory[] {
  return ADVISORIES.filter(({ applies }) => applies(effective)).map(({ code, field, says }) => ({
    code,
    field: `/values/${field}`,
    says,
  }));
}

// A monthly schedule without a day of the month starts at least 28 days after the anchor.
function mayFallNextDay(schedule: Schedule | undefined): boolean {
  if (schedule === undefined) return false;
  if (schedule.kind === 'anchored_every_n_days') return schedule.interval_days === 1;
  return schedule.day_of_month !== undefined && (schedule.first_after_days ?? 0) <= 1;
}
