/** Commits one batch of a processor by one call of the SQL function commit_batch: all of it, or nothing. */
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { retry } from '#libs/runtime/retry.ts';
import type { CommitRows, FactRow } from './commit-row-types.ts';
import {
  type Database,
  inRolledBackTransaction,
  inTransaction,
  isEnvironmentError,
  type Queryable,
} from './database.ts';
import { encodeRows, numberFacts } from './encode-commit-rows.ts';
import { deleteParked, insertParked } from './parked-submissions.ts';

/** Enough to meet every connection of the pool. */
const staleStatementTimeoutMs = 1_000;

export interface CommittedResult {
  readonly outcome: 'committed';
  readonly feedNumberOf: (fact: FactRow) => number | null;
  /** The number of a listed fact in its listing. */
  readonly listedNumberOf: (fact: FactRow) => number | null;
  readonly tenantsWithNewEvents: readonly string[];
}

export type CommitResult =
  | CommittedResult
  /**
   * Nothing was written. `fenced`: another processor owns a partition, or its offset has moved. `reference_taken`: a
   * reference has been recorded by another book. `repeated`: a request of the batch was committed before.
   */
  | { readonly outcome: 'fenced' | 'reference_taken' | 'repeated' };

export async function commitBatch(database: Database, rows: CommitRows): Promise<CommitResult> {
  const numbers = numberFacts(rows.facts);
  try {
    const value = encodeRows(rows, numbers);
    const next = await retry(() => commit(database, value, rows.parking), {
      isRetryable: isStaleStatement,
      firstDelayMs: 0,
      maxDelayMs: 0,
      timeoutMs: staleStatementTimeoutMs,
    });
    return {
      outcome: 'committed',
      feedNumberOf: (fact) => assignedNumber(next[`${fact.tenantId}/feed`], numbers.feed.get(fact)),
      listedNumberOf: (fact) =>
        assignedNumber(next[`${fact.tenantId}/${fact.fact.listed?.listing}`], numbers.listed.get(fact)),
      tenantsWithNewEvents: numbers.counters.filter(({ name }) => name === 'feed').map(({ tenant_id }) => tenant_id),
    };
  } catch (cause) {
    return failedOutcome(cause);
  }
}

/** Runs the commit and rolls it back. Throws the reason why the database rejects it. */
export async function tryCommit(database: Database, rows: CommitRows): Promise<void> {
  const value = encodeRows(rows, numberFacts(rows.facts));
  try {
    await inRolledBackTransaction(database, (connection) => callCommitBatch(connection, value));
  } catch (cause) {
    throw new DependencyUnavailableError(`trial commit: ${failedOutcome(cause).outcome}`);
  }
}

/** The next number of each counter after the commit, by `tenant/counter`. */
type NextNumbers = { readonly [counter: string]: number };

async function commit(database: Database, value: Buffer, parking: CommitRows['parking']): Promise<NextNumbers> {
  if (parking === undefined) return callCommitBatch(database, value);
  return inTransaction(database, async (connection) => {
    const next = await callCommitBatch(connection, value);
    await insertParked(connection, parking.parked, parking.records);
    await deleteParked(connection, parking.released);
    return next;
  });
}

async function callCommitBatch(database: Queryable, value: Buffer): Promise<NextNumbers> {
  const text = 'SELECT commit_batch($1) AS next_numbers';
  const { rows } = await database.query<{ next_numbers: NextNumbers }>({ name: 'commit_batch', text, values: [value] });
  return rows[0]?.next_numbers ?? {};
}

/**
 * After the cutover of a rebuild each pooled connection fails once: its prepared statement names the type commit_rows of
 * the old schema. The pool drops such a connection.
 */
function isStaleStatement(cause: unknown): boolean {
  const { code } = cause as { code?: string };
  return code === '42883' || code === 'XX000';
}

/** The primary key of `request_evidence`, or of its table of a partition. */
const evidenceKey = /^(evidence|request_evidence_\d+)_pkey$/;

function failedOutcome(cause: unknown): CommitResult {
  const { code, constraint } = cause as { code?: string; constraint?: string };
  if (code === 'LX001') return { outcome: 'fenced' };
  if (code === 'LX002') return { outcome: 'reference_taken' };
  if (code === '23505' && evidenceKey.test(constraint ?? '')) return { outcome: 'repeated' };
  throw isEnvironmentError(cause) ? new DependencyUnavailableError('commit_batch', { cause }) : cause;
}

function assignedNumber(next: number | undefined, fromEnd: number | undefined): number | null {
  return next === undefined || fromEnd === undefined ? null : next - fromEnd;
}
