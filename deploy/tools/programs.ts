/**
 * Programs that tests and the image build use beside npm packages. Each is taken from the PATH, else installed into
 * `.data/tools` by the package manager named here. Nothing is installed on the machine, and root is not needed.
 */
import { execFile } from 'node:child_process';
import { accessSync, constants, existsSync, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { type LogLine, projectDir } from '../dev/dev-files.ts';
import { unpackDebianPackages } from './debian-packages.ts';

const run = promisify(execFile);

type Source = { readonly debian: string } | { readonly go: string } | { readonly python: string };

const sources = {
  umoci: { debian: 'umoci' },
  bwrap: { debian: 'bubblewrap' },
  promtool: { debian: 'prometheus' },
  prometheus: { debian: 'prometheus' },
  helm: { go: 'helm.sh/helm/v3/cmd/helm@v3.19.0' },
  'kubernetes-validate': { python: 'kubernetes-validate==1.37.0' },
} as const satisfies Record<string, Source>;

export type ProgramName = keyof typeof sources;

const toolsDir = join(projectDir, '.data', 'tools');
const unpacked = join(toolsDir, 'debian');
const goPrograms = join(toolsDir, 'go');
const python = join(toolsDir, 'python');
const installed = [join(unpacked, 'usr', 'bin'), goPrograms, join(python, 'bin')];

/** The machine has no way to get a program. */
export class MissingProgramError extends Error {
  override readonly name = 'MissingProgramError';
}

/** The path of the program, or undefined where it is not installed yet. */
export function findProgram(name: ProgramName): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...installed];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

/** Installs the program where it is missing. */
export async function requireProgram(name: ProgramName, log: LogLine): Promise<string> {
  const found = findProgram(name);
  if (found !== undefined) return found;
  log(`installing ${name} into .data/tools`);
  try {
    await install(sources[name]);
  } catch (cause) {
    throw new MissingProgramError(`${name} is not on the PATH and could not be installed; install it`, { cause });
  }
  const path = findProgram(name);
  if (path === undefined) throw new MissingProgramError(`${name} is missing in what was installed; install it`);
  return path;
}

async function install(source: Source): Promise<void> {
  mkdirSync(toolsDir, { recursive: true });
  if ('debian' in source) await unpackDebianPackages([source.debian], unpacked);
  else if ('go' in source) await run('go', ['install', source.go], { env: { ...process.env, GOBIN: goPrograms } });
  else {
    if (!existsSync(python)) await run('python3', ['-m', 'venv', python]);
    await run(join(python, 'bin', 'pip'), ['install', '--quiet', source.python]);
  }
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
