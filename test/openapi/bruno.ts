/**
 * `npm run test:bruno`: Bruno itself sends the requests of schemas/bruno to the running `npm start`. Its command line has 275 MB, so npx
 * fetches it and it is no dependency.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { devFiles, projectDir, readJsonFile } from '#deploy/dev/dev-files.ts';

interface DevelopmentStart {
  readonly base_url: string;
  readonly keys: { readonly write: string };
}

interface Refusal {
  readonly code?: string;
  readonly details?: { readonly field?: string };
}

interface Answer {
  readonly path: string;
  readonly response: { readonly status: number; readonly data?: Refusal };
}

const version = '4.1.0';
const [devFile = ''] = devFiles;
const start = readJsonFile<DevelopmentStart>(devFile);
if (start === undefined) throw new Error(`${devFile} is missing; run npm start first`);
const folder = mkdtempSync(join(tmpdir(), 'lending-bruno-'));
const report = join(folder, 'report.json');
const variables = [`secret=${start.keys.write}`, `baseUrl=${start.base_url}`].flatMap((each) => ['--env-var', each]);
const options = ['--env', 'Local', ...variables, '--sandbox=developer', '--reporter-json', report];
const { stderr } = spawnSync('npx', ['--yes', `@usebruno/cli@${version}`, 'run', '-r', ...options], {
  cwd: join(projectDir, 'schemas', 'bruno'),
  encoding: 'utf8',
});
if (!existsSync(report)) throw new Error(`Bruno wrote no report: ${stderr}`);
const [run] = JSON.parse(readFileSync(report, 'utf8')) as [{ readonly results: readonly Answer[] }];
rmSync(folder, { recursive: true });

const statusOf = ({ response }: Answer): number => response.status;
const codeOf = ({ response }: Answer): string => response.data?.code ?? '';
const faults = run.results.filter((each) => {
  const isSuccess = statusOf(each) >= 200 && statusOf(each) < 300;
  return !isSuccess && (isOfQuickStart(each) || !isAboutRecords(each));
});
const failed = faults.map((each) => `${each.path}: ${statusOf(each)} ${codeOf(each)}`);
console.log([`${run.results.length} requests sent, ${failed.length} of them not accepted`, ...failed].join('\n'));
process.exitCode = failed.length === 0 && run.results.length > 0 ? 0 : 1;

/** The other folders name Clients, Loans, records and versions of books that a new Tenancy lacks, or has already. */
function isAboutRecords(answer: Answer): boolean {
  if (answer.response.data?.details?.field === 'to_facts') return true;
  return statusOf(answer) === 404 || statusOf(answer) === 409 || codeOf(answer) === 'unknown_client';
}

function isOfQuickStart({ path }: Answer): boolean {
  return path.startsWith('1 Quick start/');
}
