/** The arithmetic of `npm run scale`, and docs/scale.md, which shows its tables; run with UPDATE_DOCS=true to write them. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { type Assumption, type Assumptions, assumptions, defaultAssumptions } from './scale-assumptions.ts';
import {
  boundsOf,
  type Cell,
  firstBound,
  largestCell,
  oneDatabase,
  receiptsAtBound,
  severalDatabases,
} from './scale-bounds.ts';
import { loadOf } from './scale-load.ts';
import { provisionFor } from './scale-provision.ts';
import { formatCount, formatDuration, scaleTables, scenarios } from './scale-tables.ts';

const project = join(import.meta.dirname, '..', '..');
const inputs = defaultAssumptions();
const designs = [oneDatabase(inputs), severalDatabases(inputs)];
const oneReceiptPerSecond = 365 * 86_400;
const noReads = {
  paymentOptionsPerReceipt: 0,
  loanReadsPerReceipt: 0,
  statementsPerReceipt: 0,
  listingsPerReceipt: 0,
  duesPagesPerReceipt: 0,
  consolePagesPerReceipt: 0,
};
/** Single Receipts alone, evenly over a year, on a fast machine whose memory holds all books. */
const plain: Assumptions = {
  ...inputs,
  ...noReads,
  peakFactor: 1,
  busiestDayFactor: 1,
  batchedShare: 0,
  factsPerReceipt: 1,
  years: 1,
  slowdown: 1,
  booksFromPostgresShare: 0,
};

describe('the load', () => {
  test('of one Receipt per second is what the documents say of one', () => {
    const load = loadOf(oneReceiptPerSecond, plain);
    expect(load).toMatchObject({ receiptsPerSecond: 1, factsPerSecond: 1, readsPerSecond: 0 });
    expect(load.cores.gateway).toBeCloseTo(113e-6, 12);
    expect(load.cores.postgres).toBeCloseTo(50e-6, 12);
    expect(load.cores.kafka).toBeCloseTo(3 * 18e-6, 12);
    expect(load.cores.console).toBe(0);
    expect(load.walBytesPerSecond).toBeCloseTo(13_599, 6);
    expect(load.meanWalBytesPerDay).toBeCloseTo(13_599 * 86_400, 3);
    expect(load.storeBytes).toBeCloseTo(1_133 * oneReceiptPerSecond, 0);
    expect(load.requestLogBytes).toBeCloseTo(290 * 30 * 86_400, 3);
    expect(load.topics.submissions).toBeCloseTo(656 * 30 * 86_400, 3);
    expect(load.topics.events).toBeCloseTo(811 * oneReceiptPerSecond, 0);
  });

  test('of the busiest second is a multiple of the mean, which bytes do not follow', () => {
    const [mean, busy] = [loadOf(1e9, plain), loadOf(1e9, { ...plain, peakFactor: 20 })];
    expect(busy.receiptsPerSecond / mean.receiptsPerSecond).toBeCloseTo(20, 9);
    expect(busy.cores.processor / mean.cores.processor).toBeCloseTo(20, 9);
    expect([busy.storeBytes, busy.meanWalBytesPerDay]).toEqual([mean.storeBytes, mean.meanWalBytesPerDay]);
  });

  test('of a read is divided over the gateway and Postgres', () => {
    const a = { ...plain, paymentOptionsPerReceipt: 1, readPostgresShare: 0.25 };
    const [without, withReads] = [loadOf(oneReceiptPerSecond, plain), loadOf(oneReceiptPerSecond, a)];
    expect(withReads.readsPerSecond).toBeCloseTo(1, 9);
    expect(withReads.cores.gateway - without.cores.gateway).toBeCloseTo(244e-6 * 0.75, 12);
    expect(withReads.cores.postgres - without.cores.postgres).toBeCloseTo(244e-6 * 0.25, 12);
    // A read is a request of the log, too.
    expect(withReads.requestLogBytes).toBeCloseTo(without.requestLogBytes * 2, 3);
  });

  test('of batches is less than that of single Receipts', () => {
    const [single, batched] = [loadOf(1e9, plain), loadOf(1e9, { ...plain, batchedShare: 1 })];
    expect(batched.cores.gateway).toBeLessThan(single.cores.gateway);
    expect(batched.storeBytes).toBeLessThan(single.storeBytes);
    expect(batched.topics.movements).toBeLessThan(single.topics.movements);
  });

  test('is in proportion to the Receipts of a year', () => {
    const [one, two] = [loadOf(1e9, inputs), loadOf(2e9, inputs)];
    expect(two.cores.postgres / one.cores.postgres).toBeCloseTo(2, 9);
    expect(two.facts / one.facts).toBeCloseTo(2, 9);
    expect(two.indexBytes / one.indexBytes).toBeCloseTo(2, 9);
  });
});

