/** Progress of a command that takes longer than two seconds: count, rate and time left, on a terminal only. */
import { formatCount } from './text-table.ts';

const showAfterMs = 2_000;
const redrawIntervalMs = 250;

type ProgressCount = {
  readonly count: number;
  /** Undefined where it is not known before the end. */
  readonly total?: number | undefined;
};

/** Of a stream, such as standard error. */
type ProgressOutput = { readonly isTTY?: boolean; write(text: string): unknown };

/** Those that are not at their end. The newest is drawn, because the terminal has one line for all. */
const openLines: ProgressLine[] = [];
let isPaused = false;

export class ProgressLine {
  readonly #out: ProgressOutput;
  readonly #unit: string;
  #openedAt = performance.now();
  /** Of the present part of the work. */
  #startedAt = this.#openedAt;
  #timer: NodeJS.Timeout | undefined;
  #progress: ProgressCount = { count: 0 };
  #isShown = false;

  /** `unit` says what is counted, in the plural. */
  constructor(out: ProgressOutput, unit: string) {
    this.#out = out;
    this.#unit = unit;
    clearProgress();
    openLines.push(this);
    if (out.isTTY) this.#timer = setInterval(() => this.#draw(), redrawIntervalMs).unref();
  }

  add(count: number): void {
    this.set(this.#progress.count + count, this.#progress.total);
  }

  /** A count below the last one begins another part of the work, with a rate of its own. */
  set(count: number, total?: number): void {
    if (count < this.#progress.count) this.#startedAt = performance.now();
    this.#progress = { count, total };
  }

  /** Until it is drawn again. */
  clear(): void {
    if (this.#isShown) this.#out.write('\r\x1b[K');
    this.#isShown = false;
  }

  /** Counts the time from now on. */
  restart(): void {
    this.#openedAt = performance.now();
    this.#startedAt = this.#openedAt;
  }

  end(): void {
    clearInterval(this.#timer);
    this.clear();
    const at = openLines.indexOf(this);
    if (at >= 0) openLines.splice(at, 1);
  }

  #draw(): void {
    if (isPaused || openLines.at(-1) !== this) return;
    const now = performance.now();
    if (now - this.#openedAt < showAfterMs) return;
    this.#isShown = true;
    this.#out.write(`\r${describeProgress(this.#progress, now - this.#startedAt, this.#unit)}\x1b[K`);
  }
}

/** Before something else is printed on the terminal. */
export function clearProgress(): void {
  for (const line of openLines) line.clear();
}

/** Draws nothing while `work` uses the terminal, and does not count its time. */
export async function withoutProgress<Result>(work: () => Promise<Result>): Promise<Result> {
  clearProgress();
  isPaused = true;
  try {
    return await work();
  } finally {
    isPaused = false;
    for (const line of openLines) line.restart();
  }
}

/** Shows the progress of work that prints nothing meanwhile. */
export async function withProgress<Result>(
  unit: string,
  work: (progress: ProgressLine) => Promise<Result>,
): Promise<Result> {
  const progress = new ProgressLine(process.stderr, unit);
  try {
    return await work(progress);
  } finally {
    progress.end();
  }
}

/** `1,200 of 4,000 receipts, 300/s, 10 s left`; before the first one is counted and after the last one, the time that passed. */
export function describeProgress({ count, total }: ProgressCount, elapsedMs: number, unit: string): string {
  if (count === 0 || (total !== undefined && count >= total)) return `${formatDuration(elapsedMs / 1_000)} …`;
  const perSecond = count / Math.max(elapsedMs / 1_000, 0.001);
  const rate = `${formatCount(Math.round(perSecond))}/s`;
  if (total === undefined) return `${formatCount(count)} ${unit}, ${rate}`;
  const left = formatDuration((total - count) / perSecond);
  return `${formatCount(count)} of ${formatCount(total)} ${unit}, ${rate}, ${left} left`;
}

/** `45 s`, `3 min 5 s`, `2 h 10 min`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3_600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3_600)} h ${Math.floor((whole % 3_600) / 60)} min`;
}
