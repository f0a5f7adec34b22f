/** Audits what the partitions do not reach: the tables whose rows name facts, partitions without a row, and the feed as a whole. */
import { auditClientBooks } from './audit-books.ts';
import { noCounts, sumOfCounts, type TablesProgress } from './audit-progress.ts';
import { checkPartitionRows } from './event-checks.ts';
import { type Findings, mergeFindings } from './findings.ts';
import type { Pacer } from './part-runner.ts';
import type { StoredAudit } from './stored-audit.ts';
import {
  checkTablePage,
  findFeedEntriesWithoutFact,
  lowestNumber,
  type TableWalk,
  tableWalks,
  tenanciesWithOtherFeed,
} from './table-walks.ts';

/** One task for each table that is not done. `save` is called after each part. */
export function tableTasks(audit: StoredAudit, progress: TablesProgress, save: () => void): (() => Promise<void>)[] {
  return tableWalks.map((walk) => async () => {
    while (progress.positions[walk.table] !== null) {
      await audit.runner.run(async (pacer) => {
        await auditPage(audit, walk, progress, pacer);
        save();
      });
    }
  });
}

/** Changes the progress at its end only: a part that fails is repeated. */
async function auditPage(audit: StoredAudit, walk: TableWalk, progress: TablesProgress, pacer: Pacer): Promise<void> {
  const { feedEnds, sizes, maxFindings } = audit;
  const from = progress.positions[walk.table] ?? undefined;
  const { findings, page } = await audit.stored.readSnapshot(async (database) => {
    const found = audit.newFindings();
    const options = { from, maxRows: sizes.maxRows, feedEnds, findings: found };
    return { findings: found, page: await checkTablePage(database, walk, options) };
  });
  const counts = noCounts();
  await auditClientBooks(audit.stored, { ...audit.books, findings, counts }, page.books, pacer);
  for (const [tenantId, count] of page.feedEntries) {
    progress.feedEntries[tenantId] = (progress.feedEntries[tenantId] ?? 0) + count;
  }
  progress.counts = sumOfCounts([progress.counts, counts]);
  progress.findings = mergeFindings([progress.findings, findings], maxFindings);
  progress.positions[walk.table] = page.next;
}

export async function searchUnknownPartitions({ stored, runner, newFindings }: StoredAudit): Promise<Findings> {
  const findings = newFindings();
  await runner.run(async () => {
    const found = await stored.readSnapshot(async (database) => {
      const inSnapshot = newFindings();
      await checkPartitionRows(database, inSnapshot);
      return inSnapshot;
    });
    findings.addAll(found);
  });
  return findings;
}

/** After all partitions and tables: searches entries of the feed without a fact where their number says that there are some. */
export async function searchFeeds(
  { stored, runner, sizes, newFindings }: StoredAudit,
  ofFeed: Readonly<Record<string, number>>,
  ofPartitions: readonly Readonly<Record<string, number>>[],
): Promise<Findings> {
  const findings = newFindings();
  for (const tenantId of tenanciesWithOtherFeed(ofFeed, ofPartitions)) {
    for (let from: string | null = lowestNumber; from !== null; ) {
      const at: string = from;
      await runner.run(async () => {
        const { found, next } = await stored.readSnapshot(async (database) => {
          const inPage = newFindings();
          const options = { maxRows: sizes.maxSearchedRows, findings: inPage };
          return { found: inPage, next: await findFeedEntriesWithoutFact(database, [tenantId, at], options) };
        });
        findings.addAll(found);
        from = next;
      });
    }
  }
  return findings;
}
