/** Admission: a fact is added to the book, or refused and the book stays as it is. */

import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import type { ActFact } from '#libs/ledger/act.ts';
import { addFact, discardAddition, type FactAddition, type FoldedFacts } from '#libs/ledger/book.ts';
import { actsInForce, amendmentsInForce, type LoanRecord } from '#libs/ledger/book-record.ts';
import type { RecordedFact } from '#libs/ledger/fact-log.ts';
import type { Fact, ReceiptFact, Retraction, Reversal } from '#libs/ledger/facts.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { refusalInState, retractionRefusal, stateOf } from '#libs/ledger/loan-state.ts';
import type { Calendars } from '#libs/product/markets/registry.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

export function admitFact(book: FoldedFacts, entry: RecordedFact, calendars: Calendars): FactAddition | Refusal {
  const refusal = refusalOf(book, entry.fact);
  if (refusal !== undefined) return refusal;
  const added = addFact(book, entry, calendars);
  const failed = added.outcome?.type === 'act' ? added.outcome.failed : undefined;
  if (failed === undefined) return added;
  discardAddition(book, added.book);
  return failed;
}

/** The rules that can be checked before the fact is folded. */
function refusalOf(book: FoldedFacts, fact: Fact): Refusal | undefined {
  switch (fact.type) {
    case 'issuance':
      return undefined;
    case 'receipt':
      return refusalOfReceipt(book, fact);
    case 'reversal':
      return refusalOfReversal(book, fact);
    case 'retraction':
      return refusalOfRetraction(book, fact);
    case 'act':
      return refusalOfAct(book, fact);
  }
}

/** A Loan of the book by all facts. */
export function loanInBook(book: FoldedFacts, order: number): Loan {
  const loan = book.head.loans[order];
  if (loan === undefined) throw new Error(`the book holds no Loan with order ${order}`);
  return loan;
}

function refusalOfReceipt(book: FoldedFacts, receipt: ReceiptFact): Refusal | undefined {
  if (receipt.designated === undefined) return receipt.payoffIntent ? refuse('payoff_needs_designation') : undefined;
  const { issuance, acts } = book.loans[receipt.designated] as LoanRecord;
  const { currency, holdUntil } = issuance.terms;
  if (currency !== receipt.currency) {
    return refuse('currency_mismatch', { field: '/amount/currency', bound: currency, observed: receipt.currency });
  }
  // Without acts the answer does not need the fold, which Receipts of a batch leave unfinished.
  if (acts.length === 0) return holdUntil === undefined ? undefined : notConfirmed();
  const loan = loanInBook(book, receipt.designated);
  if (stateOf(loan) === 'held') return notConfirmed();
  const cutOff = loan.cession?.on;
  if (cutOff === undefined || receipt.valueDate <= cutOff) return undefined;
  return refuse('cession_in_force', { bound: formatDay(cutOff), observed: formatDay(receipt.valueDate) });
}

function notConfirmed(): Refusal {
  return refuse('loan_held', { bound: 'a Loan that is confirmed', observed: 'held' });
}

function refusalOfReversal(book: FoldedFacts, reversal: Reversal): Refusal | undefined {
  if (book.log.receipt(book.length, reversal.receipt) === undefined) return refuse('no_receipt');
  const earlier = book.log.reversal(book.length, reversal.receipt);
  return earlier === undefined ? undefined : refuse('already_reversed', { recorded_id: earlier.fact.reference });
}

function refusalOfRetraction(book: FoldedFacts, { loan: order, target, on }: Retraction): Refusal | undefined {
  const record = book.loans[order] as LoanRecord;
  if (record.issuance.event === target) return refuse('not_retractable');
  const act = record.acts.find(({ fact }) => fact.event === target);
  if (act === undefined)
    return refuse('not_found', { field: '/event_id', bound: 'an act on this Loan', observed: target });
  if (record.retractions.has(target)) return refuse('already_retracted');
  const barred = retractionRefusal(stateOf(loanInBook(book, order)), act.fact.definition.states);
  if (barred !== undefined) return barred;
  const dependent = amendmentsInForce(record).get(target);
  if (dependent !== undefined) return refuse('fact_depended_on', { recorded_id: dependent.event });
  return refusalBeforeAnchor(record, on);
}

function refusalOfAct(book: FoldedFacts, fact: ActFact): Refusal | undefined {
  const { definition } = fact;
  const record = book.loans[fact.loan] as LoanRecord;
  const loan = loanInBook(book, fact.loan);
  return (
    refusalInState(stateOf(loan), definition.states) ??
    refusalBeforeAnchor(record, fact.on) ??
    refusalBeforeConfirmation(loan, fact) ??
    definition.admit?.(loan, fact, { lastFactOn: lastFactOn(record, loan) })
  );
}

function refusalBeforeAnchor({ issuance }: LoanRecord, on: CivilDay): Refusal | undefined {
  const { anchor } = issuance.terms;
  return on >= anchor
    ? undefined
    : refuse('invalid_event', { field: '/on', bound: formatDay(anchor), observed: formatDay(on) });
}

/** A Loan issued with a hold is in force from the day of its confirmation. */
function refusalBeforeConfirmation({ confirmedOn }: Loan, { on }: ActFact): Refusal | undefined {
  if (confirmedOn === undefined || on >= confirmedOn) return undefined;
  return refuse('loan_held', { bound: formatDay(confirmedOn), observed: formatDay(on) });
}

const NEVER = Number.NEGATIVE_INFINITY as CivilDay;

/** The day of the last fact in force about the Loan: its acts, and Receipts that settled something on it. */
function lastFactOn(record: LoanRecord, loan: Loan): CivilDay {
  let last = loan.received?.on ?? NEVER;
  for (const { fact } of actsInForce(record)) if (fact.on > last) last = fact.on;
  return last;
}
