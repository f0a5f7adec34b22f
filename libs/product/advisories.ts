/** What a lender may want to look at again before selling the product. Advisories refuse nothing. Pure. */

import { rateOf } from '#libs/money/rate.ts';
import type { Effective } from '#libs/product/effective.ts';
import type { FieldName } from '#libs/product/frame-table.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';

/** In the order in which they are told. The codes are open: more may come. */
export const ADVISORIES = [
  {
    code: 'first_period_may_fall_next_day',
    field: 'schedule',
    says: 'A Loan may have its first period scheduled on the day after its anchor.',
    applies: ({ schedule, schedules }) => offered(schedule.value, schedules.value).some(mayFallNextDay),
  },
  {
    code: 'no_tolerance',
    field: 'tolerance_days',
    says: 'A period is late on the day after it was due, however little of it is unpaid.',
    applies: ({ tolerance_days, tolerance }) => tolerance_days.value === 0 && minorUnits(tolerance.value) === 0,
  },
  {
    code: 'zero_rate',
    field: 'rate_max',
    says: 'The rate corridor holds zero alone: no Loan bears interest.',
    applies: ({ rate_max }) => rateOf(rate_max.value as string) === 0n,
  },
  {
    code: 'penalty_without_ceiling',
    field: 'penalty_rate_max',
    says: 'A penalty may run as long as a period stands overdue: no ceiling in days or of the whole Loan is in force.',
    applies: ({ penalty_rate_max, penalty_ceiling_days, penalty_ceiling_bps }) =>
      rateOf(penalty_rate_max.value as string) > 0n &&
      penalty_ceiling_days.value === undefined &&
      penalty_ceiling_bps.value === undefined,
  },
  {
    code: 'single_term',
    field: 'terms',
    says: 'One term is offered: the borrower has no choice of it.',
    applies: ({ terms }) => terms.source === 'stated' && (terms.value as readonly Json[]).length === 1,
  },
  {
    code: 'guard_without_amount',
    field: 'max_outstanding_per_client',
    says: 'Loans of a Client are guarded by count or lateness, and the principal a Client may owe is not.',
    applies: ({ max_open_loans_per_client, max_outstanding_per_client, refuse_while_any_loan_overdue }) =>
      max_outstanding_per_client.value === undefined &&
      (max_open_loans_per_client.value !== undefined || refuse_while_any_loan_overdue.value === true),
  },
] as const satisfies readonly AdvisoryRule[];

interface AdvisoryRule {
  readonly code: string;
  readonly field: FieldName;
  readonly says: string;
  readonly applies: (effective: Effective) => boolean;
}

export type AdvisoryCode = (typeof ADVISORIES)[number]['code'];

export interface Advisory {
  readonly code: AdvisoryCode;
  /** Where the lender would change it, as a JSON pointer. */
  readonly field: string;
  readonly says: string;
}

export function advisoriesOf(effective: Effective): readonly Advisory[] {
  return ADVISORIES.filter(({ applies }) => applies(effective)).map(({ code, field, says }) => ({
    code,
    field: `/values/${field}`,
    says,
  }));
}

function offered(schedule: Json | undefined, menu: Json | undefined): readonly JsonObject[] {
  return (menu ?? [schedule]) as readonly JsonObject[];
}

// By anchor and k months alone a first period is at least 28 days off.
function mayFallNextDay({ kind, interval_days, day_of_month, first_after_days }: JsonObject): boolean {
  if (kind === 'anchored_every_n_days') return interval_days === 1;
  return day_of_month !== undefined && ((first_after_days as number | undefined) ?? 0) <= 1;
}

function minorUnits(money: Json | undefined): number {
  return money === undefined ? 0 : ((money as JsonObject)['minor_units'] as number);
}
