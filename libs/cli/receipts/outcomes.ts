/**
 * The outcome file of a receipts file: one JSON object per posted line. A line that is recorded is not sent again. Without
 * the file all lines are sent again, and their references keep them from being recorded twice.
 */
import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open, stat, truncate } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { InvalidFileError } from '../csv-rows.ts';
import { digestOf, type InvalidLine, type ReceiptLine } from './receipt-files.ts';

export type Outcome = {
  readonly reference?: string;
  readonly status: number;
  readonly code?: string;
  readonly error?: string;
  readonly retry?: string;
  readonly details?: Readonly<Record<string, unknown>>;
};

export function isRecorded({ status }: Outcome): boolean {
  return status === 200 || status === 201;
}

type OutcomeLine = { readonly line: number; readonly digest?: string } & Partial<Outcome>;

/** The recorded lines, in four bytes per line. */
class RecordedLines {
  #digests = new Uint32Array(1 << 16);

  add(line: number, digest: string): void {
    if (line >= this.#digests.length) {
      const larger = new Uint32Array(Math.max(this.#digests.length * 2, line + 1));
      larger.set(this.#digests);
      this.#digests = larger;
    }
    this.#digests[line] = digestNumber(digest);
  }

  has(line: number, digest: string): boolean {
    return this.#digests[line] === digestNumber(digest);
  }
}

function digestNumber(digest: string): number {
  // Zero marks an unknown line.
  return Number.parseInt(digest.slice(0, 8), 16) || 1;
}

export class OutcomeFile {
  readonly #file: FileHandle;
  readonly #recorded: RecordedLines;

  private constructor(file: FileHandle, recorded: RecordedLines) {
    this.#file = file;
    this.#recorded = recorded;
  }

  static async open(path: string): Promise<OutcomeFile> {
    const recorded = existsSync(path) ? await readRecordedLines(path) : new RecordedLines();
    return new OutcomeFile(await open(path, 'a', 0o600), recorded);
  }

  /** False for a line that was changed since it was recorded. */
  isRecorded({ line, body }: ReceiptLine): boolean {
    return this.#recorded.has(line, digestOf(body));
  }

  append(results: readonly (readonly [ReceiptLine, Outcome])[]): Promise<void> {
    return this.#append(
      results.map(([{ line, reference, body }, { status, code, error, retry, details }]) => {
        const named = reference === undefined ? {} : { reference };
        const refused = code === undefined ? {} : { code, error, retry, details };
        return { line, ...named, status, ...refused, digest: digestOf(body) };
      }),
    );
  }

  appendInvalid({ line, reference, fault }: InvalidLine): Promise<void> {
    const named = reference === undefined ? {} : { reference };
    return this.#append([{ line, ...named, code: 'unreadable', error: fault }]);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #append(lines: readonly object[]): Promise<void> {
    await this.#file.appendFile(lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  }
}

/** A run that was killed may leave half a line at the end: it is cut off, and its receipt is sent again. */
async function readRecordedLines(path: string): Promise<RecordedLines> {
  const recorded = new RecordedLines();
  let completeBytes = 0;
  const { size } = await stat(path);
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const end = completeBytes + Buffer.byteLength(text) + 1;
    if (end > size) break;
    completeBytes = end;
    const { line, status, digest } = parseOutcomeLine(text, path);
    if (digest !== undefined && (status === 200 || status === 201)) recorded.add(line, digest);
  }
  if (completeBytes < size) await truncate(path, completeBytes);
  return recorded;
}

function parseOutcomeLine(text: string, path: string): OutcomeLine {
  try {
    const outcome = JSON.parse(text) as OutcomeLine;
    if (Number.isSafeInteger(outcome.line)) return outcome;
  } catch {}
  throw new InvalidFileError(`${path} is not an outcome file; name another file with --outcomes`);
}
