/** How far it is: a bar that redraws itself on a terminal, a line now and then anywhere else. */
import { detailsTold } from '../refusal-told.ts';
import { type Outcome, stands } from './outcomes.ts';
import type { Row, Unreadable } from './row.ts';

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
  readonly #refusals = new Map<string, { readonly many: number; readonly first: string }>();
  #bytes = 0;
  #toldAt = performance.now();

  constructor(out: NodeJS.WriteStream, size: number | undefined) {
    this.#out = out;
    this.#size = size;
  }

  took(bytes: number): void {
    this.#bytes += bytes;
  }

  told({ line }: Row, outcome: Outcome): void {
    if (!stands(outcome)) {
      this.counts.refused += 1;
      this.#refused(`${outcome.status} ${outcome.code}`, line, spotOf(outcome));
    } else if (outcome.status === 201) this.counts.recorded += 1;
    else this.counts.again += 1;
  }

  unreadable({ line, fault }: Unreadable): void {
    this.counts.unreadable += 1;
    this.#refused('unreadable', line, fault);
  }

  /** What was refused, the most frequent first, each with the first line to look at, and where in it. */
  refusals(): string[] {
    return [...this.#refusals]
      .sort(([, a], [, b]) => b.many - a.many)
      .map(([why, { many, first }]) => `  ${figure(many)} ${why}, first in line ${first}`);
  }

  #refused(why: string, line: number, where: string): void {
    const known = this.#refusals.get(why);
    const first = known?.first ?? `${line}${where === '' ? '' : `: ${where}`}`;
    this.#refusals.set(why, { many: (known?.many ?? 0) + 1, first });
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

/** The member of the receipt that was refused, and what it may be. */
function spotOf({ details: { field, bound } = {} }: Outcome): string {
  const details = { ...(field === undefined ? {} : { field }), ...(bound === undefined ? {} : { bound }) };
  return detailsTold({ details }).join(', ');
}

function figure(number: number): string {
  return number.toLocaleString('en-US');
}
