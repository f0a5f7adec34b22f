/** Lists as CSV (RFC 4180). */

export type CsvValue = string | number | undefined;

export function csvLine(values: readonly CsvValue[]): string {
  return `${values.map((value) => cell(String(value ?? ''))).join(',')}\r\n`;
}

/** A spreadsheet must not run what a person typed as a formula. A negative number is none. */
function cell(text: string): string {
  const isFormula = /^[=+\-@\t\r]/.test(text) && !/^-\d+(\.\d+)?$/.test(text);
  const safe = isFormula ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
