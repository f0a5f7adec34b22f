/** Where the milliseconds of a request went, as the header `Server-Timing` states it. Handlers add to the parts. */
export class RequestTiming {
  readonly #startedAt = performance.now();
  #totalMs: number | undefined;
  /** Waiting for a permit. */
  queue = 0;
  /** Waiting for a database connection. */
  conn = 0;
  db = 0;
  derive = 0;

  total(): number {
    return this.#totalMs ?? performance.now() - this.#startedAt;
  }

  /** The duration of a streamed answer is the time until it begins. */
  stop(): void {
    this.#totalMs = this.total();
  }

  /** Adds the duration of `work` to a part. */
  async measure<T>(part: 'queue' | 'conn' | 'db' | 'derive', work: () => T | Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this[part] += performance.now() - startedAt;
    }
  }

  /** Only authenticated callers see the parts. */
  header(isAuthenticated: boolean): string {
    const total = `total;dur=${this.total().toFixed(1)}`;
    if (!isAuthenticated) return total;
    const { queue, conn, db, derive } = this;
    return (
      `${total}, queue;dur=${queue.toFixed(1)}, conn;dur=${conn.toFixed(1)}` +
      `, db;dur=${db.toFixed(1)}, derive;dur=${derive.toFixed(1)}`
    );
  }
}
