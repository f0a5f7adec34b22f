/** What is tried again later, after a longer time with each failure. */

const firstDelayMs = 1_000;
const maxDelayMs = 30_000;
/** A name that is not tried again after its time is gone: another process was faster. */
const forgottenAfterMs = 10 * maxDelayMs;

interface Postponement {
  readonly until: number;
  readonly delayMs: number;
}

export class Postponements {
  readonly #now: () => number;
  readonly #byName = new Map<string, Postponement>();

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  postpone(name: string): void {
    const before = this.#byName.get(name);
    const delayMs = before === undefined ? firstDelayMs : Math.min(before.delayMs * 2, maxDelayMs);
    this.#byName.set(name, { until: this.#now() + delayMs, delayMs });
  }

  remove(name: string): void {
    this.#byName.delete(name);
  }

  /** Of those that are not tried now. */
  names(): readonly string[] {
    const now = this.#now();
    for (const [name, { until }] of this.#byName) if (now > until + forgottenAfterMs) this.#byName.delete(name);
    return [...this.#byName].flatMap(([name, { until }]) => (now < until ? [name] : []));
  }
}
