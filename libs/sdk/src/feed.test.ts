import { afterEach, describe, expect, test } from '@jest/globals';
import {
  closeConnection,
  instantClock,
  type ReceivedRequest,
  refuseWith,
  replyWith,
  type ScriptedReply,
  type ScriptedService,
  startScriptedService,
} from '../testing/scripted-service.ts';
import { Lending, type LendingOptions } from './lending-sdk.ts';

const key = 'lsk_test_nWGxne_9WmC6hEr0kuwsxERJxWl7MmkZcDusAxyuf2A';

let service: ScriptedService;
let stop: AbortController;
afterEach(() => {
  stop.abort();
  return service.close();
});

const event = (number: number) => ({ id: `e-${number}`, loan_id: 'l', kind: 'issued' });

/** A feed of so many events, whose cursors are the numbers of the last ones served. */
function feedOf(last: number): ScriptedReply {
  return (sent, response) => {
    const query = new URL(sent.target, 'http://service').searchParams;
    const after = Number(query.get('cursor') ?? 0);
    const upTo = Math.min(after + Number(query.get('limit')), last);
    const events = Array.from({ length: upTo - after }, (_, at) => event(after + at + 1));
    replyWith(200, { events, cursor: String(upTo) })(sent, response);
  };
}

const startStream: ScriptedReply = (_, response) => response.writeHead(200, { 'Content-Type': 'text/event-stream' });

/** So many events behind the one the follower had last; then the line breaks, or is left open. */
function streaming(more: number, then: 'breaks' | 'ends' | 'stays' = 'breaks'): ScriptedReply {
  return (sent, response) => {
    startStream(sent, response);
    const after = Number(sent.headers['last-event-id'] ?? 0);
    for (let number = after + 1; number <= after + more; number += 1)
      response.write(`id: ${number}\nevent: issued\ndata: ${JSON.stringify(event(number))}\n\n`);
    if (then === 'ends') response.end();
    // Half an event, which is dropped.
    else if (then === 'breaks') response.write(`id: ${after + more + 1}\ndata: {"id`, () => response.destroy());
  };
}

async function lendingAt(script: readonly ScriptedReply[], options: Partial<LendingOptions> = {}): Promise<Lending> {
  service = await startScriptedService(...script);
  stop = new AbortController();
  return new Lending({ baseUrl: service.baseUrl, tenant: 't', key, clock: instantClock(), ...options });
}

interface Followed {
  readonly ids: readonly string[];
  readonly cursor: string | undefined;
}

/** Collects this many events. */
async function follow(
  pages: AsyncIterable<{ readonly events: readonly { readonly id: string }[]; readonly cursor: string }>,
  until: number,
): Promise<Followed> {
  const ids: string[] = [];
  let cursor: string | undefined;
  for await (const { events, cursor: next } of pages) {
    ids.push(...events.map(({ id }) => id));
    cursor = next;
    if (ids.length >= until) stop.abort();
  }
  return { ids, cursor };
}

const upTo = (last: number, from = 1) => Array.from({ length: last - from + 1 }, (_, at) => `e-${from + at}`);
const lastEventIds = (sent: readonly ReceivedRequest[]) => sent.map(({ headers }) => headers['last-event-id']);

