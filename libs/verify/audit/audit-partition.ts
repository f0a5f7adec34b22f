/**
 * Audits the events of one partition, part by part: the rows of the facts, the books that were born in them, and the stored
 * requests of the partition.
 */
import type { Queryable } from '#libs/database/database.ts';
import { areTablesDivided } from '#libs/database/divide-tables.ts';
import { auditClientBooks } from './audit-books.ts';
import { type AuditedPartition, noCounts, sumOfCounts } from './audit-progress.ts';
import { checkEventNumbers, checkEvents, type EventRangeContent } from './event-checks.ts';
import { type Findings, mergeFindings } from './findings.ts';
import type { Pacer } from './part-runner.ts';
import { RequestsOfPartition } from './requests-of-partition.ts';
import type { Positions } from './snapshots.ts';
import type { StoredAudit } from './stored-audit.ts';

/** What one snapshot of a partition shows. */
interface PartitionPart {
  readonly requests: RequestsOfPartition;
  /** Undefined where only requests were read. */
  readonly events?: EventRangeContent;
  readonly isLast?: boolean;
}

/** Calls `save` after each part. */
export async function auditPartition(
  audit: StoredAudit,
  partition: number,
  progress: AuditedPartition,
  save: () => void,
): Promise<void> {
  while (!progress.isDone) {
    await audit.runner.run(async (pacer) => {
      await auditPart(audit, partition, progress, pacer);
      save();
    });
  }
}

/** Changes the progress at its end only: a part that fails is repeated. */
async function auditPart(
  audit: StoredAudit,
  partition: number,
  progress: AuditedPartition,
  pacer: Pacer,
): Promise<void> {
  const { findings, part } = await audit.stored.readSnapshot(async (database, positions) => {
    const found = audit.newFindings();
    return {
      findings: found,
      part: await readPart({ audit, database, positions, partition, progress, findings: found }),
    };
  });
  const { requests, events, isLast = false } = part;
  const counts = noCounts();
  const startEnd = audit.books.lastEvents.get(partition) ?? 0;
  // Books that were born after the start are left to the next audit.
  if (events !== undefined && progress.lastEvent < startEnd) {
    await auditClientBooks(audit.stored, { ...audit.books, findings, counts }, events.books, pacer);
    for (const [tenantId, count] of events.feedEntries) {
      progress.feedEntries[tenantId] = (progress.feedEntries[tenantId] ?? 0) + count;
    }
  }
  progress.counts = sumOfCounts([progress.counts, counts]);
  progress.findings = mergeFindings([progress.findings, findings], audit.maxFindings);
  progress.requests = requests.progress;
  progress.lastEvent = events?.lastEvent ?? progress.lastEvent;
  progress.facts += events?.facts ?? 0;
  progress.isDone = isLast;
}

interface PartInput {
  readonly audit: StoredAudit;
  readonly database: Queryable;
  readonly positions: Positions;
  readonly partition: number;
  readonly progress: AuditedPartition;
  readonly findings: Findings;
}

async function readPart({
  audit,
  database,
  positions,
  partition,
  progress,
  findings,
}: PartInput): Promise<PartitionPart> {
  const { maxEvents, maxRequests } = audit.sizes;
  const requests = new RequestsOfPartition(partition, progress.requests, {
    isDivided: await areTablesDivided(database),
  });
  const { lastEvent: after, facts } = progress;
  if (!requests.isLevel) {
    await requests.readRows(database, maxRequests);
    return { requests };
  }
  const lastEvent = (positions.get(partition)?.nextEvent ?? 1) - 1;
  if (after < lastEvent) {
    const upTo = partEnd(after, lastEvent, audit.books.lastEvents.get(partition) ?? 0);
    const events = await checkEvents(database, { partition, after, upTo }, { maxEvents, findings });
    requests.addFacts(events.requests);
    return { requests, events };
  }
  const isLast = await requests.readLastRows(database, findings, maxRequests);
  if (isLast) await checkEventNumbers(database, { partition, lastEvent, facts }, findings);
  return { requests, isLast };
}

/** No part lies on both sides of the start of the audit. */
function partEnd(after: number, lastEvent: number, startEnd: number): number {
  return after < startEnd ? Math.min(startEnd, lastEvent) : lastEvent;
}
