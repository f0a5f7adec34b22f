/** Where the milliseconds of a request went, as the header `Server-Timing` states it. Handlers add to the parts. */
export class RequestTiming {
  /** By `performance.now()`. */
  readonly startedAt = performance.now();
  #totalMs: number | undefined;
  /** Waiting for a permit. */
  queue = 0;
  /** Waiting for a database connection. */
  conn = 0;
  db = 0;
  derive = 0;
  /** From handing a write to Kafka to its verdict: the topic, the decision and the commit of the processor. */
  submit = 0;

  total(): number {
    return this.#totalMs ?? performance.now() - this.startedAt;
  }

  /** The duration of a streamed answer is the time until it begins. */
  stop(): void {
    this.#totalMs = this.total();
  }

  /** Adds the duration of `work` to a part. */
  async measure<T>(part: 'queue' | 'conn' | 'db' | 'derive' | 'submit', work: () => T | Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      this[part] += performance.now() - startedAt;
    }
  }

  /** Only authenticated callers see the parts. */
  header(isAuthenticated: boolean): string {
    const total = this.total();
    if (!isAuthenticated) return `total;dur=${total.toFixed(1)}`;
    const { queue, conn, db, derive, submit } = this;
    // All the rest of this process: reading the body, verifying the signature, checks, rendering.
    const app = Math.max(0, total - queue - conn - db - derive - submit);
    return (
      `total;dur=${total.toFixed(1)}, queue;dur=${queue.toFixed(1)}, conn;dur=${conn.toFixed(1)}` +
      `, db;dur=${db.toFixed(1)}, derive;dur=${derive.toFixed(1)}, submit;dur=${submit.toFixed(1)}, app;dur=${app.toFixed(1)}`
    );
  }
}
