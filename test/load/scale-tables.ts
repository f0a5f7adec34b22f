/** The tables of docs/scale.md and of `npm run scale`. */
import { formatBytes, markdownTable, secondsPerDay } from './provisioning.ts';
import { type Assumption, type Assumptions, assumptions, type Basis } from './scale-assumptions.ts';
import {
  type Bound,
  boundsOf,
  type Cell,
  type Design,
  firstBound,
  largestCell,
  oneDatabase,
  receiptsAtBound,
  severalDatabases,
} from './scale-bounds.ts';
import { type Load, loadOf } from './scale-load.ts';
import { type Machines, type Provision, provisionFor } from './scale-provision.ts';

export const scenarios: readonly number[] = [1e7, 1e9, 1e10];

/** By name, in the order in which `npm run scale` prints them. */
export function scaleTables(receiptsPerYear: readonly number[], inputs: Assumptions): ReadonlyMap<string, string> {
  const one = oneDatabase(inputs);
  const several = severalDatabases(inputs);
  return new Map([
    ['summary', summaryTable(receiptsPerYear, one, several, inputs)],
    ['per core', coreTable(inputs)],
    ['load', loadTable(receiptsPerYear, inputs)],
    ['provide with one database', provisionTable(receiptsPerYear, one, inputs)],
    ['provide with several databases', provisionTable(receiptsPerYear, several, inputs)],
    ['cost', costTable(receiptsPerYear, [one, several], inputs)],
    ['bounds with one database', boundTable(receiptsPerYear, one, inputs)],
    ['bounds with several databases', boundTable(receiptsPerYear, several, inputs)],
    ['measured', assumptionTable(inputs, 'measured')],
    ['stated', assumptionTable(inputs, 'stated')],
    ['assumed', assumptionTable(inputs, 'assumed')],
  ]);
}

type Row = readonly string[];

function scenarioColumns(receiptsPerYear: readonly number[]): string[] {
  return receiptsPerYear.map((receipts) => formatCount(receipts, 4));
}

/** What a reader wants to know first. */
function summaryTable(receiptsPerYear: readonly number[], one: Design, several: Design, inputs: Assumptions): string {
  const row = (name: string, text: (receipts: number) => string): Row => [name, ...receiptsPerYear.map(text)];
  const machines =
    (design: Design) =>
    (receipts: number): string => {
      const { cells, databases } = provisionFor(receipts, design, inputs).cell;
      return `${counted(cells, 'cell')} of ${counted(databases, 'database')}`;
    };
  const first = (design: Design) => {
    const reached = boundsReached(design, inputs);
    return (receipts: number): string => {
      const { name, utilisation } = reached.first(receipts);
      return `${name}, ${formatShare(utilisation)}`;
    };
  };
  return markdownTable(
    ['Receipts a year', ...scenarioColumns(receiptsPerYear)],
    [
      row('needed, one database in each cell', machines(one)),
      row('needed, several databases', machines(several)),
      row('breaks first in one cell of one database', first(one)),
      row('breaks first in one cell of several', first(several)),
    ],
  );
}

function loadTable(receiptsPerYear: readonly number[], inputs: Assumptions): string {
  const loads = receiptsPerYear.map((receipts) => loadOf(receipts, inputs));
  const row = (name: string, text: (load: Load) => string): Row => [name, ...loads.map(text)];
  const topicRow = (topic: keyof Load['topics'], duration: string): Row =>
    row(`${topic} of ${duration}, ${inputs.replicas} replicas`, ({ topics }) =>
      formatBytes(topics[topic] * inputs.replicas),
    );
  return markdownTable(
    ['Receipts a year', ...scenarioColumns(receiptsPerYear)],
    [
      row('Receipts per second, busiest', ({ receiptsPerSecond }) => roundedNumber(receiptsPerSecond)),
      row('reads per second, busiest', ({ readsPerSecond }) => roundedNumber(readsPerSecond)),
      row('store, growth in a year', ({ storeBytesPerYear }) => formatBytes(storeBytesPerYear)),
      row(`store after ${inputs.years} years`, ({ storeBytes }) => formatBytes(storeBytes)),
      row(`indexes written in no order after ${inputs.years} years`, ({ indexBytes }) => formatBytes(indexBytes)),
      row('write-ahead log in a day, mean', ({ meanWalBytesPerDay }) => formatBytes(meanWalBytesPerDay)),
      topicRow('submissions', `${inputs.keptDays} days`),
      topicRow('events', `${inputs.years} years`),
      topicRow('movements', `${inputs.years} years`),
    ],
  );
}

