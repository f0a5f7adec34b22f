/** Reads a stream of server-sent events, as the HTML standard has it. */
import { LendingUnreachable } from './errors.ts';

export interface ServerSentEvent {
  /** The last id the stream told. */
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

export interface Heard {
  /** Something came, if only a comment: the line is alive. */
  alive?(): void;
  /** The service says how long to wait before coming back. */
  comeBackAfter?(ms: number): void;
}

export async function* serverSentEvents(
  stream: ReadableStream<Uint8Array>,
  { alive, comeBackAfter }: Heard = {},
): AsyncGenerator<ServerSentEvent> {
  let id = '';
  let event = '';
  let data: string[] = [];
  for await (const line of linesOf(stream, alive)) {
    if (line === '') {
      // What the stream broke off before its empty line is not told.
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
    else if (field === 'retry' && /^[0-9]+$/.test(value)) comeBackAfter?.(Number(value));
  }
}

/** Lines end with CR LF, LF or CR; a CR at the end of a piece may be half of the first. */
async function* linesOf(stream: ReadableStream<Uint8Array>, alive?: () => void): AsyncGenerator<string> {
  const reader = stream.getReader();
  const decoder = new TextDecoder();
  let held = '';
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw new LendingUnreachable('the stream', cause, false);
      });
      if (done) return;
      alive?.();
      held += decoder.decode(value, { stream: true });
      const cut = held.endsWith('\r') ? held.length - 1 : held.length;
      const lines = held.slice(0, cut).split(/\r\n|\n|\r/);
      held = (lines.pop() ?? '') + held.slice(cut);
      yield* lines;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
