/** `lending tail`: follows the log of answered requests. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { LoggedRequest } from '#libs/sdk/src/contract/shapes.ts';
import { type Caller, callerFor } from '../caller.ts';
import type { CallerCommandOptions } from '../commands/caller-options.ts';
import { formatRequest, type LogFilters, readLogPage } from './request-log.ts';

export type TailOptions = CallerCommandOptions & {
  readonly lines: number;
  readonly status?: number;
  readonly code?: string;
  readonly key?: string;
  readonly route?: string;
  readonly follow: boolean;
};

const pollIntervalMs = 1_000;
const pageSize = 200;
/** Of one read: enough for 10,000 requests between two polls. */
const maxPages = 50;
/** Reads of the log would be listed by the next read, without end. */
const logRoute = 'listRequests';

export async function tail(options: TailOptions): Promise<void> {
  const { lines, status, code, key: fp, route, follow, json = false } = options;
  const caller = callerFor(options);
  const stopping = new AbortController();
  const { signal } = stopping;
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  // A closed output, as after `| head`, ends the command.
  process.stdout.on('error', () => stopping.abort());
  const print = (request: LoggedRequest): void => console.log(json ? JSON.stringify(request) : formatRequest(request));
  const log = new LogReader(caller, { status, code, fp, route });
  for (const request of (await log.readLast(lines)).slice(lines === 0 ? Number.POSITIVE_INFINITY : -lines)) {
    print(request);
  }
  while (follow && !signal.aborted) {
    await sleep(pollIntervalMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    for (const request of await log.readNew()) print(request);
  }
}

const maxKnownRequests = 20_000;

interface ReadState {
  readonly found: number;
  readonly inPage: number;
  readonly newInPage: number;
}

/** Entries are written in batches by several processes, so an entry may appear behind one that is known. */
export class LogReader {
  readonly #caller: Pick<Caller, 'request'>;
  readonly #filters: LogFilters;
  readonly #known = new Set<string>();

  constructor(caller: Pick<Caller, 'request'>, filters: LogFilters) {
    this.#caller = caller;
    this.#filters = filters;
  }

  /** The last requests so far, oldest first: at least `lines`, where the log and the limit of pages allow it. */
  readLast(lines: number): Promise<LoggedRequest[]> {
    // A page may hold reads of the log alone: a running `tail` writes one of them per second.
    return this.#read(({ found }) => found >= lines);
  }

  /** What was not returned before, oldest first. */
  readNew(): Promise<LoggedRequest[]> {
    return this.#read(({ inPage, newInPage }) => inPage === 0 || newInPage < inPage);
  }

  async #read(isEnough: (state: ReadState) => boolean): Promise<LoggedRequest[]> {
    const found: LoggedRequest[] = [];
    let cursor: string | undefined;
    for (let count = 0; count < maxPages; count += 1) {
      const page = await readLogPage(this.#caller, { ...this.#filters, limit: pageSize, cursor });
      const isNew = page.requests.filter(({ request_id }) => !this.#known.has(request_id));
      for (const { request_id } of isNew) this.#known.add(request_id);
      found.push(...isNew.filter((request) => this.#isShown(request)));
      cursor = page.cursor;
      const state = { found: found.length, inPage: page.requests.length, newInPage: isNew.length };
      if (cursor === undefined || isEnough(state)) break;
    }
    this.#forgetOldest();
    return found.reverse();
  }

  #isShown({ route }: LoggedRequest): boolean {
    return route !== logRoute || this.#filters['route'] === logRoute;
  }

  #forgetOldest(): void {
    for (const id of this.#known) {
      if (this.#known.size <= maxKnownRequests) return;
      this.#known.delete(id);
    }
  }
}
