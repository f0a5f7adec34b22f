/**
 * What `npm run scale` computes from. A figure was `measured`, or is a setting or an estimate that a document has `stated`.
 * Those that are `assumed` are to be measured, or replaced by those of the lender: `npm run scale -- --set peakFactor=10`.
 */

export type Basis = 'measured' | 'stated' | 'assumed';

export interface Assumption {
  readonly value: number;
  readonly unit: string;
  readonly basis: Basis;
  /** A file of this repository; undefined of what is assumed. */
  readonly source?: string;
}

const performance = 'docs/performance.md';
const capacity = 'docs/operations/capacity.md';
const drill = 'docs/operations/backup.md';
/** Of the machine that is measured in docs/performance.md. */
const measuredCores = 2;

export const assumptions = {
  // The load
  peakFactor: assumed(20, 'times the mean, in the busiest second'),
  busiestDayFactor: assumed(3, 'times the mean, on the busiest day'),
  batchedShare: assumed(0.5, 'of all Receipts, in batches of 100'),
  factsPerReceipt: assumed(1.15, 'facts, with issuances and acts, each as large as a Receipt'),
  years: assumed(5, 'years of facts are held'),
  largestTenancyShare: assumed(1, 'of all facts, in the largest Tenancy'),
  hottestClientShare: assumed(0.001, 'of the Receipts of the busiest second, of one Client'),
  largestClientReceipts: assumed(2_000, 'Receipts a year of the largest Client'),
  partitionSkew: assumed(1.2, 'times the mean, in the fullest partition'),
  paymentOptionsPerReceipt: assumed(2, 'reads'),
  loanReadsPerReceipt: assumed(1, 'read'),
  statementsPerReceipt: assumed(0.2, 'reads'),
  listingsPerReceipt: assumed(0.1, 'pages of 50 Loans'),
  duesPagesPerReceipt: assumed(0.02, 'pages of 50 Clients'),
  consolePagesPerReceipt: assumed(0.1, 'pages of the console'),

  // Processor time
  slowdown: measured(2, 'times the processor time of a fast hour', performance),
  targetUtilisation: assumed(0.5, 'of each core, in the busiest second'),
  gatewaySingleMicros: measured(113, 'µs per single Receipt', performance),
  gatewayBatchedMicros: measured(19, 'µs per Receipt in batches of 100', performance),
  processorSingleMicros: measured(81, 'µs per single Receipt', performance),
  processorBatchedMicros: measured(56, 'µs per Receipt in batches of 100', performance),
  kafkaSingleMicros: measured(18, 'µs per single Receipt and replica', performance),
  kafkaBatchedMicros: measured(4, 'µs per Receipt in batches of 100 and replica', performance),
  postgresSingleMicros: measured(50, 'µs per single Receipt', performance),
  postgresBatchedMicros: measured(24, 'µs per Receipt in batches of 100', performance),
  movementMicros: measured(90, 'µs per fact', 'docs/research/write-path-experiments.md'),
  paymentOptionsMicros: measured(microsOfRead(8_183), 'µs, at most: both cores by the rate', performance),
  loanReadMicros: measured(microsOfRead(8_806), 'µs, at most', performance),
  statementMicros: measured(microsOfRead(5_200), 'µs, at most', performance),
  listingMicros: measured(microsOfRead(3_455), 'µs, at most', performance),
  duesPageMicros: measured(microsOfRead(1_386), 'µs, at most', performance),
  consolePageMicros: assumed(5_000, 'µs'),
  readPostgresShare: assumed(0.25, 'of the time of a read, in Postgres'),
  bookLoadMicros: measured(
    Math.round(microsOfRead(5_992) - microsOfRead(8_183)),
    'µs more for a book that is read from Postgres',
    performance,
  ),
  bookLoadPostgresShare: assumed(0.5, 'of the time of reading a book, in Postgres'),
  booksFromPostgresShare: assumed(1, 'of Receipts and reads meet a book that is not in memory'),
  oneClientPerSecond: measured(4_831, 'Receipts per second of one Client, in a fast hour', performance),
  receiptsPerCommit: measured(28, 'facts, at 64 connections', performance),
  maxCommitsPerSecond: assumed(10_000, 'commits per second of one database'),
  feedCommitsPerSecond: assumed(300, 'commits per second that number facts of one feed'),

  // Bytes
  storeSingleBytes: measured(1_133, 'bytes per single Receipt', capacity),
  storeBatchedBytes: measured(764, 'bytes per Receipt in batches of 100', capacity),
  walSingleBytes: measured(13_599, 'bytes per single Receipt, compressed pages, at most', capacity),
  walBatchedBytes: measured(13_599, 'bytes per Receipt in batches of 100, at most', capacity),
  requestLogBytes: measured(290, 'bytes per request, of writes and reads', capacity),
  walReadBytes: assumed(500, 'bytes of write-ahead log per read, for the request log'),
  submissionSingleBytes: measured(656, 'bytes per single Receipt and replica', capacity),
  submissionBatchedBytes: measured(398, 'bytes per Receipt in batches of 100 and replica', capacity),
  eventSingleBytes: measured(811, 'bytes per single Receipt and replica', capacity),
  eventBatchedBytes: measured(156, 'bytes per Receipt in batches of 100 and replica', capacity),
  movementSingleBytes: measured(300, 'bytes per Receipt that is published alone, and replica', capacity),
  movementBatchedBytes: measured(60, 'bytes per Receipt that is published with others, and replica', capacity),
  indexBytes: assumed(200, 'bytes per fact of indexes that are written in no order'),
  keptDays: stated(30, 'days of submissions and of the request log', 'docs/architecture.md'),
  replicas: stated(3, 'replicas of each topic', capacity),

  // Machines
  partitions: stated(48, 'partitions of a new cell', 'docs/architecture.md'),
  maxDatabases: assumed(16, 'databases of a cell at most'),
  audits: assumed(4, 'processes that audit a database at the same time, at most'),
  databaseCores: assumed(16, 'cores of the largest database'),
  databaseMemoryGb: assumed(8, 'GB of memory for each core of a database'),
  indexMemoryShare: assumed(0.5, 'of the memory of a database, for indexes that are written in no order'),
  pagesPerFact: assumed(4, 'pages read from disk per fact, where the indexes are not in memory'),
  pagesPerRead: assumed(3, 'pages read from disk per read, where the indexes are not in memory'),
  maxDiskReadsPerSecond: assumed(10_000, 'pages per second from the disk of a database'),
  maxWalBytesPerSecond: assumed(100e6, 'bytes per second of write-ahead log, to disk, standby and archive'),
  storeTbPerCore: stated(0.8, 'TB of store for each core of a database', capacity),
  rebuildRoom: stated(2, 'times the store, so that a rebuild has room beside it', capacity),
  standbys: stated(1, 'standby of each database', capacity),
  brokerDiskTb: assumed(10, 'TB of the disk of a broker'),
  brokerDiskShare: assumed(0.7, 'of the disk of a broker may be full'),
  brokerMemoryGb: stated(4, 'GB of memory for each core of a broker', capacity),
  gatewayMemoryGb: stated(1.5, 'GB of a gateway of one process', capacity),
  processorMemoryGb: stated(4, 'GB of a processor', 'deploy/helm/lending/values.yaml'),
  processorCores: assumed(2, 'cores of a processor, with its process of movements'),
  consoleMemoryGb: stated(1, 'GB of a console', 'deploy/helm/lending/values.yaml'),
  redisGbPerBillion: stated(8, 'GB of Redis for a billion Receipts a year; 1 GB at least', capacity),
  maxBookReceipts: stated(100_000, 'Receipts of a book whose movements are computed', capacity),

  // Recovery
  restoreFixedSeconds: measured(28, 'seconds of a restore of almost nothing', drill),
  restoreBytesPerSecond: assumed(200e6, 'bytes per second of a base backup'),
  walReplayBytesPerSecond: assumed(50e6, 'bytes per second of write-ahead log'),
  archiveSeconds: stated(60, 'seconds of log that may not be archived', 'deploy/backup/postgresql-backup.conf'),
  reconcileFactsPerSecond: measured(Math.round(3_591 / 8.4), 'facts per second', drill),
  rebuildFactsPerSecond: measured(17_925, 'facts per second, on two cores', performance),
  auditFactsPerSecond: measured(2_615, 'facts per second, on two cores', performance),
  auditCores: measured(measuredCores, 'cores of an audit', performance),
  auditMemoryGb: assumed(8, 'GB of an audit'),
  brokerCopyBytesPerSecond: assumed(100e6, 'bytes per second to a new broker'),
  walDays: stated(8, 'days of log in the backup store', capacity),
  baseBackups: stated(2, 'base backups in the backup store', capacity),
  maxRestoreHours: assumed(8, 'hours at most for the restore of a database'),
  maxAuditDays: assumed(7, 'days at most for an audit of everything'),
  maxRebuildDays: assumed(7, 'days at most for a rebuild from the topics'),

  // Prices
  coreYearUsd: assumed(300, 'USD a year for a core'),
  memoryGbYearUsd: assumed(40, 'USD a year for a GB of memory'),
  diskGbYearUsd: assumed(1.2, 'USD a year for a GB of disk'),
  backupGbYearUsd: assumed(0.25, 'USD a year for a GB of the backup store'),
} satisfies Readonly<Record<string, Assumption>>;

export type Assumptions = Readonly<Record<keyof typeof assumptions, number>>;

export function defaultAssumptions(): Assumptions {
  return Object.fromEntries(Object.entries(assumptions).map(([name, { value }]) => [name, value])) as Assumptions;
}

function measured(value: number, unit: string, source: string): Assumption {
  return { value, unit, basis: 'measured', source };
}

function stated(value: number, unit: string, source: string): Assumption {
  return { value, unit, basis: 'stated', source };
}

function assumed(value: number, unit: string): Assumption {
  return { value, unit, basis: 'assumed' };
}

/** The cores also carried the load generator, so a read takes less. */
function microsOfRead(readsPerSecond: number): number {
  return Math.round((measuredCores * 1e6) / readsPerSecond);
}
