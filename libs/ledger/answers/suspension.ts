import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { suspensionOn } from '#libs/ledger/charges/running-days.ts';
import type { Loan } from '#libs/ledger/loan.ts';

export type SuspensionFigure = {
  readonly event_id: string;
  readonly reference: string;
  readonly from: string;
  readonly to: string;
  readonly ended_on?: string;
};

export function suspensionFigure(loan: Loan, on: CivilDay): SuspensionFigure | undefined {
  const found = suspensionOn(loan, on);
  if (found === undefined) return undefined;
  const { event, reference, from, to, endedOn } = found;
  const figure = { event_id: event, reference, from: formatDay(from), to: formatDay(to) };
  return endedOn === undefined ? figure : { ...figure, ended_on: formatDay(endedOn) };
}
