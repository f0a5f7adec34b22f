/** `lending receipts post`: a file of receipts to the service, line by line accounted for. */
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { callerOf } from '../caller.ts';
import { type Command, must, oneOf, type Typed, text, UsageError, wholeNumber } from '../command.ts';
import { Batch, postBatch } from './batch.ts';
import { readCsv } from './csv.ts';
import { readNdjson } from './ndjson.ts';
import { Outcomes } from './outcomes.ts';
import { Progress } from './progress.ts';
import { isReadable, type Read, type Row, UnreadableFile } from './row.ts';
import { decoded } from './utf8.ts';

export const postReceipts: Command = {
  usage: "receipts post FILE|- [--format csv|ndjson] [--delimiter ';'] [--decimal] [--outcomes FILE] [--tenant ID]",
  what: 'reports the receipts of a file, and notes what came of each line; run again, it goes on where it was',
  needs: 'service',
  more: `A CSV names its columns in the first line, in any order:
  reference, client_id, minor_units, currency, value_date
  and where stated designated_loan_id, payoff_intent (true or false), quote_id, rail, provider_reference.
With --decimal the column amount takes the place of minor_units: 1035.61 of MXN is 103561 minor units.
NDJSON holds one body of POST /receipts a line. Both are UTF-8.

  --format      of the file; else by its name (.csv, .ndjson, .jsonl)
  --delimiter   between the cells of a CSV; a comma where it is left out
  --outcomes    where the outcome of each line is noted, as NDJSON; else FILE.outcomes.ndjson. With - it must be said.
  --batch       receipts in one request, 1 to 1000 (500)
  --patience    seconds for which an unreachable service, or a line it was too busy for, is tried again (120)

Receipts are sent in the order of the file. A line whose outcome is noted as 200 or 201 is not sent again; without the
notes its reference answers for it. Exit 0: every line is recorded. 1: some are not, and the notes say why.`,
  options: {
    tenant: 'text',
    format: 'text',
    delimiter: 'text',
    outcomes: 'text',
    batch: 'text',
    patience: 'text',
    decimal: 'flag',
  },
  run: post,
};

async function post(typed: Typed): Promise<void> {
  const settings = settingsOf(typed);
  const { file, outcomesFile, patienceMs } = settings;
  const caller = callerOf(typed, patienceMs);
  const size = file === '-' ? undefined : (await stat(file)).size;
  const progress = new Progress(process.stderr, size);
  const rows = await begun(rowsOf(settings, progress));
  // Only now, so that a file that is none leaves no notes.
  const outcomes = await Outcomes.open(outcomesFile);
  const batch = new Batch(settings.batch);
  const flush = async (): Promise<void> => {
    const told = await postBatch(caller, batch.take(), patienceMs);
    await outcomes.note(told);
    for (const [row, outcome] of told) progress.told(row, outcome);
    progress.show();
  };
  const take = async (row: Row): Promise<void> => {
    if (outcomes.stands(row)) progress.counts.skipped += 1;
    else batch.add(row);
    if (batch.isFull) await flush();
    else progress.show();
  };
  try {
    for await (const read of rows) {
      if (isReadable(read)) await take(read);
      else {
        progress.unreadable(read);
        await outcomes.noteUnreadable(read);
      }
    }
    await flush();
  } catch (cause) {
    const first = cause instanceof UnreadableFile ? 'once the file is mended, ' : '';
    console.error(`It stopped before the end. What is noted stands; ${first}the same command goes on from there.`);
    throw cause;
  } finally {
    progress.end();
    await outcomes.close();
    for (const line of progress.refusals()) console.error(line);
    console.log(`${progress.summary()}; noted in ${outcomesFile}`);
  }
  const { refused, unreadable } = progress.counts;
  if (refused + unreadable > 0) process.exitCode = 1;
}

type Settings = ReturnType<typeof settingsOf>;

function settingsOf({ positionals, options }: Typed) {
  const file = must(positionals[0], 'FILE');
  if (positionals.length > 1) throw new UsageError('one FILE at a time');
  const outcomesFile = text(options['outcomes']) ?? (file === '-' ? undefined : `${file}.outcomes.ndjson`);
  const delimiter = text(options['delimiter']) ?? ',';
  if (delimiter.length !== 1) throw new UsageError('--delimiter is one character');
  return {
    file,
    delimiter,
    format: oneOf('--format', text(options['format']) ?? formatOf(file), ['csv', 'ndjson'] as const),
    outcomesFile: must(outcomesFile, '--outcomes FILE'),
    isDecimal: options['decimal'] === true,
    batch: wholeNumber('--batch', text(options['batch']) ?? '500', { least: 1, most: 1_000 }),
    patienceMs: 1_000 * wholeNumber('--patience', text(options['patience']) ?? '120', { least: 0, most: 86_400 }),
  };
}

function formatOf(file: string): string | undefined {
  if (/\.csv$/i.test(file)) return 'csv';
  return /\.(ndjson|jsonl)$/i.test(file) ? 'ndjson' : undefined;
}

/** The same rows once the first of them is there, or it is known that there is none: the columns are named by then. */
async function begun(rows: AsyncGenerator<Read>): Promise<AsyncGenerator<Read>> {
  const first = await rows.next();
  return (async function* () {
    if (first.done === true) return;
    yield first.value;
    yield* rows;
  })();
}

function rowsOf({ file, format, isDecimal, delimiter }: Settings, progress: Progress): AsyncGenerator<Read> {
  const bytes = file === '-' ? process.stdin : createReadStream(file);
  const pieces = decoded(bytes, (many) => progress.took(many));
  return format === 'csv' ? readCsv(pieces, { isDecimal, delimiter }) : readNdjson(pieces);
}
