/** The feed of Loan events without an end: asked again and again, or told as it happens. */
import { isWorthAnother, pauseAfter, toldSeconds } from './retrying.ts';
import type { Line } from './sending.ts';
import { serverSentEvents } from './server-sent-events.ts';
import { targetOf } from './targets.ts';

/** Keep the cursor together with what the events did: whoever comes back with it misses nothing and is told nothing twice. */
export interface Told<Event> {
  readonly events: readonly Event[];
  /** Where the next ones begin; feed and stream take each other's. */
  readonly cursor: string;
}

export interface Following {
  /** The cursor of the last events that were taken; the beginning of the feed where it is left out. */
  readonly from?: string | undefined;
  /** Ends the walk, which then just ends. */
  readonly signal?: AbortSignal | undefined;
}

export interface Polling extends Following {
  /** How long to wait where there was nothing new. */
  readonly pauseMs?: number;
  readonly limit?: number;
}

interface Page<Event> {
  readonly events: readonly Event[];
  readonly cursor: string;
}

export async function* followFeed<Event>(
  line: Line,
  path: string,
  { from, signal, pauseMs = 1_000, limit = 200 }: Polling = {},
): AsyncGenerator<Told<Event>, void> {
  let cursor = from;
  let failures = 0;
  while (signal?.aborted !== true) {
    try {
      const target = targetOf({ path, query: ['limit', 'cursor'] }, { limit, cursor });
      const { body } = await line.send<Page<Event>>({ method: 'GET', target, signal });
      failures = 0;
      if (body.events.length > 0) yield body;
      else await line.world.pause(pauseMs, signal);
      cursor = body.cursor;
    } catch (cause) {
      failures = await again(line, cause, failures, signal);
    }
  }
}

export interface Streaming extends Following {
  /** How long nothing, not even a heartbeat, may come before the line is taken for dead. */
  readonly silentForMs?: number;
}

export async function* followStream<Event>(
  line: Line,
  path: string,
  { from, signal, silentForMs = 45_000 }: Streaming = {},
): AsyncGenerator<Told<Event>, void> {
  let cursor = from;
  let failures = 0;
  let comeBackMs = 0;
  const asked = { method: 'GET', target: path };
  while (signal?.aborted !== true) {
    const watch = new Watch(silentForMs, signal);
    try {
      const headers = { Accept: 'text/event-stream', ...(cursor === undefined ? {} : { 'Last-Event-ID': cursor }) };
      const { body } = await line.open({ ...asked, headers, signal: watch.signal });
      if (body === null) throw line.unreachable(asked, 'an answer without a body', false);
      const heard = {
        alive: () => watch.heard(),
        comeBackAfter: (ms: number) => {
          comeBackMs = ms;
        },
      };
      for await (const { id, data } of serverSentEvents(body, heard)) {
        failures = 0;
        watch.pause();
        if (id === '') throw line.unreachable(asked, 'an event without a place in the feed', false);
        yield { events: [JSON.parse(data) as Event], cursor: id };
        cursor = id;
        watch.heard();
      }
      // Ended by the service, which stops or moves: it is to be found again.
      const pauseMs = Math.max(comeBackMs, pauseAfter(1, line.patience, line.world.random()));
      await line.world.pause(pauseMs, signal).catch(() => undefined);
    } catch (cause) {
      const met = watch.isSilent ? line.unreachable(asked, 'nothing was heard any more', false) : cause;
      failures = await again(line, met, failures, signal);
    } finally {
      watch.end();
    }
  }
}

/** Whoever follows has no last moment: what passes is waited out however long it lasts. */
async function again(line: Line, cause: unknown, failures: number, signal: AbortSignal | undefined): Promise<number> {
  if (signal?.aborted === true) return failures;
  if (!isWorthAnother(cause)) throw cause;
  const pauseMs = pauseAfter(failures + 1, line.patience, line.world.random(), toldSeconds(cause));
  await line.world.pause(pauseMs, signal).catch(() => undefined);
  return failures + 1;
}

/** Ends a line nothing is heard on: a peer that vanished says nothing. */
class Watch {
  readonly #silentForMs: number;
  readonly #silence = new AbortController();
  readonly signal: AbortSignal;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(silentForMs: number, signal: AbortSignal | undefined) {
    this.#silentForMs = silentForMs;
    this.signal = signal === undefined ? this.#silence.signal : AbortSignal.any([signal, this.#silence.signal]);
    this.heard();
  }

  get isSilent(): boolean {
    return this.#silence.signal.aborted;
  }

  heard(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#silence.abort(), this.#silentForMs);
  }

  /** While the caller is at work the line is silent by its own doing. */
  pause(): void {
    clearTimeout(this.#timer);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#silence.abort();
  }
}
