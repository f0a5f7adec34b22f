/** Reads a CSV file row by row: the columns that its first line names, then the cells of each line. */
import { pipeline, Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { unmarkFormula } from './output/csv.ts';

/** The file has not the stated format. What was sent before the error stays recorded. */
export class InvalidFileError extends Error {
  override readonly name = 'InvalidFileError';
}

export type CsvRow = {
  /** As a spreadsheet counts it. */
  readonly line: number;
  readonly columns: readonly string[];
  readonly record: readonly string[];
  /** Undefined for an empty cell. The apostrophe that an export puts before a formula is removed. */
  readonly cells: ReadonlyMap<string, string | undefined>;
};

export type CsvFormat = {
  readonly delimiter?: string;
  /** Throws where the first line does not name what is expected. */
  readonly checkColumns: (names: readonly string[]) => void;
};

export async function* readCsvRows(
  chunks: AsyncIterable<string>,
  { delimiter = ',', checkColumns }: CsvFormat,
): AsyncGenerator<CsvRow> {
  // By default the first line end would be expected everywhere, and a file joined from two would lose lines.
  const lineEnds = ['\r\n', '\n', '\r'];
  const parser = parse({ delimiter, record_delimiter: lineEnds, relax_column_count: true, trim: true });
  // An error of the source also ends the parser and is thrown where that is read.
  pipeline(Readable.from(chunks), parser, () => undefined);
  let columns: readonly string[] | undefined;
  let line = 0;
  try {
    for await (const record of parser as AsyncIterable<readonly string[]>) {
      line += 1;
      if (record.length === 1 && record[0] === '') continue;
      if (columns === undefined) {
        checkColumns(record);
        columns = record;
        continue;
      }
      const cells = new Map(columns.map((name, at) => [name, unmarkFormula(record[at] ?? '') || undefined]));
      yield { line, columns, record, cells };
    }
  } catch (cause) {
    if (cause instanceof CsvError) throw new InvalidFileError(`invalid CSV: ${cause.message}`);
    throw cause;
  }
  if (columns === undefined)
    throw new InvalidFileError('the file is empty; expected a first line with the names of the columns');
}

/** What is wrong with a line that has more or fewer cells than the first one. */
export function cellCountFault({ columns, record }: CsvRow): string | undefined {
  if (record.length === columns.length) return undefined;
  return `${record.length} cells, expected ${columns.length} as in the first line`;
}
