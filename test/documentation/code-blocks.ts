/** The code blocks of the documents for callers, and what shows that each of them is right. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { sdks } from '#libs/site/navigation.ts';

export interface CodeBlock {
  readonly file: string;
  /** What follows the fence: the language. */
  readonly info: string;
  readonly code: string;
}

const guides = readdirSync(join(projectDir, 'docs', 'guide')).filter((name) => name.endsWith('.md'));
export const sdkReadmes = sdks.map(({ folder }) => `libs/${folder}/README.md`);
const [ofTypeScript = '', ofPython = '', ofJava = ''] = sdkReadmes;

export function codeBlocks(): readonly CodeBlock[] {
  return ['README.md', ...sdkReadmes, ...guides.map((name) => `docs/guide/${name}`)].flatMap(codeBlocksOf);
}

export function codeBlocksOf(file: string): readonly CodeBlock[] {
  const text = readFileSync(join(projectDir, file), 'utf8');
  return [...text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)].map(([, info = '', code = '']) => ({ file, info, code }));
}

/** The only block of a document that begins with this text. */
export function codeBlock(file: string, beginning: string): string {
  const [found, ...others] = codeBlocksOf(file).filter(({ code }) => code.startsWith(beginning));
  if (found === undefined || others.length > 0) throw new Error(`${file} has not one block that begins ${beginning}`);
  return found.code;
}

/** Run as a reader would, or compared with what the service, the command line or the signing code gives. */
export type Proof = 'run' | 'compared';

interface BlockRow {
  readonly file: string;
  readonly proof: Proof;
  /** The test that does it. */
  readonly by: string;
  /** How the blocks begin. */
  readonly beginnings: readonly string[];
}

const readme = 'test/integration/readme.test.ts';
const samples = 'test/integration/documentation-samples.test.ts';
const java = 'test/integration/java-sdk.test.ts';
const walk = 'test/faults/start.test.ts';
const here = 'test/documentation/code-blocks.test.ts';

function row(file: string, proof: Proof, by: string, ...beginnings: readonly string[]): BlockRow {
  return { file, proof, by, beginnings };
}

export const blockRows: readonly BlockRow[] = [
  row('README.md', 'run', walk, 'npm start', 'npm run -s lending', 'ZZ_KEY=', 'npm --prefix', 'reference,client_id'),
  row('README.md', 'run', readme, 'import {'),

  row(ofTypeScript, 'run', walk, 'npm --prefix'),
  row(ofTypeScript, 'run', readme, 'import { Lending', 'await lending.reportReceipt', 'const { loans', 'const at ='),
  row(ofTypeScript, 'run', readme, 'const hasty', 'new Lending({ onAnswer', 'for await (const { index', 'INSERT INTO'),
  row(ofTypeScript, 'run', samples, 'for await (const { events', 'import { Kafka', 'await consumeMovements'),

  row(ofPython, 'run', walk, 'python3 -m venv'),
  row(ofPython, 'run', 'test/integration/python-sdk.test.ts', '# app.py'),
  row(ofPython, 'run', samples, 'async with', 'try:', 'for reported', 'for followed', 'from lending.events'),
  row(ofPython, 'run', readme, 'INSERT INTO'),
  row(ofPython, 'run', 'libs/sdk-python/tests/test_guide.py', 'def take'),

  row(ofJava, 'run', walk, 'mvn '),
  row(ofJava, 'run', java, '// App.java', 'lending.listLoans', 'try {', 'for (ReportedReceipt', 'try (EventStream'),
  row(ofJava, 'run', java, 'TopicConsumer', 'void take'),
  row(ofJava, 'run', readme, 'INSERT INTO'),

  row(
    'docs/guide/quick-start.md',
    'run',
    walk,
    'npm start',
    'set -a',
    '. ./lending.sh',
    'mkdir -p',
    'mvn ',
    'lending()',
  ),

  row('docs/guide/signing.md', 'compared', here, 'c455cc', 'POST\n', '4cMzh', 'Authorization: '),
  row('docs/guide/signing.md', 'run', readme, 'POST /v1', '// signed.mjs'),
  row('docs/guide/signing.md', 'run', samples, 'lsk_test_', '# lending.sh', '. ./lending.sh'),
  row('docs/guide/signing.md', 'run', samples, '"""lending_call.py', 'from lending_call'),

  row('docs/guide/idempotency.md', 'run', samples, 'import { LendingError', 'from lending import LendingError'),

  row('docs/guide/events.md', 'run', samples, 'const from =', 'for followed'),
  row('docs/guide/events.md', 'run', walk, '"""ledger.py', 'pip install', 'python -c'),

  row('docs/guide/two-clocks.md', 'run', walk, 'GET /v1'),
  row('docs/guide/versions.md', 'run', readme, 'Contract-Version: '),
  row('docs/guide/receipts.md', 'run', walk, 'lending receipts post'),
  row('docs/guide/console.md', 'run', walk, 'lending console invite'),
  row('docs/guide/command-line.md', 'run', walk, '{\n', 'lending '),
  row('docs/guide/command-line.md', 'compared', walk, 'A CSV names', 'Exit codes:'),
];

