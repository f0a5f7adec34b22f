import { type CivilDay, formatDay } from '#libs/calendar/civil-day.ts';
import { oneMoreProvided } from '#libs/ledger/acts/rollover.ts';
import { CHANGES } from '#libs/ledger/acts.ts';
import { type Added, addFact, type Book, forget } from '#libs/ledger/book.ts';
import type { Calendars } from '#libs/ledger/calendars.ts';
import { lastCovered } from '#libs/ledger/charges/running-days.ts';
import { actsInForce, type LoanRecord, type RecordedFact } from '#libs/ledger/fact-record.ts';
import type { Act, Fact, ReceiptFact, Retraction, Reversal } from '#libs/ledger/facts.ts';
import type { Loan } from '#libs/ledger/loan.ts';
import { stateOf } from '#libs/ledger/state.ts';
import { admittedIn, retractedIn } from '#libs/ledger/states-table.ts';
import { type Refusal, refuse } from '#libs/schema/refusals.ts';

/** The book with the fact, or why it is not taken. A refused fact leaves no trace. */
export function admitFact(book: Book, entry: RecordedFact, calendars: Calendars): Added | Refusal {
  const refusal = refusalOf(book, entry.fact);
  if (refusal !== undefined) return refusal;
  const added = addFact(book, entry, calendars);
  const failed = added.outcome?.type === 'act' ? added.outcome.failed : undefined;
  if (failed === undefined) return added;
  forget(book, added.book);
  return failed;
}

/** What can be said of the fact before it is folded. */
function refusalOf(book: Book, fact: Fact): Refusal | undefined {
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

/** A Loan of the book as all facts have it. */
export function loanAt(book: Book, order: number): Loan {
  const loan = book.head.loans[order];
  if (loan === undefined) throw new Error('a Loan of the book is in its fold');
  return loan;
}

function refusalOfReceipt(book: Book, receipt: ReceiptFact): Refusal | undefined {
  if (receipt.designated === undefined) return receipt.payoffIntent ? refuse('payoff_needs_designation') : undefined;
  const loan = loanAt(book, receipt.designated);
  if (loan.terms.currency !== receipt.currency) {
    return refuse('currency_mismatch', {
      field: '/amount/currency',
      bound: loan.terms.currency,
      observed: receipt.currency,
    });
  }
  if (stateOf(loan) === 'held') return refuse('loan_held');
  const cutOff = loan.cession?.on;
  if (cutOff === undefined || receipt.valueDate <= cutOff) return undefined;
  return refuse('cession_in_force', { bound: formatDay(cutOff), observed: formatDay(receipt.valueDate) });
}

function refusalOfReversal(book: Book, reversal: Reversal): Refusal | undefined {
  if (book.log.receipt(book.length, reversal.receipt) === undefined) return refuse('no_receipt');
  const earlier = book.log.reversal(book.length, reversal.receipt);
  return earlier === undefined ? undefined : refuse('already_reversed', { recorded_id: earlier.fact.reference });
}

function refusalOfRetraction(book: Book, { loan: order, target, on }: Retraction): Refusal | undefined {
  const record = book.loans[order] as LoanRecord;
  if (record.issuance.event === target) return refuse('not_retractable');
  const act = record.acts.find(({ fact }) => fact.event === target);
  if (act === undefined) return refuse('not_found', { field: '/event_id' });
  if (record.retractions.has(target)) return refuse('already_retracted');
  const barred = retractedIn(stateOf(loanAt(book, order)), act.fact.kind);
  if (barred !== undefined) return barred;
  if (act.fact.kind === 'suspended' && hasEnd(record, target)) return refuse('fact_depended_on');
  return before(record, on);
}

function hasEnd(record: LoanRecord, suspension: string): boolean {
  return actsInForce(record).some(
    ({ fact }) => fact.kind === 'suspension_ended' && fact.body.suspension === suspension,
  );
}

function before({ issuance }: LoanRecord, on: CivilDay): Refusal | undefined {
  const { anchor } = issuance.terms;
  return on >= anchor
    ? undefined
    : refuse('invalid_event', { field: '/on', bound: formatDay(anchor), observed: formatDay(on) });
}

function refusalOfAct(book: Book, act: Act): Refusal | undefined {
  const record = book.loans[act.loan] as LoanRecord;
  const loan = loanAt(book, act.loan);
  const early = admittedIn(stateOf(loan), act.kind) ?? before(record, act.on) ?? beforeConfirmation(loan, act);
  return early ?? undatedRule(record, loan, act);
}

/** A confirmed Loan stands from the day of its confirmation. */
function beforeConfirmation(loan: Loan, act: Act): Refusal | undefined {
  const { confirmedOn } = loan;
  return confirmedOn !== undefined && act.on < confirmedOn ? refuse('loan_held') : undefined;
}

/** The part of an act's rule that is asked of all that is recorded, whatever its day. */
function undatedRule(record: LoanRecord, loan: Loan, act: Act): Refusal | undefined {
  switch (act.kind) {
    case 'cancelled':
      return CHANGES.cancelled.rule(loan, act);
    case 'suspension_ended':
      return CHANGES.suspension_ended.rule(loan, act);
    case 'suspended': {
      // One that comes later in time would be the one without effect, but it stands already.
      const overlaps = loan.suspensions.some((each) => each.from <= act.body.to && act.on <= lastCovered(each));
      return act.body.to >= act.on && overlaps ? refuse('already_suspended') : undefined;
    }
    case 'rolled_over':
      return oneMoreProvided(loan);
    case 'written_off':
    case 'ceded': {
      const last = lastFactOn(record, loan);
      return last >= act.on
        ? refuse('invalid_event', { bound: formatDay(last), observed: formatDay(act.on) })
        : undefined;
    }
    default:
      return undefined;
  }
}

const NEVER = Number.NEGATIVE_INFINITY as CivilDay;

/** The day of the last fact in force about the Loan: its acts, and Receipts that settled something on it. */
function lastFactOn(record: LoanRecord, loan: Loan): CivilDay {
  let last = loan.received?.on ?? NEVER;
  for (const { fact } of actsInForce(record)) if (fact.on > last) last = fact.on;
  return last;
}
