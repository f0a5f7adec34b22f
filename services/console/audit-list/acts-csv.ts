/** The audit list as CSV, page by page: no more than a page is in memory. */
import type { RecordedAct } from './read-acts.ts';

const columns = ['recorded_at', 'actor', 'from', 'action', 'subject', 'before', 'after'] as const;

export const csvHead = `${columns.join(',')}\r\n`;

export function csvRows(acts: readonly RecordedAct[]): string {
  return acts
    .map(({ recordedAt, ...act }) => {
      const values = { ...act, recorded_at: new Date(recordedAt / 1_000).toISOString() };
      return `${columns.map((name) => cell(values[name])).join(',')}\r\n`;
    })
    .join('');
}

/** A spreadsheet must not run what a person typed as a formula. */
function cell(text: string): string {
  const safe = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
