/** Prints the results of faults as a table. */
import type { FaultResult } from './fault-run.ts';

export function resultTable(results: readonly FaultResult[]): string {
  const header = [
    'fault',
    'outage s',
    'back s',
    'reads s',
    'acknowledged',
    'lost',
    'doubled',
    'gaps',
    'repeats',
    'unpublished',
    'audit',
  ];
  const rows = results.map((result) => [
    result.fault,
    result.outageSeconds.toFixed(1),
    result.recoverySeconds.toFixed(1),
    result.readOutageSeconds.toFixed(1),
    String(result.acknowledged),
    String(result.lost),
    String(result.doubled),
    String(result.gaps),
    String(result.repeats),
    String(result.unpublished),
    result.audit,
  ]);
  return textTable([header, ...rows]);
}

export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return rows.map(line).join('\n');
}
