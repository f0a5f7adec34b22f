/** Every event behind a cursor, each once and in order, over as many lines as it takes. */
import { setTimeout as sleep } from 'node:timers/promises';
import { createParser } from 'eventsource-parser';
import { type Caller, isAsIs, pauseMs, type Refused, refusalOf } from './caller.ts';

export type FeedRow = {
  readonly id: string;
  readonly loan_id: string;
  readonly kind: string;
  readonly occurred_on: string;
  readonly recorded_at: string;
  readonly merchant_ref?: string;
};

export type FeedEvent = { readonly cursor: string; readonly row: FeedRow };

export type Following = {
  readonly caller: Pick<Caller, 'send'>;
  /** The last event that is known already. */
  readonly from: string | undefined;
  readonly ends: AbortSignal;
  /** Told when a line ended, and why where anybody knows, before another is opened. */
  readonly onBreak?: (why: unknown) => void;
};

/** The stream says something at least every 15 seconds: a line that says nothing for longer is dead. */
const silentMs = 40_000;

/** Throws what is refused for good; all else is tried again. */
export async function* feedFrom({ caller, from, ends, onBreak = () => {} }: Following): AsyncGenerator<FeedEvent> {
  let cursor = from;
  for (let attempt = 0; !ends.aborted; attempt += 1) {
    let retryAfter: number | undefined;
    try {
      for await (const event of overOneLine(caller, cursor, ends)) {
        attempt = 0;
        cursor = event.cursor;
        yield event;
      }
    } catch (cause) {
      if (ends.aborted) return;
      if (cause instanceof RefusedStream) {
        if (!isAsIs(cause.refused)) throw cause.refused;
        retryAfter = cause.refused.envelope.retry_after;
      } else if (cause instanceof SyntaxError) throw cause;
      onBreak(cause);
    }
    await sleep(pauseMs(attempt, retryAfter), undefined, { signal: ends }).catch(() => undefined);
  }
}

class RefusedStream extends Error {
  readonly refused: Refused;

  constructor(refused: Refused) {
    super(refused.message);
    this.refused = refused;
  }
}

async function* overOneLine(
  caller: Pick<Caller, 'send'>,
  cursor: string | undefined,
  ends: AbortSignal,
): AsyncGenerator<FeedEvent> {
  const silence = new AbortController();
  const listen = (): NodeJS.Timeout => setTimeout(() => silence.abort(new Error('the line fell silent')), silentMs);
  let timer = listen();
  try {
    const headers = cursor === undefined ? {} : { 'Last-Event-ID': cursor };
    const signal = AbortSignal.any([ends, silence.signal]);
    const answer = await caller.send('GET', '/loan-events/stream', { headers, signal });
    if (answer.status !== 200) throw new RefusedStream(refusalOf(answer.status, await answer.text()));
    const events: FeedEvent[] = [];
    const parser = createParser({
      onEvent: ({ id, data }) => {
        if (id !== undefined) events.push({ cursor: id, row: JSON.parse(data) as FeedRow });
      },
    });
    for await (const piece of answer.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      clearTimeout(timer);
      timer = listen();
      parser.feed(piece);
      yield* events.splice(0);
    }
  } finally {
    clearTimeout(timer);
  }
}
