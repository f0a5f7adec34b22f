import { fold, inForce, type Law, lastDay } from './fold.ts';
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
      return { type: 'event', id: fact.id };
    case 'act':
      return { type: 'event', id: fact.kind === 'retraction' ? (fact.event_id ?? '') : fact.id };
  }
}

/** fold.md 3: what the fold bounded instead of refusing, and the fact whose recording made each rule fail. */
export function anomaliesOf(law: Law, facts: Fact[], loan: Loan, reached: Map<string, string[]>): Anomaly[] {
  const found = loan.bounded.map(({ act, kind }) => {
    const culprit = culpritOf(law, facts, act.id, kind);
    const bounded = { type: 'event', id: act.id };
    return { kind, facts: culprit === undefined ? [bounded] : [bounded, nameOf(culprit)] };
  });
  return [...found, ...reversalsAfter(facts, loan, reached)];
}

const failures = new WeakMap<Fact[], Map<number, Map<string, string>>>();

function failedAfter(law: Law, facts: Fact[], count: number): Map<string, string> {
  const known = failures.get(facts) ?? new Map<number, Map<string, string>>();
  failures.set(facts, known);
  const before = known.get(count);
  if (before !== undefined) return before;
  const prefix = facts.slice(0, count);
  const { failed } = fold(law, prefix, lastDay(prefix));
  known.set(count, failed);
  return failed;
}

/** The last fact before whose recording the act did not fail so. */
function culpritOf(law: Law, facts: Fact[], act: string, kind: string): Fact | undefined {
  for (let count = facts.length - 1; count > 0; count -= 1) {
    const isRecorded = facts.slice(0, count).some((fact) => fact.type === 'act' && fact.id === act);
    if (!isRecorded) return undefined;
    if (failedAfter(law, facts, count).get(act) !== kind) return facts[count];
  }
  return undefined;
}

function reversalsAfter(facts: Fact[], loan: Loan, reached: Map<string, string[]>): Anomaly[] {
  const standing = inForce(facts);
  const found: Anomaly[] = [];
  facts.forEach((fact, place) => {
    if (fact.type !== 'reversal' || reached.get(fact.reference)?.includes(loan.fact.id) !== true) return;
    const before = standing.filter((each) => facts.indexOf(each) < place);
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
