/** How the services log in to a Postgres that is ours: `prepare` makes the login, here it gets its name and password. */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const login = 'lending_services';

/** Of processes under the folder: a password made once and kept beside the data it belongs to. */
export function embeddedServicesUrl(dir: string, ownerUrl: string): string {
  return as(ownerUrl, passwordIn(dir));
}

/** Of containers: that of their owner. Their data outlive the folder, and with them the login. */
export function containedServicesUrl(ownerUrl: string): string {
  return as(ownerUrl, new URL(ownerUrl).password);
}

function as(ownerUrl: string, password: string): string {
  const url = new URL(ownerUrl);
  url.username = login;
  url.password = password;
  return url.href;
}

function passwordIn(dir: string): string {
  const file = join(dir, 'services-password');
  if (!existsSync(file)) writeFileSync(file, randomBytes(18).toString('base64url'), { mode: 0o600 });
  return readFileSync(file, 'utf8');
}
