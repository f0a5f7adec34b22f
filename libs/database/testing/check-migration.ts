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
  return [...problemsOfMode(file, statements), ...statements.flatMap((each) => problemsIn(each, undividedStatements))];
}

function problemsOfMode(file: MigrationFile, statements: readonly string[]): string[] {
  const concurrently = statements.filter((statement) => /\bCONCURRENTLY\b/i.test(statement));
  switch (file.mode) {
    case 'in batches':
      return statements.length === 1 && /^(WITH|UPDATE|DELETE|INSERT)\b/i.test(statements[0] ?? '')
        ? []
        : ['in batches: holds something else than one statement that changes rows'];
    case 'without a transaction':
      return [
        ...(statements.length === 1 ? [] : ['without a transaction: holds more than one statement']),
        ...(concurrently.length === 1 ? [] : ['without a transaction: holds a statement that can run in one']),
        ...findingsOfSquawk(file),
      ];
    case 'in a transaction':
      return [
        ...concurrently.map((statement) => `cannot run in a transaction: ${statement}`),
        ...statements.flatMap((each) => problemsIn(each, blockingStatements)),
        ...findingsOfSquawk(file),
      ];
  }
}

const divided = '(?:facts|request_evidence)';

/** Statements that Postgres accepts for a table, and not, or otherwise, for one that is divided by partition (decision 0091). */
const undividedStatements: readonly (readonly [string, RegExp])[] = [
  [
    'a ctid names rows of several tables',
    new RegExp(`^(?=.*\\b${divided}\\b)(?=.*\\bctid\\b)(?!.*\\btableoid\\b)`, 'i'),
  ],
  [
    'a unique index must contain the partition',
    new RegExp(`\\bUNIQUE INDEX\\b.* ON ${divided} (?!.*\\bpartition\\b)`, 'i'),
  ],
  [
    'an index of a divided table is not dropped concurrently',
    /\bDROP INDEX CONCURRENTLY\b.*\b(facts|evidence|request_evidence)_/i,
  ],
  [
    'an index of a divided table does not become a constraint',
    new RegExp(`^ALTER TABLE ${divided}\\b.*\\bUSING INDEX\\b`, 'i'),
  ],
  ['a divided table has no storage parameters', new RegExp(`^ALTER TABLE ${divided} (RE)?SET \\(`, 'i')],
];

/** Without comments and without the bodies of functions, which do not run now. */
function statementsOf(sql: string): string[] {
  const code = sql.replace(/--.*$/gm, '').replace(/(\bAS\s*)\$(\w*)\$[\s\S]*?\$\2\$/gi, '$1body');
  return code
    .split(';')
    .map((statement) => statement.trim().replace(/\s+/g, ' '))
    .filter((statement) => statement !== '');
}

function problemsIn(statement: string, patterns: readonly (readonly [string, RegExp])[]): string[] {
  return patterns.filter(([, pattern]) => pattern.test(statement)).map(([problem]) => `${problem}: ${statement}`);
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
