/** The rows that one batch of a processor writes. */
import type { Moment } from '#libs/calendar/moment.ts';
import type { CommittedFact } from '#libs/kafka/book-event.ts';
import type { ConfigurationRow, KeyRow, Namespace, NewFact, TenancyRow } from '#libs/ledger/book-decider.ts';
import type { LoadedBook } from './books.ts';
import type { ParkedLogEntry, ParkedPosition, ParkedRow } from './parked-submissions.ts';

export interface FenceRow {
  readonly partition: number;
  readonly epoch: number;
  /** The next offset the batch was decided at. */
  readonly fromOffset: number;
  readonly nextOffset: number;
  readonly nextEvent: number;
}

export interface FactRow extends CommittedFact {
  readonly fact: NewFact;
  readonly versionAt: Moment | null;
  readonly reference: ReferenceRow | undefined;
  readonly recordedAt: Moment;
}

export interface ReferenceRow {
  readonly tenantId: string;
  readonly namespace: Namespace;
  readonly reference: string;
  readonly digest: Buffer;
  readonly bookId: string;
  readonly kind: string;
  readonly subject: string;
  readonly sequence: number;
}

export interface EvidenceRow {
  readonly requestId: string;
  readonly partition: number;
  readonly tenantId: string;
  readonly method: string;
  readonly target: string;
  readonly ts: number | null;
  readonly fp: string | null;
  readonly signature: Buffer | null;
  readonly idempotencyKey: string | null;
  readonly body: Buffer;
  readonly bodyEncoding: string;
  readonly actor: string | null;
  readonly callerRequestId: string | null;
  readonly receivedAt: number;
}

export interface BookRow extends LoadedBook<unknown> {
  readonly partition: number;
}

export interface SnapshotRow {
  readonly tenantId: string;
  readonly bookId: string;
  readonly sequence: number;
  readonly data: string;
}

/** Replaces all due spans of a book. */
export interface DueSpansRow {
  readonly tenantId: string;
  readonly bookId: string;
  readonly spans: readonly (readonly [from: number, to: number])[];
}

export interface VerdictRow {
  readonly requestId: string;
  readonly partition: number;
  readonly verdict: string;
}

type WithTenantId<Row> = Row & { readonly tenantId: string };

export interface CommitRows {
  readonly fences: readonly FenceRow[];
  readonly facts: readonly FactRow[];
  readonly references: readonly ReferenceRow[];
  readonly evidence: readonly EvidenceRow[];
  readonly books: readonly BookRow[];
  readonly snapshots: readonly SnapshotRow[];
  readonly dueSpans: readonly DueSpansRow[];
  readonly loanStates: readonly WithTenantId<{ loanId: string; state: string }>[];
  readonly tenancies: readonly TenancyRow[];
  readonly keys: readonly WithTenantId<KeyRow>[];
  readonly configurations: readonly WithTenantId<ConfigurationRow>[];
  readonly verdicts: readonly VerdictRow[];
  /** Submissions to park, and parked ones that were released. */
  readonly parking?: {
    readonly parked: readonly ParkedRow[];
    readonly records: readonly ParkedLogEntry[];
    readonly released: readonly ParkedPosition[];
  };
}
