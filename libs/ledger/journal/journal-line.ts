/** A line of the journal: a change of what one charge of one period of a Loan owes, dated. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import type { MovementKind } from '#libs/ledger/answers/movements.ts';
import type { Taxed } from '#libs/ledger/line.ts';
import type { Charge } from '#libs/product/terms.ts';

export type JournalLine = Taxed & {
  /** The place of the Loan in the order of recording. */
  readonly loan: number;
  readonly period: number;
  readonly charge: Charge;
  /** `amount` and `tax` are signed: what is charged raises the debt, what is received, released or ceded lowers it. */
  readonly kind: MovementKind;
  readonly day: CivilDay;
  /** The day on which its period falls due. */
  readonly dueOn: CivilDay;
  /** The sequence of the fact that caused the line. Absent where days alone did. */
  readonly fact?: number;
};

export type DifferingLines = { readonly added: readonly JournalLine[]; readonly takenBack: readonly JournalLine[] };

/** The lines of each list that the other lacks. Equal lines are counted, not merged. */
export function differingLines(before: readonly JournalLine[], after: readonly JournalLine[]): DifferingLines {
  // What days to come will add is at the end of both, and seldom changes.
  let equal = 0;
  while (isEqual(before.at(-1 - equal), after.at(-1 - equal))) equal += 1;
  const lines = before.slice(0, before.length - equal);
  const others = after.slice(0, after.length - equal);
  return { added: linesWithout(others, lines), takenBack: linesWithout(lines, others) };
}

function isEqual(one: JournalLine | undefined, other: JournalLine | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return (
    one.loan === other.loan &&
    one.period === other.period &&
    one.charge === other.charge &&
    one.kind === other.kind &&
    one.day === other.day &&
    one.dueOn === other.dueOn &&
    one.amount === other.amount &&
    one.tax === other.tax &&
    one.fact === other.fact
  );
}

function linesWithout(lines: readonly JournalLine[], others: readonly JournalLine[]): readonly JournalLine[] {
  if (lines.length === 0 || others.length === 0) return lines;
  const counts = new Map<string, number>();
  for (const line of others) {
    const key = keyOf(line);
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return lines.filter((line) => {
    const key = keyOf(line);
    const count = counts.get(key) ?? 0;
    if (count === 0) return true;
    counts.set(key, count - 1);
    return false;
  });
}

function keyOf({ loan, period, charge, kind, day, dueOn, amount, tax, fact }: JournalLine): string {
  return `${loan} ${period} ${charge} ${kind} ${day} ${dueOn} ${amount} ${tax} ${fact}`;
}
