/** Receipts from a table: the first line names the columns, in any order; an empty cell is a field left out. */
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { decimalAmount, minorUnits } from './amount.ts';
import { type Read, UnreadableFile } from './row.ts';

export type CsvOptions = {
  /** Amounts are decimals in major units (`amount`), not whole minor units (`minor_units`). */
  readonly isDecimal: boolean;
  readonly delimiter: string;
};

const required = ['reference', 'client_id', 'currency', 'value_date'];
const others = ['designated_loan_id', 'payoff_intent', 'quote_id', 'rail', 'provider_reference'];

export async function* readCsv(
  pieces: AsyncIterable<string>,
  { isDecimal, delimiter }: CsvOptions,
): AsyncGenerator<Read> {
  // Named, or the first line end would be taken for all of them and a file put together from two would lose lines.
  const ends = ['\r\n', '\n', '\r'];
  const parser = parse({ delimiter, record_delimiter: ends, relax_column_count: true, trim: true });
  // What breaks the source breaks the parser, and is met where that is read.
  pipeline(Readable.from(pieces), parser, () => undefined);
  let columns: readonly string[] | undefined;
  let row = 0;
  try {
    for await (const record of parser as AsyncIterable<readonly string[]>) {
      row += 1;
      if (record.length === 1 && record[0] === '') continue;
      if (columns === undefined) columns = columnsOf(record, isDecimal ? 'amount' : 'minor_units');
      else yield readRecord(columns, record, row);
    }
  } catch (cause) {
    if (cause instanceof CsvError) throw new UnreadableFile(`the file is no CSV any more: ${cause.message}`);
    throw cause;
  }
  if (columns === undefined) throw new UnreadableFile('the file is empty: the first line names the columns');
}

function columnsOf(names: readonly string[], amount: string): readonly string[] {
  const known = [...required, amount, ...others];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new UnreadableFile(
      `there is no column ${JSON.stringify(unknown)}${hintAt(unknown)}; there are ${known.join(', ')}`,
    );
  }
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new UnreadableFile(`the column ${twice} is there twice`);
  const missing = [...required, amount].filter((name) => !names.includes(name));
  if (missing.length > 0) throw new UnreadableFile(`the first line does not name ${missing.join(', ')}`);
  return names;
}

function hintAt(column: string): string {
  if (column.includes(';')) return ` (cells between semicolons are read under --delimiter ';')`;
  return { amount: ' (decimals are read under --decimal)', minor_units: ' (not under --decimal)' }[column] ?? '';
}

function readRecord(columns: readonly string[], record: readonly string[], line: number): Read {
  const cells = new Map(columns.map((name, at) => [name, record[at] === '' ? undefined : record[at]]));
  const reference = cells.get('reference');
  if (record.length !== columns.length) {
    return { line, reference, fault: `${record.length} cells where the first line names ${columns.length} columns` };
  }
  const currency = cells.get('currency');
  const [stated, units] = [cells.get('amount'), cells.get('minor_units')];
  const amount = stated === undefined ? minorUnits(units) : decimalAmount(stated, currency);
  if (typeof amount === 'object') return { line, reference, ...amount };
  const intent = cells.get('payoff_intent');
  if (intent !== undefined && intent !== 'true' && intent !== 'false') {
    return { line, reference, fault: `payoff_intent is true or false, not ${JSON.stringify(intent)}` };
  }
  // What is left out stays out: JSON says nothing of it, and the service says which field it lacks.
  const body = {
    reference,
    client_id: cells.get('client_id'),
    amount: { minor_units: amount, currency },
    value_date: cells.get('value_date'),
    designated_loan_id: cells.get('designated_loan_id'),
    payoff_intent: intent === undefined ? undefined : intent === 'true',
    quote_id: cells.get('quote_id'),
    rail: cells.get('rail'),
    provider_reference: cells.get('provider_reference'),
  };
  return { line, reference, body: JSON.stringify(body) };
}
