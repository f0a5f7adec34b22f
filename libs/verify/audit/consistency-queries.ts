/** Checks of rows against other tables: each query selects rows that must not exist. */
import { type Queryable, query } from '#libs/database/database.ts';
import type { Json } from '#libs/schema/json.ts';
import type { Findings } from './findings.ts';

export interface RowCheck {
  readonly what: string;
  /** Selects `place` and optionally `expected` and `found`, in order, from the rows `page`. */
  readonly text: string;
}

export interface CheckedPage {
  /** In the names of the statements. */
  readonly name: string;
  /** Selects the rows. Its limit is in its text: it tells the planner that indexes lead to the other tables. */
  readonly rows: string;
  readonly values: readonly unknown[];
}

export function withPage(rows: string, text: string): string {
  return `WITH page AS MATERIALIZED (${rows}) ${text}`;
}

const maxRowsPerQuery = 20;
/** Postgres shortens longer names. */
const maxNameLength = 63;

interface InconsistentRow {
  readonly place: string;
  readonly expected?: Json;
  readonly found?: Json;
}

export async function findInconsistent(
  database: Queryable,
  { name, rows, values }: CheckedPage,
  checks: readonly RowCheck[],
  findings: Findings,
): Promise<void> {
  for (const { what, text } of checks) {
    const inconsistent = await query<InconsistentRow>(
      database,
      `${name}: ${what}`.slice(0, maxNameLength),
      `${withPage(rows, text)} LIMIT ${maxRowsPerQuery}`,
      values,
    );
    for (const { place, ...found } of inconsistent) findings.add({ what, where: place, ...found });
  }
}
