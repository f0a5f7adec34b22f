/** Audits Postgres and Redis: the books of Tenancies, then all partitions and tables, and at last the feed as a whole. */
import type { DeciderFor } from '#libs/database/books.ts';
import type { Database } from '#libs/database/database.ts';
import type { SnapshotCache } from '#libs/database/snapshot-cache.ts';
import { auditPartition } from './audit-partition.ts';
import {
  type AuditCounts,
  type AuditedPartition,
  type AuditOutcome,
  newAuditedPartition,
  newTablesProgress,
  sumOfCounts,
  type TablesProgress,
} from './audit-progress.ts';
import { type AuditStart, lastEventsOf, readAuditStart } from './audit-start.ts';
import { searchFeeds, searchUnknownPartitions, tableTasks } from './audit-tables.ts';
import { auditTenancies } from './audit-tenancies.ts';
import type { ExpectedMovements } from './expected-movements.ts';
import { Findings, mergeFindings } from './findings.ts';
import { PartRunner, type Pause } from './part-runner.ts';
import type { ResolvedData } from './read-ingress-lookups.ts';
import type { ReadSnapshot } from './snapshots.ts';
import { defaultPartSizes, type PartSizes, type StoredAudit } from './stored-audit.ts';
import { StoredRequests } from './stored-requests.ts';
import { TenancyKeys } from './tenancy-keys.ts';

export const defaultMaxFindings = 20;

export interface StoredDataOptions {
  /** Further databases of the cell. */
  readonly others?: readonly Database[];
  readonly deciderFor: DeciderFor;
  /** Absent: snapshots in Redis are not checked. */
  readonly cache?: SnapshotCache;
  /** How many findings are listed. All are counted. */
  readonly maxFindings?: number;
  /** How many parts run at once. */
  readonly parallel?: number;
  readonly pause?: Pause;
  readonly sizes?: PartSizes;
}

/** Audits Postgres and Redis, without the topics and without a state. */
export async function auditStored(
  readSnapshot: ReadSnapshot,
  options: StoredDataOptions,
  resolvedData: ResolvedData,
): Promise<AuditCounts & { readonly findings: Findings }> {
  const start = await readSnapshot(readAuditStart);
  const partitions = new Map([...lastEventsOf(start).keys()].map((each) => [each, newAuditedPartition()]));
  const { counts, findings } = await runStoredAudit(createStoredAudit(readSnapshot, start, options, resolvedData), {
    partitions,
    tables: newTablesProgress(),
  });
  return { ...counts, findings: mergeFindings([findings], options.maxFindings ?? defaultMaxFindings) };
}

export function createStoredAudit(
  readSnapshot: ReadSnapshot,
  start: AuditStart,
  options: StoredDataOptions & { readonly movements?: ExpectedMovements },
  resolvedData: ResolvedData,
): StoredAudit {
  const { deciderFor, cache, movements, maxFindings = defaultMaxFindings, sizes = defaultPartSizes } = options;
  const keys = new TenancyKeys(deciderFor, options.others);
  return {
    stored: { readSnapshot, keys, requests: new StoredRequests(keys), cache },
    books: { deciderFor, resolvedData, movements, lastEvents: lastEventsOf(start) },
    feedEnds: start.feedEnds,
    sizes,
    maxFindings,
    newFindings: () => new Findings(maxFindings),
    runner: new PartRunner({ parallel: options.parallel ?? 1, pause: options.pause }),
  };
}

interface StoredProgress {
  readonly partitions: ReadonlyMap<number, AuditedPartition>;
  /** Undefined where only partitions are audited. */
  readonly tables: TablesProgress | undefined;
  readonly savePartition?: (partition: number) => void;
  readonly saveTables?: (tables: TablesProgress) => void;
  /** Called after each part with all facts that are checked. */
  readonly onFacts?: (facts: number) => void;
}

export async function runStoredAudit(audit: StoredAudit, progress: StoredProgress): Promise<AuditOutcome> {
  const { partitions, tables, savePartition, saveTables, onFacts } = progress;
  const tenancies = await auditTenancies(audit);
  const outcomes = (): AuditOutcome[] => [...(tables === undefined ? [] : [tables]), tenancies, ...partitions.values()];
  const reportFacts = (): void => onFacts?.(outcomes().reduce((sum, { counts }) => sum + counts.facts, 0));
  const tasks = [...partitions].map(
    ([partition, each]) =>
      () =>
        auditPartition(audit, partition, each, () => {
          savePartition?.(partition);
          reportFacts();
        }),
  );
  if (tables !== undefined) tasks.push(...tableTasks(audit, tables, () => saveTables?.(tables)));
  await audit.runner.runAll(tasks);
  const feedEntries = [...partitions.values()].map((each) => each.feedEntries);
  const searched =
    tables === undefined
      ? []
      : [await searchUnknownPartitions(audit), await searchFeeds(audit, tables.feedEntries, feedEntries)];
  return {
    counts: sumOfCounts(outcomes().map(({ counts }) => counts)),
    findings: mergeFindings([...searched, ...outcomes().map(({ findings }) => findings)], audit.maxFindings),
  };
}