describe('the bounds', () => {
  const smallCell: Cell = { design: oneDatabase(plain), cells: 1, databases: 1, audits: 1, databaseCores: 2 };
  const utilisation = (name: string, receipts: number, cell: Cell, a: Assumptions): number | undefined =>
    boundsOf(receipts, cell, a).find((bound) => bound.name === name)?.utilisation;

  test('of a small cell are those computed by hand', () => {
    const of = (name: string): number | undefined => utilisation(name, oneReceiptPerSecond, smallCell, plain);
    expect(of('Postgres: processor time')).toBeCloseTo(50e-6 / (2 * 0.5), 12);
    expect(of('Postgres: write-ahead log')).toBeCloseTo(13_599 / 100e6, 12);
    expect(of('Postgres: commits')).toBeCloseTo(1 / 28 / 10_000, 12);
    // 6.3 GB of indexes are within half of 16 GB.
    expect(of('Postgres: reads from disk')).toBe(0);
    expect(of('audit within 7 days')).toBeCloseTo(oneReceiptPerSecond / 2_615 / (7 * 86_400), 9);
    expect(of('rebuild from the topics within 7 days')).toBeCloseTo(oneReceiptPerSecond / 17_925 / (7 * 86_400), 9);
    const bytes = 1_133 * oneReceiptPerSecond + 290 * 30 * 86_400;
    const seconds = 28 + bytes / 200e6 + (13_599 * 86_400) / 50e6 + 60 / 428;
    expect(of('restore of a database within 8 h')).toBeCloseTo(seconds / (8 * 3_600), 9);
    expect(of('processors: one for each partition')).toBeCloseTo(81e-6 / (0.5 * (48 / 1.2)), 12);
    expect(of('feed of one Tenancy')).toBeCloseTo(1 / (300 * 28), 12);
    expect(of('Kafka: a partition on one broker')).toBeCloseTo(((811 * oneReceiptPerSecond) / 48) * (1.2 / 7e12), 12);
    expect(of('Receipts of one Client in a second')).toBeCloseTo(0.001 / (4_831 * 0.5), 12);
    expect(of('Receipts of one Client in all years')).toBeCloseTo(2_000 / 100_000, 12);
  });

  test('count the part of the indexes that memory does not hold', () => {
    // 12.6 GB of indexes in 8 GB.
    const load = loadOf(2 * oneReceiptPerSecond, plain);
    const missing = 1 - 8e9 / load.indexBytes;
    const reads = utilisation('Postgres: reads from disk', 2 * oneReceiptPerSecond, smallCell, plain);
    expect(reads).toBeCloseTo((missing * 2 * 4) / 10_000, 12);
  });

  test('are nearer with more Receipts, and farther with more cells, databases, audits and partitions', () => {
    for (const design of designs) {
      const cell = largestCell(design, inputs);
      const few = boundsOf(3e9, cell, inputs);
      const shares = (bounds: typeof few): number[] => bounds.map((bound) => bound.utilisation);
      const expectNoneAbove = (lower: typeof few, higher: typeof few): void => {
        for (const [index, share] of shares(lower).entries()) {
          expect(share).toBeLessThanOrEqual(shares(higher)[index] ?? Number.NaN);
        }
      };
      expectNoneAbove(few, boundsOf(9e9, cell, inputs));
      expectNoneAbove(boundsOf(3e9, { ...cell, cells: 2 }, inputs), few);
      expectNoneAbove(boundsOf(3e9, { ...cell, databases: cell.databases + 1 }, inputs), few);
      expectNoneAbove(boundsOf(3e9, { ...cell, audits: cell.audits + 1 }, inputs), few);
      const morePartitions = { ...cell, design: { ...design, partitions: design.partitions * 2 } };
      expectNoneAbove(boundsOf(3e9, morePartitions, inputs), few);
    }
  });

  test('are reached at the number of Receipts that is stated', () => {
    for (const design of designs) {
      const cell = largestCell(design, inputs);
      for (const { name } of boundsOf(1e9, cell, inputs)) {
        const limit = receiptsAtBound(name, cell, inputs);
        if (limit !== undefined) expect(utilisation(name, limit, cell, inputs)).toBeCloseTo(1, 2);
      }
    }
    const cell = largestCell(oneDatabase(inputs), inputs);
    expect(receiptsAtBound('Receipts of one Client in all years', cell, inputs)).toBeUndefined();
  });

  test('of one Client are not relieved by cells', () => {
    const name = 'Receipts of one Client in a second';
    const cell = largestCell(oneDatabase(inputs), inputs);
    const alone = utilisation(name, 1e9, cell, inputs) ?? Number.NaN;
    expect(utilisation(name, 1e9, { ...cell, cells: 9 }, inputs)).toBeCloseTo(alone, 12);
  });
});

