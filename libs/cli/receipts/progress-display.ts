/** Progress of a post: a bar on a terminal, a line every five seconds elsewhere. */
import { formatDetails, formatRemedy } from '../format-error.ts';
import { maxListedFaults } from '../output/print-result.ts';
import { formatDuration } from '../output/progress-line.ts';
import { formatCount } from '../output/text-table.ts';
import { isRecorded, type Outcome } from './outcomes.ts';
import type { InvalidLine, ReceiptLine } from './receipt-files.ts';

export type Counts = {
  recorded: number;
  repeated: number;
  skipped: number;
  /** Lines of an export whose Receipts were reversed. They are not posted. */
  reversed: number;
  refused: number;
  unreadable: number;
};

/** A refusal has the members of its outcome. */
type ReceiptFault = { readonly line: number } & Partial<Outcome>;

const barWidth = 24;
const redrawIntervalMs = 100;
const lineIntervalMs = 5_000;

export class PostProgress {
  readonly counts: Counts = { recorded: 0, repeated: 0, skipped: 0, reversed: 0, refused: 0, unreadable: 0 };
  /** For `--json`: the first lines that were not recorded. */
  readonly faults: ReceiptFault[] = [];
  readonly #out: NodeJS.WriteStream;
  /** Undefined for standard input. */
  readonly #sizeBytes: number | undefined;
  readonly #startedAt = performance.now();
  readonly #refusals = new Map<string, { readonly count: number; readonly first: string; readonly code: string }>();
  #bytes = 0;
  #shownAt = performance.now();

  constructor(out: NodeJS.WriteStream, sizeBytes: number | undefined) {
    this.#out = out;
    this.#sizeBytes = sizeBytes;
  }

  addBytes(bytes: number): void {
    this.#bytes += bytes;
  }

  addOutcome({ line }: ReceiptLine, outcome: Outcome): void {
    if (!isRecorded(outcome)) {
      this.counts.refused += 1;
      this.#keep({ line, ...outcome });
      const { status, code = 'unknown' } = outcome;
      this.#addRefusal(`${status} ${code}`, { line, where: describeField(outcome), code });
    } else if (outcome.status === 201) this.counts.recorded += 1;
    else this.counts.repeated += 1;
  }

  addInvalid({ line, reference, fault }: InvalidLine): void {
    this.counts.unreadable += 1;
    this.#keep({ line, ...(reference === undefined ? {} : { reference }), error: fault });
    this.#addRefusal('unreadable', { line, where: fault, code: 'unreadable' });
  }

  /** The reasons for refusals, the most frequent first, each with its first line and what to do. */
  describeRefusals(): string[] {
    return [...this.#refusals]
      .sort(([, a], [, b]) => b.count - a.count)
      .flatMap(([why, { count, first, code }]) => [
        `  ${formatCount(count)} ${why}, first in line ${first}`,
        ...formatRemedy(code, '    '),
      ]);
  }

  #keep(fault: ReceiptFault): void {
    if (this.faults.length < maxListedFaults) this.faults.push(fault);
  }

  #addRefusal(
    why: string,
    { line, where, code }: { readonly line: number; readonly where: string; readonly code: string },
  ): void {
    const previous = this.#refusals.get(why);
    const first = previous?.first ?? `${line}${where === '' ? '' : `: ${where}`}`;
    this.#refusals.set(why, { count: (previous?.count ?? 0) + 1, first, code });
  }

  show(): void {
    const now = performance.now();
    const { isTTY } = this.#out;
    if (now - this.#shownAt < (isTTY ? redrawIntervalMs : lineIntervalMs)) return;
    this.#shownAt = now;
    this.#out.write(isTTY ? `\r${this.#bar()}${this.#line()}\x1b[K` : `${this.#line()}\n`);
  }

  /** Draws the final bar and moves the cursor below it. */
  end(): void {
    if (this.#out.isTTY) this.#out.write(`\r${this.#bar()}${this.#line()}\x1b[K\n`);
  }

  summary(): string {
    const { recorded, repeated, skipped, reversed, refused, unreadable } = this.counts;
    const lines = recorded + repeated + skipped + reversed + refused + unreadable;
    const parts = [
      `${formatCount(recorded)} recorded`,
      ...(repeated > 0 ? [`${formatCount(repeated)} already recorded`] : []),
      ...(skipped > 0 ? [`${formatCount(skipped)} skipped`] : []),
      ...(reversed > 0 ? [`${formatCount(reversed)} reversed and not posted`] : []),
      `${formatCount(refused)} refused`,
      ...(unreadable > 0 ? [`${formatCount(unreadable)} unreadable`] : []),
    ];
    return `${formatCount(lines)} receipts: ${parts.join(', ')}`;
  }

  #line(): string {
    const { recorded, repeated } = this.counts;
    const seconds = (performance.now() - this.#startedAt) / 1_000;
    const rate = `${formatCount(Math.round((recorded + repeated) / Math.max(seconds, 0.001)))}/s`;
    return `${this.summary()} (${rate}${this.#timeLeft(seconds)})`;
  }

  /** By the bytes that are read, because the number of lines is not known. */
  #timeLeft(seconds: number): string {
    const share = this.#share();
    if (share === 0 || share === 1) return '';
    return `, ${formatDuration((seconds / share) * (1 - share))} left`;
  }

  #share(): number {
    return this.#sizeBytes ? Math.min(1, this.#bytes / this.#sizeBytes) : 0;
  }

  #bar(): string {
    if (!this.#sizeBytes) return '';
    const share = this.#share();
    const full = Math.round(share * barWidth);
    return `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}] ${String(Math.floor(share * 100)).padStart(3)} %  `;
  }
}

/** The field of the receipt that was refused, its bound, and the other fields that were refused. */
function describeField({ details = {} }: Outcome): string {
  const shown = Object.entries(details).filter(([name]) => ['field', 'bound', 'fields'].includes(name));
  return formatDetails({ details: Object.fromEntries(shown) }).join(', ');
}
