/**
 * `libs/database/schema.sql` shows the schema that the migrations create. `npm run db:schema` writes the file. In a new cell two of
 * its tables are divided by partition afterwards.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Queryable } from '#libs/database/database.ts';
import { describeSchema } from '#libs/database/testing/describe-schema.ts';
import { partitionCount } from '#test/support/partitions.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';

const file = fileURLToPath(new URL('../../libs/database/schema.sql', import.meta.url));

let undivided: ScratchDatabase;
let divided: ScratchDatabase;
beforeAll(async () => {
  undivided = await createScratchDatabase('schema', { isDivided: false });
  divided = await createScratchDatabase('schema');
});
afterAll(async () => {
  await undivided.drop();
  await divided.drop();
});

async function describeAll(database: Queryable): Promise<string> {
  const book = await describeSchema(database);
  const operations = await describeSchema(database, 'operations');
  const people = await describeSchema(database, 'console');
  return `${book}\n-- Schema operations\n\n${operations}\n-- Schema console\n\n${people}`;
}

test('schema.sql shows the tables, indexes, functions and grants that the migrations create', async () => {
  const schema = await describeAll(undivided.database);
  if (process.env['UPDATE_DATABASE_SCHEMA'] === '1') writeFileSync(file, schema);
  expect(schema).toBe(readFileSync(file, 'utf8'));
});

test('in a new cell facts and evidence are divided by partition, and all else is the same', async () => {
  const expected = readFileSync(file, 'utf8')
    .replace(
      'CONSTRAINT facts_pkey PRIMARY KEY (tenant_id,',
      'CONSTRAINT facts_pkey PRIMARY KEY (partition, tenant_id,',
    )
    .replace(/(?<=CREATE TABLE (?:facts|request_evidence) \([^;]*\n\));/g, ' PARTITION BY LIST (partition);');
  expect(await describeAll(divided.database)).toBe(expected);
  const { rows } = await divided.owner.query(
    'SELECT inhparent::regclass::text AS table, count(*)::int AS parts FROM pg_inherits WHERE inhparent IN ($1::regclass, $2::regclass) GROUP BY 1 ORDER BY 1',
    ['facts', 'request_evidence'],
  );
  expect(rows).toEqual([
    { table: 'facts', parts: partitionCount },
    { table: 'request_evidence', parts: partitionCount },
  ]);
});

test('the services cannot use the table of a partition but through the divided one', async () => {
  for (const table of ['facts_0', 'request_evidence_0']) {
    const read = divided.database.query(`SELECT FROM ${table}`);
    await expect(read).rejects.toMatchObject({ code: '42501' });
    await expect(divided.database.query(`TRUNCATE ${table}`)).rejects.toMatchObject({ code: '42501' });
  }
});
