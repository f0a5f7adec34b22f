/** The steps of a book in the order of the fold, and how one more fact changes them. */

import type { ActFact } from '#libs/ledger/act.ts';
import { type AppendList, append, itemAt, listOf } from '#libs/ledger/append-list.ts';
import { actsInForce, amendmentsInForce, type FactRecord, type LoanRecord } from '#libs/ledger/book-record.ts';
import type { Fact, Retraction, Reversal } from '#libs/ledger/facts.ts';
import {
  actStep,
  compareSteps,
  type FoldStep,
  isSameStep,
  issuanceStep,
  receiptStep,
  type StepPosition,
} from '#libs/ledger/steps.ts';

export type StepList = AppendList<FoldStep>;

/** All steps of a record, in order. */
export function orderedSteps(record: FactRecord): readonly FoldStep[] {
  const steps: FoldStep[] = [];
  for (const [order, loan] of record.loans.entries()) {
    const amendments = amendmentsInForce(loan);
    steps.push(issuanceStep(loan.issuance, order, loan.seq, amendments.get('issuance')));
    for (const { seq, fact } of actsInForce(loan)) {
      if (fact.definition.amends === undefined) steps.push(actStep(fact, seq, amendments.get(fact.event)));
    }
  }
  for (const { seq, fact } of record.log.entries(record.length)) {
    if (fact.type !== 'receipt' || record.log.reversal(record.length, fact.reference) !== undefined) continue;
    steps.push(receiptStep(fact, seq));
  }
  return steps.sort(compareSteps);
}

/** The steps after one more fact, the index of the first one that may differ, and the fact's own step if it has one. */
export type StepChange = { readonly steps: StepList; readonly from: number; readonly own?: FoldStep };

/** `before` and `after` are the records without and with the fact. */
export function changeSteps(
  steps: StepList,
  before: FactRecord,
  after: FactRecord,
  seq: number,
  fact: Fact,
): StepChange {
  switch (fact.type) {
    case 'issuance':
      return insert(steps, issuanceStep(fact, before.loans.length, seq));
    case 'receipt':
      return insert(steps, receiptStep(fact, seq));
    case 'reversal':
      return remove(steps, stepOfReversed(before, fact));
    case 'act': {
      const amended = amendedStep(after, fact);
      return amended === undefined ? insert(steps, actStep(fact, seq)) : replace(steps, amended);
    }
    case 'retraction':
      return retract(steps, before, after, fact);
  }
}

function retract(steps: StepList, before: FactRecord, after: FactRecord, { loan, target }: Retraction): StepChange {
  const retracted = before.loans[loan]?.acts.find(({ fact }) => fact.event === target);
  if (retracted === undefined) throw new Error(`the retraction names no act of its Loan: ${target}`);
  const amended = amendedStep(after, retracted.fact);
  return amended === undefined ? remove(steps, actStep(retracted.fact, retracted.seq)) : replace(steps, amended);
}

/** The step that an amending act changes, as the record now has it. Undefined for an act that is a step itself. */
function amendedStep(record: FactRecord, { definition, loan, body }: ActFact): FoldStep | undefined {
  const amended = definition.amends?.(body);
  if (amended === undefined) return undefined;
  return amended === 'issuance' ? stepOfIssuance(record, loan) : stepOfAct(record, loan, amended.event);
}

function stepOfIssuance(record: FactRecord, order: number): FoldStep {
  const loan = record.loans[order] as LoanRecord;
  return issuanceStep(loan.issuance, order, loan.seq, amendmentsInForce(loan).get('issuance'));
}

function stepOfAct(record: FactRecord, order: number, event: string): FoldStep {
  const loan = record.loans[order] as LoanRecord;
  const act = loan.acts.find(({ fact }) => fact.event === event);
  if (act === undefined) throw new Error(`no act of the Loan has the event ${event}`);
  return actStep(act.fact, act.seq, amendmentsInForce(loan).get(event));
}

function stepOfReversed(record: FactRecord, { receipt: reference }: Reversal): FoldStep {
  const receipt = record.log.receipt(record.length, reference);
  if (receipt === undefined) throw new Error(`the reversal names no Receipt of the book: ${reference}`);
  return receiptStep(receipt.fact, receipt.seq);
}

/** The index of the step at this position, or where it would be inserted. */
export function indexOfPosition(steps: StepList, position: StepPosition): number {
  let low = 0;
  let high = steps.length;
  // Most facts come last.
  if (high > 0 && compareSteps(itemAt(steps, high - 1), position) < 0) return high;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareSteps(itemAt(steps, middle), position) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** How many leading steps the two lists have in common. */
export function commonSteps(one: StepList, other: StepList): number {
  const max = Math.min(one.length, other.length);
  // One was appended to the other.
  if (one.items === other.items) return max;
  for (let at = 0; at < max; at += 1) if (!isSameStep(itemAt(one, at), itemAt(other, at))) return at;
  return max;
}

function insert(steps: StepList, step: FoldStep): StepChange {
  const from = indexOfPosition(steps, step);
  if (from === steps.length) return { steps: append(steps, step), from, own: step };
  return { steps: spliced(steps, from, 0, [step]), from, own: step };
}

function remove(steps: StepList, step: FoldStep): StepChange {
  const from = indexOfPosition(steps, step);
  return { steps: spliced(steps, from, 1, []), from };
}

function replace(steps: StepList, step: FoldStep): StepChange {
  const from = indexOfPosition(steps, step);
  return { steps: spliced(steps, from, 1, [step]), from };
}

function spliced(steps: StepList, at: number, removed: number, inserted: readonly FoldStep[]): StepList {
  const items = steps.items.slice(0, steps.length);
  items.splice(at, removed, ...inserted);
  return listOf(items);
}
