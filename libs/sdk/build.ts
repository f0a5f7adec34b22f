/** `npm run build:sdk`: compiles the package, as modules of ECMAScript and as CommonJS, each with its types. */
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const source = import.meta.dirname;
const compiler = join(source, '..', '..', 'node_modules', '.bin', 'tsc');

export function buildSdk(outDir: string): void {
  rmSync(outDir, { recursive: true, force: true });
  const commonjs = join(outDir, 'cjs');
  compile('tsconfig.json', outDir);
  compile('tsconfig.cjs.json', commonjs);
  // The package says `module`; the files below this folder are read as CommonJS.
  writeFileSync(join(commonjs, 'package.json'), '{ "type": "commonjs" }\n');
}

function compile(config: string, outDir: string): void {
  execFileSync(compiler, ['-p', join(source, config), '--outDir', outDir], { cwd: source, stdio: 'inherit' });
}

if (import.meta.main) buildSdk(join(source, 'dist'));
