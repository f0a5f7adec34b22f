/** What an audit of one book works with, and what it counts. */
import type { DeciderFor } from '#libs/database/books.ts';
import type { BookDecider } from '#libs/ledger/book-decider.ts';
import type { CachedBook } from './cached.ts';
import type { Findings } from './finding.ts';
import type { KeptEvidence } from './kept-requests.ts';
import type { LookedUp } from './lookup.ts';
import type { BookRow, FactRow, LoanRow, SpanRow } from './pages.ts';

/** What was counted, so that whoever reads "nothing found" knows how much was looked at. */
export interface Counts {
  books: number;
  facts: number;
  decidedAnew: number;
  /** Facts of which the request is kept and what it had looked up is not. */
  notDecidedAnew: number;
  snapshots: number;
  cached: number;
}

export interface BookAudit {
  readonly kindOf: DeciderFor;
  readonly findings: Findings;
  readonly counts: Counts;
  readonly lookedUp: LookedUp;
}

export interface KeptBook {
  readonly row: BookRow;
  readonly facts: readonly FactRow[];
  readonly loans: readonly LoanRow[];
  readonly spans: readonly SpanRow[];
  readonly requests: ReadonlyMap<string, KeptEvidence>;
  /** As Redis holds it. */
  readonly cached: CachedBook | undefined;
}

/** A book on its way from its first fact to its last. */
export interface Folding {
  readonly audit: BookAudit;
  readonly kept: KeptBook;
  readonly kind: BookDecider<unknown>;
  readonly where: string;
  book: unknown;
  sequence: number;
  versionCount: number;
  versionAt: number | null;
  recordedAt: number;
}
