/** What a migration must not contain because it would block or break the release that serves callers meanwhile. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { MigrationFile } from '../migration-file.ts';

const project = join(import.meta.dirname, '../../..');

/** Statements that squawk accepts, and that lock a table for as long as they take. */
const blockingStatements: readonly (readonly [string, RegExp])[] = [
  ['changes rows: state it in a migration in batches', /^(UPDATE|DELETE|MERGE|WITH)\b/i],
  ['copies rows: state it in a migration in batches', /^INSERT\b[^;]*\bSELECT\b/i],
  ['hides its statements: write them down', /^DO\b/i],
  ['empties a table', /^TRUNCATE\b/i],
  ['locks a table', /^LOCK\b/i],
  ['rewrites a table', /^(CLUSTER|VACUUM|REFRESH)\b/i],
  ['rewrites a table', /^ALTER\b[^;]*\bSET (TABLESPACE|LOGGED|UNLOGGED|ACCESS METHOD)\b/i],
];

/** One sentence per problem. */
export function problemsOf(file: MigrationFile): string[] {
  const statements = statementsOf(file.sql);
  const concurrently = statements.filter((statement) => /\bCONCURRENTLY\b/i.test(statement));
  switch (file.mode) {
    case 'in batches':
      return [
        ...(statements.length === 1 && /^(WITH|UPDATE|DELETE|INSERT)\b/i.test(statements[0] ?? '')
          ? []
          : ['in batches: holds something else than one statement that changes rows']),
        ...statements
          .filter(namesRowsOfDividedTable)
          .map((statement) => `a ctid names rows of several tables: ${statement}`),
      ];
    case 'without a transaction':
      return [
        ...(statements.length === 1 ? [] : ['without a transaction: holds more than one statement']),
        ...(concurrently.length === 1 ? [] : ['without a transaction: holds a statement that can run in one']),
        ...findingsOfSquawk(file),
      ];
    case 'in a transaction':
      return [
        ...concurrently.map((statement) => `cannot run in a transaction: ${statement}`),
        ...statements.flatMap(blockingOf),
        ...findingsOfSquawk(file),
      ];
  }
}

/** The tables of each partition count their rows apart. */
function namesRowsOfDividedTable(statement: string): boolean {
  return (
    /\b(facts|request_evidence)\b/i.test(statement) && /\bctid\b/i.test(statement) && !/\btableoid\b/i.test(statement)
  );
}

/** Without comments and without the bodies of functions, which do not run now. */
function statementsOf(sql: string): string[] {
  const code = sql.replace(/--.*$/gm, '').replace(/(\bAS\s*)\$(\w*)\$[\s\S]*?\$\2\$/gi, '$1body');
  return code
    .split(';')
    .map((statement) => statement.trim().replace(/\s+/g, ' '))
    .filter((statement) => statement !== '');
}

function blockingOf(statement: string): string[] {
  return blockingStatements
    .filter(([, pattern]) => pattern.test(statement))
    .map(([problem]) => `${problem}: ${statement}`);
}

interface SquawkFinding {
  readonly rule_name: string;
  readonly message: string;
  readonly line: number;
}

/** https://squawkhq.com */
function findingsOfSquawk({ sql }: MigrationFile): string[] {
  const squawk = join(project, 'node_modules/.bin/squawk');
  const args = ['--config', join(project, '.squawk.toml'), '--reporter', 'json', '--stdin-filepath', 'migration.sql'];
  const { stdout, stderr, error } = spawnSync(squawk, args, { input: sql, encoding: 'utf8' });
  if (error !== undefined) throw error;
  if (stdout === '') throw new Error(`squawk printed no findings: ${stderr}`);
  const findings = JSON.parse(stdout) as readonly SquawkFinding[];
  return findings.map(({ rule_name, message, line }) => `${rule_name} in line ${line + 1}: ${message}`);
}