describe('the machines', () => {
  test('keep every bound, and one database or cell fewer would not', () => {
    for (const design of designs) {
      for (const receipts of scenarios) {
        const { cell } = provisionFor(receipts, design, inputs);
        const share = (changed: Partial<Cell>): number => {
          const bounds = boundsOf(receipts, { ...cell, ...changed }, inputs);
          return firstBound(bounds.filter(({ isOfOneClient }) => !isOfOneClient)).utilisation;
        };
        expect(share({})).toBeLessThanOrEqual(1);
        const most = { audits: design.maxAudits, databaseCores: inputs.databaseCores };
        if (cell.databases > 1) expect(share({ ...most, databases: cell.databases - 1 })).toBeGreaterThan(1);
        if (cell.cells > 1) {
          expect(share({ ...most, databases: design.maxDatabases, cells: cell.cells - 1 })).toBeGreaterThan(1);
        }
      }
    }
  });

  test('of a small lender are those that availability asks for', () => {
    const { cell, machines } = provisionFor(1e6, oneDatabase(inputs), inputs);
    expect(cell).toMatchObject({ cells: 1, databases: 1, audits: 1, databaseCores: 2 });
    const counts = Object.entries(machines).map(([kind, { count }]) => [kind, count]);
    expect(Object.fromEntries(counts)).toEqual({
      gateways: 2,
      processors: 2,
      consoles: 2,
      audits: 1,
      postgres: 2,
      kafka: 3,
      redis: 2,
    });
  });

  test('cost their cores, memory and disks', () => {
    const free = { memoryGbYearUsd: 0, diskGbYearUsd: 0, backupGbYearUsd: 0 };
    const { yearlyCostUsd } = provisionFor(1e6, oneDatabase(inputs), { ...inputs, ...free, coreYearUsd: 1 });
    // Two gateways and two consoles of a core each, two processors and an audit of two each.
    expect(yearlyCostUsd).toEqual({ services: 10, postgres: 4, kafka: 6, redis: 2, backup: 0 });
  });

  test('are more for more Receipts, and cost less for each', () => {
    const totals = scenarios.map((receipts) => {
      const { yearlyCostUsd } = provisionFor(receipts, severalDatabases(inputs), inputs);
      return Object.values(yearlyCostUsd).reduce((sum, part) => sum + part, 0);
    });
    expect(totals).toEqual(totals.toSorted((first, second) => first - second));
    const each = totals.map((total, index) => total / (scenarios[index] ?? Number.NaN));
    expect(each).toEqual(each.toSorted((first, second) => second - first));
  });

  test('are not found where no number of cells keeps a bound', () => {
    expect(() => provisionFor(1e9, oneDatabase(inputs), { ...inputs, maxRestoreHours: 0 })).toThrow(
      '10000 cells reach the bound "restore of a database within 0 h" at 1000000000 Receipts a year; expected fewer',
    );
  });
});

test('numbers are shown in the unit that fits them', () => {
  expect([1e7, 1e9, 8.6e8, 1.25e10, 2e12].map((count) => formatCount(count))).toEqual([
    '10 million',
    '1 billion',
    '860 million',
    '13 billion',
    '2 trillion',
  ]);
  expect([30, 600, 7_200, 86_400 * 3].map(formatDuration)).toEqual(['30 s', '10 min', '2.0 h', '3.0 days']);
});

test('each measured figure names a document that exists', () => {
  const sources = Object.values<Assumption>(assumptions).flatMap(({ source }) => source ?? []);
  expect(sources.filter((source) => !existsSync(join(project, source)))).toEqual([]);
});

test('docs/scale.md shows the tables of the program', () => {
  const path = join(project, 'docs', 'scale.md');
  const written = readFileSync(path, 'utf8');
  const tables = scaleTables(scenarios, inputs);
  const shown: string[] = [];
  const text = written.replaceAll(/<!-- table: (.+) -->\n\n?(?:\|.*\n)*\n?/g, (_, name: string) => {
    shown.push(name);
    return `<!-- table: ${name} -->\n\n${tables.get(name)}\n\n`;
  });
  const expected = `${text.trimEnd()}\n`;
  expect(shown.toSorted()).toEqual([...tables.keys()].toSorted());
  if (process.env['UPDATE_DOCS'] === 'true') writeFileSync(path, expected);
  expect(readFileSync(path, 'utf8')).toBe(expected);
});
