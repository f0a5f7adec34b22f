import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { type ServerSentEvent, serverSentEvents } from './server-sent-events.ts';

function streamOf(pieces: readonly Uint8Array[]): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const piece of pieces) controller.enqueue(piece);
      controller.close();
    },
  });
}

async function read(text: string | readonly Uint8Array[], heard = {}): Promise<ServerSentEvent[]> {
  const pieces = typeof text === 'string' ? [new TextEncoder().encode(text)] : text;
  const events: ServerSentEvent[] = [];
  for await (const event of serverSentEvents(streamOf(pieces), heard)) events.push(event);
  return events;
}

test('an event ends with an empty line; an event without that end is dropped', async () => {
  expect(await read('id: 7\nevent: issued\ndata: {"a":\ndata: 1}\n\nid: 8\ndata: cut off')).toEqual([
    { id: '7', event: 'issued', data: '{"a":\n1}' },
  ]);
});

test('a comment shows activity only; a field without a value is empty', async () => {
  let activity = 0;
  expect(await read(': still here\n\ndata\n\n', { onActivity: () => (activity += 1) })).toEqual([
    { id: '', event: 'message', data: '' },
  ]);
  expect(activity).toBeGreaterThan(0);
});

test('an id applies until the next one; retry sets the reconnect delay', async () => {
  const delays: number[] = [];
  const text = 'retry: 250\nretry: soon\nid: a\ndata: 1\n\ndata: 2\n\n';
  const events = await read(text, { onRetryDelay: (ms: number) => delays.push(ms) });
  expect(events.map(({ id }) => id)).toEqual(['a', 'a']);
  expect(delays).toEqual([250]);
});

test('events are the same for any chunks and line ends', async () => {
  const line = fc.stringMatching(/^[^\r\n\0]*$/);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ id: line, data: fc.array(line, { minLength: 1, maxLength: 3 }) }), { maxLength: 5 }),
      fc.constantFrom('\n', '\r', '\r\n'),
      fc.array(fc.nat(200), { maxLength: 8 }),
      async (events, end, cuts) => {
        const text = events.map(
          ({ id, data }) => `id: ${id}${end}${data.map((each) => `data: ${each}${end}`).join('')}${end}`,
        );
        // A CR at the very end waits for its LF; the service always sends more.
        const bytes = new TextEncoder().encode(`${text.join('')}: end\n`);
        const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).sort((a, b) => a - b), bytes.length];
        const pieces = places.slice(1).map((place, at) => bytes.slice(places[at], place));
        expect(await read(pieces)).toEqual(
          events.map(({ id, data }) => ({ id, event: 'message', data: data.join('\n') })),
        );
      },
    ),
  );
});
