/** Clients from a CSV file. The first line names the columns; an empty cell leaves the field out. */
import { addContext, isJsonObject } from '../csv-context.ts';
import { type CsvRow, cellCountFault, InvalidFileError, readCsvRows } from '../csv-rows.ts';

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
  delimiter = ',',
): AsyncGenerator<ParsedClientLine> {
  for await (const row of readCsvRows(chunks, { delimiter, checkColumns })) yield parseClient(row, defaults);
}

function checkColumns(names: readonly string[]): void {
  const unknown = names.find((name) => ![...columns, ...ignoredColumns].includes(name));
  if (unknown !== undefined) {
    const hint = unknown.includes(';') ? ` (for cells separated by semicolons use --delimiter ';')` : '';
    throw new InvalidFileError(`unknown column ${JSON.stringify(unknown)}${hint}; expected ${columns.join(', ')}`);
  }
  const duplicate = names.find((name, at) => names.indexOf(name) !== at);
  if (duplicate !== undefined) throw new InvalidFileError(`duplicate column ${duplicate}; name each column once`);
  if (!names.includes('client_id')) throw new InvalidFileError('the first line does not name the column client_id');
}

function parseClient(row: CsvRow, defaults: ClientDefaults): ParsedClientLine {
  const { line, cells } = row;
  const fault = cellCountFault(row);
  if (fault !== undefined) return { line, fault };
  const clientId = cells.get('client_id');
  if (clientId === undefined) return { line, fault: 'client_id is empty' };
  const basis = cells.get('basis') ?? defaults.basis;
  if (basis === undefined) return { line, fault: 'basis is empty; state it in the line or with --basis' };
  const context = cells.get('context');
  if (context !== undefined && !isJsonObject(context)) return { line, fault: 'context is not a JSON object' };
  const stated = JSON.stringify({ actor: cells.get('actor') ?? defaults.actor, basis });
  const body = context === undefined ? stated : addContext(stated, context);
  return { line, clientId, body };
}
