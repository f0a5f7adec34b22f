/** Says once to whoever waits that somebody is still being asked, and who. */
const afterMs = 2_000;

export class StillTrying {
  readonly #whom: string;
  readonly #afterMs: number;
  #isTold = false;

  constructor(whom: string, after = afterMs) {
    this.#whom = whom;
    this.#afterMs = after;
  }

  async during<Answer>(asking: Promise<Answer>): Promise<Answer> {
    const waiting = setTimeout(() => this.#tell(), this.#afterMs);
    try {
      return await asking;
    } finally {
      clearTimeout(waiting);
    }
  }

  #tell(): void {
    if (this.#isTold) return;
    this.#isTold = true;
    console.error(`Still trying ${this.#whom}`);
  }
}