function provisionTable(receiptsPerYear: readonly number[], design: Design, inputs: Assumptions): string {
  const provisions = receiptsPerYear.map((receipts) => provisionFor(receipts, design, inputs));
  const row = (name: string, text: (provision: Provision) => string): Row => [name, ...provisions.map(text)];
  return markdownTable(
    ['Receipts a year', ...scenarioColumns(receiptsPerYear)],
    [
      row('cells', ({ cell }) => String(cell.cells)),
      row('databases of each cell', ({ cell }) => String(cell.databases)),
      row('gateways', ({ machines }) => formatMachines(machines.gateways)),
      row('processors', ({ machines }) => formatMachines(machines.processors)),
      row('consoles', ({ machines }) => formatMachines(machines.consoles)),
      row('audits at the same time', ({ machines }) => formatMachines(machines.audits)),
      row('Postgres, with standbys', ({ machines }) => formatMachines(machines.postgres)),
      row('Kafka brokers', ({ machines }) => formatMachines(machines.kafka)),
      row('Redis, with a replica each', ({ machines }) => formatMachines(machines.redis)),
      row('backup store', ({ backupBytes }) => formatBytes(backupBytes)),
      row('restore of one database', ({ restoreSeconds }) => formatDuration(restoreSeconds)),
      row('a broker filled again', ({ brokerCopySeconds }) => formatDuration(brokerCopySeconds)),
      row('rebuild from the topics', ({ rebuildSeconds }) => formatDuration(rebuildSeconds)),
      row('audit of everything', ({ auditSeconds }) => formatDuration(auditSeconds)),
    ],
  );
}

function costTable(receiptsPerYear: readonly number[], designs: readonly Design[], inputs: Assumptions): string {
  const provisions = receiptsPerYear.flatMap((receipts) =>
    designs.map((design) => ({ receipts, ...provisionFor(receipts, design, inputs) })),
  );
  const total = ({ yearlyCostUsd }: Provision): number =>
    Object.values(yearlyCostUsd).reduce((sum, part) => sum + part, 0);
  const row = (name: string, text: (provision: Provision & { receipts: number }) => string): Row => [
    name,
    ...provisions.map(text),
  ];
  const columns = scenarioColumns(receiptsPerYear).flatMap((count) => [`${count}, one database`, 'several']);
  return markdownTable(
    ['USD a year', ...columns],
    [
      row('services', ({ yearlyCostUsd }) => roundedNumber(yearlyCostUsd.services)),
      row('Postgres', ({ yearlyCostUsd }) => roundedNumber(yearlyCostUsd.postgres)),
      row('Kafka', ({ yearlyCostUsd }) => roundedNumber(yearlyCostUsd.kafka)),
      row('Redis', ({ yearlyCostUsd }) => roundedNumber(yearlyCostUsd.redis)),
      row('backup store', ({ yearlyCostUsd }) => roundedNumber(yearlyCostUsd.backup)),
      row('**total**', (provision) => `**${roundedNumber(total(provision))}**`),
      row('for 1,000 Receipts', (provision) => ((total(provision) / provision.receipts) * 1_000).toFixed(2)),
    ],
  );
}

function boundTable(receiptsPerYear: readonly number[], design: Design, inputs: Assumptions): string {
  const { cell, limits, first } = boundsReached(design, inputs);
  const scenarioBounds = receiptsPerYear.map((receipts) => ({
    bounds: boundsOf(receipts, cell, inputs),
    firstName: first(receipts).name,
  }));
  const rows = [...limits].map(([name, limit], index): Row => {
    const shares = scenarioBounds.map(({ bounds, firstName }) => {
      const share = formatShare(bounds[index]?.utilisation ?? Number.NaN);
      return name === firstName ? `**${share}**` : share;
    });
    return [name, limit === undefined ? '–' : formatCount(limit), ...shares];
  });
  return markdownTable(['Bound of one cell', 'Receipts a year at it', ...scenarioColumns(receiptsPerYear)], rows);
}

interface BoundsReached {
  /** With as many databases and cores as it may have. */
  readonly cell: Cell;
  /** Receipts a year at each bound, by its name. */
  readonly limits: ReadonlyMap<string, number | undefined>;
  readonly first: (receiptsPerYear: number) => Bound;
}

