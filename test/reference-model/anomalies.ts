/** Anomalies of a Loan and the facts that caused them. */
import { type BookContext, fold, inForce, lastDay } from './fold.ts';
import type { Fact } from './input.ts';
import type { Loan } from './loan.ts';
import type { Anomaly } from './loan-answers.ts';

type FactName = Anomaly['facts'][number];

function nameOf(fact: Fact): FactName {
  switch (fact.type) {
    case 'receipt':
      return { type: 'receipt', id: fact.reference };
    case 'reversal':
      return { type: 'reversal', id: fact.reference };
    case 'issuance':
      return { type: 'event', id: fact.event_id ?? fact.id };
    case 'act':
      return { type: 'event', id: fact.kind === 'retraction' ? (fact.event_id ?? '') : fact.id };
  }
}

/** Section 3 of fold.md: acts that the fold bounded instead of refusing, and the fact whose recording made their rule fail. */
export function anomaliesOf(
  context: BookContext,
  facts: Fact[],
  loan: Loan,
  reached: Map<string, string[]>,
): Anomaly[] {
  const found = loan.bounded.map(({ act, kind }) => {
    const cause = causeOf(context, facts, act.id, kind);
    const bounded = { type: 'event', id: act.id };
    return { kind, facts: cause === undefined ? [bounded] : [bounded, nameOf(cause)] };
  });
  return [...found, ...reversalsAfter(facts, loan, reached)];
}

const failures = new WeakMap<Fact[], Map<number, Map<string, string>>>();

function failedAfter(context: BookContext, facts: Fact[], count: number): Map<string, string> {
  const known = failures.get(facts) ?? new Map<number, Map<string, string>>();
  failures.set(facts, known);
  const before = known.get(count);
  if (before !== undefined) return before;
  const prefix = facts.slice(0, count);
  const { failed } = fold(context, prefix, lastDay(prefix));
  known.set(count, failed);
  return failed;
}

/** The latest fact before whose recording the act did not fail with this code. */
function causeOf(context: BookContext, facts: Fact[], act: string, kind: string): Fact | undefined {
  for (let count = facts.length - 1; count > 0; count -= 1) {
    const isRecorded = facts.slice(0, count).some((fact) => fact.type === 'act' && fact.id === act);
    if (!isRecorded) return undefined;
    if (failedAfter(context, facts, count).get(act) !== kind) return facts[count];
  }
  return undefined;
}

function reversalsAfter(facts: Fact[], loan: Loan, reached: Map<string, string[]>): Anomaly[] {
  const factsInForce = inForce(facts);
  const found: Anomaly[] = [];
  facts.forEach((fact, place) => {
    if (fact.type !== 'reversal' || reached.get(fact.reference)?.includes(loan.fact.id) !== true) return;
    const before = factsInForce.filter((each) => facts.indexOf(each) < place);
    for (const [kind, code] of [
      ['cession', 'reversal_after_cession'],
      ['write-off', 'reversal_after_write_off'],
    ] as const) {
      const act = before.find((each) => each.type === 'act' && each.kind === kind && each.loan === loan.fact.id);
      if (act === undefined) continue;
      found.push({ kind: code, facts: [nameOf(act), nameOf(fact)] });
      return;
    }
  });
  return found;
}
