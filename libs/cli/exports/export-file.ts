/** Where an export is written: a new file, or standard output. */
import { once } from 'node:events';
import { createWriteStream, existsSync } from 'node:fs';
import { UsageError } from '../command.ts';
import type { CallerCommandOptions } from '../commands/caller-options.ts';
import { csvRow } from '../output/csv.ts';
import { ProgressLine } from '../output/progress-line.ts';

export type ExportOptions = CallerCommandOptions & { readonly output?: string };

type Cell = string | number | boolean | undefined;

interface ExportFormat<Item> {
  /** In the plural. */
  readonly unit: string;
  /** The columns of the CSV, and the cell of an item in each. */
  readonly columns: Readonly<Record<string, (item: Item) => Cell>>;
}

/** Writes the items as CSV, or with `--json` as one line of JSON each. */
export async function writeExport<Item>(
  items: AsyncIterable<Item>,
  { unit, columns }: ExportFormat<Item>,
  { output, json = false }: ExportOptions,
): Promise<void> {
  if (output !== undefined && existsSync(output)) throw new UsageError(`${output} exists; name a new file`);
  const out = output === undefined ? process.stdout : createWriteStream(output, { flags: 'wx', mode: 0o600 });
  let failure: Error | undefined;
  out.on('error', (cause: Error) => {
    failure = cause;
  });
  const progress = new ProgressLine(process.stderr, unit);
  const write = async (text: string): Promise<void> => {
    if (!out.write(text) && failure === undefined) await Promise.race([once(out, 'drain'), once(out, 'close')]);
  };
  let count = 0;
  // After the first answer, so that a refused export prints nothing.
  const writeHead = async (): Promise<void> => (json ? undefined : write(csvRow(Object.keys(columns))));
  try {
    for await (const item of items) {
      if (failure !== undefined) throw failure;
      if (count === 0) await writeHead();
      count += 1;
      progress.add(1);
      await write(json ? `${JSON.stringify(item)}\n` : csvRow(Object.values(columns).map((cell) => cell(item))));
    }
    if (count === 0) await writeHead();
  } finally {
    progress.end();
  }
  if (output === undefined) return;
  out.end();
  await once(out, 'close');
  if (failure !== undefined) throw failure;
  console.error(`${count} ${unit} are written to ${output}`);
}
