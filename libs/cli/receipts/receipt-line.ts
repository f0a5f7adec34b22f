/** A line of a receipts file, and the text of such a file. */
import { createHash } from 'node:crypto';

/** A receipt as `POST /receipts` takes it. In a CSV `line` is the row, as a spreadsheet counts it. */
export type ReceiptLine = { readonly line: number; readonly reference: string | undefined; readonly body: string };

/** A line that holds no receipt. It is reported and not sent. */
export type InvalidLine = { readonly line: number; readonly reference: string | undefined; readonly fault: string };

export type ParsedLine = ReceiptLine | InvalidLine;

export function isReceipt(line: ParsedLine): line is ReceiptLine {
  return 'body' in line;
}

/** The file has not the stated format. Receipts posted before the error stay recorded. */
export class InvalidFileError extends Error {
  override readonly name = 'InvalidFileError';
}

/** Detects a line that was changed since it was posted. */
export function digestOf(body: string): string {
  return createHash('sha256').update(body).digest('hex').slice(0, 16);
}

/** Throws on bytes that are not UTF-8: a replacement character would change a name. */
export async function* decodeUtf8(
  chunks: AsyncIterable<Uint8Array>,
  onBytes: (count: number) => void,
): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (chunk?: Uint8Array): string => {
    try {
      return chunk === undefined ? decoder.decode() : decoder.decode(chunk, { stream: true });
    } catch (cause) {
      throw new InvalidFileError('the file is not UTF-8; save it as UTF-8 and run the command again', { cause });
    }
  };
  for await (const chunk of chunks) {
    onBytes(chunk.length);
    yield decode(chunk);
  }
  yield decode();
}
