/** The cost of adding a fact, known before it is added: how many steps have to be folded again. */

import { addDays, type CivilDay } from '#libs/calendar/civil-day.ts';
import type { ActFact } from '#libs/ledger/act.ts';
import { itemAt } from '#libs/ledger/append-list.ts';
import { type FoldedFacts, stepsKeptBefore } from '#libs/ledger/book.ts';
import { checkpointsBefore, countStepsUntil } from '#libs/ledger/checkpoints.ts';
import type { RecordedReceipt } from '#libs/ledger/fact-log.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { indexOfPosition } from '#libs/ledger/step-list.ts';
import { ISSUANCE_RANK, RECEIPT_RANK, rankOf, type StepPosition } from '#libs/ledger/steps.ts';

/** The part of a fact that says where it changes the steps. A submission that is not a fact yet can be outlined too. */
export type FactOutline =
  | { readonly type: 'issuance'; readonly terms: { readonly anchor: CivilDay } }
  | { readonly type: 'receipt'; readonly valueDate: CivilDay }
  | { readonly type: 'reversal'; readonly receipt: string }
  | ActOutline
  | { readonly type: 'retraction'; readonly loan: number; readonly target: string };

type ActOutline = Pick<ActFact, 'type' | 'definition' | 'loan' | 'on' | 'body'>;

/** Folding starts again at the last checkpoint before the changed step. */
export function stepsRefolded(book: FoldedFacts, fact: FactOutline): number {
  const position = changedPosition(book, fact);
  return position === undefined ? 0 : book.steps.length + 1 - stepsKeptBefore(book, position);
}

/** In units of one step without open Loans, about ten microseconds. */
export function foldCost(book: FoldedFacts, fact: FactOutline): number {
  const refolded = stepsRefolded(book, fact);
  return refolded === 0 ? 0 : refolded + openLoanCost(book, book.steps.length + 1 - refolded);
}

/** The cost of folding the whole book, in the same units. */
export function fullFoldCost(book: FoldedFacts): number {
  return book.steps.length + openLoanCost(book, 0);
}

/** Reading one Loan on a day, in the same units: folding from a checkpoint to the day. */
export function dayCost(book: FoldedFacts, on: CivilDay): number {
  return stretchCost(book, countStepsUntil(book, on));
}

/** Reading all Loans on a day: each of them is accrued to it. */
export function bookDayCost(book: FoldedFacts, on: CivilDay): number {
  return dayCost(book, on) + accrualCost(book.loans.length);
}

/** The account of one Loan over a range of days: the steps of the days are folded, after those from a checkpoint to the first day. */
export function rangeCost(book: FoldedFacts, { from, to }: { readonly from: CivilDay; readonly to: CivilDay }): number {
  const last = countStepsUntil(book, to);
  return stretchCost(book, countStepsUntil(book, addDays(from, -1)), last);
}

/** Finding how a Receipt was allocated: folding from a checkpoint to it. */
export function receiptCost(book: FoldedFacts, { fact: { valueDate: on }, seq }: RecordedReceipt): number {
  const at = indexOfPosition(book.steps, { on, rank: RECEIPT_RANK, seq });
  return stretchCost(book, at, Math.min(at + 1, book.steps.length));
}

/** Folding the book of its first facts: again from the first step that one of the later facts changed. */
export function knownCost(book: FoldedFacts, length: number): number {
  if (length >= book.length) return 0;
  let refolded = 0;
  for (let at = length; at < book.length; at += 1) {
    refolded = Math.max(refolded, stepsRefolded(book, book.log.entryAt(at).fact));
  }
  const steps = Math.min(refolded, book.steps.length);
  const ordering = book.steps.length / orderedStepsPerStep;
  return ordering + steps + openLoanCost(book, book.steps.length - steps);
}

/** Folding from the checkpoint before step `first` to step `last`. */
function stretchCost(book: FoldedFacts, first: number, last = first): number {
  if (last === book.steps.length && first === last) return 0;
  const { at, state } = checkpointsBefore(book, first).resumeFrom;
  let open = state.open.length;
  let cost = 0;
  for (let nth = at; nth < last; nth += 1) {
    const step = itemAt(book.steps, nth);
    if (step.type === 'issuance') open += 1;
    const accruesAll = step.type === 'receipt' && step.receipt.designated === undefined;
    cost += 1 + (accruesAll ? accrualCost(open) : open / copiedLoansPerStep);
  }
  return cost;
}

/** Any other step than a Receipt that names no Loan only copies the list of the Loans. */
const copiedLoansPerStep = 200;

/** A late Loan with many periods costs three times one that is paid in time, and more where there are very many. */
function accrualCost(loans: number): number {
  return loans * (loans > 1_000 ? 0.7 : 0.5);
}

/** The steps of the first facts are put into their order again. */
const orderedStepsPerStep = 10;

/** Each step from `from` on visits every Loan that may receive money at that step. */
function openLoanCost(book: FoldedFacts, from: number): number {
  let open = 0;
  for (const [order, { issuance, seq }] of book.loans.entries()) {
    const loan = book.head.loans[order];
    if (loan?.voided || loan?.cancelled) continue;
    const start = indexOfPosition(book.steps, { on: issuance.terms.anchor, rank: ISSUANCE_RANK, seq });
    open += Math.max(0, endOf(book, loan) - Math.max(start, from));
  }
  return Math.floor(open / openLoansPerStep);
}

/** After how many steps the Loan receives no more money. */
function endOf({ steps }: FoldedFacts, loan: Loan | undefined): number {
  const ending = loan?.discharged ?? loan?.undone ?? loan?.cession;
  return ending === undefined ? steps.length : indexOfPosition(steps, afterDay(ending.on));
}

/** So many open Loans cost as much as a step itself. */
const openLoansPerStep = 6;

function afterDay(on: CivilDay): StepPosition {
  return { on, rank: Number.POSITIVE_INFINITY, seq: 0 };
}

/** The position of the step that the fact adds or changes. Undefined where it names nothing of the book. */
function changedPosition(book: FoldedFacts, fact: FactOutline): StepPosition | undefined {
  switch (fact.type) {
    case 'issuance':
      return { on: fact.terms.anchor, rank: ISSUANCE_RANK, seq: NEXT };
    case 'receipt':
      return { on: fact.valueDate, rank: RECEIPT_RANK, seq: NEXT };
    case 'reversal': {
      const receipt = book.log.receipt(book.length, fact.receipt);
      return receipt && { on: receipt.fact.valueDate, rank: RECEIPT_RANK, seq: receipt.seq };
    }
    case 'act':
      return positionOfAct(book, fact, NEXT);
    case 'retraction': {
      const act = book.loans[fact.loan]?.acts.find(({ fact: { event } }) => event === fact.target);
      return act && positionOfAct(book, act.fact, act.seq);
    }
  }
}

/** An amending act changes the step of its issuance or of the act it names; any other act has its own step. */
function positionOfAct(
  book: FoldedFacts,
  { definition, loan: order, on, body }: ActOutline,
  seq: number,
): StepPosition | undefined {
  const loan = book.loans[order];
  const amended = definition.amends?.(body);
  if (loan === undefined || amended === undefined) return loan && { on, rank: rankOf(definition), seq };
  if (amended === 'issuance') return { on: loan.issuance.terms.anchor, rank: ISSUANCE_RANK, seq: loan.seq };
  const target = loan.acts.find(({ fact }) => fact.event === amended.event);
  return target && { on: target.fact.on, rank: rankOf(target.fact.definition), seq: target.seq };
}

/** The fact to be added comes after all recorded ones. */
const NEXT = Number.POSITIVE_INFINITY;
