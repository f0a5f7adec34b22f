/** The machines that carry a number of Receipts a year within every bound, what they cost, and how long recovery takes. */
import type { Assumptions } from './scale-assumptions.ts';
import {
  auditSeconds,
  type Bound,
  boundsOf,
  type Cell,
  type Design,
  databaseBytes,
  firstBound,
  largestCell,
  rebuildSeconds,
  restoreSeconds,
} from './scale-bounds.ts';
import { type Load, loadOf } from './scale-load.ts';

export interface Machines {
  readonly count: number;
  /** Of each. */
  readonly cores: number;
  readonly memoryGb: number;
  readonly diskBytes: number;
}

type MachineKind = 'gateways' | 'processors' | 'consoles' | 'audits' | 'postgres' | 'kafka' | 'redis';

export interface Provision {
  readonly cell: Cell;
  /** Of one of the cells. */
  readonly load: Load;
  /** In all cells. */
  readonly machines: Readonly<Record<MachineKind, Machines>>;
  readonly backupBytes: number;
  readonly restoreSeconds: number;
  readonly rebuildSeconds: number;
  readonly auditSeconds: number;
  readonly brokerCopySeconds: number;
  readonly yearlyCostUsd: Readonly<Record<'services' | 'postgres' | 'kafka' | 'redis' | 'backup', number>>;
}

const maxCells = 10_000;
/** The smallest that docs/operations/capacity.md provides. */
const minCores = 2;
/** So that the loss of one is no outage. */
const minInstances = 2;
const minBrokers = 3;

export function provisionFor(receiptsPerYear: number, design: Design, inputs: Assumptions): Provision {
  const cell = smallestCell(receiptsPerYear, design, inputs);
  const load = loadOf(receiptsPerYear / cell.cells, inputs);
  const { cells, databases } = cell;
  const instances = (cores: number): number =>
    Math.max(minInstances, Math.ceil(cores / inputs.targetUtilisation)) * cells;
  const brokers = brokersFor(load, inputs);
  const machines = {
    gateways: { count: instances(load.cores.gateway), cores: 1, memoryGb: inputs.gatewayMemoryGb, diskBytes: 0 },
    processors: {
      count: instances(Math.max(load.cores.processor, load.cores.movements)),
      cores: inputs.processorCores,
      memoryGb: inputs.processorMemoryGb,
      diskBytes: 0,
    },
    consoles: { count: instances(load.cores.console), cores: 1, memoryGb: inputs.consoleMemoryGb, diskBytes: 0 },
    audits: {
      count: cell.audits * databases * cells,
      cores: inputs.auditCores,
      memoryGb: inputs.auditMemoryGb,
      diskBytes: 0,
    },
    postgres: {
      count: databases * (1 + inputs.standbys) * cells,
      cores: cell.databaseCores,
      memoryGb: cell.databaseCores * inputs.databaseMemoryGb,
      diskBytes: databaseDiskBytes(load, databases, inputs),
    },
    kafka: { ...brokers, count: brokers.count * cells },
    redis: {
      count: minInstances * cells,
      cores: 1,
      memoryGb: Math.max(1, Math.ceil((receiptsPerYear / cells / 1e9) * inputs.redisGbPerBillion)),
      diskBytes: 0,
    },
  };
  const backupBytes = (databaseBytes(load) * inputs.baseBackups + load.meanWalBytesPerDay * inputs.walDays) * cells;
  const costOf = (...parts: readonly Machines[]): number =>
    parts.reduce((sum, part) => sum + machineCost(part, inputs), 0);
  return {
    cell,
    load,
    machines,
    backupBytes,
    restoreSeconds: restoreSeconds(load, databases, inputs),
    rebuildSeconds: rebuildSeconds(load, databases, inputs),
    auditSeconds: auditSeconds(load, cell, inputs),
    brokerCopySeconds: (topicBytes(load) * inputs.replicas) / brokers.count / inputs.brokerCopyBytesPerSecond,
    yearlyCostUsd: {
      services: costOf(machines.gateways, machines.processors, machines.consoles, machines.audits),
      postgres: costOf(machines.postgres),
      kafka: costOf(machines.kafka),
      redis: costOf(machines.redis),
      backup: (backupBytes / 1e9) * inputs.backupGbYearUsd,
    },
  };
}

/** As few cells as keep every bound, then as few databases, audits and cores, in this order. */
function smallestCell(receiptsPerYear: number, design: Design, inputs: Assumptions): Cell {
  const reached = (cell: Cell): Bound => firstBound(boundsOf(receiptsPerYear, cell, inputs).filter(isRelievedByCells));
  const keepsBounds = (cell: Cell): boolean => reached(cell).utilisation <= 1;
  let cell = largestCell(design, inputs);
  const cells = upTo(maxCells).find((count) => keepsBounds({ ...cell, cells: count }));
  if (cells === undefined) {
    const { name } = reached({ ...cell, cells: maxCells });
    throw new Error(
      `${maxCells} cells reach the bound "${name}" at ${receiptsPerYear} Receipts a year; expected fewer`,
    );
  }
  cell = { ...cell, cells };
  const smallest = <T extends keyof Cell>(member: T, choices: readonly Cell[T][]): Cell => {
    const choice = choices.find((value) => keepsBounds({ ...cell, [member]: value }));
    return choice === undefined ? cell : { ...cell, [member]: choice };
  };
  cell = smallest('databases', upTo(design.maxDatabases));
  cell = smallest('audits', upTo(design.maxAudits));
  const storeTb = loadOf(receiptsPerYear / cells, inputs).storeBytes / cell.databases / 1e12;
  const sizes = powersOfTwo(minCores, inputs.databaseCores).filter((cores) => cores * inputs.storeTbPerCore >= storeTb);
  return smallest('databaseCores', sizes);
}

function isRelievedByCells({ isOfOneClient }: Bound): boolean {
  return !isOfOneClient;
}

function upTo(max: number): number[] {
  return Array.from({ length: max }, (_, index) => index + 1);
}

function powersOfTwo(from: number, to: number): number[] {
  return from >= to ? [to] : [from, ...powersOfTwo(from * 2, to)];
}

/** With room for a rebuild beside the store, and for a day of log that could not be archived. */
function databaseDiskBytes(load: Load, databases: number, inputs: Assumptions): number {
  const walBytes = load.meanWalBytesPerDay * inputs.busiestDayFactor;
  return (load.storeBytes * inputs.rebuildRoom + load.requestLogBytes + walBytes) / databases;
}

function brokersFor(load: Load, inputs: Assumptions): Machines {
  const bytes = (topicBytes(load) * inputs.replicas) / inputs.brokerDiskShare;
  const cores = load.cores.kafka / inputs.targetUtilisation;
  const count = Math.max(minBrokers, Math.ceil(bytes / (inputs.brokerDiskTb * 1e12)));
  const coresOfEach = Math.max(minCores, Math.ceil(cores / count));
  return { count, cores: coresOfEach, memoryGb: coresOfEach * inputs.brokerMemoryGb, diskBytes: bytes / count };
}

function topicBytes({ topics }: Load): number {
  return topics.submissions + topics.events + topics.movements;
}

function machineCost({ count, cores, memoryGb, diskBytes }: Machines, inputs: Assumptions): number {
  return (
    count * (cores * inputs.coreYearUsd + memoryGb * inputs.memoryGbYearUsd + (diskBytes / 1e9) * inputs.diskGbYearUsd)
  );
}
