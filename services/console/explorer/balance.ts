/** The series that plots show, from the lines of a statement and from a plan. */
import type { IssuedPeriod, LoanStatement, Money, StatementLine } from '#libs/sdk/src/contract/shapes.ts';

export interface DayAmount {
  readonly day: string;
  readonly amount: Money;
}

interface StatementSpan {
  readonly from: string;
  readonly to: string;
  readonly opening: Money;
  readonly closing: Money;
}

/** What is owed after each day that has lines; it begins with the opening debt and ends with the closing one. */
export function balanceSeries(
  { from, to, opening, closing }: StatementSpan,
  lines: readonly StatementLine[],
): readonly DayAmount[] {
  const changes = sumByDay(lines.map(({ on, kind, total }) => [on, signOf(kind) * total.minor_units]));
  const totals = runningTotals(changes, opening.minor_units);
  const [, last] = totals.at(-1) ?? [from, opening.minor_units];
  if (last !== closing.minor_units) {
    throw new Error(`the lines of a statement add up to ${last}; expected its closing debt ${closing.minor_units}`);
  }
  const points = totals.map(([day, minor_units]) => amountOn(day, minor_units, opening));
  const [first] = points;
  const begin = first?.day === from ? [] : [amountOn(from, opening.minor_units, opening)];
  const end = points.at(-1)?.day === to ? [] : [{ day: to, amount: closing }];
  return [...begin, ...points, ...end];
}

/** A line that moves debt between charges leaves the sum as it is. */
const signs: Readonly<Record<string, number>> = { charged: 1, moved: 0, received: -1, released: -1, ceded: -1 };

function signOf(kind: string): number {
  const sign = signs[kind];
  if (sign === undefined) throw new Error(`a statement has a line of the unknown kind ${kind}`);
  return sign;
}

/** By day: the payments planned so far, and the money received so far. Of days after the one asked about, only the plan is known. */
export interface PlanAndPaid {
  readonly day: string;
  readonly planned: Money;
  readonly paid: Money | undefined;
}

export function planAndPaidSeries(
  periods: readonly IssuedPeriod[],
  lines: readonly StatementLine[],
  { from, to, received: total }: Pick<LoanStatement, 'from' | 'to' | 'received'>,
): readonly PlanAndPaid[] {
  const planned = new Map(
    runningTotals(sumByDay(periods.map(({ due_on, payment }) => [due_on, payment.minor_units])), 0),
  );
  const received = lines.filter(({ kind }) => kind === 'received');
  const paid = new Map(runningTotals(sumByDay(received.map(({ on, total }) => [on, total.minor_units])), 0));
  const [, sum = 0] = [...paid].at(-1) ?? [];
  if (sum !== total.minor_units) {
    throw new Error(`the money received by a statement adds up to ${sum}; expected ${total.minor_units}`);
  }
  const days = [...new Set([from, to, ...planned.keys(), ...paid.keys()])].sort();
  let sums = { planned: 0, paid: 0 };
  return days.map((day) => {
    sums = { planned: planned.get(day) ?? sums.planned, paid: paid.get(day) ?? sums.paid };
    const money = (minor_units: number): Money => ({ ...total, minor_units });
    return { day, planned: money(sums.planned), paid: day > to ? undefined : money(sums.paid) };
  });
}

type DaySum = readonly [day: string, minorUnits: number];

function amountOn(day: string, minor_units: number, { currency }: Money): DayAmount {
  return { day, amount: { minor_units, currency } };
}

/** In the order of days. */
function sumByDay(amounts: readonly DaySum[]): readonly DaySum[] {
  const sums = new Map<string, number>();
  for (const [day, amount] of amounts) sums.set(day, (sums.get(day) ?? 0) + amount);
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
}

function runningTotals(sums: readonly DaySum[], start: number): readonly DaySum[] {
  let total = start;
  return sums.map(([day, amount]) => {
    total += amount;
    return [day, total];
  });
}
