/** What the parts of an audit of the database share. */
import type { SnapshotCache } from '#libs/database/snapshot-cache.ts';
import type { BookAuditContext } from './audit-context.ts';
import type { Findings } from './findings.ts';
import type { PartRunner } from './part-runner.ts';
import type { ReadSnapshot } from './snapshots.ts';
import type { StoredRequests } from './stored-requests.ts';
import type { TenancyKeys } from './tenancy-keys.ts';

export interface StoredBooks {
  readonly readSnapshot: ReadSnapshot;
  readonly requests: StoredRequests;
  readonly keys: TenancyKeys;
  readonly cache: SnapshotCache | undefined;
}

/** How much one part reads. */
export interface PartSizes {
  readonly maxEvents: number;
  /** Ids of stored requests, of all partitions. */
  readonly maxRequests: number;
  readonly maxRows: number;
  /** Entries of the feed that are searched in the books of their Loans. */
  readonly maxSearchedRows: number;
}

export const defaultPartSizes: PartSizes = {
  maxEvents: 1_000,
  maxRequests: 100_000,
  maxRows: 10_000,
  maxSearchedRows: 1_000,
};

export interface StoredAudit {
  readonly stored: StoredBooks;
  /** Each part has findings and counts of its own. */
  readonly books: Omit<BookAuditContext, 'findings' | 'counts'>;
  readonly feedEnds: Readonly<Record<string, number>>;
  readonly sizes: PartSizes;
  readonly maxFindings: number;
  readonly newFindings: () => Findings;
  readonly runner: PartRunner;
}
