/**
 * Milliseconds for which the loop went round. While it stands still nobody can be told anything, and what was asked for
 * cannot be answered: of that only the first moment counts.
 */
const everyMs = 50;
const mostAtOnceMs = 150;

export class RunningTime {
  #ran = 0;
  #roundAt = performance.now();
  readonly #timer = setInterval(() => this.#goRound(), everyMs);

  now(): number {
    return this.#ran + Math.min(performance.now() - this.#roundAt, mostAtOnceMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #goRound(): void {
    this.#ran = this.now();
    this.#roundAt = performance.now();
  }
}
