/** Paths of the project, and the files a start leaves for its users: `.data/dev.json` for tools, `.data/dev.env` for the command line. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { writePrivateFile } from '#libs/runtime/private-file.ts';

const chosenPartitions = process.env['LENDING_PARTITIONS'];
/** Fewer than a new cell has by default: one processor takes all, and each commit costs more the more of them it writes to. */
export const developmentPartitions = Number(chosenPartitions ?? 4);
/** Of stacks that tests divide among processors and databases. */
export const testPartitions = Number(chosenPartitions ?? 12);

/** Prints one line of progress. */
export type LogLine = (line: string) => void;

export const projectDir = join(import.meta.dirname, '..', '..');
const devFile = join(projectDir, '.data', 'dev.json');
export const envFile = join(projectDir, '.data', 'dev.env');
export const devFiles = [devFile, envFile];

export function writeDevFile(content: object): void {
  writePrivateFile(devFile, `${JSON.stringify(content, null, 2)}\n`);
}

export function writeEnvFile(values: Readonly<Record<string, string>>): void {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  writePrivateFile(envFile, lines.join(''));
}

/** The variables of the last start; empty while none is ready. */
export function readEnvFile(): Readonly<Record<string, string | undefined>> {
  return existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {};
}

/** Undefined where the file is missing or is not JSON. */
export function readJsonFile<Content>(file: string): Content | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Content;
  } catch {
    return undefined;
  }
}

type Variables = Readonly<Record<string, string | undefined>>;

const comparedVariables = [
  'KAFKA_BROKERS',
  'SCHEMA_REGISTRY_URL',
  'DATABASE_URL',
  'DATABASE_OWNER_URL',
  'REDIS_URL',
  'PORT',
];

/**
 * The answer of a second `npm start`. It fails where the environment asks for something other than what runs.
 * `running` is the environment file of the first start, empty until that is ready.
 */
export function describeRunningStart(
  env: Variables,
  running: Variables,
): { readonly text: string; readonly exitCode: 0 | 1 } {
  const requested: Variables = { ...env, PORT: env['PORT'] === '0' ? '' : env['PORT'] };
  const named = comparedVariables.filter((name) => (requested[name] ?? '') !== '');
  const url = running['LENDING_URL'];
  if (url === undefined) {
    return named.length === 0
      ? { exitCode: 0, text: 'A start is in progress; its address and its keys will be in .data/dev.json.' }
      : {
          exitCode: 1,
          text: `A start is in progress, and it is not known yet whether it uses the ${listNames(named)} of the environment; try again when it is ready.`,
        };
  }
  const actual: Variables = { ...running, PORT: url.split(':').at(-1) };
  const different = named.filter((name) => requested[name] !== actual[name]);
  return different.length === 0
    ? { exitCode: 0, text: `The service is running already at ${url}; its keys are in .data/dev.json.` }
    : {
        exitCode: 1,
        text: `The service is running already at ${url}, but not with the ${listNames(different)} of the environment; stop it first, or unset these variables.`,
      };
}

function listNames(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB').format(names);
}
