/** The statements that the documents for operators tell to run are ones that Postgres accepts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createScratchDatabase, type ScratchDatabase } from '#test/support/scratch-database.ts';

const operations = join(import.meta.dirname, '..', '..', 'docs', 'operations');
/** They end sessions or change the server. */
const changes = /\bpg_(?:terminate|cancel|drop|reload|switch)/;

function statementsOf(text: string): string[] {
  const inline = [...text.matchAll(/`((?:SELECT|SHOW) [^`]+)`/g)].map(([, statement]) => statement);
  const blocks = [...text.matchAll(/```sql\n([^`]+)```/g)].flatMap(([, block]) => block?.split(';') ?? []);
  return [...inline, ...blocks]
    .map((statement = '') => statement.replaceAll(/\s+/g, ' ').trim())
    .filter((statement) => /^(?:SELECT|SHOW) /.test(statement) && !changes.test(statement));
}

const documents = readdirSync(operations, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));
const statements = new Set(documents.flatMap((file) => statementsOf(readFileSync(join(operations, file), 'utf8'))));

let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await createScratchDatabase('runbooks');
});
afterAll(() => scratch.drop());

test('there are statements to look at the database', () => {
  expect(statements.size).toBeGreaterThan(10);
});

test.each([...statements])('%s', async (statement) => {
  await scratch.owner.query(statement);
});
