/** Logs the failures of a connection that is tried again and again: the first one, one a minute, and the end of the outage. */
import { type Logger, silentLogger } from './logging.ts';

const repeatAfterMs = 60_000;

export class OutageLog {
  readonly #logger: Pick<Logger, 'warn'>;
  readonly #fields: { readonly dependency: string; readonly connection?: string };
  #loggedAt: number | undefined;
  #failures = 0;

  constructor(fields: { readonly dependency: string; readonly connection?: string }, logger = silentLogger) {
    this.#fields = fields;
    this.#logger = logger;
  }

  failed(err: unknown): void {
    this.#failures += 1;
    const now = performance.now();
    if (this.#loggedAt !== undefined && now - this.#loggedAt < repeatAfterMs) return;
    this.#loggedAt = now;
    const fields = { ...this.#fields, failures: this.#failures, err };
    this.#logger.warn(
      { event: 'dependency.unavailable', ...fields },
      `${this.#fields.dependency}: unavailable; retrying`,
    );
  }

  answered(): void {
    if (this.#loggedAt === undefined) return;
    const fields = { ...this.#fields, failures: this.#failures };
    this.#logger.warn({ event: 'dependency.available', ...fields }, `${this.#fields.dependency}: available`);
    this.#loggedAt = undefined;
    this.#failures = 0;
  }
}
