/** A database in words: host, port and name, without the login and its password. */
export function databasePlace(url: string): string {
  return url.replace(/^[^:]+:\/\/(?:[^@/]*@)?/, '').replace(/\?.*$/, '');
}
