/** Tables and records in text; the titles of a table are bold where the terminal can show it. */
import { stripVTControlCharacters, styleText } from 'node:util';

export type Column = {
  readonly title: string;
  readonly cells: readonly string[];
  /** Text is aligned left, figures right. */
  readonly isText?: boolean;
};

/** One line per row, below a line of titles. */
export function formatTable(columns: readonly Column[]): string[] {
  const rowCount = columns[0]?.cells.length ?? 0;
  const rows = [columns.map(({ title }) => title)];
  for (let at = 0; at < rowCount; at += 1) rows.push(columns.map(({ cells }) => cells[at] ?? ''));
  const widths = columns.map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row, index) => {
    const line = row
      .map((cell, at) => (columns[at]?.isText ? cell.padEnd(widths[at] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join('  ')
      .trimEnd();
    return index === 0 ? styleText('bold', line, { stream: process.stdout }) : line;
  });
}

export function formatCount(count: number): string {
  return count.toLocaleString('en-US');
}

type Fields = Readonly<Record<string, unknown>>;

/** A JSON value for a reader: fields one per line, lists of flat records as tables. */
export function formatValue(value: unknown): string[] {
  if (Array.isArray(value)) return formatList(value);
  if (!isFields(value)) return [formatScalar(value)];
  const width = Math.max(0, ...Object.keys(value).map((name) => name.length));
  return Object.entries(value).flatMap(([name, field]) =>
    isScalar(field)
      ? [`${name.padEnd(width)}  ${formatScalar(field)}`]
      : [name, ...formatValue(field).map((line) => `  ${line}`)],
  );
}

function formatList(list: readonly unknown[]): string[] {
  if (list.length === 0) return ['none'];
  const isFlat = list.every((item) => isFields(item) && Object.values(item).every(isScalar));
  const table = isFlat ? formatRows(list as readonly Fields[]) : undefined;
  if (table !== undefined && fitsTerminal(table)) return table;
  return list.flatMap((item, at) => [...(at === 0 ? [] : ['']), ...formatValue(item)]);
}

function formatRows(rows: readonly Fields[]): string[] {
  const titles = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cellsOf = (title: string): string[] => rows.map((row) => formatScalar(row[title]));
  return formatTable(titles.map((title) => ({ title, cells: cellsOf(title), isText: true })));
}

/** Lines that a terminal breaks are no table any more. */
function fitsTerminal(lines: readonly string[]): boolean {
  const width = process.stdout.columns ?? Number.POSITIVE_INFINITY;
  return lines.every((line) => stripVTControlCharacters(line).length <= width);
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isScalar(value: unknown): boolean {
  return typeof value !== 'object' || value === null;
}

function formatScalar(value: unknown): string {
  return value === null || value === undefined ? '-' : String(value);
}
