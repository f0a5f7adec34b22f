/** Migrations run while services write: none may hold a lock for longer than a moment, or break the release before it. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { migrationsDir, parseMigration } from './migration-file.ts';
import { problemsOf } from './testing/check-migration.ts';

/** Created before any release served callers. */
const lastUncheckedNumber = 3;

const files = readdirSync(migrationsDir).map((file) =>
  parseMigration(basename(file, '.sql'), readFileSync(join(migrationsDir, file), 'utf8')),
);

test('no migration blocks the services or breaks the release before it', () => {
  const checked = files.filter(({ name }) => Number.parseInt(name, 10) > lastUncheckedNumber);
  expect(checked.flatMap((file) => problemsOf(file).map((problem) => `${file.name}: ${problem}`))).toEqual([]);
});

function problems(sql: string, mode = ''): string[] {
  return problemsOf(parseMigration('009_example', `-- Up Migration${mode}\n${sql}\n`));
}

describe('in a migration', () => {
  test.each([
    ['an index that is not built concurrently', 'CREATE INDEX x ON facts (kind);'],
    ['an index that is dropped at once', 'DROP INDEX facts_by_event_number;'],
    ['an index that is built again', 'REINDEX TABLE facts;'],
    ['another type of a column', 'ALTER TABLE facts ALTER COLUMN item TYPE bigint;'],
    ['a column with a value for each row', 'ALTER TABLE facts ADD COLUMN r double precision DEFAULT random();'],
    ['a generated column', 'ALTER TABLE facts ADD COLUMN g bigint GENERATED ALWAYS AS (item + 1) STORED;'],
    ['a column that becomes NOT NULL', 'ALTER TABLE facts ALTER COLUMN reference SET NOT NULL;'],
    ['a constraint that is checked at once', 'ALTER TABLE facts ADD CONSTRAINT c CHECK (item >= 0);'],
    ['a foreign key', 'ALTER TABLE facts ADD CONSTRAINT f FOREIGN KEY (book_id) REFERENCES books (book_id);'],
    ['a unique constraint', 'ALTER TABLE facts ADD CONSTRAINT u UNIQUE (item);'],
    ['a column that the release before still reads', 'ALTER TABLE facts DROP COLUMN item;'],
    ['a table that the release before still reads', 'ALTER TABLE facts RENAME TO records;'],
    ['another tablespace', 'ALTER TABLE facts SET TABLESPACE fast;'],
    ['a table that is no longer logged', 'ALTER TABLE facts SET UNLOGGED;'],
    ['an update', 'UPDATE facts SET item = 0;'],
    ['a deletion', 'DELETE FROM facts WHERE item = 1;'],
    ['a copy', 'INSERT INTO feed SELECT * FROM facts;'],
    ['a block of code', 'DO $$ BEGIN UPDATE facts SET item = 1; END $$;'],
    ['TRUNCATE', 'TRUNCATE facts;'],
    ['LOCK', 'LOCK TABLE facts;'],
    ['CLUSTER', 'CLUSTER facts;'],
    ['VACUUM FULL', 'VACUUM FULL facts;'],
    ['a concurrent index inside the transaction', 'CREATE INDEX CONCURRENTLY x ON facts (kind);'],
  ])('%s is refused', (_what, sql) => {
    expect(problems(sql)).not.toEqual([]);
  });

  test.each([
    ['a new table with its index', 'CREATE TABLE n (id bigint PRIMARY KEY, v text);\nCREATE INDEX n_by_v ON n (v);'],
    ['a column without a value', 'ALTER TABLE facts ADD COLUMN note text;'],
    ['a column with a constant', 'ALTER TABLE facts ADD COLUMN is_late boolean NOT NULL DEFAULT false;'],
    ['a constraint that is checked later', 'ALTER TABLE facts ADD CONSTRAINT c CHECK (item >= 0) NOT VALID;'],
    [
      'a function that changes rows when it is called',
      'CREATE OR REPLACE FUNCTION f() RETURNS void LANGUAGE sql AS $$ UPDATE facts SET item = 0; $$;',
    ],
    ['rows of its own', "INSERT INTO cell_secrets (name, secret) VALUES ('x', '\\x00');"],
  ])('%s is accepted', (_what, sql) => {
    expect(problems(sql)).toEqual([]);
  });
});

describe('a migration without a transaction', () => {
  const mode = ': without a transaction';

  test('holds one concurrent statement', () => {
    expect(problems('CREATE INDEX CONCURRENTLY IF NOT EXISTS x ON facts (kind);', mode)).toEqual([]);
    expect(problems('CREATE INDEX CONCURRENTLY x ON facts (kind);\nDROP INDEX CONCURRENTLY y;', mode)).not.toEqual([]);
    expect(problems('CREATE INDEX x ON facts (kind);', mode)).not.toEqual([]);
  });
});

describe('a migration in batches', () => {
  const mode = ': in batches';
  const batch = 'UPDATE loans SET note = state WHERE ctid IN (SELECT ctid FROM loans WHERE note IS NULL LIMIT 5000);';

  test('holds one statement that changes rows', () => {
    expect(problems(batch, mode)).toEqual([]);
    expect(problems(`${batch}\n${batch}`, mode)).not.toEqual([]);
    expect(problems('CREATE TABLE n (id bigint PRIMARY KEY);', mode)).not.toEqual([]);
  });
});

describe('a migration of a table that may be divided', () => {
  const concurrently = ': without a transaction';
  const batch = (row: string) =>
    `UPDATE facts SET note = kind WHERE ${row} IN (SELECT ${row} FROM facts WHERE note IS NULL LIMIT 5000);`;

  test.each([
    ['rows named by their ctid alone', batch('ctid'), ': in batches'],
    ['a unique index without the partition', 'CREATE UNIQUE INDEX CONCURRENTLY x ON facts (event_id);', concurrently],
    ['an index that is dropped concurrently', 'DROP INDEX CONCURRENTLY facts_by_event_number;', concurrently],
    ['a constraint of an index', 'ALTER TABLE facts ADD CONSTRAINT x UNIQUE USING INDEX y;', ''],
    ['storage parameters', 'ALTER TABLE request_evidence SET (autovacuum_enabled = off);', ''],
  ])('%s: refused', (_what, sql, mode) => {
    expect(problems(sql, mode).join()).toMatch(/ctid|partition|divided/);
  });

  test.each([
    ['rows named together with their table', batch('(tableoid, ctid)'), ': in batches'],
    [
      'a unique index with the partition',
      'CREATE UNIQUE INDEX CONCURRENTLY x ON facts (partition, event_id);',
      concurrently,
    ],
  ])('%s: accepted', (_what, sql, mode) => {
    expect(problems(sql, mode)).toEqual([]);
  });
});

test('a first line that states no way to run the migration is refused', () => {
  expect(() => parseMigration('009_example', '-- Up Migration: at night\n')).toThrow('009_example begins with');
});
