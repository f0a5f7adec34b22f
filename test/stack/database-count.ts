/** How many databases the cell of a test run has. With several, its partitions are placed on them in turns. */
export const databaseCount = Number(process.env['LENDING_TEST_DATABASES'] ?? '1');

/** For tests whose subject is the one database, or several of them. */
export const hasSeveralDatabases = databaseCount > 1;
