/**
 * What came of each line, beside the file it came from, written as it is known: a line that stands is not sent again.
 * Whoever loses this file loses time alone, for a reference that is recorded answers as before.
 */
import { createReadStream, existsSync } from 'node:fs';
import { type FileHandle, open, stat, truncate } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { digestOf, type Row, type Unreadable, UnreadableFile } from './row.ts';

export type Outcome = {
  readonly reference?: string;
  readonly status: number;
  readonly code?: string;
  readonly error?: string;
  readonly retry?: string;
  readonly details?: Readonly<Record<string, unknown>>;
};

export function stands({ status }: Outcome): boolean {
  return status === 200 || status === 201;
}

type Noted = { readonly line: number; readonly digest?: string } & Partial<Outcome>;

/** Four bytes a line, however many lines there are. */
class Standing {
  #marks = new Uint32Array(1 << 16);

  add(line: number, digest: string): void {
    if (line >= this.#marks.length) {
      const more = new Uint32Array(Math.max(this.#marks.length * 2, line + 1));
      more.set(this.#marks);
      this.#marks = more;
    }
    this.#marks[line] = markOf(digest);
  }

  has(line: number, digest: string): boolean {
    return this.#marks[line] === markOf(digest);
  }
}

function markOf(digest: string): number {
  // Nought says that nothing is known of a line.
  return Number.parseInt(digest.slice(0, 8), 16) || 1;
}

export class Outcomes {
  readonly #file: FileHandle;
  readonly #standing: Standing;

  private constructor(file: FileHandle, standing: Standing) {
    this.#file = file;
    this.#standing = standing;
  }

  static async open(path: string): Promise<Outcomes> {
    const standing = existsSync(path) ? await readStanding(path) : new Standing();
    return new Outcomes(await open(path, 'a', 0o600), standing);
  }

  /** Whether this very line is known to stand: one that was changed since is sent like a new one. */
  stands({ line, body }: Row): boolean {
    return this.#standing.has(line, digestOf(body));
  }

  note(told: readonly (readonly [Row, Outcome])[]): Promise<void> {
    return this.#append(
      told.map(([{ line, reference, body }, { status, code, error, retry, details }]) => {
        const named = reference === undefined ? {} : { reference };
        const refused = code === undefined ? {} : { code, error, retry, details };
        return { line, ...named, status, ...refused, digest: digestOf(body) };
      }),
    );
  }

  noteUnreadable({ line, reference, fault }: Unreadable): Promise<void> {
    const named = reference === undefined ? {} : { reference };
    return this.#append([{ line, ...named, code: 'unreadable', error: fault }]);
  }

  close(): Promise<void> {
    return this.#file.close();
  }

  async #append(notes: readonly object[]): Promise<void> {
    await this.#file.appendFile(notes.map((note) => `${JSON.stringify(note)}\n`).join(''));
  }
}

/** The last line of a run that was killed may be half a line: it is cut off, and asked for again. */
async function readStanding(path: string): Promise<Standing> {
  const standing = new Standing();
  let whole = 0;
  const { size } = await stat(path);
  for await (const text of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
    const end = whole + Buffer.byteLength(text) + 1;
    if (end > size) break;
    whole = end;
    const { line, status, digest } = notedIn(text, path);
    if (digest !== undefined && (status === 200 || status === 201)) standing.add(line, digest);
  }
  if (whole < size) await truncate(path, whole);
  return standing;
}

function notedIn(text: string, path: string): Noted {
  try {
    const noted = JSON.parse(text) as Noted;
    if (Number.isSafeInteger(noted.line)) return noted;
  } catch {}
  throw new UnreadableFile(`${path} does not hold outcomes; say another file with --outcomes`);
}
