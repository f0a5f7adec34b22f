/** Receipts as NDJSON, one JSON object per line, sent unchanged. A line the service could not parse is invalid alone. */
import { receiptBody } from '#libs/api/bodies/receipts.ts';
import { parseJsonBody } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';
import { InvalidFileError, type ParsedLine } from './receipt-line.ts';

/** A receipt is far shorter. Without a limit a file without line ends would be read into memory. */
const maxLineLength = 256 * 1024;

export async function* readNdjson(chunks: AsyncIterable<string>): AsyncGenerator<ParsedLine> {
  let line = 0;
  for await (const text of splitLines(chunks)) {
    line += 1;
    if (text.trim() !== '') yield parseLine(text.trim(), line);
  }
}

async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > maxLineLength) {
      throw new InvalidFileError(
        `a line is longer than ${maxLineLength} characters; expected NDJSON, one receipt per line`,
      );
    }
  }
  if (rest !== '') yield rest;
}

function parseLine(text: string, line: number): ParsedLine {
  const json = parseJsonBody(Buffer.from(text), receiptBody.inexactNumberPaths);
  if (isRefusal(json)) {
    const { observed } = (json.details ?? {}) as { observed?: unknown };
    return { line, reference: undefined, fault: `not a JSON object the service accepts: ${observed ?? json.code}` };
  }
  const { reference } = json;
  return { line, reference: typeof reference === 'string' ? reference : undefined, body: text };
}
