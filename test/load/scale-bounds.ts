/** The bounds of a cell, and what reaches its own first. */
import { secondsPerDay, secondsPerHour } from './provisioning.ts';
import type { Assumptions } from './scale-assumptions.ts';
import { type Load, loadOf } from './scale-load.ts';

/** What a cell may consist of. */
export interface Design {
  readonly partitions: number;
  readonly maxDatabases: number;
  /** Processes that may audit a database at the same time. */
  readonly maxAudits: number;
}

export function oneDatabase(inputs: Assumptions): Design {
  return { partitions: inputs.partitions, maxDatabases: 1, maxAudits: inputs.audits };
}

export function severalDatabases(inputs: Assumptions): Design {
  return { ...oneDatabase(inputs), maxDatabases: inputs.maxDatabases };
}

/** One cell. Several cells of the same size share the Receipts of all. */
export interface Cell {
  readonly design: Design;
  readonly cells: number;
  readonly databases: number;
  /** Processes that audit each database at the same time. */
  readonly audits: number;
  readonly databaseCores: number;
}

export function largestCell(design: Design, inputs: Assumptions): Cell {
  const { maxDatabases, maxAudits } = design;
  return { design, cells: 1, databases: maxDatabases, audits: maxAudits, databaseCores: inputs.databaseCores };
}

export interface Bound {
  readonly name: string;
  /** 1 at the bound. */
  readonly utilisation: number;
  /** One Client is in one partition of one cell: more cells do not relieve it. */
  readonly isOfOneClient: boolean;
}

export function boundsOf(receiptsPerYear: number, cell: Cell, inputs: Assumptions): Bound[] {
  const { design, cells, databases, databaseCores } = cell;
  const load = loadOf(receiptsPerYear / cells, inputs);
  const ofCell = (name: string, utilisation: number): Bound => ({ name, utilisation, isOfOneClient: false });
  const ofClient = (name: string, utilisation: number): Bound => ({ name, utilisation, isOfOneClient: true });
  const partitionCores = inputs.targetUtilisation * (design.partitions / inputs.partitionSkew);
  return [
    ofCell('Postgres: processor time', load.cores.postgres / databases / (databaseCores * inputs.targetUtilisation)),
    ofCell('Postgres: write-ahead log', load.walBytesPerSecond / databases / inputs.maxWalBytesPerSecond),
    ofCell(
      'Postgres: commits',
      load.factsPerSecond / inputs.receiptsPerCommit / databases / inputs.maxCommitsPerSecond,
    ),
    ofCell(
      'Postgres: reads from disk',
      diskReadsPerSecond(load, cell, inputs) / databases / inputs.maxDiskReadsPerSecond,
    ),
    ofCell(
      `restore of a database within ${inputs.maxRestoreHours} h`,
      restoreSeconds(load, databases, inputs) / (inputs.maxRestoreHours * secondsPerHour),
    ),
    ofCell(
      `audit within ${inputs.maxAuditDays} days`,
      auditSeconds(load, cell, inputs) / (inputs.maxAuditDays * secondsPerDay),
    ),
    ofCell(
      `rebuild from the topics within ${inputs.maxRebuildDays} days`,
      rebuildSeconds(load, databases, inputs) / (inputs.maxRebuildDays * secondsPerDay),
    ),
    ofCell('processors: one for each partition', load.cores.processor / partitionCores),
    ofCell('movements: one process for each partition', load.cores.movements / partitionCores),
    // In each database, a commit that numbers facts of a feed excludes others of its Tenancy until its end.
    ofCell(
      'feed of one Tenancy',
      (load.factsPerSecond * inputs.largestTenancyShare) /
        databases /
        (inputs.feedCommitsPerSecond * inputs.receiptsPerCommit),
    ),
    ofCell(
      'Kafka: a partition on one broker',
      ((load.topics.events / design.partitions) * inputs.partitionSkew) /
        (inputs.brokerDiskTb * 1e12 * inputs.brokerDiskShare),
    ),
    ofClient(
      'Receipts of one Client in a second',
      (load.receiptsPerSecond * cells * inputs.hottestClientShare * inputs.slowdown) /
        (inputs.oneClientPerSecond * inputs.targetUtilisation),
    ),
    ofClient(
      'Receipts of one Client in all years',
      (inputs.largestClientReceipts * inputs.years) / inputs.maxBookReceipts,
    ),
  ];
}

/** The bound with the highest utilisation. */
export function firstBound(bounds: readonly Bound[]): Bound {
  return bounds.reduce((first, bound) => (bound.utilisation > first.utilisation ? bound : first));
}

/** Receipts a year at which the bound is reached; undefined where their number does not matter. */
export function receiptsAtBound(name: string, cell: Cell, inputs: Assumptions): number | undefined {
  const isWithin = (receipts: number): boolean =>
    boundsOf(receipts, cell, inputs).every((bound) => bound.name !== name || bound.utilisation <= 1);
  let [within, beyond] = [1, 1e18];
  if (!isWithin(within) || isWithin(beyond)) return undefined;
  while (beyond / within > 1.0001) {
    const middle = Math.sqrt(within * beyond);
    if (isWithin(middle)) within = middle;
    else beyond = middle;
  }
  return within;
}

/** The part of the indexes that is not in memory is read for each fact and each read. */
function diskReadsPerSecond(load: Load, { databases, databaseCores }: Cell, inputs: Assumptions): number {
  const memoryBytes = databases * databaseCores * inputs.databaseMemoryGb * 1e9 * inputs.indexMemoryShare;
  const missing = Math.max(0, 1 - memoryBytes / load.indexBytes);
  return missing * (load.factsPerSecond * inputs.pagesPerFact + load.readsPerSecond * inputs.pagesPerRead);
}

export function databaseBytes({ storeBytes, requestLogBytes }: Load): number {
  return storeBytes + requestLogBytes;
}

/** From a base backup of the night before and the log of the busiest day; then what was not archived, from the topics. */
export function restoreSeconds(load: Load, databases: number, inputs: Assumptions): number {
  const copy = databaseBytes(load) / inputs.restoreBytesPerSecond;
  const replay = (load.meanWalBytesPerDay * inputs.busiestDayFactor) / inputs.walReplayBytesPerSecond;
  const reconcile = (load.factsPerSecond * inputs.archiveSeconds) / inputs.reconcileFactsPerSecond;
  return inputs.restoreFixedSeconds + (copy + replay + reconcile) / databases;
}

export function auditSeconds(load: Load, { databases, audits }: Cell, inputs: Assumptions): number {
  return load.facts / inputs.auditFactsPerSecond / (databases * audits);
}

export function rebuildSeconds(load: Load, databases: number, inputs: Assumptions): number {
  return load.facts / inputs.rebuildFactsPerSecond / databases;
}
