import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Made once and kept beside the data it opens: anybody on the machine can reach a port, not everybody is us. */
export function secretIn(dir: string, name: string): string {
  const file = join(dir, name);
  if (!existsSync(file)) {
    mkdirSync(dir, { recursive: true });
    writeFileSync(file, randomBytes(18).toString('base64url'), { mode: 0o600 });
  }
  return readFileSync(file, 'utf8');
}

/** Of the owner of the database, whichever way it is run. */
export function ownersPassword(dir: string): string {
  return secretIn(dir, 'postgres-password');
}
