/** The audit list as CSV, a row for each act. */
import type { CsvValue } from '../csv.ts';
import type { RecordedAct } from './read-acts.ts';

export const actColumns = ['recorded_at', 'actor', 'from', 'action', 'subject', 'before', 'after'] as const;

export function actRows(acts: readonly RecordedAct[]): readonly (readonly CsvValue[])[] {
  return acts.map(({ recordedAt, ...act }) => {
    const values = { ...act, recorded_at: new Date(recordedAt / 1_000).toISOString() };
    return actColumns.map((name) => values[name]);
  });
}
