/** Cells and rows of CSV, for export. */

export type Cell = string | number | boolean | undefined;

export function csvRow(values: readonly Cell[]): string {
  return `${values.map(csvCell).join(',')}\n`;
}

function csvCell(value: Cell): string {
  const text = typeof value === 'string' ? markFormula(value) : String(value ?? '');
  // Without quotes a reader drops the white space around a cell.
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** What a spreadsheet would run as a formula, also where apostrophes are before it already. */
const formula = /^'*[=+\-@\t\r]/;

/** A cell that a spreadsheet would run as a formula is a text in it: an apostrophe is put before. */
function markFormula(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** The text of a cell that an export may have marked. */
export function unmarkFormula(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
