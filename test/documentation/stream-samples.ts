/** Runs the samples of the stream of Loan events and the consumers of topics. None has an end: each is ended once it has printed an event. */
import type { ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '#deploy/dev/dev-files.ts';
import { streamSamples } from '#libs/site/samples/stream.ts';
import { javaSdkPackage } from '#test/support/java-sdk.ts';
import { pythonWithSdk } from '#test/support/python-sdk.ts';
import { testEnvironment } from '#test/support/tenant.ts';
import { codeBlock } from './code-blocks.ts';
import { startProcessGroup } from './process-group.ts';
import { type Environment, guideCode, installedSdk } from './sample-runners.ts';

interface Program {
  readonly command: string;
  readonly args: readonly string[];
}

/** By the id of the language, with the id of the Tenancy. A string says why a language cannot run here. */
export const streamPrograms: Readonly<Record<string, (tenantId: string, folder: string) => Promise<Program | string>>> =
  {
    curl: async (tenantId) => {
      const sample = streamSamples['curl']?.replace('/demo/', `/${tenantId}/`);
      return shell(`${guideCode('signing', '# lending.sh')}\n${sample}`);
    },
    cli: async () => {
      const main = join(projectDir, 'libs', 'cli', 'main.ts');
      return shell(`lending() { "${process.execPath}" "${main}" "$@"; }\n${streamSamples['cli']}`);
    },
    typescript: async () => {
      const { folder } = installedSdk();
      const file = join(folder, 'stream', 'stream.ts');
      mkdirSync(join(folder, 'stream'));
      writeFileSync(join(folder, 'stream', 'package.json'), '{"type":"module"}');
      writeFileSync(file, String(streamSamples['typescript']));
      return { command: process.execPath, args: [file] };
    },
    python: async () => {
      const found = await pythonWithSdk();
      return 'missing' in found
        ? found.missing
        : { command: found.python, args: ['-u', '-c', String(streamSamples['python'])] };
    },
    java: async (_tenantId, folder) => {
      const file = join(folder, 'Stream.java');
      writeFileSync(file, javaProgram(String(streamSamples['java'])));
      return { command: 'java', args: ['-cp', javaSdkPackage, file] };
    },
  };

function shell(code: string): Program {
  return { command: 'bash', args: ['-euc', code] };
}

/** Imports stand before the class, all else in a method. */
function javaProgram(code: string): string {
  const lines = code.split('\n');
  const isImport = (line: string): boolean => line.startsWith('import ');
  return [
    ...lines.filter(isImport),
    'class Stream { public static void main(String[] arguments) {',
    ...lines.filter((line) => !isImport(line)),
    '}}',
  ].join('\n');
}

/** A consumer of a document, with the addresses of the running Kafka and registry, and in a group of its own. */
export function consumerCode(file: string, beginning: string): string {
  const { kafkaBrokers, schemaRegistryUrl } = testEnvironment().stack;
  return codeBlock(file, beginning)
    .replace('broker:9092', kafkaBrokers)
    .replace('https://registry.example/apis/ccompat/v7', schemaRegistryUrl)
    .replace(/my-(?:general-)?ledger/, randomUUID());
}

const issuedEvent = /kind['"]?: ?['"]issued/;

/** Everything that was printed until the first event of an issuance, or until `event`. */
export function printedUntilEvent(
  { command, args }: Program,
  environment: Environment,
  event = issuedEvent,
): Promise<string> {
  const env = { ...process.env, ...environment };
  return new Promise((resolve, reject) => {
    // A shell starts further processes.
    const child = startProcessGroup(command, args, { env });
    child.stdin.end();
    let printed = '';
    let failure = '';
    child.on('error', reject);
    child.stderr.on('data', (chunk: Buffer) => {
      failure += chunk;
    });
    child.stdout.on('data', (chunk: Buffer) => {
      printed += chunk;
      if (!child.killed && event.test(printed)) endGroup(child);
    });
    child.on('close', () => {
      if (event.test(printed)) resolve(printed);
      else reject(new Error(`${command} ended before an event; it printed ${printed} ${failure}`));
    });
  });
}

function endGroup(child: ChildProcess): void {
  child.kill();
  process.kill(-(child.pid as number));
}
