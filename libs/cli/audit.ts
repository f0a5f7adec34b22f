/** Runs the audit of a cell for `lending audit` and prints its findings. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#libs/database/database.ts';
import { openDatabasesOf } from '#libs/database/open-partition-databases.ts';
import { openReadOnlyDatabase } from '#libs/database/pool.ts';
import { SnapshotCache } from '#libs/database/snapshot-cache.ts';
import { connectKafka } from '#libs/kafka/kafka-client.ts';
import { openToolRedis, waitUntilReady } from '#libs/redis/redis.ts';
import type { UrlSource } from '#libs/runtime/follow-setting.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import type { CellAddresses } from '#libs/submission/open-submission-client.ts';
import { deciderFor } from '#libs/tenant/decider-for.ts';
import { type AuditOptions, type AuditResult, audit } from '#libs/verify/audit/audit.ts';
import { auditMovedNumbers } from '#libs/verify/audit/audit-numbers.ts';
import { sumOfCounts } from '#libs/verify/audit/audit-progress.ts';
import { auditReservations } from '#libs/verify/audit/audit-reservations.ts';
import { type Findings, formatFinding } from '#libs/verify/audit/findings.ts';
import type { Pause } from '#libs/verify/audit/part-runner.ts';
import { formatCount } from './output/text-table.ts';

type AuditCellOptions = Pick<AuditOptions, 'onProgress' | 'stateFolder' | 'partitions' | 'parallel'> & {
  readonly maxFindings: number;
  readonly skipSubmissionTopic: boolean;
  /** The percentage of the time in which the audit works. Default: all of it. */
  readonly load?: number;
};

const defaultParallel = 2;
/** For topics and lookups, beside the parts. */
const furtherConnections = 2;

/** Prints a line per finding and a summary. Several databases are audited one after another. */
export async function auditCell(
  cell: CellAddresses,
  { load = 100, parallel = defaultParallel, partitions, stateFolder, ...options }: AuditCellOptions,
  print: (line: string) => void,
): Promise<AuditResult & { readonly isClean: boolean }> {
  const opened: Database[] = [];
  const open = (url: UrlSource): Database => {
    const pool = openReadOnlyDatabase({ url, name: 'audit', connections: parallel + furtherConnections });
    opened.push(pool);
    return pool;
  };
  const redis = openToolRedis(cell.redisUrl, 'audit');
  try {
    const urls = () => cell.partitionDatabaseUrls ?? new Map();
    const databases = await openDatabasesOf(open(cell.databaseUrl), { urls, open });
    const isRedisReady = await waitUntilReady(redis);
    if (!isRedisReady) print('Redis does not answer; its snapshots are not checked');
    const results: AuditResult[] = [];
    for (const [index, database] of databases.all.entries()) {
      const wanted = partitions?.filter((partition) => databases.ofPartition(partition) === database);
      if (wanted?.length === 0) continue;
      const folder = stateFolder !== undefined && index > 0 ? join(stateFolder, `database-${index}`) : stateFolder;
      const result = await audit({
        database,
        databases,
        kafka: connectKafka(cell.kafkaBrokers, 'audit'),
        schemaRegistryUrl: cell.schemaRegistryUrl,
        deciderFor,
        logger: silentLogger,
        ...(isRedisReady ? { cache: new SnapshotCache(redis, deciderFor) } : {}),
        ...options,
        ...(folder === undefined ? {} : { stateFolder: folder }),
        ...(wanted === undefined ? {} : { partitions: wanted }),
        parallel,
        ...(load < 100 ? { pause: pauseFor(load) } : {}),
      });
      results.push(result);
    }
    const { maxFindings } = options;
    const ofCell =
      partitions === undefined
        ? [await auditReservations(databases, maxFindings), await auditMovedNumbers(databases, maxFindings)]
        : [];
    const result = mergeResults(results, ofCell, maxFindings);
    printResult(result, print);
    return { ...result, isClean: result.findingCount === 0 && result.unreadPartitions.length === 0 };
  } finally {
    redis.disconnect();
    await Promise.all(opened.map((pool) => pool.end()));
  }
}

/** So long that the given percentage of the time is worked. */
function pauseFor(load: number): Pause {
  return (workedMs, ended) => sleep(workedMs * (100 / load - 1), undefined, { signal: ended });
}

function mergeResults(results: readonly AuditResult[], ofCell: readonly Findings[], maxFindings: number): AuditResult {
  const sum = (figure: (result: AuditResult) => number): number =>
    results.reduce((total, result) => total + figure(result), 0);
  return {
    ...sumOfCounts(results),
    findings: [...results.flatMap(({ findings }) => findings), ...ofCell.flatMap(({ listed }) => listed)].slice(
      0,
      maxFindings,
    ),
    findingCount: sum(({ findingCount }) => findingCount) + ofCell.reduce((total, { count }) => total + count, 0),
    events: sum(({ events }) => events),
    movements: sum(({ movements }) => movements),
    repeatedRecords: sum(({ repeatedRecords }) => repeatedRecords),
    unreadPartitions: results.flatMap(({ unreadPartitions }) => unreadPartitions),
    seconds: sum(({ seconds }) => seconds),
    longestSnapshotSeconds: Math.max(0, ...results.map(({ longestSnapshotSeconds }) => longestSnapshotSeconds)),
  };
}

function printResult(result: AuditResult, print: (line: string) => void): void {
  const { findings, findingCount, facts, redecided, notRedecided, seconds, unreadPartitions } = result;
  for (const finding of findings) print(formatFinding(finding));
  if (findingCount > findings.length) print(`and ${formatCount(findingCount - findings.length)} more`);
  const checked = [
    `${formatCount(facts)} facts of ${formatCount(result.books)} books folded`,
    `${formatCount(redecided)} decided again from their requests`,
    ...(notRedecided === 0
      ? []
      : [`${formatCount(notRedecided)} not, because the data they looked up is no longer kept`]),
    `${formatCount(result.signatures)} signatures`,
    `${formatCount(result.snapshots)} snapshots in Postgres and ${formatCount(result.cachedSnapshots)} in Redis`,
    `${formatCount(result.events)} events and ${formatCount(result.movements)} movements of the topics`,
  ];
  print(`${checked.join(', ')}; ${seconds.toFixed(1)} s, ${formatCount(Math.round(facts / seconds))} facts/s`);
  print(`the longest snapshot of the database was open for ${result.longestSnapshotSeconds.toFixed(1)} s`);
  if (result.repeatedRecords > 0)
    print(
      `${formatCount(result.repeatedRecords)} records of the topics are repeated; consumers drop them by their number`,
    );
  print(findingCount === 0 ? 'nothing found' : `${formatCount(findingCount)} found`);
  if (unreadPartitions.length > 0) {
    print(`partitions ${unreadPartitions.join(', ')} of the topics were not read to their end; run the audit again`);
  }
}
