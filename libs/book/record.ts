import type { JsonObject } from '#libs/contract/json.ts';
import type { Act, Fact, Issuance, ReceiptFact, Retraction, Reversal } from '#libs/book/facts.ts';

/**
 * A recorded fact. `seq` is its place in the order of recording, `at` the moment; `told` is the body that reported it,
 * as the caller stated it: echoed, read by nothing.
 */
export type RecordedAs<Kind extends Fact> = {
  readonly seq: number;
  readonly fact: Kind;
  readonly at: string;
  readonly told: JsonObject;
};

export type Recorded = RecordedAs<Fact>;
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

/**
 * Every fact of the book in the order of recording, and where each is found. One log serves all values of a book that
 * grew from one another: a value of length n sees the first n facts, and what came later is not there for it.
 */
export class Log {
  readonly #facts: Recorded[] = [];
  readonly #receipts = new Map<string, number>();
  readonly #reversals = new Map<string, number>();
  readonly #loans = new Map<string, number>();

  /** The log with one more fact after the first `length`: this one, or a copy where another value went on from here. */
  with(length: number, recorded: Recorded): Log {
    const log = this.#facts.length === length ? this : this.#copy(length);
    log.#add(recorded);
    return log;
  }

  receipt(length: number, reference: string): RecordedReceipt | undefined {
    return this.#at(length, this.#receipts.get(reference)) as RecordedReceipt | undefined;
  }

  /** The reversal of a Receipt, named by the Receipt's reference. */
  reversal(length: number, receipt: string): RecordedAs<Reversal> | undefined {
    return this.#at(length, this.#reversals.get(receipt)) as RecordedAs<Reversal> | undefined;
  }

  /** The Loan's place in the order of recording, where the first `loans` Loans are there. */
  loan(loans: number, id: string): number | undefined {
    const order = this.#loans.get(id);
    return order === undefined || order >= loans ? undefined : order;
  }

  *facts(length: number): Iterable<Recorded> {
    for (let at = 0; at < length; at += 1) yield this.#facts[at] as Recorded;
  }

  #at(length: number, at: number | undefined): Recorded | undefined {
    return at === undefined || at >= length ? undefined : this.#facts[at];
  }

  #add(recorded: Recorded): void {
    const at = this.#facts.push(recorded) - 1;
    const { fact } = recorded;
    if (fact.type === 'receipt') this.#receipts.set(fact.reference, at);
    if (fact.type === 'reversal') this.#reversals.set(fact.receipt, at);
    if (fact.type === 'issuance') this.#loans.set(fact.loanId, this.#loans.size);
  }

  #copy(length: number): Log {
    const log = new Log();
    for (let at = 0; at < length; at += 1) log.#add(this.#facts[at] as Recorded);
    return log;
  }
}
