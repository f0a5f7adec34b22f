/** Clients from a CSV file. The first line names the columns; an empty cell leaves the field out. */
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { InvalidFileError } from '../receipts/receipt-files.ts';

export type ClientLine = { readonly line: number; readonly clientId: string; readonly body: string };
type InvalidClientLine = { readonly line: number; readonly fault: string };

export type ParsedClientLine = ClientLine | InvalidClientLine;

/** Values for lines that do not state them. */
export type ClientDefaults = { readonly actor: string; readonly basis: string | undefined };

const columns = ['client_id', 'basis', 'actor', 'context'];
/** Written by an export, and not read. */
const ignoredColumns = ['created_at'];

export function isClientLine(line: ParsedClientLine): line is ClientLine {
  return 'body' in line;
}

export async function* readClientLines(
  chunks: AsyncIterable<string>,
  defaults: ClientDefaults,
): AsyncGenerator<ParsedClientLine> {
  const parser = parse({ record_delimiter: ['\r\n', '\n', '\r'], relax_column_count: true, trim: true });
  let names: readonly string[] | undefined;
  let line = 0;
  for await (const record of csvRecords(chunks, parser)) {
    line += 1;
    if (record.length === 1 && record[0] === '') continue;
    if (names === undefined) names = parseColumns(record);
    else yield parseClient(names, record, { line, defaults });
  }
  if (names === undefined) {
    throw new InvalidFileError('the file is empty; expected a first line with the names of the columns');
  }
}

async function* csvRecords(
  chunks: AsyncIterable<string>,
  parser: ReturnType<typeof parse>,
): AsyncGenerator<readonly string[]> {
  const source = Readable.from(chunks);
  // An error of the source also ends the parser and is thrown where that is read.
  pipeline(source, parser, () => undefined);
  try {
    yield* parser as AsyncIterable<readonly string[]>;
  } catch (cause) {
    if (cause instanceof CsvError) throw new InvalidFileError(`invalid CSV: ${cause.message}`);
    throw cause;
  }
}

function parseColumns(names: readonly string[]): readonly string[] {
  const unknown = names.find((name) => ![...columns, ...ignoredColumns].includes(name));
  if (unknown !== undefined) {
    throw new InvalidFileError(`unknown column ${JSON.stringify(unknown)}; expected ${columns.join(', ')}`);
  }
  if (names.includes('client_id')) return names;
  throw new InvalidFileError('the first line does not name the column client_id');
}

function parseClient(
  names: readonly string[],
  record: readonly string[],
  { line, defaults }: { readonly line: number; readonly defaults: ClientDefaults },
): ParsedClientLine {
  if (record.length !== names.length) {
    return { line, fault: `${record.length} cells, expected ${names.length} as in the first line` };
  }
  const cells = new Map(names.map((name, at) => [name, record[at] === '' ? undefined : record[at]]));
  const clientId = cells.get('client_id');
  if (clientId === undefined) return { line, fault: 'client_id is empty' };
  const basis = cells.get('basis') ?? defaults.basis;
  if (basis === undefined) return { line, fault: 'basis is empty; state it in the line or with --basis' };
  const context = cells.get('context');
  // Copied as text, so that its numbers stay as they were written.
  if (context !== undefined && !isJsonObject(context)) return { line, fault: 'context is not a JSON object' };
  const stated = JSON.stringify({ actor: cells.get('actor') ?? defaults.actor, basis });
  const body = context === undefined ? stated : `${stated.slice(0, -1)},"context":${context}}`;
  return { line, clientId, body };
}

function isJsonObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value);
  } catch {
    return false;
  }
}
