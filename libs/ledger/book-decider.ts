/**
 * The interface between the processor and the two kinds of book. Both kinds go through the same steps: decide, commit,
 * answer. A decider is pure: no clock, no randomness, no driver.
 */

import type { Moment } from '#libs/calendar/moment.ts';
import type { CooperativeTask } from '#libs/ledger/cooperative-loop.ts';
import type { LoanMovement } from '#libs/ledger/journal/book-movement.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import type { Refusal } from '#libs/schema/refusals.ts';

/** References are unique within one of these namespaces of the Tenancy. */
export const namespaces = ['loans', 'receipts', 'acts', 'credit'] as const;
export type Namespace = (typeof namespaces)[number];

/** A signed request to change one book. Each item of a batch request is a submission of its own. */
export interface Submission<Body = JsonObject, Resolved = Json> {
  readonly tenantId: string;
  readonly bookId: string;
  /** Name of the operation in the route table. */
  readonly operation: string;
  readonly params: { readonly [name: string]: string };
  readonly body: Body;
  readonly namespace?: Namespace;
  readonly reference?: string;
  /** SHA-256 of the canonical method, path and body. Requests with the same reference are compared by it. */
  readonly digest: string;
  /** Identifiers minted at ingress, so that a redelivered submission gets the same ones. */
  readonly ids: readonly string[];
  /** Immutable data that the request names, looked up at ingress. Null where there is none. */
  readonly resolved: Resolved;
  /** The person behind an administrative submission, which is not signed. */
  readonly actor?: string;
}

/** A fact that is about to be recorded. */
export interface NewFact {
  readonly kind: string;
  /** JSON text, stored and published unchanged. `replay` reads it. */
  readonly body: string;
  /** Whether the book version counts the fact. */
  readonly counts: boolean;
  /** Days since 1970-01-01. */
  readonly occurredOn?: number;
  /** Present on a fact about a Loan. With an `eventId` the fact is also a row of the feed. */
  readonly loanId?: string;
  readonly eventId?: string;
  readonly merchantRef?: string;
  /** Present on an issuance: the row by which listings find the Loan. Its number is the fact's feed number. */
  readonly loan?: NewLoan;
  /** A row for a listing of the whole Tenancy. It is numbered at the commit. */
  readonly listed?: ListedFact;
}

export interface NewLoan {
  readonly loanId: string;
  readonly clientId: string;
  readonly reference: string;
  readonly configurationId: string;
  readonly configurationVersion: number;
  readonly merchantRef?: string;
  readonly state: string;
}

export interface ListedFact {
  readonly listing: string;
  readonly id: string;
  /** JSON text of the members that never change. */
  readonly row: string;
}

export interface StoredFact {
  readonly sequence: number;
  readonly kind: string;
  readonly body: string;
  readonly recordedAt: Moment;
}

export interface AnswerRecord {
  readonly status: number;
  /** JSON text. */
  readonly body: string;
}

/** A reference and the record it names. */
export interface RecordedReference {
  readonly bookId: string;
  readonly digest: string;
  readonly kind: string;
  /** Identifier of what the submission created: a Loan, a Receipt, an event, a quote. */
  readonly subject: string;
  readonly sequence: number;
}

export interface Admission<Book> {
  /** Empty where everything requested is recorded already. */
  readonly facts: readonly NewFact[];
  readonly book: Book;
  /** Rendered once, after the commit. Each submission of a batch answers from the book after itself. */
  answer(): AnswerRecord;
  /** What the submission's reference names from now on. */
  readonly subject?: string;
}

export type AdmissionResult<Book> = Admission<Book> | Refusal;

/** The changed rows of the tables that are derived from books. */
export interface DerivedRows {
  /** First day on which something of the book can be overdue, as days since 1970-01-01. Null for never. */
  readonly dueFrom?: number | null;
  /** All past stretches, by first and last day, in which something was overdue that no longer is. */
  readonly dueSpans?: readonly (readonly [from: number, to: number])[];
  readonly loanStates?: readonly { readonly loanId: string; readonly state: string }[];
  readonly tenancies?: readonly TenancyRow[];
  readonly keys?: readonly KeyRow[];
  readonly configurations?: readonly ConfigurationRow[];
}

export interface TenancyRow {
  readonly tenantId: string;
  readonly name: string;
  readonly live: boolean;
  readonly jurisdiction: string;
  readonly timeZone: string;
  readonly bounds: JsonObject | null;
  readonly createdAt: Moment;
}

export interface KeyRow {
  readonly fp: string;
  /** 32 bytes in lower-case hexadecimal. */
  readonly publicKey: string;
  readonly scope: string;
  readonly holder: string;
  readonly label: string;
  readonly createdAt: Moment;
  readonly revokedAt: Moment | null;
}

export interface ConfigurationRow {
  readonly configurationId: string;
  readonly version: number;
  readonly archetype: string;
  readonly createdAt: Moment;
  /** JSON text of the values as stated. */
  readonly values: string;
  /** JSON text of the answer to reading the version. */
  readonly answer: string;
}

/** What facts change in the journal of a book. */
export interface BookJournal<Book> {
  /** The book as of an earlier fact. Only its figures are those of that time. */
  asOf(book: Book, sequence: number): Book;
  /** `after` is `before` with one more fact. Throws where more than `maxLines` lines must be compared. */
  movement(before: Book, after: Book, maxLines?: number): readonly LoanMovement[];
}

/** Books are immutable values. Rolling a batch back means dropping the new values. */
export interface BookDecider<Book> {
  empty(tenantId: string, bookId: string): Book;
  decide(book: Book, submission: Submission, recordedAt: Moment): AdmissionResult<Book>;
  /**
   * Whether the book may have recorded the reference. If false, the processor skips the look-up before the commit; a
   * reference that another book holds is still found by the commit. Absent where the book does not know its references.
   */
  mayHoldReference?(book: Book, namespace: Namespace, reference: string): boolean;
  /** The answer to a repeated request: the record as it reads now. */
  currentRecord(book: Book, submission: Submission, recorded: RecordedReference): AnswerRecord;
  replay(book: Book, fact: StoredFact): Book;
  /** The snapshot of the book, with its format number. */
  encode(book: Book): CooperativeTask<string>;
  /** Called after a snapshot to save memory. Every value of the book reads the same afterwards. */
  compact?(book: Book): void;
  /** Undefined where the snapshot has another format. Snapshots are dropped, never migrated. */
  decode(text: string): CooperativeTask<Book | undefined>;
  derive(before: Book, after: Book): DerivedRows;
  /** Absent where the book has no figures. */
  readonly journal?: BookJournal<Book>;
}
