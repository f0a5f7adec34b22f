/**
 * `npm run bench:write`: throughput and latency of durable writes, with a baseline measured in the same run. The rows are
 * 1, 16, 64, 512, hot, 100, 1000, latency, overload, movements and baseline: `npm run bench:write -- --only 16,baseline` runs
 * two of them.
 * BENCH_SECONDS sets the duration of each row.
 */
import { parseArgs } from 'node:util';
import { type BenchEnvironment, withBenchEnvironment } from './bench-environment.ts';
import { type BenchLender, createBenchLender } from './bench-lender.ts';
import { measureWriteBaseline } from './write-baseline.ts';
import { latencyColumns, measureLatency } from './write-latency.ts';
import { measureMovements, movementColumns } from './write-movements.ts';
import { measureOverload, overloadColumns } from './write-overload.ts';
import {
  maxConnections,
  receiptsPerSecond,
  runWrites,
  succeeded,
  type WriteLoad,
  type WriteResult,
} from './write-run.ts';

const { values: options } = parseArgs({ options: { only: { type: 'string' } } });
const selectedRows = options.only?.split(',');
const seconds = Number(process.env['BENCH_SECONDS'] ?? 8);
/** Long enough for the just-in-time compiler to settle. */
const warmUpSeconds = 30;
const clientCount = 1_000;
const baselineConnections = [1, 16, 64];
const cpuColumns = ['gateway', 'processor', 'kafka', 'postgres', 'redis', 'load'];

interface Row extends WriteLoad {
  /** The name of the row for `--only`. */
  readonly id: string;
  readonly name: string;
}

await withBenchEnvironment(bench);

async function bench(environment: BenchEnvironment): Promise<void> {
  const lender = await createBenchLender(environment.stack, environment.port, clientCount);
  const rows = rowsOf(lender).filter(({ id }) => isSelected(id));
  const warmUp = { connectionCount: 64, receiptsPerRequest: 1, request: lender.receiptOfNextClient };
  await runWrites(environment, warmUp, warmUpSeconds);
  const cpuTitles = cpuColumns.map((name) => `${name} µs/receipt`);
  printHeader([
    'row',
    'connections',
    'receipts/s',
    'p50 ms',
    'p99 ms',
    'receipts/commit',
    ...cpuTitles,
    'other than 2xx',
  ]);
  for (const row of rows) printRow(cellsOf(row, await runWrites(environment, row, seconds)));
  if (isSelected('latency')) {
    printHeader(latencyColumns);
    for await (const cells of measureLatency(environment, { seconds, clientCount })) printRow(cells);
  }
  if (isSelected('overload')) {
    printHeader(overloadColumns);
    for await (const cells of measureOverload(environment, { seconds, clientCount })) printRow(cells);
  }
  if (isSelected('movements')) {
    printHeader(movementColumns);
    for (const { name, ...load } of rowsOf(lender).filter(({ id }) => ['64', '100'].includes(id))) {
      printRow(await measureMovements(environment, { name, load, seconds }));
    }
  }
  if (isSelected('baseline')) await printBaseline(environment);
}

async function printBaseline({ stack }: BenchEnvironment): Promise<void> {
  printHeader(['baseline', 'connections', 'records/s', 'p50 ms', 'p99 ms']);
  const results = await measureWriteBaseline(stack, baselineConnections, seconds * 1_000);
  for (const { connections, perSecond, p50, p99 } of results) {
    printRow(['', connections, perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1)]);
  }
}

function isSelected(id: string): boolean {
  return selectedRows === undefined || selectedRows.includes(id);
}

function rowsOf(lender: BenchLender): Row[] {
  const single = { name: 'single receipts', receiptsPerRequest: 1, request: lender.receiptOfNextClient };
  const hotClient = lender.clients[0] as string;
  const batches = (size: number) => ({ receiptsPerRequest: size, request: () => lender.batch(size) });
  return [
    { ...single, id: '1', connectionCount: 1 },
    { ...single, id: '16', connectionCount: 16 },
    { ...single, id: '64', connectionCount: 64 },
    { ...single, id: '512', connectionCount: maxConnections },
    { ...single, id: 'hot', name: 'one Client', connectionCount: 64, request: () => lender.receipt(hotClient) },
    { ...batches(100), id: '100', name: 'batches of 100', connectionCount: 8 },
    { ...batches(1_000), id: '1000', name: 'batches of 1,000', connectionCount: 4 },
  ];
}

function cellsOf(row: Row, result: WriteResult): (string | number)[] {
  const failures = Object.entries(result.statuses).filter(([status]) => !status.startsWith('2'));
  const receipts = succeeded(result) * row.receiptsPerRequest;
  return [
    row.name,
    row.connectionCount,
    receiptsPerSecond(row, result).toFixed(0),
    result.p50.toFixed(1),
    result.p99.toFixed(1),
    (receipts / result.commits).toFixed(1),
    ...cpuColumns.map((name) => (((result.cpu[name] ?? Number.NaN) * 1_000) / receipts).toFixed(0)),
    failures.map(([status, count]) => `${count} x ${status}`).join(', ') || 'none',
  ];
}

function printHeader(columns: readonly string[]): void {
  console.log(`\n| ${columns.join(' | ')} |\n|${' - |'.repeat(columns.length)}`);
}

function printRow(cells: readonly (string | number)[]): void {
  console.log(`| ${cells.join(' | ')} |`);
}
