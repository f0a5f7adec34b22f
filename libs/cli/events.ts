/** `lending events follow`: prints the feed of a Tenancy, and reconnects where the connection breaks. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { type Caller, callerFor, isRepeatable, NoResponseError, parseRefusal, pauseMs } from './caller.ts';
import type { CallerCommandOptions } from './commands/caller-options.ts';
import { RefusedError } from './refused-error.ts';

export type FollowCommandOptions = CallerCommandOptions & { readonly from?: string };

export async function followEvents(options: FollowCommandOptions): Promise<void> {
  const caller = callerFor(options);
  const stopping = new AbortController();
  const { signal } = stopping;
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  // A closed output, as after `| head`, ends the command.
  process.stdout.on('error', () => stopping.abort());
  const onReconnect = (cause: unknown): void =>
    console.error(`connection lost (${cause instanceof Error ? cause.message : cause}); reconnecting`);
  const { from, patience: patienceMs = 0 } = options;
  let cursor = from;
  for await (const event of readFeed({ caller, from, signal, onReconnect, patienceMs })) {
    cursor = event.cursor;
    const line = options.json === true ? JSON.stringify({ cursor, ...event.row }) : formatEvent(event.row);
    if (!process.stdout.write(`${line}\n`)) await once(process.stdout, 'drain', { signal }).catch(() => undefined);
  }
  if (cursor !== undefined) console.error(`To continue: lending events follow --from ${cursor}`);
}

function formatEvent({ occurred_on, kind, loan_id, merchant_ref = '', recorded_at }: FeedRow): string {
  return `${occurred_on}  ${kind.padEnd(16)}  ${loan_id}  ${recorded_at}  ${merchant_ref}`.trimEnd();
}

type FeedRow = {
  readonly id: string;
  readonly loan_id: string;
  readonly kind: string;
  readonly occurred_on: string;
  readonly recorded_at: string;
  readonly merchant_ref?: string;
};

type FeedEvent = { readonly cursor: string; readonly row: FeedRow };

type FeedOptions = {
  readonly caller: Pick<Caller, 'send'>;
  /** The last known event. */
  readonly from: string | undefined;
  readonly signal: AbortSignal;
  readonly onReconnect: (cause: unknown) => void;
  /** How long the first connection is tried again; a later one is, without end. */
  readonly patienceMs: number;
};

/** The service sends at least a comment every 15 seconds: a longer silence is a dead connection. */
const silenceTimeoutMs = 40_000;

const maxReconnectPauseMs = 5 * 60_000;

/** Every event after the cursor, once and in order. Throws a refusal that a retry cannot change. */
async function* readFeed({ caller, from, signal, onReconnect, patienceMs }: FeedOptions): AsyncGenerator<FeedEvent> {
  let cursor = from;
  const giveUpAt = Date.now() + patienceMs;
  let isWrongAddress = (): boolean => Date.now() > giveUpAt;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    let retryAfter: number | undefined;
    try {
      const onConnect = (): void => {
        isWrongAddress = () => false;
      };
      for await (const event of readConnection({ caller, signal, onConnect }, cursor)) {
        attempt = 0;
        cursor = event.cursor;
        yield event;
      }
    } catch (cause) {
      if (signal.aborted) return;
      if (cause instanceof SyntaxError) throw cause;
      if (cause instanceof RefusedError) {
        if (!isRepeatable(cause)) throw cause;
        retryAfter = cause.envelope.retry_after;
      }
      if (cause instanceof NoResponseError && isWrongAddress()) throw cause;
      onReconnect(cause);
    }
    const pause = Math.min(pauseMs(attempt, retryAfter), maxReconnectPauseMs);
    await sleep(pause, undefined, { signal }).catch(() => undefined);
  }
}

type Connection = Pick<FeedOptions, 'caller' | 'signal'> & { readonly onConnect: () => void };

async function* readConnection(
  { caller, signal, onConnect }: Connection,
  cursor: string | undefined,
): AsyncGenerator<FeedEvent> {
  const silence = new AbortController();
  const startTimer = (): NodeJS.Timeout =>
    setTimeout(() => silence.abort(new Error(`nothing received for ${silenceTimeoutMs / 1_000} s`)), silenceTimeoutMs);
  let timer = startTimer();
  try {
    const headers = cursor === undefined ? {} : { 'Last-Event-ID': cursor };
    const anySignal = AbortSignal.any([signal, silence.signal]);
    const response = await caller.send('GET', '/loan-events/stream', { headers, signal: anySignal });
    if (response.status !== 200) throw parseRefusal(response.status, await response.text());
    onConnect();
    const events: FeedEvent[] = [];
    const parser = createParser({
      onEvent: ({ id, data }) => {
        if (id !== undefined) events.push({ cursor: id, row: JSON.parse(data) as FeedRow });
      },
    });
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      clearTimeout(timer);
      timer = startTimer();
      parser.feed(chunk);
      yield* events.splice(0);
    }
  } finally {
    clearTimeout(timer);
  }
}
