/** Every fact of a book in the order of recording, and how each is found. */

import type { ActFact } from '#libs/ledger/act.ts';
import type { Fact, ReceiptFact, Reversal } from '#libs/ledger/facts.ts';
import type { JsonObject } from '#libs/schema/json.ts';

/** A recorded fact with its sequence and the moment of its recording. */
export type FactEntry<Kind extends Fact> = {
  readonly seq: number;
  readonly fact: Kind;
  readonly at: string;
  /**
   * The body as the caller stated it: repeated in answers, read by no rule. Absent where `line` holds it: read it by
   * `statementOf`.
   */
  readonly statement?: JsonObject;
  /** The fact as its book's snapshot keeps it. Absent on books that are never stored. */
  readonly line?: string;
};

export type RecordedFact = FactEntry<Fact>;
export type RecordedReceipt = FactEntry<ReceiptFact>;
export type RecordedAct = FactEntry<ActFact>;

/** A Receipt or a reversal as its snapshot line, parsed when it is read. Most answers never read it. */
export interface UnparsedFact {
  readonly line: string;
  readonly parse: ParseLine;
  /** Set if the line was parsed before. */
  readonly seq?: number;
}

export type ParseLine = (line: string, orderOf: LoanOrderOf) => RecordedFact;

/** The place of a Loan in the order of recording. */
export type LoanOrderOf = (loanId: string) => number;

/**
 * One log is shared by all values of a book that grew from one another: a value of length n reads its first n facts and
 * never the later ones.
 */
export class FactLog {
  readonly #facts: (RecordedFact | UnparsedFact)[] = [];
  readonly #receipts = new Map<string, number>();
  readonly #reversals = new Map<string, number>();
  /** How many facts, from the first on, are in the two maps above. */
  #indexed = 0;
  readonly #loans = new Map<string, number>();

  /** The log with one more fact after the first `length`: this log, or a copy where it already holds other facts there. */
  append(length: number, recorded: RecordedFact | UnparsedFact): FactLog {
    const log = this.#facts.length === length ? this : this.#copy(length);
    log.#add(recorded);
    return log;
  }

  /** The fact with that sequence. Undefined where the sequence belongs to a fact that is not folded. */
  findBySequence(length: number, seq: number): RecordedFact | undefined {
    const before = this.countLeading(length, (entry) => entry.seq < seq);
    const found = before < length ? this.#read(before) : undefined;
    return found?.seq === seq ? found : undefined;
  }

  receipt(length: number, reference: string): RecordedReceipt | undefined {
    this.#indexAll();
    return this.#at(length, this.#receipts.get(reference)) as RecordedReceipt | undefined;
  }

  /** The reversal of a Receipt, named by the Receipt's reference. */
  reversal(length: number, receipt: string): FactEntry<Reversal> | undefined {
    this.#indexAll();
    return this.#at(length, this.#reversals.get(receipt)) as FactEntry<Reversal> | undefined;
  }

  /** The Loan's place in the order of recording, if it is one of the first `loans`. */
  loan(loans: number, id: string): number | undefined {
    const order = this.#loans.get(id);
    return order === undefined || order >= loans ? undefined : order;
  }

  entryAt(at: number): RecordedFact {
    return this.#read(at);
  }

  /** How many of the first `length` facts satisfy a condition that none satisfies after the first one to fail. */
  countLeading(length: number, holds: (entry: RecordedFact) => boolean): number {
    let low = 0;
    let high = length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (holds(this.#read(middle))) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  *entries(length: number): Iterable<RecordedFact> {
    for (let at = 0; at < length; at += 1) yield this.#read(at);
  }

  /** The facts as a snapshot keeps them. */
  lines(length: number): string[] {
    return Array.from({ length }, (_, at) => {
      const { line } = this.#facts[at] as RecordedFact | UnparsedFact;
      if (line === undefined) throw new Error('a fact of a stored book has no snapshot line');
      return line;
    });
  }

  #at(length: number, at: number | undefined): RecordedFact | undefined {
    return at === undefined || at >= length ? undefined : this.#read(at);
  }

  #read(at: number): RecordedFact {
    const fact = this.#facts[at] as RecordedFact | UnparsedFact;
    if (!isUnparsed(fact)) return fact;
    const parsed = fact.parse(fact.line, this.orderOf);
    this.#facts[at] = parsed;
    return parsed;
  }

  /** Turns Receipts and reversals back into lines. Returns the indexes of those whose sequence is known, by sequence. */
  compactReceipts(length: number, parse: ParseLine): ReadonlyMap<number, number> {
    const indexes = new Map<number, number>();
    for (let at = 0; at < length; at += 1) {
      const fact = this.#facts[at] as RecordedFact | UnparsedFact;
      if (isUnparsed(fact)) {
        if (fact.seq !== undefined) indexes.set(fact.seq, at);
        continue;
      }
      if (fact.line === undefined || (fact.fact.type !== 'receipt' && fact.fact.type !== 'reversal')) continue;
      this.#facts[at] = { line: fact.line, parse, seq: fact.seq };
      indexes.set(fact.seq, at);
    }
    return indexes;
  }

  /** The place of a Loan that a fact of the book names. */
  readonly orderOf = (loanId: string): number => {
    const order = this.#loans.get(loanId.toLowerCase());
    if (order === undefined) throw new Error(`the fact names a Loan that its book does not hold: ${loanId}`);
    return order;
  };

  /** Removes the fact after the first `length`, if it is the last one. For facts that were not admitted. */
  dropLast(length: number): void {
    if (this.#facts.length !== length + 1) return;
    // Other facts are refused before they are added, and have entries in the maps.
    if (this.#read(length).fact.type !== 'act') return;
    this.#facts.pop();
    this.#indexed = Math.min(this.#indexed, length);
  }

  #add(recorded: RecordedFact | UnparsedFact): void {
    const at = this.#facts.push(recorded) - 1;
    if (isUnparsed(recorded)) return;
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
    for (let at = 0; at < length; at += 1) log.#add(this.#facts[at] as RecordedFact | UnparsedFact);
    // What the maps already hold need not be parsed again.
    const found = Math.min(this.#indexed, length);
    if (found <= log.#indexed) return log;
    log.#indexed = found;
    for (const [reference, at] of this.#receipts) if (at < found) log.#receipts.set(reference, at);
    for (const [receipt, at] of this.#reversals) if (at < found) log.#reversals.set(receipt, at);
    return log;
  }
}

function isUnparsed(fact: RecordedFact | UnparsedFact): fact is UnparsedFact {
  return 'parse' in fact;
}
