/** The text of a file, piece by piece. Bytes that are no UTF-8 stop it: a name with a hole in it is another name. */
import { UnreadableFile } from './row.ts';

export async function* decoded(
  bytes: AsyncIterable<Uint8Array>,
  taken: (bytes: number) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  for await (const chunk of bytes) {
    taken(chunk.length);
    yield decode(() => decoder.decode(chunk, { stream: true }));
  }
  yield decode(() => decoder.decode());
}

function decode(work: () => string): string {
  try {
    return work();
  } catch (cause) {
    throw new UnreadableFile('the file is not UTF-8: save it as UTF-8 and try again', { cause });
  }
}
