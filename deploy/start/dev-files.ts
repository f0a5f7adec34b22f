/** What a start leaves for whoever uses it: `.data/dev.json` for tools, `.data/dev.env` for the command line. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectDir } from '#deploy/stack/install.ts';

const devFile = join(projectDir, '.data', 'dev.json');
export const envFile = join(projectDir, '.data', 'dev.env');

export function writeDev(dev: object): void {
  write(devFile, `${JSON.stringify(dev, null, 2)}\n`);
}

export function writeEnvironment(values: Readonly<Record<string, string>>): void {
  const lines = Object.entries(values).map(([name, value]) => `${name}=${value}\n`);
  write(envFile, lines.join(''));
}

export function forget(): void {
  for (const file of [devFile, envFile]) rmSync(file, { force: true });
}

export function runningAt(): string {
  try {
    return (JSON.parse(readFileSync(devFile, 'utf8')) as { base_url: string }).base_url;
  } catch {
    return 'an address it will tell when it is ready';
  }
}

/** Keys and a password: for the eyes of whoever started it. Renamed into place, so that no reader sees half of it. */
function write(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
