/** What a start leaves for whoever uses it: `.data/dev.json` for tools, `.data/dev.env` for the command line. */
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { projectDir } from '#deploy/stack/install.ts';

const devFile = join(projectDir, '.data', 'dev.json');
export const envFile = join(projectDir, '.data', 'dev.env');
export const devFiles = [devFile, envFile];

export function writeDev(dev: object): void {
  write(devFile, `${JSON.stringify(dev, null, 2)}\n`);
}

export function writeEnvironment(values: Readonly<Record<string, string>>): void {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  write(envFile, lines.join(''));
}

/** What the last start left for the command line; nothing where it is not ready, or ended. */
export function readEnvironment(): Readonly<Record<string, string | undefined>> {
  return existsSync(envFile) ? parseEnv(readFileSync(envFile, 'utf8')) : {};
}

/** Keys and a password: for the eyes of whoever started it. Renamed into place, so that no reader sees half of it. */
function write(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
