/** Where an export is written: a new file, or standard output. */
import { createWriteStream, existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { UsageError } from '../command.ts';
import type { CallerCommandOptions } from '../commands/caller-options.ts';
import { type Cell, csvRow } from '../output/csv.ts';
import { ProgressLine } from '../output/progress-line.ts';

export type ExportOptions = CallerCommandOptions & { readonly output?: string };

interface ExportFormat<Item> {
  /** In the plural. */
  readonly unit: string;
  /** The columns of the CSV, and the cell of an item in each. */
  readonly columns: Readonly<Record<string, (item: Item) => Cell>>;
}

/** Writes the items as CSV, or with `--json` as one line of JSON each. */
export async function writeExport<Item>(
  items: AsyncIterable<Item>,
  format: ExportFormat<Item>,
  { output, json = false }: ExportOptions,
): Promise<void> {
  if (output !== undefined && existsSync(output)) throw new UsageError(`${output} exists; name a new file`);
  const progress = new ProgressLine(process.stderr, format.unit);
  let count = 0;
  const onItem = (): void => {
    count += 1;
    progress.add(1);
  };
  const lines = json ? jsonLines(items, onItem) : csvLines(items, format, onItem);
  try {
    if (output === undefined) await writeToStandardOutput(lines);
    else await writeNewFile(output, lines);
  } finally {
    progress.end();
  }
  if (output !== undefined) console.error(`${count} ${format.unit} are written to ${output}`);
}

/** A reader that ends early, as `| head` does, is no failure. */
async function writeToStandardOutput(lines: AsyncIterable<string>): Promise<void> {
  try {
    await pipeline(lines, process.stdout, { end: false });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EPIPE') throw cause;
  }
}

/** The file has its name only once it is whole, so that a failed export can be repeated. */
async function writeNewFile(path: string, lines: AsyncIterable<string>): Promise<void> {
  const part = `${path}.part`;
  await rm(part, { force: true });
  try {
    await pipeline(lines, createWriteStream(part, { flags: 'wx', mode: 0o600 }));
    await rename(part, path);
  } catch (cause) {
    await rm(part, { force: true });
    throw cause;
  }
}

/** The head comes after the first answer, so that a refused export prints nothing. */
async function* csvLines<Item>(
  items: AsyncIterable<Item>,
  { columns }: ExportFormat<Item>,
  onItem: () => void,
): AsyncGenerator<string> {
  let head = csvRow(Object.keys(columns));
  for await (const item of items) {
    onItem();
    yield head + csvRow(Object.values(columns).map((cell) => cell(item)));
    head = '';
  }
  if (head !== '') yield head;
}

async function* jsonLines<Item>(items: AsyncIterable<Item>, onItem: () => void): AsyncGenerator<string> {
  for await (const item of items) {
    onItem();
    yield `${JSON.stringify(item)}\n`;
  }
}
