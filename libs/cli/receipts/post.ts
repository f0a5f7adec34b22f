/** `lending receipts post`: posts the receipts of a file and records the outcome of each line. */

import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { callerFor } from '../caller.ts';
import { UsageError } from '../command.ts';
import type { CallerCommandOptions } from '../commands/caller-options.ts';
import { InvalidFileError } from '../csv-rows.ts';
import { printDocument } from '../output/print-result.ts';
import { withProgress } from '../output/progress-line.ts';
import { type AppendOutcomes, Batch, postBatch } from './batch.ts';
import { OutcomeFile } from './outcomes.ts';
import { PostProgress } from './progress-display.ts';
import {
  type CsvLine,
  decodeUtf8,
  isReceipt,
  isReversed,
  type ReceiptLine,
  readCsv,
  readNdjson,
} from './receipt-files.ts';

export type PostOptions = CallerCommandOptions & {
  readonly format?: 'csv' | 'ndjson';
  readonly delimiter: string;
  readonly decimal?: boolean;
  readonly outcomes?: string;
  readonly batch: number;
  readonly dryRun?: boolean;
};

const defaultPatienceMs = 120_000;

export async function postReceipts(file: string, options: PostOptions): Promise<void> {
  const format = options.format ?? formatOf(file);
  const outcomesPath = options.outcomes ?? (file === '-' ? undefined : `${file}.outcomes.ndjson`);
  if (options.dryRun === true) return checkReceipts(file, format, options);
  if (outcomesPath === undefined) throw new UsageError('standard input has no outcome file; name one with --outcomes');
  const retryTimeoutMs = options.patience ?? defaultPatienceMs;
  const caller = callerFor(options, defaultPatienceMs);
  const progress = new PostProgress(process.stderr, await sizeOf(file));
  const onBytes = (count: number): void => progress.addBytes(count);
  const lines = await withFirstRead(readLines(file, format, options, onBytes));
  // Opened after the first line was parsed, so that an invalid file leaves no outcome file.
  const outcomes = await OutcomeFile.open(outcomesPath);
  const batch = new Batch(options.batch);
  const append: AppendOutcomes = async (results) => {
    await outcomes.append(results);
    for (const [receipt, outcome] of results) progress.addOutcome(receipt, outcome);
    progress.show();
  };
  const flush = (): Promise<void> => postBatch(caller, batch.take(), retryTimeoutMs, append);
  const add = async (receipt: ReceiptLine): Promise<void> => {
    if (outcomes.isRecorded(receipt)) progress.counts.skipped += 1;
    else batch.add(receipt);
    if (batch.isFull) await flush();
    else progress.show();
  };
  try {
    for await (const line of lines) {
      if (isReceipt(line)) await add(line);
      else if (isReversed(line)) progress.counts.reversed += 1;
      else {
        progress.addInvalid(line);
        await outcomes.appendInvalid(line);
      }
    }
    await flush();
  } catch (cause) {
    const condition = cause instanceof InvalidFileError ? 'correct the file, then ' : '';
    console.error(`Stopped before the end; recorded outcomes are kept. To continue, ${condition}run the same command.`);
    throw cause;
  } finally {
    progress.end();
    await outcomes.close();
    if (!options.json) for (const line of progress.describeRefusals()) console.error(line);
    printDocument(
      { ...progress.counts, outcomes: outcomesPath, faults: progress.faults },
      () => `${progress.summary()}; outcomes in ${outcomesPath}`,
      options,
    );
  }
  const { refused, unreadable } = progress.counts;
  if (refused + unreadable > 0) process.exitCode = 1;
}

/** Reads the file to its end and sends nothing. */
async function checkReceipts(file: string, format: 'csv' | 'ndjson', options: PostOptions): Promise<void> {
  const sizeBytes = await sizeOf(file);
  const found = new PostProgress(process.stderr, sizeBytes);
  let readable = 0;
  await withProgress('bytes', async (progress) => {
    let read = 0;
    const onBytes = (count: number): void => {
      read += count;
      progress.set(read, sizeBytes);
    };
    for await (const line of readLines(file, format, options, onBytes)) {
      if (isReceipt(line)) readable += 1;
      else if (isReversed(line)) found.counts.reversed += 1;
      else found.addInvalid(line);
    }
  });
  const { unreadable, reversed } = found.counts;
  if (!options.json) for (const line of found.describeRefusals()) console.error(line);
  const notSent = reversed === 0 ? '' : `, ${reversed} are reversed and would not be sent`;
  const summary = `${readable} receipts can be sent, ${unreadable} lines cannot be read${notSent}; nothing was sent`;
  printDocument({ readable, unreadable, reversed, faults: found.faults }, () => summary, options);
  if (unreadable > 0) process.exitCode = 1;
}

function formatOf(file: string): 'csv' | 'ndjson' {
  if (/\.csv$/i.test(file)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson';
  throw new UsageError(`the name ${file} does not show the format; use --format csv or --format ndjson`);
}

/** Undefined for standard input. */
async function sizeOf(file: string): Promise<number | undefined> {
  return file === '-' ? undefined : (await stat(file)).size;
}

function readLines(
  file: string,
  format: 'csv' | 'ndjson',
  { decimal = false, delimiter }: PostOptions,
  onBytes: (count: number) => void,
): AsyncGenerator<CsvLine> {
  const bytes = file === '-' ? process.stdin : createReadStream(file);
  const chunks = decodeUtf8(bytes, onBytes);
  return format === 'csv' ? readCsv(chunks, { isDecimal: decimal, delimiter }) : readNdjson(chunks);
}

/** Reads the first line at once, so that errors of the header are thrown here. */
async function withFirstRead(lines: AsyncGenerator<CsvLine>): Promise<AsyncGenerator<CsvLine>> {
  const first = await lines.next();
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* lines;
  })();
}
