import type { InPieces } from '#libs/ledger/cooperative-loop.ts';
import type { Act, Fact, Issuance, ReceiptFact, Retraction, Reversal } from '#libs/ledger/facts.ts';
import type { JsonObject } from '#libs/schema/json.ts';

/**
 * A recorded fact. `seq` is its place in the order of recording, `at` the moment; `told` is the body that reported it,
 * as the caller stated it: echoed, read by nothing.
 */
export type RecordedAs<Kind extends Fact> = {
  readonly seq: number;
  readonly fact: Kind;
  readonly at: string;
  readonly told: JsonObject;
  /** As its book's snapshot keeps it; absent on books that no service keeps. */
  readonly line?: string;
};

export type RecordedFact = RecordedAs<Fact>;
export type RecordedReceipt = RecordedAs<ReceiptFact>;
export type RecordedAct = RecordedAs<Act>;

/** What is recorded about one Loan, withdrawn facts included. */
export type LoanRecord = {
  readonly seq: number;
  readonly issuance: Issuance;
  readonly recorded: RecordedAs<Issuance>;
  readonly acts: readonly RecordedAct[];
  /** By the event withdrawn. */
  readonly retractions: ReadonlyMap<string, RecordedAs<Retraction>>;
};

/** A Receipt or a reversal as its line: read when it is asked for, which most answers never do. */
export interface Unread {
  readonly line: string;
  readonly read: ReadLine;
  /** The fact's number, where it was read before it was put away. */
  readonly seq?: number;
}

export type ReadLine = (line: string, orderOf: OrderOf) => RecordedFact;

/** Where a Loan stands in the order of recording. */
export type OrderOf = (loanId: string) => number;

/**
 * Every fact of the book in the order of recording, and where each is found. One log serves all values of a book that
 * grew from one another: a value of length n sees the first n facts, and what came later is not there for it.
 */
export class FactLog {
  readonly #facts: (RecordedFact | Unread)[] = [];
  readonly #receipts = new Map<string, number>();
  readonly #reversals = new Map<string, number>();
  /** Of the first so many facts the Receipts and reversals can be found by reference. */
  #indexed = 0;
  readonly #loans = new Map<string, number>();

  /** The log with one more fact after the first `length`: this one, or a copy where another value went on from here. */
  with(length: number, recorded: RecordedFact | Unread): FactLog {
    const log = this.#facts.length === length ? this : this.#copy(length);
    log.#add(recorded);
    return log;
  }

  /** The folded fact recorded with that number, if there is one. */
  at(length: number, seq: number): RecordedFact | undefined {
    const before = this.beginning(length, (entry) => entry.seq < seq);
    const found = before < length ? this.#read(before) : undefined;
    return found?.seq === seq ? found : undefined;
  }

  receipt(length: number, reference: string): RecordedReceipt | undefined {
    this.#indexAll();
    return this.#at(length, this.#receipts.get(reference)) as RecordedReceipt | undefined;
  }

  /** The reversal of a Receipt, named by the Receipt's reference. */
  reversal(length: number, receipt: string): RecordedAs<Reversal> | undefined {
    this.#indexAll();
    return this.#at(length, this.#reversals.get(receipt)) as RecordedAs<Reversal> | undefined;
  }

  /** The Loan's place in the order of recording, where the first `loans` Loans are there. */
  loan(loans: number, id: string): number | undefined {
    const order = this.#loans.get(id);
    return order === undefined || order >= loans ? undefined : order;
  }

  nth(at: number): RecordedFact {
    return this.#read(at);
  }

  /** How many of the first `length` facts are kept, where what is kept is a beginning. */
  beginning(length: number, isKept: (entry: RecordedFact) => boolean): number {
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isKept(this.#read(middle))) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  *facts(length: number): Iterable<RecordedFact> {
    for (let at = 0; at < length; at += 1) yield this.#read(at);
  }

  /** As a snapshot keeps them. */
  lines(length: number): string[] {
    return Array.from({ length }, (_, at) => {
      const { line } = this.#facts[at] as RecordedFact | Unread;
      if (line === undefined) throw new Error('a fact of a kept book has its line');
      return line;
    });
  }

  #at(length: number, at: number | undefined): RecordedFact | undefined {
    return at === undefined || at >= length ? undefined : this.#read(at);
  }

