/** Writes answered requests to the request log in the background. Under overload entries are lost and counted. */
import { Counter, type Registry } from 'prom-client';
import type { Moment } from '#libs/calendar/moment.ts';
import type { Queryable } from '#libs/database/database.ts';
import { insertRequests, type RequestLogEntry } from '#libs/database/request-log.ts';
import type { AnsweredRequest } from '#libs/http/middleware.ts';
import type { Logger } from '#libs/runtime/logging.ts';

export interface RequestLogOptions {
  /** Not shared with requests: writing the log must not delay them. */
  readonly database: Queryable;
  readonly logger: Logger;
  readonly registry: Registry;
}

const writeIntervalMs = 500;
const maxEntriesPerWrite = 1_000;
/** A few seconds of requests at full load. */
const maxWaitingEntries = 10_000;
/** Requests without valid credentials may not displace those of Tenancies. */
const maxWaitingUnauthenticated = 1_000;

export class RequestLog {
  readonly #database: Queryable;
  readonly #logger: Logger;
  readonly #lost: Counter;
  readonly #timer: NodeJS.Timeout;
  #waiting: RequestLogEntry[] = [];
  #waitingUnauthenticated = 0;
  #writing: Promise<void> | undefined;

  constructor({ database, logger, registry }: RequestLogOptions) {
    this.#database = database;
    this.#logger = logger;
    this.#lost = new Counter({
      name: 'lending_request_log_lost_total',
      help: 'Answered requests that could not be written to the request log.',
      registers: [registry],
    });
    this.#timer = setInterval(() => void this.write(), writeIntervalMs).unref();
  }

  record(answered: AnsweredRequest): void {
    const { isPublic, caller } = answered.context;
    if (isPublic) return;
    const isFull =
      this.#waiting.length >= maxWaitingEntries ||
      (caller === undefined && this.#waitingUnauthenticated >= maxWaitingUnauthenticated);
    if (isFull) {
      this.#lost.inc();
      return;
    }
    if (caller === undefined) this.#waitingUnauthenticated += 1;
    this.#waiting.push(entryOf(answered));
  }

  /** Writes what is waiting now. */
  async write(): Promise<void> {
    this.#writing ??= this.#writeAll().finally(() => {
      this.#writing = undefined;
    });
    await this.#writing;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.write();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.splice(0, maxEntriesPerWrite);
      this.#waitingUnauthenticated -= entries.filter(({ tenant_id }) => tenant_id === '').length;
      try {
        await insertRequests(this.#database, entries);
      } catch (err) {
        this.#lost.inc(entries.length);
        this.#logger.warn(
          { event: 'http.request_log_failed', err, lost: entries.length },
          'failed to write the request log',
        );
        return;
      }
    }
  }
}

function entryOf({ context, status, code }: AnsweredRequest): RequestLogEntry {
  const { requestId, receivedAt, timing, callerRequestId, caller, credentials, method, route } = context;
  return {
    tenant_id: caller?.key.tenancy.id ?? '',
    request_id: requestId,
    received_at: (receivedAt * 1_000) as Moment,
    duration_us: Math.round(timing.total() * 1_000),
    caller_request_id: callerRequestId ?? null,
    fp: caller === undefined ? (credentials?.fp ?? null) : caller.key.fp,
    method,
    route: route?.name ?? null,
    status,
    code: code ?? null,
  };
}