describe('the feed', () => {
  test('is followed page by page, and as it grows', async () => {
    const lending = await lendingAt([feedOf(5), feedOf(5), feedOf(5), feedOf(5), feedOf(7)]);
    const { ids, cursor } = await follow(lending.followFeed({ limit: 2, signal: stop.signal }), 7);
    expect(ids).toEqual(upTo(7));
    expect(cursor).toBe('7');
  });

  test('continues from a stored cursor', async () => {
    const lending = await lendingAt([feedOf(9)]);
    expect((await follow(lending.followFeed({ from: '4', signal: stop.signal }), 5)).ids).toEqual(upTo(9, 5));
  });

  test('is followed through temporary failures, longer than the retry time of a request', async () => {
    const lending = await lendingAt(
      [
        closeConnection,
        refuseWith(503, 'unavailable', 'as_is'),
        closeConnection,
        refuseWith(429, 'rate_exceeded', 'as_is'),
        feedOf(3),
      ],
      { patience: { withinMs: 0 } },
    );
    expect((await follow(lending.followFeed({ signal: stop.signal }), 3)).ids).toEqual(upTo(3));
  });

  test('reports each pause after a failure', async () => {
    const reported: string[] = [];
    const lending = await lendingAt([refuseWith(503, 'unavailable', 'as_is'), feedOf(1)], {
      patience: { withinMs: 0 },
      onRetry: ({ code }, pauseMs) => reported.push(`${code} ${pauseMs}`),
    });
    await follow(lending.followFeed({ signal: stop.signal }), 1);
    expect(reported).toEqual(['unavailable 75']);
  });

  test('stops at a refusal that a retry cannot change', async () => {
    const lending = await lendingAt([refuseWith(400, 'invalid_query', 'after_change')]);
    await expect(follow(lending.followFeed({ from: 'of another' }), 1)).rejects.toMatchObject({
      code: 'invalid_query',
    });
  });

  test('is polled with a pause when there is nothing new', async () => {
    const clock = instantClock();
    const lending = await lendingAt([feedOf(0), feedOf(0), feedOf(1)], { clock: clock });
    await follow(lending.followFeed({ pauseMs: 700, signal: stop.signal }), 1);
    expect(clock.pauses).toEqual([700, 700]);
  });
});

describe('the stream', () => {
  test('continues after the last event, however often the connection breaks', async () => {
    const lending = await lendingAt([streaming(3), streaming(0), streaming(2), streaming(4, 'stays')]);
    const { ids, cursor } = await follow(lending.followStream({ signal: stop.signal }), 9);
    expect(ids).toEqual(upTo(9));
    expect(cursor).toBe('9');
    expect(lastEventIds(service.sent)).toEqual([undefined, '3', '3', '5']);
  });

  test('continues from a stored cursor', async () => {
    const lending = await lendingAt([streaming(2, 'stays')]);
    expect((await follow(lending.followStream({ from: '40', signal: stop.signal }), 2)).ids).toEqual(['e-41', 'e-42']);
  });

  test('is opened again after the delay that the service requests', async () => {
    const clock = instantClock();
    const bye: ScriptedReply = (sent, response) => {
      startStream(sent, response);
      response.end('retry: 4000\n\n');
    };
    const lending = await lendingAt([bye, streaming(1, 'stays')], { clock: clock });
    expect((await follow(lending.followStream({ signal: stop.signal }), 1)).ids).toEqual(['e-1']);
    expect(clock.pauses).toEqual([4_000]);
  });

  test('is opened again when nothing is received any more', async () => {
    const lending = await lendingAt([startStreamAndHush, streaming(1, 'stays')]);
    expect((await follow(lending.followStream({ silentForMs: 40, signal: stop.signal }), 1)).ids).toEqual(['e-1']);
  });

  test('reports each pause after a failure', async () => {
    const reported: string[] = [];
    const lending = await lendingAt([closeConnection, refuseWith(503, 'unavailable', 'as_is'), streaming(1, 'stays')], {
      onRetry: ({ name }, pauseMs) => reported.push(`${name} ${pauseMs}`),
    });
    await follow(lending.followStream({ signal: stop.signal }), 1);
    expect(reported).toEqual(['UnreachableError 75', 'RefusalError 150']);
  });

  test('throws a refusal like any request', async () => {
    const lending = await lendingAt([
      refuseWith(400, 'invalid_query', 'after_change', { details: { field: 'Last-Event-ID' } }),
    ]);
    await expect(follow(lending.followStream({ from: 'x' }), 1)).rejects.toMatchObject({
      code: 'invalid_query',
      details: { field: 'Last-Event-ID' },
    });
  });

  test('ends with its signal, also while nothing arrives', async () => {
    const lending = await lendingAt([
      (sent, response) => {
        startStreamAndHush(sent, response);
        stop.abort();
      },
    ]);
    expect((await follow(lending.followStream({ signal: stop.signal }), 1)).ids).toEqual([]);
  });
});

const startStreamAndHush: ScriptedReply = (sent, response) => {
  startStream(sent, response);
  response.write(': hello\n\n');
};
