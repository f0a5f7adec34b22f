/** What is recorded in a book, in the order of recording and by Loan. */

import type { ActFact } from '#libs/ledger/act.ts';
import type { CooperativeTask } from '#libs/ledger/cooperative-loop.ts';
import {
  type FactEntry,
  FactLog,
  type RecordedAct,
  type RecordedFact,
  type UnparsedFact,
} from '#libs/ledger/fact-log.ts';
import type { Issuance, Retraction } from '#libs/ledger/facts.ts';

/** What is recorded about one Loan, retracted facts included. */
export type LoanRecord = {
  readonly seq: number;
  readonly issuance: Issuance;
  readonly recorded: FactEntry<Issuance>;
  readonly acts: readonly RecordedAct[];
  /** By the event of the retracted act. */
  readonly retractions: ReadonlyMap<string, FactEntry<Retraction>>;
};

export type FactRecord = { readonly log: FactLog; readonly length: number; readonly loans: readonly LoanRecord[] };

export function emptyRecord(): FactRecord {
  return { log: new FactLog(), length: 0, loans: [] };
}

/** The record with one more fact. */
export function appendFact(book: FactRecord, entry: RecordedFact): FactRecord {
  const { seq, fact } = entry;
  const log = book.log.append(book.length, entry);
  const added = { log, loans: book.loans, length: book.length + 1 };
  switch (fact.type) {
    case 'issuance':
      return {
        ...added,
        loans: [
          ...book.loans,
          { seq, issuance: fact, recorded: entry as FactEntry<Issuance>, acts: [], retractions: new Map() },
        ],
      };
    case 'act':
      return {
        ...added,
        loans: withLoan(book, fact.loan, (loan) => ({ ...loan, acts: [...loan.acts, entry as RecordedAct] })),
      };
    case 'retraction':
      return {
        ...added,
        loans: withLoan(book, fact.loan, (loan) => ({
          ...loan,
          retractions: new Map(loan.retractions).set(fact.target, entry as FactEntry<Retraction>),
        })),
      };
    default:
      return added;
  }
}

/** The record with one more Receipt or reversal that is not parsed yet. */
export function appendUnparsed(book: FactRecord, fact: UnparsedFact): FactRecord {
  return { log: book.log.append(book.length, fact), loans: book.loans, length: book.length + 1 };
}

/** The record as it was after its first `length` facts. */
export function recordAtLength(book: FactRecord, length: number): FactRecord {
  if (length === 0) return emptyRecord();
  const { seq: last } = book.log.entryAt(length - 1);
  const loans = book.loans.filter(({ seq }) => seq <= last).map((loan) => loanUntil(loan, last));
  return { log: book.log, length, loans };
}

/** The record with its Loans issued on other terms. Yields after each fact, because it parses every one of them. */
export function* reissueLoans(
  book: FactRecord,
  reissue: (issuance: FactEntry<Issuance>) => FactEntry<Issuance>,
): CooperativeTask<FactRecord> {
  const issuances: FactEntry<Issuance>[] = [];
  let log = new FactLog();
  for (let at = 0; at < book.length; at += 1) {
    let entry = book.log.entryAt(at);
    if (entry.fact.type === 'issuance') {
      entry = reissue(entry as FactEntry<Issuance>);
      issuances.push(entry as FactEntry<Issuance>);
    }
    log = log.append(at, entry);
    yield;
  }
  const loans = book.loans.map((loan, order) => {
    const recorded = issuances[order] as FactEntry<Issuance>;
    return { ...loan, issuance: recorded.fact, recorded };
  });
  return { log, length: book.length, loans };
}

function loanUntil(loan: LoanRecord, last: number): LoanRecord {
  const isRecorded = ({ seq }: { readonly seq: number }): boolean => seq <= last;
  const retractions = [...loan.retractions].filter(([, retraction]) => isRecorded(retraction));
  return { ...loan, acts: loan.acts.filter(isRecorded), retractions: new Map(retractions) };
}

function withLoan(book: FactRecord, order: number, change: (loan: LoanRecord) => LoanRecord): readonly LoanRecord[] {
  return book.loans.map((loan, at) => (at === order ? change(loan) : loan));
}

/** The acts on a Loan that were not retracted, in the order of recording. */
export function actsInForce(loan: LoanRecord): readonly RecordedAct[] {
  return loan.retractions.size === 0 ? loan.acts : loan.acts.filter(({ fact }) => !loan.retractions.has(fact.event));
}

const NO_AMENDMENTS: ReadonlyMap<string, ActFact> = new Map();

/** The amending acts in force, by what each changes: `issuance`, or the event of another act. */
export function amendmentsInForce(loan: LoanRecord): ReadonlyMap<string, ActFact> {
  if (loan.acts.length === 0) return NO_AMENDMENTS;
  const amendments = new Map<string, ActFact>();
  for (const { fact } of actsInForce(loan)) {
    const amended = fact.definition.amends?.(fact.body);
    if (amended === undefined) continue;
    const target = amended === 'issuance' ? amended : amended.event;
    if (!amendments.has(target)) amendments.set(target, fact);
  }
  return amendments;
}