/** What shows that a block is right. More than one where the table is ambiguous, none where it lacks the block. */
export function rowsOf({ file, info, code }: CodeBlock): readonly BlockRow[] {
  // A sample of the reference in every language, or the last step of the quick start in one of them.
  if (info === 'sample' || / (?!java$)\w+$/.test(info)) return [row(file, 'run', samples)];
  if (info === 'java java') return [row(file, 'run', java)];
  return blockRows.filter((each) => each.file === file && each.beginnings.some((text) => code.startsWith(text)));
}

/** Programs in the documents for operators that a test cannot run as they are written, and what they need. */
export const programsElsewhere: Readonly<Record<string, string>> = {
  helm: 'a Kubernetes cluster; deploy/helm/chart.test.ts renders the chart by these commands',
  kubectl: 'a Kubernetes cluster',
  docker: 'a container engine; npm run test:image runs the image without one',
  psql: 'a server that is being restored; npm run drill restores one',
  pg_basebackup: 'a standby to make again',
  mv: 'the server of a lost database; npm run drill restores one',
  '/opt/lending-backup/backup.sh':
    'a server with its backups; npm run drill and test/tooling/backup-script.test.ts run it',
  'kafka-acls.sh': 'brokers with logins',
  'kafka-configs.sh': 'the brokers of the cell',
  'kafka-delete-records.sh': 'the brokers of the cell',
  'kafka-metadata-quorum.sh': 'the brokers of the cell',
  'kafka-topics.sh': 'the brokers of the cell',
  openssl: 'a server with a certificate',
  'npm run image': 'Debian or Ubuntu; npm run test:image runs it',
  'npm run test:image': 'Debian or Ubuntu',
};

export interface OperatorCommand {
  readonly file: string;
  /** The words from the program on. */
  readonly line: string;
  /** The name of a command of `lending`; undefined for another program. */
  readonly lending: string | undefined;
}

/** The commands in blocks of the documents for operators. */
export function operatorCommands(): readonly OperatorCommand[] {
  const folder = join('docs', 'operations');
  const documents = readdirSync(join(projectDir, folder), { recursive: true, encoding: 'utf8' });
  const files = [
    'deploy/README.md',
    ...documents.filter((name) => name.endsWith('.md')).map((name) => join(folder, name)),
  ];
  return files.flatMap((file) => {
    const text = readFileSync(join(projectDir, file), 'utf8').replaceAll(/\\\n\s*/g, '');
    const blocks = [...text.matchAll(/^ *```sh\n([\s\S]*?)^ *```$/gm)].map(([, code = '']) => code);
    return blocks
      .flatMap((code) => code.split('\n').map((line) => line.trim()))
      .flatMap((line) => {
        if (line === '' || /^(?:export|echo|metadata:) /.test(line)) return [];
        const [, lending] = /^npm run -s lending -- ((?:[a-z-]+ ?){1,2})/.exec(line) ?? [];
        return [{ file, line, lending: lending?.trim() }];
      });
  });
}
