/**
 * What the processor asks of a kind of book. A Client's book and the Tenancy's own go one way: the turn is taken, the
 * book decides, what it decided is committed, and only then is it known. Pure: no clock, no randomness, no driver.
 */

import type { Moment } from '#libs/calendar/moment.ts';
import type { Json, JsonObject } from '#libs/schema/json.ts';
import type { Refusal } from '#libs/schema/refusals.ts';

/** One namespace of references each, within the whole Tenancy. */
export const namespaces = ['loans', 'receipts', 'acts', 'credit'] as const;
export type Namespace = (typeof namespaces)[number];

/** A signed request that wants to change one book (an item of a batch is one of its own), as the book sees it. */
export interface Submission {
  readonly tenantId: string;
  readonly bookId: string;
  /** Name of the mutation in the table of routes. */
  readonly operation: string;
  readonly params: { readonly [name: string]: string };
  readonly body: JsonObject;
  readonly namespace?: Namespace;
  readonly reference?: string;
  /** SHA-256 of the canonical method, path and body: what a retry is compared by. */
  readonly digest: string;
  /** Identifiers minted where the request entered, so that a re-delivered submission mints nothing new. */
  readonly ids: readonly string[];
  /** Immutable data the request names, resolved where it entered; null where the name holds nothing. */
  readonly resolved: Json;
  /** The person behind an administrative submission, which carries no signature. */
  readonly actor?: string;
}

/** A fact that is about to be recorded. */
export interface NewFact {
  readonly kind: string;
  /** JSON text, kept and published as it stands; `replay` reads it back. */
  readonly body: string;
  /** Whether the book version a caller reads counts it. */
  readonly counts: boolean;
  /** Days since 1970-01-01. */
  readonly occurredOn?: number;
  /** Present on a fact of a Loan; together with `eventId` it is a row of the feed. */
  readonly loanId?: string;
  readonly eventId?: string;
  readonly merchantRef?: string;
  /** The Loan this fact issues, as the listing finds it again; numbered by the feed number of the fact. */
  readonly loan?: NewLoan;
  /** What this fact makes listed in the whole Tenancy, numbered as it commits. */
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
  /** JSON text of what never changes of it. */
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

/** A reference as it was recorded. */
export interface RecordedReference {
  readonly bookId: string;
  readonly digest: string;
  readonly kind: string;
  /** Identifier of what the reference made: a Loan, a Receipt, an event, a quote. */
  readonly subject: string;
  readonly sequence: number;
}

export interface Admission<B> {
  /** Empty where the request is met by what is recorded already. */
  readonly facts: readonly NewFact[];
  readonly book: B;
  /** Rendered once, after the batch is settled: of several writes of one batch each answers from its own book. */
  answer(): AnswerRecord;
  /** What the submission's reference names from now on. */
  readonly subject?: string;
}

export type AdmissionResult<B> = Admission<B> | Refusal;

/** What tables that follow the book must hold, where it differs from before. */
export interface DerivedRows {
  /** First day on which something of this book can be overdue, as days since 1970-01-01; null for never. */
  readonly dueFrom?: number | null;
  /** Days of the past, first and last of each stretch, on which something was overdue that no longer is; all there are. */
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
  /** JSON text of the whole answer. */
  readonly answer: string;
}

/** B is immutable: an old value stays usable, so a batch that is rolled back drops the new ones and nothing else. */
export interface BookDecider<B> {
  empty(tenantId: string, bookId: string): B;
  decide(book: B, submission: Submission, recordedAt: Moment): AdmissionResult<B>;
  /**
   * Whether this book may have recorded the reference. Where it says no, the store is not asked before the commit: only
   * another book can hold it then, and the commit finds that. Left out where the book does not keep them at hand.
   */
  mayHoldReference?(book: B, namespace: Namespace, reference: string): boolean;
  /** The 200 of a retry: the record as it reads now. */
  currentRecord(book: B, submission: Submission, recorded: RecordedReference): AnswerRecord;
  replay(book: B, fact: StoredFact): B;
  /** A snapshot, its format version inside. */
  encode(book: B): string;
  /** After a snapshot: what is seldom asked for is kept as text. No value of the book answers otherwise for it. */
  compact?(book: B): void;
  /** Undefined where the text is of another format: a snapshot is dropped, never migrated. */
  decode(text: string): B | undefined;
  derive(before: B, after: B): DerivedRows;
}
