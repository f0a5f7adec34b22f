/** Where the milliseconds of a request went, as `Server-Timing` tells it. Handlers add to the parts. */
export class Timing {
  readonly #started = performance.now();
  #stopped: number | undefined;
  /** Waiting for a place under the concurrency bound. */
  queue = 0;
  /** Waiting for a connection. */
  conn = 0;
  db = 0;
  derive = 0;

  total(): number {
    return (this.#stopped ?? performance.now()) - this.#started;
  }

  /** An answer that lasts took the time until it began. */
  stop(): void {
    this.#stopped = performance.now();
  }

  /** Adds the time of some work to a part of it. */
  async measure<T>(part: 'queue' | 'conn' | 'db' | 'derive', work: () => T | Promise<T>): Promise<T> {
    const from = performance.now();
    try {
      return await work();
    } finally {
      this[part] += performance.now() - from;
    }
  }

  /** The parts are told only to who has proved to be a caller. */
  header(authenticated: boolean): string {
    const total = `total;dur=${this.total().toFixed(1)}`;
    if (!authenticated) return total;
    const { queue, conn, db, derive } = this;
    return (
      `${total}, queue;dur=${queue.toFixed(1)}, conn;dur=${conn.toFixed(1)}` +
      `, db;dur=${db.toFixed(1)}, derive;dur=${derive.toFixed(1)}`
    );
  }
}
