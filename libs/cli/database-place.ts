/** A database in words: its hosts, ports and name, without the login and its password. */
import { parsePostgresUrl } from '#libs/runtime/postgres-url.ts';

/** Empty for an address in which a password cannot be told from the rest with certainty. */
export function databasePlace(url: string): string {
  const addresses = (parsePostgresUrl(url)?.urls ?? []).map((each) => new URL(each));
  const [first] = addresses;
  // A password that holds a slash makes a path with the login's @.
  if (first === undefined || first.pathname.includes('@')) return '';
  return `${addresses.map(({ host }) => host).join(',')}${first.pathname}`;
}
