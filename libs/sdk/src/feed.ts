/** Follows the feed of Loan events without an end, by polling or by a stream. */

import type { HttpClient } from './http-client.ts';
import { isRetryable, retryAfterSeconds, retryPauseMs } from './retry.ts';
import { requestTarget } from './route-arguments.ts';
import { serverSentEvents } from './server-sent-events.ts';

/** Store the cursor with the effects of the events: a follower that continues from it misses and repeats nothing. */
export interface FeedEvents<Event> {
  readonly events: readonly Event[];
  /** Where the next events begin. Feed and stream accept each other's cursors. */
  readonly cursor: string;
}

export interface FollowOptions {
  /** The cursor of the last processed events; the beginning of the feed where it is left out. */
  readonly from?: string | undefined;
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal | undefined;
}

export interface PollOptions extends FollowOptions {
  /** The pause after a page without events. */
  readonly pauseMs?: number;
  readonly limit?: number;
}

interface FeedPage<Event> {
  readonly events: readonly Event[];
  readonly cursor: string;
}

export async function* followFeed<Event>(
  http: HttpClient,
  path: string,
  { from, signal, pauseMs = 1_000, limit = 200 }: PollOptions = {},
): AsyncGenerator<FeedEvents<Event>, void> {
  let cursor = from;
  let failures = 0;
  while (signal?.aborted !== true) {
    try {
      const target = requestTarget({ path, query: ['limit', 'cursor'] }, { limit, cursor });
      const { body } = await http.send<FeedPage<Event>>({ method: 'GET', target, signal });
      failures = 0;
      if (body.events.length > 0) yield body;
      else await http.clock.pause(pauseMs, signal);
      cursor = body.cursor;
    } catch (cause) {
      failures = await waitBeforeRetry(http, cause, failures, signal);
    }
  }
}

export interface StreamOptions extends FollowOptions {
  /** A connection without events and heartbeats for this long is closed and opened again. */
  readonly silentForMs?: number;
}

export async function* followStream<Event>(
  http: HttpClient,
  path: string,
  { from, signal, silentForMs = 45_000 }: StreamOptions = {},
): AsyncGenerator<FeedEvents<Event>, void> {
  let cursor = from;
  let failures = 0;
  let reconnectDelayMs = 0;
  const request = { method: 'GET', target: path };
  while (signal?.aborted !== true) {
    const silence = new SilenceTimer(silentForMs, signal);
    try {
      const headers = { Accept: 'text/event-stream', ...(cursor === undefined ? {} : { 'Last-Event-ID': cursor }) };
      const { body } = await http.open({ ...request, headers, signal: silence.signal });
      if (body === null) throw http.unreachable(request, 'a response without a body', false);
      const listener = {
        onActivity: () => silence.restart(),
        onRetryDelay: (ms: number) => {
          reconnectDelayMs = ms;
        },
      };
      for await (const { id, data } of serverSentEvents(body, listener)) {
        failures = 0;
        silence.pause();
        if (id === '') throw http.unreachable(request, 'an event without a cursor', false);
        yield { events: [JSON.parse(data) as Event], cursor: id };
        cursor = id;
        silence.restart();
      }
      // Closed by the service, which may be stopping: connect again.
      const pauseMs = Math.max(reconnectDelayMs, retryPauseMs(1, http.patience, http.clock.random()));
      await http.clock.pause(pauseMs, signal).catch(() => undefined);
    } catch (cause) {
      const failure = silence.isExpired
        ? http.unreachable(request, `nothing was received for ${silentForMs} ms (silentForMs)`, false)
        : cause;
      failures = await waitBeforeRetry(http, failure, failures, signal);
    } finally {
      silence.end();
    }
  }
}

/** A follower retries without a time limit. Throws what a retry cannot change. */
async function waitBeforeRetry(
  http: HttpClient,
  cause: unknown,
  failures: number,
  signal: AbortSignal | undefined,
): Promise<number> {
  if (signal?.aborted === true) return failures;
  if (!isRetryable(cause)) throw cause;
  const pauseMs = retryPauseMs(failures + 1, http.patience, http.clock.random(), retryAfterSeconds(cause));
  http.onRetry?.(cause, pauseMs);
  await http.clock.pause(pauseMs, signal).catch(() => undefined);
  return failures + 1;
}

/** Aborts a connection on which nothing arrives: a peer that vanished does not close it. */
class SilenceTimer {
  readonly #silentForMs: number;
  readonly #silence = new AbortController();
  readonly signal: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(silentForMs: number, signal: AbortSignal | undefined) {
    this.#silentForMs = silentForMs;
    this.signal = signal === undefined ? this.#silence.signal : AbortSignal.any([signal, this.#silence.signal]);
    this.restart();
  }

  get isExpired(): boolean {
    return this.#silence.signal.aborted;
  }

  restart(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#silence.abort(), this.#silentForMs);
  }

  /** While the caller processes an event, nothing is read. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#silence.abort();
  }
}
