/** How far it is: a bar that redraws itself on a terminal, a line now and then anywhere else. */
import type { Outcome } from './outcomes.ts';
import { stands } from './outcomes.ts';

export type Counts = { recorded: number; again: number; skipped: number; refused: number; unreadable: number };

const barWidth = 24;
const redrawEveryMs = 100;
const lineEveryMs = 5_000;

export class Progress {
  readonly counts: Counts = { recorded: 0, again: 0, skipped: 0, refused: 0, unreadable: 0 };
  readonly #out: NodeJS.WriteStream;
  /** Undefined where nobody knows how long it is. */
  readonly #size: number | undefined;
  readonly #began = performance.now();
  #bytes = 0;
  #toldAt = performance.now();

  constructor(out: NodeJS.WriteStream, size: number | undefined) {
    this.#out = out;
    this.#size = size;
  }

  took(bytes: number): void {
    this.#bytes += bytes;
  }

  told(outcome: Outcome): void {
    if (!stands(outcome)) this.counts.refused += 1;
    else if (outcome.status === 201) this.counts.recorded += 1;
    else this.counts.again += 1;
  }

  show(): void {
    const now = performance.now();
    const { isTTY } = this.#out;
    if (now - this.#toldAt < (isTTY ? redrawEveryMs : lineEveryMs)) return;
    this.#toldAt = now;
    this.#out.write(isTTY ? `\r${this.#bar()}${this.#line()}\x1b[K` : `${this.#line()}\n`);
  }

  /** Leaves the bar as it was last, and the cursor below it. */
  end(): void {
    if (this.#out.isTTY) this.#out.write(`\r${this.#bar()}${this.#line()}\x1b[K\n`);
  }

  summary(): string {
    const { recorded, again, skipped, refused, unreadable } = this.counts;
    const lines = recorded + again + skipped + refused + unreadable;
    const parts = [
      `${figure(recorded)} recorded`,
      ...(again > 0 ? [`${figure(again)} recorded before`] : []),
      ...(skipped > 0 ? [`${figure(skipped)} passed over`] : []),
      `${figure(refused)} refused`,
      ...(unreadable > 0 ? [`${figure(unreadable)} unreadable`] : []),
    ];
    return `${figure(lines)} receipts: ${parts.join(', ')}`;
  }

  #line(): string {
    const { recorded, again } = this.counts;
    const seconds = (performance.now() - this.#began) / 1_000;
    return `${this.summary()} (${figure(Math.round((recorded + again) / Math.max(seconds, 0.001)))}/s)`;
  }

  #bar(): string {
    if (!this.#size) return '';
    const share = Math.min(1, this.#bytes / this.#size);
    const full = Math.round(share * barWidth);
    return `[${'#'.repeat(full)}${'.'.repeat(barWidth - full)}] ${String(Math.floor(share * 100)).padStart(3)} %  `;
  }
}

function figure(number: number): string {
  return number.toLocaleString('en-US');
}
