/** `lending receipts post`: posts the receipts of a file and records the outcome of each line. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { addTenantOption, callerFor } from '../caller.ts';
import { UsageError, wholeNumberParser } from '../command.ts';
import { Batch, postBatch } from './batch.ts';
import { OutcomeFile } from './outcomes.ts';
import { Progress } from './progress-display.ts';
import {
  decodeUtf8,
  InvalidFileError,
  isReceipt,
  type ParsedLine,
  type ReceiptLine,
  readCsv,
  readNdjson,
} from './receipt-files.ts';

export function addReceiptCommands(program: Command): void {
  const receipts = program.command('receipts').description('post Receipts from a file');
  const post = receipts
    .command('post')
    .description('post the receipts of a file and record the outcome of each line; run again, it continues')
    .argument('<file>', 'a CSV or NDJSON file in UTF-8, - for standard input')
    .addOption(new Option('--format <format>', 'of the file (default: by its name)').choices(['csv', 'ndjson']))
    .option('--delimiter <character>', 'between the cells of a CSV', parseDelimiter, ',')
    .option('--decimal', 'amounts are decimals in the column amount, such as 1035.61')
    .option('--outcomes <file>', 'the outcome file (default: FILE.outcomes.ndjson)')
    .option('--batch <number>', 'receipts in one request', wholeNumberParser(1, 1_000), 500)
    .option('--patience <seconds>', 'how long a busy service is retried', wholeNumberParser(0, 86_400), 120)
    .addHelpText('after', postHelp);
  addTenantOption(post).action(postReceipts);
}

const postHelp = `
A CSV names its columns in the first line, in any order:
  reference, client_id, minor_units, currency, value_date
  optional: designated_loan_id, payoff_intent (true or false), quote_id, rail, provider_reference
With --decimal the column amount replaces minor_units: 1035.61 of MXN is 103561 minor units.
NDJSON holds one body of POST /receipts per line.

Receipts are posted in the order of the file. A line whose outcome is 200 or 201 in the outcome file is skipped; without
the outcome file its reference keeps it from being recorded twice. Exit code 0: every line is recorded. 1: some lines are
not, and the outcome file says why.`;

function parseDelimiter(value: string): string {
  if (value.length === 1) return value;
  throw new InvalidArgumentError('Expected one character.');
}

type PostOptions = {
  readonly format?: 'csv' | 'ndjson';
  readonly delimiter: string;
  readonly decimal?: boolean;
  readonly outcomes?: string;
  readonly batch: number;
  readonly patience: number;
  readonly tenant?: string;
};

async function postReceipts(file: string, options: PostOptions): Promise<void> {
  const format = options.format ?? formatOf(file);
  const outcomesPath = options.outcomes ?? (file === '-' ? undefined : `${file}.outcomes.ndjson`);
  if (outcomesPath === undefined) throw new UsageError('standard input has no outcome file; name one with --outcomes');
  const retryTimeoutMs = 1_000 * options.patience;
  const caller = callerFor(options, retryTimeoutMs);
  const sizeBytes = file === '-' ? undefined : (await stat(file)).size;
  const progress = new Progress(process.stderr, sizeBytes);
  const lines = await withFirstRead(readLines(file, format, options, progress));
  // Opened after the first line was parsed, so that an invalid file leaves no outcome file.
  const outcomes = await OutcomeFile.open(outcomesPath);
  const batch = new Batch(options.batch);
  const flush = async (): Promise<void> => {
    const results = await postBatch(caller, batch.take(), retryTimeoutMs);
    await outcomes.append(results);
    for (const [receipt, outcome] of results) progress.addOutcome(receipt, outcome);
    progress.show();
  };
  const add = async (receipt: ReceiptLine): Promise<void> => {
    if (outcomes.isRecorded(receipt)) progress.counts.skipped += 1;
    else batch.add(receipt);
    if (batch.isFull) await flush();
    else progress.show();
  };
  try {
    for await (const line of lines) {
      if (isReceipt(line)) await add(line);
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
    for (const line of progress.describeRefusals()) console.error(line);
    console.log(`${progress.summary()}; outcomes in ${outcomesPath}`);
  }
  const { refused, unreadable } = progress.counts;
  if (refused + unreadable > 0) process.exitCode = 1;
}

function formatOf(file: string): 'csv' | 'ndjson' {
  if (/\.csv$/i.test(file)) return 'csv';
  if (/\.(ndjson|jsonl)$/i.test(file)) return 'ndjson';
  throw new UsageError(`the name ${file} does not show the format; use --format csv or --format ndjson`);
}

function readLines(
  file: string,
  format: 'csv' | 'ndjson',
  { decimal = false, delimiter }: PostOptions,
  progress: Progress,
): AsyncGenerator<ParsedLine> {
  const bytes = file === '-' ? process.stdin : createReadStream(file);
  const chunks = decodeUtf8(bytes, (count) => progress.addBytes(count));
  return format === 'csv' ? readCsv(chunks, { isDecimal: decimal, delimiter }) : readNdjson(chunks);
}

/** Reads the first line at once, so that errors of the header are thrown here. */
async function withFirstRead(lines: AsyncGenerator<ParsedLine>): Promise<AsyncGenerator<ParsedLine>> {
  const first = await lines.next();
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* lines;
  })();
}
