/** Runs code of the documentation in its language, in one process per language, as a reader of the guides would. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import type { Example } from '#libs/api/openapi/document.ts';
import type { RouteName } from '#libs/api/routes.ts';
import type { Json } from '#libs/schema/json.ts';
import type { SampleLanguage } from '#libs/site/samples/languages.ts';
import { examples } from '#libs/site/samples/recorded-examples.ts';
import { sampleRequest } from '#libs/site/samples/sample-request.ts';
import { runScenario, type SentAnswer } from '#test/openapi/scenario.ts';
import { javaSdkPackage } from '#test/support/java-sdk.ts';
import { pythonWithSdk } from '#test/support/python-sdk.ts';
import { type InstalledSdk, installSdk } from '#test/tooling/installed-sdk.ts';
import { type CodeBlock, codeBlock, codeBlocksOf } from './code-blocks.ts';
import { recordBlocks, recordSample } from './executed-code.ts';

export type Environment = Readonly<Record<string, string>>;

export interface SampleRunner {
  run(code: string): Promise<SentAnswer>;
  close(): void;
}

/** The runners by the language of the sample; a string says why a language cannot run here. */
export const runners: Readonly<
  Record<string, (environment: Environment) => SampleRunner | string | Promise<SampleRunner | string>>
> = {
  curl: curlRunner,
  typescript: typescriptRunner,
  python: pythonRunner,
  cli: (environment) =>
    new LineRunner(process.execPath, [join(import.meta.dirname, 'run-command-line.ts')], { environment }),
};

/** The block of a guide that begins with this text. */
export function guideCode(guide: string, beginning: string): string {
  return codeBlock(`docs/guide/${guide}.md`, beginning);
}

/** The last step of the quick start in a language of the samples. */
export function payoffBlock(language: string): CodeBlock {
  const [found, ...others] = codeBlocksOf('docs/guide/quick-start.md').filter(({ info }) =>
    info.endsWith(` ${language}`),
  );
  if (found === undefined || others.length > 0) throw new Error(`the quick start has not one block for ${language}`);
  return found;
}

let sdk: InstalledSdk | undefined;

/** Built once for all samples. */
export function installedSdk(): InstalledSdk {
  sdk ??= installSdk({ withPeers: false });
  return sdk;
}

function curlRunner(environment: Environment): SampleRunner {
  const folder = mkdtempSync(join(tmpdir(), 'lending-curl-'));
  // The samples print the body alone; the test needs the status as well.
  writeFileSync(join(folder, '.curlrc'), 'silent\nshow-error\nwrite-out = "\\n%{http_code}"\n');
  writeFileSync(join(folder, 'lending.sh'), guideCode('signing', '# lending.sh'));
  const env = { ...process.env, ...environment, CURL_HOME: folder };
  const options = { env, cwd: folder, maxBuffer: 2 ** 24 };
  return {
    async run(code) {
      const { stdout } = await promisify(execFile)('bash', ['-euc', `. ./lending.sh\n${code}`], options);
      const end = stdout.lastIndexOf('\n');
      return { status: Number(stdout.slice(end + 1)), body: JSON.parse(stdout.slice(0, end)) as Json };
    },
    close: () => rmSync(folder, { recursive: true }),
  };
}

function typescriptRunner(environment: Environment): SampleRunner {
  const { folder } = installedSdk();
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  const program = join(import.meta.dirname, 'run-typescript.mjs');
  return new LineRunner(process.execPath, [program], { environment, cwd: folder });
}

/** Also has the module of the guide to signing, which needs no SDK. */
export async function pythonRunner(environment: Environment): Promise<SampleRunner | string> {
  const found = await pythonWithSdk();
  if ('missing' in found) return found.missing;
  const cwd = mkdtempSync(join(tmpdir(), 'lending-python-'));
  writeFileSync(join(cwd, 'lending_call.py'), guideCode('signing', '"""lending_call.py'));
  const program = join(import.meta.dirname, 'run_python.py');
  return new LineRunner(found.python, ['-u', program], {
    environment: { ...environment, PYTHONPATH: cwd, PYTHONDONTWRITEBYTECODE: '1' },
    cwd,
    onClose: () => rmSync(cwd, { recursive: true }),
  });
}

