import { formatDay } from '#libs/calendar/civil-day.ts';
import { type Money, money } from '#libs/ledger/answers/figures.ts';
import type { Waiver } from '#libs/ledger/loan.ts';

export type WaiverFigure = {
  readonly reference: string;
  readonly on: string;
  readonly period: number;
  readonly charge: string;
  readonly amount: Money;
};

export function waiverFigure({ reference, on, period, charge, amount }: Waiver, currency: string): WaiverFigure {
  return { reference, on: formatDay(on), period, charge, amount: money(amount, currency) };
}