  #read(at: number): RecordedFact {
    const fact = this.#facts[at] as RecordedFact | Unread;
    if (!isUnread(fact)) return fact;
    const read = fact.read(fact.line, this.orderOf);
    this.#facts[at] = read;
    return read;
  }

  /** Those of the first `length` that are of money are lines again. Where those that were ever read stand, by their numbers. */
  putAway(length: number, read: ReadLine): ReadonlyMap<number, number> {
    const places = new Map<number, number>();
    for (let at = 0; at < length; at += 1) {
      const fact = this.#facts[at] as RecordedFact | Unread;
      if (isUnread(fact)) {
        if (fact.seq !== undefined) places.set(fact.seq, at);
        continue;
      }
      if (fact.line === undefined || (fact.fact.type !== 'receipt' && fact.fact.type !== 'reversal')) continue;
      this.#facts[at] = { line: fact.line, read, seq: fact.seq };
      places.set(fact.seq, at);
    }
    return places;
  }

  /** Of a Loan that a fact of the book names. */
  readonly orderOf = (loanId: string): number => {
    const order = this.#loans.get(loanId.toLowerCase());
    if (order === undefined) throw new Error(`${loanId} is no Loan of the book its fact stands in`);
    return order;
  };

  /** Takes back the one fact past the first `length`, where that is the last and nobody keeps it. */
  forget(length: number): void {
    if (this.#facts.length !== length + 1) return;
    // Only an act is refused by what the fold makes of it, and acts are found by their Loan.
    if (this.#read(length).fact.type !== 'act') return;
    this.#facts.pop();
    this.#indexed = Math.min(this.#indexed, length);
  }

  #add(recorded: RecordedFact | Unread): void {
    const at = this.#facts.push(recorded) - 1;
    if (isUnread(recorded)) return;
    if (recorded.fact.type === 'issuance') this.#loans.set(recorded.fact.loanId, this.#loans.size);
    if (this.#indexed === at) this.#index(at, recorded);
  }

  #indexAll(): void {
    for (let at = this.#indexed; at < this.#facts.length; at += 1) this.#index(at, this.#read(at));
  }

  #index(at: number, { fact }: RecordedFact): void {
    if (fact.type === 'receipt') this.#receipts.set(fact.reference, at);
    if (fact.type === 'reversal') this.#reversals.set(fact.receipt, at);
    this.#indexed = at + 1;
  }

  #copy(length: number): FactLog {
    const log = new FactLog();
    for (let at = 0; at < length; at += 1) log.#add(this.#facts[at] as RecordedFact | Unread);
    // What is found already is not read once more to be found.
    const found = Math.min(this.#indexed, length);
    if (found <= log.#indexed) return log;
    log.#indexed = found;
    for (const [reference, at] of this.#receipts) if (at < found) log.#receipts.set(reference, at);
    for (const [receipt, at] of this.#reversals) if (at < found) log.#reversals.set(receipt, at);
    return log;
  }
}

function isUnread(fact: RecordedFact | Unread): fact is Unread {
  return 'read' in fact;
}

/** What is recorded in a book, by the order of recording and by Loan. */
export type FactRecord = { readonly log: FactLog; readonly length: number; readonly loans: readonly LoanRecord[] };

export function emptyRecord(): FactRecord {
  return { log: new FactLog(), length: 0, loans: [] };
}

/** The record with one more fact. */
export function withRecorded(book: FactRecord, entry: RecordedFact): FactRecord {
  const { seq, fact } = entry;
  const log = book.log.with(book.length, entry);
  const added = { log, loans: book.loans, length: book.length + 1 };
  switch (fact.type) {
    case 'issuance':
      return {
        ...added,
        loans: [
          ...book.loans,
          { seq, issuance: fact, recorded: entry as RecordedAs<Issuance>, acts: [], retractions: new Map() },
        ],
      };
    case 'act':
      return {
        ...added,
        loans: withRecord(book, fact.loan, (loan) => ({ ...loan, acts: [...loan.acts, entry as RecordedAct] })),
      };
    case 'retraction':
      return {
        ...added,
        loans: withRecord(book, fact.loan, (loan) => ({
          ...loan,
          retractions: new Map(loan.retractions).set(fact.target, entry as RecordedAs<Retraction>),
        })),
      };
    default:
      return added;
  }
}

/** The record with one more Receipt or reversal that is read later. */
export function withUnread(book: FactRecord, unread: Unread): FactRecord {
  return { log: book.log.with(book.length, unread), loans: book.loans, length: book.length + 1 };
}

/** The record as it was after its first `length` facts. */
export function recordUntil(book: FactRecord, length: number): FactRecord {
  if (length === 0) return emptyRecord();
  const { seq: last } = book.log.nth(length - 1);
  const loans = book.loans.filter(({ seq }) => seq <= last).map((loan) => loanUntil(loan, last));
  return { log: book.log, length, loans };
}

/** The record as it would be had its Loans been issued otherwise. Stops after each fact: of a long book each is read here. */
export function* reissued(
  book: FactRecord,
  reissue: (issuance: RecordedAs<Issuance>) => RecordedAs<Issuance>,
): InPieces<FactRecord> {
  const issuances: RecordedAs<Issuance>[] = [];
  let log = new FactLog();
  for (let at = 0; at < book.length; at += 1) {
    let entry = book.log.nth(at);
    if (entry.fact.type === 'issuance') {
      entry = reissue(entry as RecordedAs<Issuance>);
      issuances.push(entry as RecordedAs<Issuance>);
    }
    log = log.with(at, entry);
    yield;
  }
  const loans = book.loans.map((loan, order) => {
    const recorded = issuances[order] as RecordedAs<Issuance>;
    return { ...loan, issuance: recorded.fact, recorded };
  });
  return { log, length: book.length, loans };
}

function loanUntil(loan: LoanRecord, last: number): LoanRecord {
  const isThere = ({ seq }: { readonly seq: number }): boolean => seq <= last;
  const retractions = [...loan.retractions].filter(([, retraction]) => isThere(retraction));
  return { ...loan, acts: loan.acts.filter(isThere), retractions: new Map(retractions) };
}

function withRecord(book: FactRecord, order: number, change: (loan: LoanRecord) => LoanRecord): readonly LoanRecord[] {
  return book.loans.map((loan, at) => (at === order ? change(loan) : loan));
}

/** The acts on a Loan that were not withdrawn, in the order of their recording. */
export function actsInForce(loan: LoanRecord): readonly RecordedAct[] {
  return loan.retractions.size === 0 ? loan.acts : loan.acts.filter(({ fact }) => !loan.retractions.has(fact.event));
}
