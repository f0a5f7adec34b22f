/** `libs/database/schema.sql` shows the schema that the migrations create. `npm run db:schema` writes the file. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeSchema } from '#libs/database/testing/describe-schema.ts';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';

const file = fileURLToPath(new URL('../../libs/database/schema.sql', import.meta.url));

let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await createScratchDatabase('schema');
});
afterAll(() => scratch.drop());

test('schema.sql shows the tables, indexes, functions and grants that the migrations create', async () => {
  const book = await describeSchema(scratch.database);
  const operations = await describeSchema(scratch.database, 'operations');
  const people = await describeSchema(scratch.database, 'console');
  const schema = `${book}\n-- Schema operations\n\n${operations}\n-- Schema console\n\n${people}`;
  if (process.env['UPDATE_DATABASE_SCHEMA'] === '1') writeFileSync(file, schema);
  expect(schema).toBe(readFileSync(file, 'utf8'));
});
