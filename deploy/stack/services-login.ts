/** How the services log in to a Postgres that is ours: `prepare` makes the login, here it gets its name and password. */
import { secretIn } from './secret.ts';

const login = 'lending_services';

/** With a password of their own: whoever has the services' address must not have the owner's by another name in it. */
export function servicesUrlIn(dir: string, ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.username = login;
  url.password = secretIn(dir, 'services-password');
  return url.href;
}
