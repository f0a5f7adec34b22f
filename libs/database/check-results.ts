/** The newest result of each check that runs at night, for an alert where one finds something or does not run any more. */
import { type Queryable, query } from './database.ts';

export const checkNames = ['audit', 'topic'] as const;
export type CheckName = (typeof checkNames)[number];

export interface CheckResult {
  readonly name: CheckName;
  readonly ageSeconds: number;
  readonly findings: number;
}

/** As the owner of the tables: the services only read them. */
export async function recordCheckResult(database: Queryable, name: CheckName, findings: number): Promise<void> {
  const text = `INSERT INTO operations.check_results (name, finished_at, findings) VALUES ($1, clock_timestamp(), $2)
    ON CONFLICT (name) DO UPDATE SET finished_at = excluded.finished_at, findings = excluded.findings`;
  await query(database, 'record_check_result', text, [name, findings]);
}

export function readCheckResults(database: Queryable): Promise<CheckResult[]> {
  const text = `SELECT name, extract(epoch FROM clock_timestamp() - finished_at)::float8 AS "ageSeconds",
    findings::float8 AS findings FROM operations.check_results`;
  return query<CheckResult>(database, 'check_results', text, []);
}
