/** How the services log in to a Postgres that is ours: `prepare` makes the login, here it gets its name and password. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const login = 'lending_services';

/** Made once and kept beside the database it belongs to. */
export function servicesUrl(dir: string, ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.username = login;
  url.password = passwordIn(dir);
  return url.href;
}

function passwordIn(dir: string): string {
  const file = join(dir, 'services-password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(18).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}
