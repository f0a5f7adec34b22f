/** Receipts from a CSV or NDJSON file. The first line of CSV names the columns; an empty cell leaves the field out. */

import { createHash } from 'node:crypto';
import { addContext, isJsonObject } from '#libs/cli/csv-context.ts';
import { type CsvRow, cellCountFault, InvalidFileError, readCsvRows } from '#libs/cli/csv-rows.ts';
import { parseAmount, parseMinorUnits } from '#libs/cli/output/currency.ts';
import { receiptBody } from '#libs/ledger/request-bodies.ts';
import { parseJsonBody } from '#libs/schema/json.ts';
import { isRefusal } from '#libs/schema/refusals.ts';

export type CsvOptions = {
  /** Amounts are decimals in major units (`amount`), not whole minor units (`minor_units`). */
  readonly isDecimal: boolean;
  readonly delimiter: string;
};

const requiredColumns = ['reference', 'client_id', 'currency', 'value_date'];
const optionalColumns = ['designated_loan_id', 'payoff_intent', 'quote_id', 'rail', 'provider_reference', 'context'];
/** Of an export. Only `reversed` is read. */
const exportColumns = ['id', 'reported_at', 'reversed'];

export async function* readCsv(
  chunks: AsyncIterable<string>,
  { isDecimal, delimiter }: CsvOptions,
): AsyncGenerator<CsvLine> {
  const checkColumns = (names: readonly string[]): void => checkNames(names, isDecimal ? 'amount' : 'minor_units');
  for await (const row of readCsvRows(chunks, { delimiter, checkColumns })) yield parseRow(row);
}

function checkNames(names: readonly string[], amount: string): void {
  const known = [...requiredColumns, amount, ...optionalColumns];
  const unknown = names.find((name) => ![...known, ...exportColumns].includes(name));
  if (unknown !== undefined) {
    throw new InvalidFileError(
      `unknown column ${JSON.stringify(unknown)}${columnHint(unknown)}; expected ${known.join(', ')}`,
    );
  }
  const duplicate = names.find((name, at) => names.indexOf(name) !== at);
  if (duplicate !== undefined) throw new InvalidFileError(`duplicate column ${duplicate}; name each column once`);
  const missing = [...requiredColumns, amount].filter((name) => !names.includes(name));
  if (missing.length > 0) throw new InvalidFileError(`the first line does not name the columns ${missing.join(', ')}`);
}

function columnHint(column: string): string {
  if (column.includes(';')) return ` (for cells separated by semicolons use --delimiter ';')`;
  return { amount: ' (for decimal amounts use --decimal)', minor_units: ' (not with --decimal)' }[column] ?? '';
}

function parseRow(row: CsvRow): CsvLine {
  const { line, cells } = row;
  const reference = cells.get('reference');
  const fault = cellCountFault(row);
  if (fault !== undefined) return { line, reference, fault };
  const reversed = cells.get('reversed');
  if (reversed === 'true') return { line, reference, isReversed: true };
  if (reversed !== undefined && reversed !== 'false') {
    return { line, reference, fault: `reversed is true or false, not ${JSON.stringify(reversed)}` };
  }
  const currency = cells.get('currency');
  const decimal = cells.get('amount');
  const amount = decimal === undefined ? parseMinorUnits(cells.get('minor_units')) : parseAmount(decimal, currency);
  if (typeof amount === 'object') return { line, reference, ...amount };
  const intent = cells.get('payoff_intent');
  if (intent !== undefined && intent !== 'true' && intent !== 'false') {
    return { line, reference, fault: `payoff_intent is true or false, not ${JSON.stringify(intent)}` };
  }
  // JSON.stringify leaves out undefined fields, and the service reports a missing one.
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
  const context = cells.get('context');
  if (context === undefined) return { line, reference, body: JSON.stringify(body) };
  if (!isJsonObject(context)) return { line, reference, fault: 'context is not a JSON object' };
  return { line, reference, body: addContext(JSON.stringify(body), context) };
}

/** A receipt as `POST /receipts` takes it. In a CSV `line` is the row, as a spreadsheet counts it. */
export type ReceiptLine = { readonly line: number; readonly reference: string | undefined; readonly body: string };

/** A line that holds no receipt. It is reported and not sent. */
export type InvalidLine = { readonly line: number; readonly reference: string | undefined; readonly fault: string };

/** A line of an export whose Receipt was reversed: posted, it would record the money again. */
export type ReversedLine = { readonly line: number; readonly reference: string | undefined; readonly isReversed: true };

export type ParsedLine = ReceiptLine | InvalidLine;
export type CsvLine = ParsedLine | ReversedLine;

export function isReceipt(line: CsvLine): line is ReceiptLine {
  return 'body' in line;
}

export function isReversed(line: CsvLine): line is ReversedLine {
  return 'isReversed' in line;
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

/** A receipt is far shorter. Without a limit a file without line ends would be read into memory. */
const maxLineLength = 256 * 1024;

export async function* readNdjson(chunks: AsyncIterable<string>): AsyncGenerator<ParsedLine> {
  let line = 0;
  for await (const text of splitLines(chunks)) {
    line += 1;
    if (text.trim() !== '') yield parseLine(text.trim(), line);
  }
}

async function* splitLines(chunks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
    if (rest.length > maxLineLength) {
      throw new InvalidFileError(
        `a line is longer than ${maxLineLength} characters; expected NDJSON, one receipt per line`,
      );
    }
  }
  if (rest !== '') yield rest;
}

function parseLine(text: string, line: number): ParsedLine {
  const json = parseJsonBody(Buffer.from(text), receiptBody.inexactNumberPaths);
  if (isRefusal(json)) {
    const { observed } = (json.details ?? {}) as { observed?: unknown };
    return { line, reference: undefined, fault: `not a JSON object the service accepts: ${observed ?? json.code}` };
  }
  const { reference } = json;
  return { line, reference: typeof reference === 'string' ? reference : undefined, body: text };
}
