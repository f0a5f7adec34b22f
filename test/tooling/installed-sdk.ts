/** Builds the SDK and installs it into a new folder with only its own dependencies. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const project = join(import.meta.dirname, '..', '..');
const source = join(project, 'libs', 'sdk');

interface Package {
  readonly name: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
}

export interface InstalledSdk {
  /** Files in this folder can import the SDK. */
  readonly folder: string;
  remove(): void;
}

export function installSdk({ withPeers }: { readonly withPeers: boolean }): InstalledSdk {
  const folder = mkdtempSync(join(tmpdir(), 'lending-caller-'));
  const { name, dependencies, peerDependencies } = JSON.parse(
    readFileSync(join(source, 'package.json'), 'utf8'),
  ) as Package;
  const packages = join(folder, 'node_modules');
  const installed = join(packages, name);
  mkdirSync(installed, { recursive: true });
  const compiler = join(project, 'node_modules', '.bin', 'tsc');
  execFileSync(compiler, ['-p', source, '--outDir', join(installed, 'dist')], { cwd: project, stdio: 'inherit' });
  for (const file of ['package.json', 'README.md']) cpSync(join(source, file), join(installed, file));
  const dependencyNames = Object.keys({ ...dependencies, ...(withPeers ? peerDependencies : {}) });
  for (const each of dependencyNames) symlinkSync(join(project, 'node_modules', each), join(packages, each));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
