/** Rows of CSV, for export. */

/** A cell that a spreadsheet would run as a formula is a text in it: an apostrophe is put before. */
export function csvRow(values: readonly (string | number | boolean | undefined)[]): string {
  return `${values.map(csvCell).join(',')}\n`;
}

function csvCell(value: string | number | boolean | undefined): string {
  const text = String(value ?? '');
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
