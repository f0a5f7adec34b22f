/**
 * `npm run lint:spectral`: lints schemas/openapi.json by the rules `spectral:oas`, and fails where it finds anything. Spectral
 * has two hundred packages, so it is installed beside those of this repository.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '#deploy/dev/dev-files.ts';

const version = '6.16.3';
const tools = join(projectDir, '.data', 'tools', `spectral-${version}`);
const spectral = join(tools, 'node_modules', '.bin', 'spectral');
const ruleset = join(tools, 'ruleset.json');

mkdirSync(tools, { recursive: true });
if (!existsSync(spectral)) {
  const options = ['--no-audit', '--no-fund', '--ignore-scripts', '--no-save'];
  execFileSync('npm', ['install', '--prefix', tools, ...options, `@stoplight/spectral-cli@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
}
writeFileSync(ruleset, JSON.stringify({ extends: ['spectral:oas'] }));
const args = ['lint', join(projectDir, 'schemas', 'openapi.json'), '--ruleset', ruleset, '--fail-severity', 'hint'];
process.exitCode = spawnSync(spectral, args, { stdio: 'inherit' }).status ?? 1;
