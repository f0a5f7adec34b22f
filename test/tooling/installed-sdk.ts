/** Builds and packs the SDK, and installs the package into a new folder with only its own dependencies. */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildSdk } from '#libs/sdk/build.ts';

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
  const staged = join(folder, 'staged');
  buildSdk(join(staged, 'dist'));
  for (const file of ['package.json', 'README.md']) cpSync(join(source, file), join(staged, file));
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], {
    cwd: staged,
    encoding: 'utf8',
  });
  execFileSync('tar', ['-xzf', join(folder, packed.trim()), '--strip-components=1', '-C', installed]);
  rmSync(staged, { recursive: true });
  const dependencyNames = Object.keys({ ...dependencies, ...(withPeers ? peerDependencies : {}) });
  for (const each of dependencyNames) symlinkSync(join(project, 'node_modules', each), join(packages, each));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
