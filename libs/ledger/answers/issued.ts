import { formatDay } from '#libs/calendar/civil-day.ts';
import { type Money, money } from '#libs/ledger/answers/figures.ts';
import type { IssuedPeriod } from '#libs/ledger/charges/plan.ts';

export type PeriodFigure = {
  readonly index: number;
  readonly scheduled_on: string;
  readonly due_on: string;
  readonly principal: Money;
  readonly interest: Money;
  readonly fee: Money;
  readonly tax: Money;
  readonly payment: Money;
};

function payment({ principal, interest, fee, tax }: IssuedPeriod): bigint {
  return principal + interest + fee + tax;
}

export function totalPayments(periods: readonly IssuedPeriod[]): bigint {
  return periods.reduce((total, period) => total + payment(period), 0n);
}

/** The plan as issued, frozen. */
export function issuedPeriods(periods: readonly IssuedPeriod[], currency: string): readonly PeriodFigure[] {
  return periods.map((period) => ({
    index: period.index,
    scheduled_on: formatDay(period.scheduledOn),
    due_on: formatDay(period.dueOn),
    principal: money(period.principal, currency),
    interest: money(period.interest, currency),
    fee: money(period.fee, currency),
    tax: money(period.tax, currency),
    payment: money(payment(period), currency),
  }));
}
