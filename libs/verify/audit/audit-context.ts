/** The data an audit of one book works with. */
import type { DeciderFor } from '#libs/database/books.ts';
import type { BookDecider } from '#libs/ledger/book-decider.ts';
import type { AuditCounts } from './audit-progress.ts';
import type { ExpectedMovements } from './expected-movements.ts';
import type { Findings } from './findings.ts';
import type { ResolvedData } from './read-ingress-lookups.ts';
import type { AuditBookRow, AuditDueSpanRow, AuditFactRow, AuditLoanRow, CachedBook } from './read-stored-books.ts';
import type { CheckedRequest } from './stored-requests.ts';

export interface BookAuditContext {
  readonly deciderFor: DeciderFor;
  readonly findings: Findings;
  readonly counts: AuditCounts;
  readonly resolvedData: ResolvedData;
  /** By partition, the number of the last event at the start of the audit. Later facts are folded and not counted. */
  readonly lastEvents: ReadonlyMap<number, number>;
  /** Absent where the topic of movements is not audited. */
  readonly movements?: ExpectedMovements | undefined;
}

/** Everything stored about a book. */
export interface StoredBook {
  readonly row: AuditBookRow;
  readonly facts: readonly AuditFactRow[];
  readonly loans: readonly AuditLoanRow[];
  readonly dueSpans: readonly AuditDueSpanRow[];
  readonly requests: ReadonlyMap<string, CheckedRequest>;
  /** Undefined if Redis does not hold the book. */
  readonly cached: CachedBook | undefined;
}

/** The fold of a book up to the fact that is being audited. */
export interface BookFold {
  readonly audit: BookAuditContext;
  readonly stored: StoredBook;
  readonly decider: BookDecider<unknown>;
  readonly label: string;
  book: unknown;
  sequence: number;
  versionCount: number;
  versionAt: number | null;
  recordedAt: number;
}
