/** What a year of Receipts needs, computed from the bytes of one. docs/operations/capacity.md explains each row. */

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

const daysPerYear = 365;
const secondsPerYear = daysPerYear * 86_400;
/** The busiest second of a lender is several times the mean: pay days, and office hours. */
const peakFactor = 20;
/** How long submissions and the request log are kept. */
const keptDays = 30;
const replicas = 3;
/** One week back from every moment, with a base backup every day. */
const walDays = 8;

export function provisioningRows(need: YearlyNeed, receiptsPerYear: readonly number[]): string[][] {
  const row = (name: string, cell: (receipts: number) => string): string[] => [name, ...receiptsPerYear.map(cell)];
  const perDay = (receipts: number): number => receipts / daysPerYear;
  return [
    row('Receipts per second, mean', (receipts) => (receipts / secondsPerYear).toFixed(1)),
    row(`Receipts per second, peak (${peakFactor} times)`, (receipts) =>
      ((receipts / secondsPerYear) * peakFactor).toFixed(0),
    ),
    row('Postgres, growth in a year', (receipts) => formatBytes(need.storeBytes * receipts)),
    row(`request log of ${keptDays} days`, (receipts) =>
      formatBytes(need.requestLogBytes * perDay(receipts) * keptDays),
    ),
    row('write-ahead log in a day', (receipts) => walRange(need, perDay(receipts))),
    row(`backup store: ${walDays} days of log`, (receipts) => walRange(need, perDay(receipts) * walDays)),
    row(`submissions kept for ${keptDays} days, ${replicas} replicas`, (receipts) =>
      formatBytes(need.submissionBytes * perDay(receipts) * keptDays * replicas),
    ),
    row(`events of a year, ${replicas} replicas`, (receipts) => formatBytes(need.eventBytes * receipts * replicas)),
  ];
}

/** The smaller number holds where many Receipts share the pages that they change. */
function walRange({ walBytes, sparseWalBytes }: YearlyNeed, receipts: number): string {
  return `${formatBytes(walBytes * receipts)} to ${formatBytes(sparseWalBytes * receipts)}`;
}

function formatBytes(bytes: number): string {
  const gigabytes = bytes / 1e9;
  if (gigabytes >= 1_000) return `${(gigabytes / 1_000).toFixed(1)} TB`;
  return gigabytes >= 10 ? `${gigabytes.toFixed(0)} GB` : `${gigabytes.toFixed(1)} GB`;
}
