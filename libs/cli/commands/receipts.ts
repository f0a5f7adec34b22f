/** Defines `lending receipts`. */
import { type Command, Option } from 'commander';
import { describeCommand, parseDelimiter, wholeNumberParser } from '../command.ts';
import type { ReceiptsExportOptions } from '../exports/export-receipts.ts';
import type { PostOptions } from '../receipts/post.ts';
import { addCallerOptions } from './caller-options.ts';
import { addOutputOption } from './export-options.ts';

export function addReceiptCommands(program: Command): void {
  const receipts = program.command('receipts').description('post Receipts from a file, and export them');
  const post = receipts
    .command('post')
    .description('post the receipts of a file and record the outcome of each line; run again, it continues')
    .argument('<file>', 'a CSV or NDJSON file in UTF-8, - for standard input')
    .addOption(new Option('--format <format>', 'of the file (default: by its name)').choices(['csv', 'ndjson']))
    .option('--delimiter <character>', 'between the cells of a CSV', parseDelimiter, ',')
    .option('--decimal', 'amounts are decimals in the column amount, such as 1035.61')
    .option('--outcomes <file>', 'the outcome file (default: FILE.outcomes.ndjson)')
    .option('--batch <number>', 'receipts in one request', wholeNumberParser(1, 1_000), 500)
    .option('--dry-run', 'read the whole file and report what cannot be read; send nothing');
  addCallerOptions(post).action(async (file: string, options: PostOptions) =>
    (await import('../receipts/post.ts')).postReceipts(file, options),
  );
  describeCommand(post, {
    effect: 'reversible',
    examples: [
      'receipts post receipts.csv',
      "receipts post bank.csv --decimal --delimiter ';' --batch 200 --patience 10m",
      'receipts post - --format ndjson --outcomes night.ndjson',
    ],
    details: postDetails,
  });

  const exported = receipts
    .command('export')
    .description('write the Receipts of all Clients, or of one, as CSV')
    .option('--client <id>', 'only the Receipts of this Client');
  addOutputOption(exported);
  addCallerOptions(exported).action(async (options: ReceiptsExportOptions) =>
    (await import('../exports/export-receipts.ts')).exportReceipts(options),
  );
  describeCommand(exported, {
    effect: 'reads',
    examples: ['receipts export --output receipts-2026.csv', 'receipts export --client ada --json'],
    details: `
The columns of receipts post come first, without quote_id, which the list of Receipts does not have, then id, reported_at
and reversed. A text that a spreadsheet would run as a formula has an apostrophe before it. With --json: one Receipt of the
service per line. A Receipt that is reported while the export runs may be missing. The file has its name once it is whole.`,
  });
}

const postDetails = `
A CSV names its columns in the first line, in any order:

  reference, client_id, minor_units, currency, value_date
  optional: designated_loan_id, payoff_intent (true or false), quote_id,
  rail, provider_reference, context (a JSON object)

With --decimal the column amount replaces minor_units: 1035.61 of MXN is 103561 minor units.
A CSV of receipts export is accepted: its lines with reversed true are not posted, because they would record the money
again. An apostrophe before = + - @ at the beginning of a cell is the mark of an export and no part of the text.
NDJSON holds one body of POST /receipts per line.

Receipts are posted in the order of the file. A line whose outcome is 200 or 201 in the outcome file is skipped; without
the outcome file its reference keeps it from being recorded twice. Exit code 0: every line is recorded. 1: some lines are
not, and the outcome file says why. With --json the result has them in faults, at most 1,000. Where --patience is not
given, a busy service is retried for 2 minutes.`;
