/** A table in plain text, each column as wide as what it holds. */
export type Column = {
  readonly title: string;
  readonly cells: readonly string[];
  /** Words begin together; figures end together. */
  readonly isText?: boolean;
};

export function inColumns(columns: readonly Column[]): string[] {
  const rows = [columns.map(({ title }) => title)];
  for (let at = 0; at < (columns[0]?.cells.length ?? 0); at += 1)
    rows.push(columns.map(({ cells }) => cells[at] ?? ''));
  const widths = columns.map((_, nth) => Math.max(...rows.map((row) => row[nth]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, nth) => (columns[nth]?.isText ? cell.padEnd(widths[nth] ?? 0) : cell.padStart(widths[nth] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}
