/** What a year of Receipts needs, computed from the bytes of one. docs/operations/capacity.md explains each row. */
import { type Assumptions, defaultAssumptions } from './scale-assumptions.ts';

/** Bytes by part of the service. */
export type BytesPerReceipt = ReadonlyMap<string, number>;

/** Of one Receipt. */
export interface YearlyNeed {
  readonly storeBytes: number;
  readonly requestLogBytes: number;
  readonly walBytes: number;
  /** Where each Receipt changes pages that are not in the log since the last checkpoint. */
  readonly sparseWalBytes: number;
  readonly submissionBytes: number;
  readonly eventBytes: number;
}

export const secondsPerHour = 3_600;
export const secondsPerDay = 24 * secondsPerHour;
export const daysPerYear = 365;

export function meanPerSecond(perYear: number): number {
  return perYear / (daysPerYear * secondsPerDay);
}

/** What is deleted after some days holds only those of a year. */
export function ofKeptDays(perYear: number, { keptDays }: Assumptions): number {
  return (perYear / daysPerYear) * keptDays;
}

export function provisioningRows(need: YearlyNeed, receiptsPerYear: readonly number[]): string[][] {
  const inputs = defaultAssumptions();
  const { peakFactor, keptDays, replicas, walDays } = inputs;
  const row = (name: string, cell: (receipts: number) => string): string[] => [name, ...receiptsPerYear.map(cell)];
  const perDay = (receipts: number): number => receipts / daysPerYear;
  return [
    row('Receipts per second, mean', (receipts) => meanPerSecond(receipts).toFixed(1)),
    row(`Receipts per second, peak (${peakFactor} times)`, (receipts) =>
      (meanPerSecond(receipts) * peakFactor).toFixed(0),
    ),
    row('Postgres, growth in a year', (receipts) => formatBytes(need.storeBytes * receipts)),
    row(`request log of ${keptDays} days`, (receipts) =>
      formatBytes(ofKeptDays(need.requestLogBytes * receipts, inputs)),
    ),
    row('write-ahead log in a day', (receipts) => walRange(need, perDay(receipts))),
    row(`backup store: ${walDays} days of log`, (receipts) => walRange(need, perDay(receipts) * walDays)),
    row(`submissions kept for ${keptDays} days, ${replicas} replicas`, (receipts) =>
      formatBytes(ofKeptDays(need.submissionBytes * receipts, inputs) * replicas),
    ),
    row(`events of a year, ${replicas} replicas`, (receipts) => formatBytes(need.eventBytes * receipts * replicas)),
  ];
}

/** The smaller number holds where many Receipts share the pages that they change. */
function walRange({ walBytes, sparseWalBytes }: YearlyNeed, receipts: number): string {
  return `${formatBytes(walBytes * receipts)} to ${formatBytes(sparseWalBytes * receipts)}`;
}

export function formatBytes(bytes: number): string {
  const gigabytes = bytes / 1e9;
  if (gigabytes >= 10_000) return `${(gigabytes / 1_000).toFixed(0)} TB`;
  if (gigabytes >= 1_000) return `${(gigabytes / 1_000).toFixed(1)} TB`;
  return gigabytes >= 10 ? `${gigabytes.toFixed(0)} GB` : `${gigabytes.toFixed(1)} GB`;
}

export function markdownTable(columns: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [columns, columns.map(() => '-'), ...rows];
  return lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}
