/** Writes answered requests to the request log in the background. Under overload entries are lost and counted. */
import { Counter, type Registry } from 'prom-client';
import type { AuthenticatedCaller } from '#libs/auth/authenticate.ts';
import type { Moment } from '#libs/calendar/moment.ts';
import type { Queryable } from '#libs/database/database.ts';
import { insertRequests, type RequestLogEntry } from '#libs/database/request-log.ts';
import type { AnsweredRequest } from '#libs/http/middleware.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';
import { heapShareBytes } from '#libs/runtime/heap-shares.ts';
import type { Logger } from '#libs/runtime/logging.ts';

export interface RequestLogOptions {
  /** Not shared with requests: writing the log must not delay them. */
  readonly database: Queryable;
  readonly logger: Logger;
  readonly registry: Registry;
}

const writeIntervalMs = 500;
const maxEntriesPerWrite = 1_000;
/** Longer ones are logged without their end. */
const maxTargetCharacters = 500;
const maxFieldCharacters = 100;
/** About what an entry takes at most: the texts of callers in it are short. */
const maxBytesPerEntry = 1_600;
/** A few seconds of requests at full load; fewer in a small heap. */
const maxWaitingEntries = Math.min(10_000, Math.floor(heapShareBytes('requestLog') / maxBytesPerEntry));

export class RequestLog {
  readonly #database: Queryable;
  readonly #logger: Logger;
  readonly #lost: Counter;
  readonly #timer: NodeJS.Timeout;
  #waiting: RequestLogEntry[] = [];
  #writing: Promise<void> | undefined;
  #isClosed = false;

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
    // Without a verified signature it belongs to no Tenancy, and anyone could fill the table.
    const { caller } = answered.context;
    if (caller === undefined) return;
    if (this.#waiting.length >= maxWaitingEntries) this.#lost.inc();
    else this.#waiting.push(entryOf(answered, caller));
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
    await this.#writing;
    this.#isClosed = true;
    await this.write();
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const entries = this.#waiting.splice(0, maxEntriesPerWrite);
      try {
        await this.#insert(entries);
      } catch (err) {
        const isTemporary = err instanceof DependencyUnavailableError && !this.#isClosed;
        const kept = isTemporary ? entries.slice(0, maxWaitingEntries - this.#waiting.length) : [];
        this.#waiting.unshift(...kept);
        const lost = entries.length - kept.length + (this.#isClosed ? this.#waiting.length : 0);
        return this.#lose(lost, err);
      }
    }
  }

  /** Where Postgres rejects a value, the batch is inserted in halves, so that only the entry with the value is lost. */
  async #insert(entries: readonly RequestLogEntry[]): Promise<void> {
    try {
      await insertRequests(this.#database, entries);
    } catch (err) {
      if (err instanceof DependencyUnavailableError) throw err;
      if (entries.length === 1) return this.#lose(1, err);
      const half = Math.ceil(entries.length / 2);
      await this.#insert(entries.slice(0, half));
      await this.#insert(entries.slice(half));
    }
  }

  #lose(lost: number, err: unknown): void {
    if (lost === 0) return;
    this.#lost.inc(lost);
    this.#logger.warn({ event: 'http.request_log_failed', err, lost }, 'failed to write the request log');
  }
}

function entryOf({ context, status, code, field }: AnsweredRequest, { key }: AuthenticatedCaller): RequestLogEntry {
  const { requestId, receivedAt, timing, callerRequestId, method, route, target, version } = context;
  return {
    tenant_id: key.tenancy.id,
    request_id: requestId,
    received_at: (receivedAt * 1_000) as Moment,
    duration_us: microseconds(timing.total()),
    caller_request_id: callerRequestId ?? null,
    fp: key.fp,
    method,
    route: route?.name ?? null,
    status,
    code: code ?? null,
    target: storable(target, maxTargetCharacters),
    contract_version: version,
    field: field === undefined ? null : storable(field, maxFieldCharacters),
    queue_us: microseconds(timing.queue),
    conn_us: microseconds(timing.conn),
    db_us: microseconds(timing.db),
    derive_us: microseconds(timing.derive),
    submit_us: microseconds(timing.submit),
  };
}

/** Postgres stores neither NUL nor half of a surrogate pair. Cutting a text may leave a half. */
function storable(text: string, maxCharacters: number): string {
  return text.slice(0, maxCharacters).replaceAll('\0', '\ufffd').toWellFormed();
}

function microseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1_000);
}
