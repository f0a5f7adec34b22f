/** Parses a stream of server-sent events by the HTML standard. */
import { UnreachableError } from './errors.ts';

export interface ServerSentEvent {
  /** The last id in the stream. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export interface StreamListener {
  /** Called for everything received, comments included. */
  onActivity?(): void;
  /** Called with the delay that the service requests before a reconnect. */
  onRetryDelay?(ms: number): void;
}

export async function* serverSentEvents(
  stream: ReadableStream<Uint8Array>,
  { onActivity, onRetryDelay }: StreamListener = {},
): AsyncGenerator<ServerSentEvent> {
  let id = '';
  let event = '';
  let data: string[] = [];
  for await (const line of readLines(stream, onActivity)) {
    if (line === '') {
      // An event that was cut off before its empty line is dropped.
      if (data.length > 0) yield { id, event: event || 'message', data: data.join('\n') };
      event = '';
      data = [];
      continue;
    }
    const colon = line.indexOf(':');
    const field = colon === -1 ? line : line.slice(0, colon);
    const value = colon === -1 ? '' : line.slice(line[colon + 1] === ' ' ? colon + 2 : colon + 1);
    if (field === 'data') data.push(value);
    else if (field === 'event') event = value;
    else if (field === 'id' && !value.includes('\0')) id = value;
    else if (field === 'retry' && /^[0-9]+$/.test(value)) onRetryDelay?.(Number(value));
  }
}

/** Lines end with CR LF, LF or CR; a CR at the end of a chunk may be followed by its LF. */
async function* readLines(stream: ReadableStream<Uint8Array>, onActivity?: () => void): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let buffered = '';
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new UnreachableError('the stream', cause, false);
      });
      if (done) return;
      onActivity?.();
      buffered += decoder.decode(value, { stream: true });
      const cut = buffered.endsWith('\r') ? buffered.length - 1 : buffered.length;
      const lines = buffered.slice(0, cut).split(/\r\n|\n|\r/);
      buffered = (lines.pop() ?? '') + buffered.slice(cut);
      yield* lines;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