/** With the package that the tests of the Java SDK build, so that nothing is compiled twice. */
export function javaRunner(environment: Environment): SampleRunner {
  const classes = mkdtempSync(join(tmpdir(), 'lending-java-samples-'));
  const program = join(import.meta.dirname, 'RunSamples.java');
  return new LineRunner('java', ['-cp', javaSdkPackage, program, classes], {
    environment,
    encode: (code) => Buffer.from(code).toString('base64'),
    onClose: () => rmSync(classes, { recursive: true }),
  });
}

/** Runs the scenario of the examples by samples, and returns the operations that were run. */
export async function runSamples(
  runner: SampleRunner,
  tenantId: string,
  { id, render }: SampleLanguage,
): Promise<readonly RouteName[]> {
  const run = new Set<RouteName>();
  await runScenario(async (_method, _path, _body, { operation, ...example }) => {
    const answer = await runner.run(render(sampleRequest(operation, example, tenantId)));
    run.add(operation);
    if (examples[operation] !== undefined) recordSample(operation, id);
    return answer;
  });
  return [...run].sort();
}

/** Its steps before the last one. */
export const quickStart = [
  'registerClient',
  'createConfiguration',
  'issueLoan',
  'reportReceipt',
  'readPaymentOptions',
] as const;

/** Does the quick start as its reader does, and returns the answer of its last step. */
export async function runQuickStart(
  runner: SampleRunner,
  tenantId: string,
  { id, render }: SampleLanguage,
): Promise<Json> {
  let answer: Json = null;
  for (const operation of quickStart) {
    const request = sampleRequest(operation, examples[operation] as Example, tenantId);
    answer = (await runner.run(render(request))).body;
  }
  const { loans } = answer as { readonly loans: readonly { readonly loan_id: string }[] };
  // The amount is not replaced: it is that of the answer in the reference.
  const block = payoffBlock(id);
  const code = block.code
    .replace(/^loan_id=.*$/m, `loan_id=${loans[0]?.loan_id}`)
    .replace('/tenants/demo/', `/tenants/${tenantId}/`);
  const { body } = await runner.run(code);
  recordBlocks('run', block);
  return body;
}

interface LineRunnerOptions {
  readonly environment: Environment;
  readonly cwd?: string;
  readonly encode?: (code: string) => string;
  readonly onClose?: () => void;
}

/** A program that reads the code of one sample per line, by default as JSON, and writes what came of it. */
class LineRunner implements SampleRunner {
  readonly #child: ChildProcess;
  readonly #lines: AsyncIterator<string>;
  readonly #encode: (code: string) => string;
  readonly #onClose: () => void;

  constructor(command: string, args: readonly string[], { environment, cwd, encode, onClose }: LineRunnerOptions) {
    const env = { ...process.env, ...environment };
    this.#child = spawn(command, args, { env, cwd, stdio: ['pipe', 'pipe', 'inherit'] });
    if (this.#child.stdout === null) throw new Error('the program has no output');
    this.#lines = createInterface({ input: this.#child.stdout })[Symbol.asyncIterator]();
    this.#encode = encode ?? JSON.stringify;
    this.#onClose = onClose ?? (() => undefined);
  }

  async run(code: string): Promise<SentAnswer> {
    this.#child.stdin?.write(`${this.#encode(code)}\n`);
    const { value, done } = await this.#lines.next();
    if (done) throw new Error('the program ended before it answered');
    const result = JSON.parse(value) as { readonly answer?: Json; readonly status?: number; readonly error?: string };
    if (result.error !== undefined) throw new Error(`${result.error}\nin the sample\n${code}`);
    return { status: result.status ?? 200, body: result.answer as Json };
  }

  close(): void {
    this.#child.stdin?.end();
    this.#onClose();
  }
}
