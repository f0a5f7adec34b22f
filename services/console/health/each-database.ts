/** Reads every database of a cell, where one that does not answer leaves the others readable. */
import type { Database } from '#libs/database/database.ts';
import type { PartitionDatabases } from '#libs/database/partition-databases.ts';
import { withTimeout } from '#libs/kafka/with-timeout.ts';
import { DependencyUnavailableError } from '#libs/runtime/dependency.ts';

/** A page does not wait longer for a further database. */
const maxWaitMs = 1_000;

/** In the order of `databases.all`; undefined for a further database that does not answer. Rejects where the home database does not. */
export function readEachDatabase<Result>(
  databases: PartitionDatabases,
  read: (database: Database) => Promise<Result>,
): Promise<(Result | undefined)[]> {
  return databases.readAll((database) => {
    if (database === databases.home) return read(database);
    const answer = read(database).catch((err: unknown) => {
      if (err instanceof DependencyUnavailableError) return undefined;
      throw err;
    });
    return withTimeout(answer, maxWaitMs).then((outcome) => outcome?.value);
  });
}
