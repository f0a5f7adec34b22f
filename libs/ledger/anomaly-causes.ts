/**
 * Which recorded fact made the rule of an act in force fail, and which reversals came after a cession or a write-off.
 * Both depend on the order of recording, so they are determined as each fact is added: a single fold of the book cannot
 * find them.
 */

import { actsInForce, type FactRecord, type LoanRecord } from '#libs/ledger/book-record.ts';
import type { RecordedFact } from '#libs/ledger/fact-log.ts';
import type { Fact } from '#libs/ledger/facts.ts';
import type { BookState } from '#libs/ledger/fold.ts';
import type { Loan } from '#libs/ledger/loan.ts';

export type FactName = { readonly type: 'event' | 'receipt' | 'reversal'; readonly id: string };

export type AnomalyCause = { readonly kind: string; readonly fact: FactName };

/** By the event of an act in force whose rule fails: the fact whose recording made it fail with this code. */
export type AnomalyCauses = ReadonlyMap<string, AnomalyCause>;

/** The causes from the fact with that sequence on. */
export type CausesSince = { readonly seq: number; readonly causes: AnomalyCauses };

export type LateReversalKind = 'reversal_after_cession' | 'reversal_after_write_off';

/** A reversal recorded after its Receipt's Loan was ceded or written off, with those acts, a cession first. */
export type LateReversal = {
  readonly seq: number;
  readonly loan: number;
  readonly reversal: string;
  readonly after: readonly { readonly act: string; readonly kind: LateReversalKind }[];
};

const NO_CAUSES: AnomalyCauses = new Map();

export function currentCauses({ causes }: { readonly causes: readonly CausesSince[] }): AnomalyCauses {
  return causes.at(-1)?.causes ?? NO_CAUSES;
}

/** The causes with one more fact: an act that fails as before keeps its cause, otherwise the new fact is the cause. */
export function nextCauses(
  previous: readonly CausesSince[],
  before: BookState,
  after: BookState,
  { seq, fact }: RecordedFact,
): readonly CausesSince[] {
  // Usually no anomaly changes: then the lists of failed acts are the same objects.
  const isUnchanged = (loan: Loan | undefined, loanBefore: Loan | undefined) =>
    loan === loanBefore || loan?.bounded === loanBefore?.bounded;
  if (after.loans.every((loan, order) => isUnchanged(loan, before.loans[order]))) return previous;
  const current = currentCauses({ causes: previous });
  const causes = new Map<string, AnomalyCause>();
  for (const { event, kind } of after.loans.flatMap((loan) => loan?.bounded ?? [])) {
    const cause = current.get(event);
    causes.set(event, cause?.kind === kind ? cause : { kind, fact: nameOf(fact) });
  }
  return areEqual(current, causes) ? previous : [...previous, { seq, causes }];
}

function areEqual(one: AnomalyCauses, other: AnomalyCauses): boolean {
  if (one.size !== other.size) return false;
  for (const [event, cause] of other) if (one.get(event) !== cause) return false;
  return true;
}

function nameOf(fact: Fact): FactName {
  switch (fact.type) {
    case 'receipt':
    case 'reversal':
      return { type: fact.type, id: fact.reference };
    case 'retraction':
      return { type: 'event', id: fact.target };
    case 'issuance':
    case 'act':
      return { type: 'event', id: fact.event };
  }
}

/** The late reversals with one more fact. `before` is the book without it. */
export function nextLateReversals(
  previous: readonly LateReversal[],
  before: FactRecord & { readonly head: BookState },
  { seq, fact }: RecordedFact,
): readonly LateReversal[] {
  if (fact.type !== 'reversal') return previous;
  const { head: state, ...record } = before;
  const receipt = record.log.receipt(record.length, fact.receipt);
  const late = state.loans.flatMap((loan, order) => {
    if (loan === undefined || receipt === undefined || !hasReceived(loan, receipt.fact.reference)) return [];
    const after = endingActs(record.loans[order] as LoanRecord);
    return after.length === 0 ? [] : [{ seq, loan: order, reversal: fact.reference, after }];
  });
  return late.length === 0 ? previous : [...previous, ...late];
}

function endingActs(record: LoanRecord): LateReversal['after'] {
  const acts = actsInForce(record);
  const named = (kind: string, late: LateReversalKind) =>
    acts.flatMap(({ fact }) => (fact.kind === kind ? [{ act: fact.event, kind: late }] : []));
  return [...named('ceded', 'reversal_after_cession'), ...named('written_off', 'reversal_after_write_off')];
}

function hasReceived(loan: Loan, receipt: string): boolean {
  for (let entry = loan.received; entry !== undefined; entry = entry.before) if (entry.receipt === receipt) return true;
  return false;
}
