/** The submissions as they were sent, kept with the facts they caused. */
import { type Database, query } from './database.ts';
import { uuidArray } from './pg-array.ts';

/** Which of these requests were committed before, as `request/partition`. */
export async function findCommitted(database: Database, requestIds: readonly string[]): Promise<Set<string>> {
  const rows = await query<{ request_id: string; partition: number }>(
    database,
    'find_committed',
    'SELECT request_id, partition FROM evidence WHERE request_id = ANY ($1::uuid[])',
    [uuidArray(requestIds)],
  );
  return new Set(rows.map((row) => `${row.request_id}/${row.partition}`));
}
