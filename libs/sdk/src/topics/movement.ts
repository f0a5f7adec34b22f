/** A change of what one charge of one period of a Loan owes. Days are YYYY-MM-DD, and compare as text. */
export interface MovementLine {
  readonly period: number;
  /** `principal`, `interest`, `fee`, `penalty` or `late_fee`. */
  readonly charge: string;
  /** `charged`, `received`, `released`, `ceded` or `moved`. Later versions of the service may add kinds. */
  readonly kind: string;
  /** The debt on a day is the sum of the lines up to it. */
  readonly day: string;
  /** What is overdue on a day is the sum of those of them of which this day has come. */
  readonly due_on: string;
  /** Minor units without tax. Positive raises the debt, negative lowers it. */
  readonly amount: bigint;
  readonly tax: bigint;
  /** The fact of the book that caused the line; null where days alone did. */
  readonly fact: bigint | null;
}

/** The lines of one Loan: add the `added` ones, and subtract the others, which an earlier movement added. */
export interface LoanMovement {
  readonly loan_id: string;
  /** Of all amounts. */
  readonly currency: string;
  readonly added: readonly MovementLine[];
  readonly taken_back: readonly MovementLine[];
}

/** What one fact changed in the journal of its book, as a record of `lending.movements`. Has the numbers of its fact in `lending.book-events`. */
export interface Movement {
  readonly partition: number;
  /** Position in the partition, from 1 without gaps. */
  readonly sequence: bigint;
  readonly tenant_id: string;
  /** `c/` and the Client, or `t` for the Tenancy's own book. */
  readonly book_id: string;
  readonly client_id: string | null;
  /** Position of the fact in the book, from 1 without gaps. */
  readonly fact: bigint;
  /** Of the fact. Later versions of the service may add kinds. */
  readonly kind: string;
  /** RFC 3339 in UTC with six decimals. */
  readonly recorded_at: string;
  readonly request_id: string;
  /** Position in the batch of the request. */
  readonly item: number;
  /** Empty where the fact changed no figure. */
  readonly loans: readonly LoanMovement[];
}
