/** Receipts as JSON, one a line, sent as they stand there: what the service would not read falls alone. */
import { receiptBody } from '#libs/api/bodies/receipts.ts';
import { parseBody } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { type Read, UnreadableFile } from './row.ts';

/** A receipt is far shorter: a file that holds no line is not read into memory whole. */
const longestLine = 256 * 1024;

export async function* readNdjson(pieces: AsyncIterable<string>): AsyncGenerator<Read> {
  let line = 0;
  for await (const text of linesOf(pieces)) {
    line += 1;
    if (text.trim() !== '') yield readLine(text.trim(), line);
  }
}

async function* linesOf(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const piece of pieces) {
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > longestLine) throw new UnreadableFile('a line is longer than any receipt: is this NDJSON?');
  }
  if (rest !== '') yield rest;
}

function readLine(text: string, line: number): Read {
  const json = parseBody(Buffer.from(text), receiptBody.numbersKeptAsText);
  if (isRefusal(json)) {
    const { observed } = (json.details ?? {}) as { observed?: unknown };
    return { line, reference: undefined, fault: `no JSON object the service reads: ${observed ?? json.code}` };
  }
  const { reference } = json;
  return { line, reference: typeof reference === 'string' ? reference : undefined, body: text };
}
