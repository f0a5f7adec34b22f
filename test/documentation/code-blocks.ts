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

/** Run as a reader would, compiled against the types of the SDK, read by the parser of its form, or only shown. */
export type Proof = 'run' | 'typed' | 'parsed' | 'shown';

interface BlockRow {
  readonly file: string;
  readonly proof: Proof;
  /** The test that does it; of a block that is only shown, the reason. */
  readonly by: string;
  /** How the blocks begin. */
  readonly beginnings: readonly string[];
}

const setup = 'it installs or starts what the tests have installed or started in another way';
const readme = 'test/integration/readme.test.ts';
const samples = 'test/integration/documentation-samples.test.ts';
const java = 'test/integration/java-sdk.test.ts';
const here = 'test/documentation/code-blocks.test.ts';

function row(file: string, proof: Proof, by: string, ...beginnings: readonly string[]): BlockRow {
  return { file, proof, by, beginnings };
}

export const blockRows: readonly BlockRow[] = [
  row('README.md', 'shown', setup, 'npm start', 'ZZ_KEY=', 'npm --prefix'),
  row('README.md', 'run', 'test/integration/demo.test.ts', 'npm run -s lending -- call'),
  row('README.md', 'parsed', 'libs/cli/command-line.test.ts', 'npm run -s lending -- receipts post'),
  row('README.md', 'run', readme, 'reference,client_id', 'import {'),

  row(ofTypeScript, 'shown', setup, 'npm --prefix'),
  row(ofTypeScript, 'run', readme, 'import { Lending', 'await lending.reportReceipt', 'const { loans', 'const at ='),
  row(ofTypeScript, 'run', readme, 'const hasty', 'new Lending({ onAnswer', 'for await (const { index', 'INSERT INTO'),
  row(ofTypeScript, 'run', samples, 'for await (const { events'),
  row(ofTypeScript, 'typed', 'test/tooling/sdk.test.ts', 'import { Kafka', 'await consumeMovements'),

  row(ofPython, 'shown', setup, 'python3 -m venv'),
  row(ofPython, 'run', 'test/integration/python-sdk.test.ts', '# app.py'),
  row(ofPython, 'run', samples, 'async with', 'try:', 'for reported', 'for followed'),
  row(ofPython, 'typed', samples, 'from lending.events'),
  row(ofPython, 'run', readme, 'INSERT INTO'),
  row(ofPython, 'run', 'libs/sdk-python/tests/test_guide.py', 'def take'),

  row(ofJava, 'shown', setup, 'mvn '),
  row(ofJava, 'run', java, '// App.java', 'lending.listLoans', 'try {', 'for (ReportedReceipt', 'try (EventStream'),
  row(ofJava, 'typed', java, 'TopicConsumer', 'void take'),
  row(ofJava, 'run', readme, 'INSERT INTO'),

  row(
    'docs/guide/quick-start.md',
    'shown',
    setup,
    'npm start',
    'set -a',
    '. ./lending.sh',
    'mkdir -p',
    'mvn ',
    'lending()',
  ),

  row('docs/guide/signing.md', 'parsed', here, 'POST', 'c455cc', '4cMzh', 'Authorization: '),
  row(
    'docs/guide/signing.md',
    'run',
    samples,
    'lsk_test_',
    '# lending.sh',
    '. ./lending.sh',
    '"""lending_call.py',
    'from lending_call',
  ),
  row('docs/guide/signing.md', 'run', readme, '// signed.mjs'),

  row('docs/guide/idempotency.md', 'run', samples, 'import { LendingError', 'from lending import LendingError'),

  row('docs/guide/events.md', 'run', samples, 'const from =', 'for followed'),
  row('docs/guide/events.md', 'run', 'libs/sdk-python/tests/test_guide.py', '"""ledger.py'),
  row('docs/guide/events.md', 'shown', setup, 'pip install', 'python -c'),

  row('docs/guide/two-clocks.md', 'shown', 'a request without its signature', 'GET /v1'),
  row('docs/guide/versions.md', 'parsed', here, 'Contract-Version: '),
  row('docs/guide/receipts.md', 'parsed', here, 'lending receipts post'),
  row('docs/guide/console.md', 'parsed', here, 'lending console invite'),
  row('docs/guide/command-line.md', 'parsed', here, '{\n'),
  row('docs/guide/command-line.md', 'parsed', 'libs/cli/command-reference.test.ts', 'lending '),
  row('docs/guide/command-line.md', 'shown', 'it is the text of the help', 'A CSV names', 'Exit codes:'),
];

/** What shows that a block is right. More than one where the table is ambiguous, none where it lacks the block. */
export function rowsOf({ file, info, code }: CodeBlock): readonly BlockRow[] {
  // A sample of the reference in every language, or the last step of the quick start in one of them.
  if (info === 'sample' || / (?!java$)\w+$/.test(info)) return [row(file, 'run', samples)];
  if (info === 'java java') return [row(file, 'run', java)];
  return blockRows.filter((each) => each.file === file && each.beginnings.some((text) => code.startsWith(text)));
}
