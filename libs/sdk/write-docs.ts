/**
 * `npm run docs:sdk`: writes the reference of the package by TypeDoc. TypeDoc needs a compiler with a JavaScript API, which
 * the one of this repository does not have, so both are installed beside it.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';

const packages = ['typedoc@0.28.20', 'typescript@5.9.3'];
const source = import.meta.dirname;
const data = join(source, '..', '..', '.data');
const tools = join(data, 'tools', 'typedoc');

const typedoc = join(tools, 'node_modules', '.bin', 'typedoc');

export function installTypeDoc(): void {
  if (existsSync(typedoc)) return;
  mkdirSync(tools, { recursive: true });
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-save'];
  execFileSync('npm', ['install', '--prefix', tools, ...options, ...packages], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}

export function writeSdkDocs(outDir: string = join(data, 'sdk-docs')): string {
  execFileSync(process.execPath, [typedoc, '--options', join(source, 'typedoc.json'), '--out', outDir], {
    cwd: source,
    stdio: 'inherit',
  });
  return outDir;
}

if (import.meta.main) {
  installTypeDoc();
  console.log(writeSdkDocs());
}