function boundsReached(design: Design, inputs: Assumptions): BoundsReached {
  const cell = largestCell(design, inputs);
  const limits = new Map(boundsOf(0, cell, inputs).map(({ name }) => [name, receiptsAtBound(name, cell, inputs)]));
  // A bound that the number of Receipts does not change is not reached by more of them.
  const first = (receipts: number): Bound =>
    firstBound(boundsOf(receipts, cell, inputs).filter(({ name }) => limits.get(name) !== undefined));
  return { cell, limits, first };
}

/** With margins: a slow hour, and free time in the busiest second. */
function coreTable(inputs: Assumptions): string {
  const parts: readonly (readonly [string, number, number, number])[] = [
    ['a core of the gateways', 1, inputs.gatewaySingleMicros, inputs.gatewayBatchedMicros],
    ['a core of the processors', 1, inputs.processorSingleMicros, inputs.processorBatchedMicros],
    ['a core of the processes of movements', 1, inputs.movementMicros, inputs.movementMicros],
    [
      'a core of the brokers, all replicas',
      1,
      inputs.kafkaSingleMicros * inputs.replicas,
      inputs.kafkaBatchedMicros * inputs.replicas,
    ],
    ['a core of Postgres', 1, inputs.postgresSingleMicros, inputs.postgresBatchedMicros],
    [
      `a database of ${inputs.databaseCores} cores`,
      inputs.databaseCores,
      inputs.postgresSingleMicros,
      inputs.postgresBatchedMicros,
    ],
  ];
  const rate = (cores: number, micros: number): string =>
    roundedNumber((1e6 / (micros * inputs.slowdown)) * inputs.targetUtilisation * cores);
  return markdownTable(
    ['', 'µs, single', 'µs, batches', 'single Receipts per second', 'in batches of 100'],
    [
      ...parts.map(([name, cores, single, batched]) => [
        name,
        String(single),
        String(batched),
        rate(cores, single),
        rate(cores, batched),
      ]),
      [
        'the write-ahead log of a database',
        '',
        '',
        roundedNumber(inputs.maxWalBytesPerSecond / inputs.walSingleBytes),
        roundedNumber(inputs.maxWalBytesPerSecond / inputs.walBatchedBytes),
      ],
    ],
  );
}

function assumptionTable(inputs: Assumptions, basis: Basis): string {
  const rows = Object.entries<Assumption>(assumptions)
    .filter(([, assumption]) => assumption.basis === basis)
    .map(([name, { unit, source }]) => [
      `\`${name}\``,
      `${inputs[name as keyof Assumptions].toLocaleString('en')} ${unit}`,
      ...(source === undefined ? [] : [source]),
    ]);
  return markdownTable(['Input', 'Value', ...(basis === 'assumed' ? [] : ['From'])], rows);
}

export function formatCount(count: number, digits = 2): string {
  const [unit, name] = count >= 1e12 ? [1e12, 'trillion'] : count >= 1e9 ? [1e9, 'billion'] : [1e6, 'million'];
  return `${roundedNumber(count / unit, digits)} ${name}`;
}

export function formatDuration(seconds: number): string {
  if (seconds < 90) return `${seconds.toFixed(0)} s`;
  if (seconds < 90 * 60) return `${(seconds / 60).toFixed(0)} min`;
  if (seconds < 2 * secondsPerDay) return `${(seconds / 3_600).toFixed(1)} h`;
  return `${(seconds / secondsPerDay).toFixed(1)} days`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function formatMachines({ count, cores, memoryGb, diskBytes }: Machines): string {
  const disk = diskBytes === 0 ? '' : `, ${formatBytes(diskBytes)}`;
  return `${count} × ${counted(cores, 'core')}, ${memoryGb} GB${disk}`;
}

/** With two digits: more would claim what assumptions cannot give. */
function roundedNumber(value: number, digits = 2): string {
  return Number(value.toPrecision(digits)).toLocaleString('en');
}

function formatShare(utilisation: number): string {
  const percent = utilisation * 100;
  return percent === 0
    ? '–'
    : percent < 1
      ? 'under 1 %'
      : `${Number(percent.toPrecision(percent < 100 ? 2 : 3)).toLocaleString('en')} %`;
}
