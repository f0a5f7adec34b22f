/** What a fact costs: how many steps are folded again for it, known before it is folded and whether it is taken or not. */

import type { CivilDay } from '#libs/calendar/civil-day.ts';
import { type Book, foldedBefore, placeOf } from '#libs/ledger/book.ts';
import type { ActKind } from '#libs/ledger/facts.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { RANK, rankOf, type StepPosition } from '#libs/ledger/steps.ts';

/** As much of a fact as says where it changes the fold: every fact is one of these, and so is what is not a fact yet. */
export type Reaching =
  | { readonly type: 'issuance'; readonly terms: { readonly anchor: CivilDay } }
  | { readonly type: 'receipt'; readonly valueDate: CivilDay }
  | { readonly type: 'reversal'; readonly receipt: string }
  | ReachingAct
  | { readonly type: 'retraction'; readonly loan: number; readonly target: string };

type ReachingAct = {
  readonly type: 'act';
  readonly kind: ActKind;
  readonly loan: number;
  readonly on: CivilDay;
  readonly body?: unknown;
};

/** By the states the book holds: where the fold begins again is at one of them. */
export function refoldedFor(book: Book, fact: Reaching): number {
  const place = placeChanged(book, fact);
  return place === undefined ? 0 : book.steps.length + 1 - foldedBefore(book, place);
}

/** The same in steps of a book with nothing open, each about ten microseconds. */
export function workFor(book: Book, fact: Reaching): number {
  const again = refoldedFor(book, fact);
  return again === 0 ? 0 : again + workOfOpen(book, book.steps.length + 1 - again);
}

/** What folding all of it costs. */
export function workOfAll(book: Book): number {
  return book.steps.length + workOfOpen(book, 0);
}

/** A step looks at every Loan that takes money at it. */
function workOfOpen(book: Book, from: number): number {
  let open = 0;
  for (const [order, { issuance, seq }] of book.loans.entries()) {
    const loan = book.head.loans[order];
    if (loan?.voided || loan?.cancelled) continue;
    const begins = placeOf(book.steps, { on: issuance.terms.anchor, rank: RANK.issuance, seq });
    open += Math.max(0, endOf(book, loan) - Math.max(begins, from));
  }
  return Math.floor(open / openInAStep);
}

/** Behind how many steps it takes no money any more. */
function endOf({ steps }: Book, loan: Loan | undefined): number {
  const over = loan?.discharged ?? loan?.undone ?? loan?.cession;
  return over === undefined ? steps.length : placeOf(steps, afterDay(over.on));
}

/** So many open Loans cost as much as the step itself. */
const openInAStep = 6;

function afterDay(on: CivilDay): StepPosition {
  return { on, rank: Number.POSITIVE_INFINITY, seq: 0 };
}

/** Where the earliest step stands, or will stand, that the fact changes; none where it names nothing of the book. */
function placeChanged(book: Book, fact: Reaching): StepPosition | undefined {
  switch (fact.type) {
    case 'issuance':
      return { on: fact.terms.anchor, rank: RANK.issuance, seq: NEXT };
    case 'receipt':
      return { on: fact.valueDate, rank: RANK.receipt, seq: NEXT };
    case 'reversal': {
      const receipt = book.log.receipt(book.length, fact.receipt);
      return receipt && { on: receipt.fact.valueDate, rank: RANK.receipt, seq: receipt.seq };
    }
    case 'act':
      return placeOfAct(book, fact, NEXT);
    case 'retraction': {
      const withdrawn = book.loans[fact.loan]?.acts.find(({ fact: { event } }) => event === fact.target);
      return withdrawn && placeOfAct(book, withdrawn.fact, withdrawn.seq);
    }
  }
}

/** A cancellation changes the step of its Loan, an early end that of its suspension, wherever they stand. */
function placeOfAct(book: Book, { kind, loan: order, on, body }: ReachingAct, seq: number): StepPosition | undefined {
  const loan = book.loans[order];
  if (loan === undefined) return undefined;
  switch (kind) {
    case 'cancelled':
      return { on: loan.issuance.terms.anchor, rank: RANK.issuance, seq: loan.seq };
    case 'suspension_ended': {
      const { suspension } = body as { readonly suspension: string };
      const ended = loan.acts.find(({ fact }) => fact.event === suspension);
      return ended && { on: ended.fact.on, rank: RANK.suspended, seq: ended.seq };
    }
    default:
      return { on, rank: rankOf(kind), seq };
  }
}

/** What is recorded next comes after all that is. */
const NEXT = Number.POSITIVE_INFINITY;
