/** Which named log a development start has worked on: known by its cluster, for an address says nothing. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { logOf } from '#deploy/stack/strangers.ts';

export function logOfLastTime(dir: string): string | undefined {
  return existsSync(fileIn(dir)) ? readFileSync(fileIn(dir), 'utf8') : undefined;
}

export async function rememberLog(dir: string, brokers: string): Promise<void> {
  const { cluster } = await logOf(brokers);
  mkdirSync(dir, { recursive: true });
  writeFileSync(fileIn(dir), cluster);
}

function fileIn(dir: string): string {
  return join(dir, 'named-log');
}
