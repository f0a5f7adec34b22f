/** `lending events follow`: prints the feed of a Tenancy, and reconnects where the connection breaks. */
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Command } from 'commander';
import { createParser } from 'eventsource-parser';
import {
  addTenantOption,
  type Caller,
  callerFor,
  isRepeatable,
  parseRefusal,
  pauseMs,
  RefusedError,
} from './caller.ts';

export function addEventCommands(program: Command): void {
  const events = program.command('events').description("follow the events of a Tenancy's Loans");
  const follow = events
    .command('follow')
    .description('print the events of Loans as they are recorded; reconnects by itself')
    .option('--from <cursor>', 'the cursor of the last known event (default: the beginning of the feed)')
    .option('--json', 'one JSON object per line, with the cursor of each event')
    .addHelpText('after', '\nCtrl-C ends it and prints the cursor from which to continue.');
  addTenantOption(follow).action(followEvents);
}

type FollowOptions = { readonly from?: string; readonly json?: boolean; readonly tenant?: string };

async function followEvents(options: FollowOptions): Promise<void> {
  const caller = callerFor(options);
  const stopping = new AbortController();
  const { signal } = stopping;
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort());
  // A closed output, as after `| head`, ends the command.
  process.stdout.on('error', () => stopping.abort());
  const onReconnect = (cause: unknown): void =>
    console.error(`connection lost (${cause instanceof Error ? cause.message : cause}); reconnecting`);
  let cursor = options.from;
  for await (const event of readFeed({ caller, from: options.from, signal, onReconnect })) {
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
};

/** The service sends at least a comment every 15 seconds: a longer silence is a dead connection. */
const silenceTimeoutMs = 40_000;

/** Every event after the cursor, once and in order. Throws a refusal that a retry cannot change. */
async function* readFeed({ caller, from, signal, onReconnect }: FeedOptions): AsyncGenerator<FeedEvent> {
  let cursor = from;
  for (let attempt = 0; !signal.aborted; attempt += 1) {
    let retryAfter: number | undefined;
    try {
      for await (const event of readConnection(caller, cursor, signal)) {
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
      onReconnect(cause);
    }
    await sleep(pauseMs(attempt, retryAfter), undefined, { signal }).catch(() => undefined);
  }
}

async function* readConnection(
  caller: Pick<Caller, 'send'>,
  cursor: string | undefined,
  signal: AbortSignal,
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
