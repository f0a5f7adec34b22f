/** The value of an option that names another database, whose password must not be on the command line. */
import { readFile } from 'node:fs/promises';
import { parsePostgresUrl } from '#libs/runtime/postgres-url.ts';
import { UsageError } from './command.ts';
import { readSecret } from './read-secret.ts';

/** `value` is a URL without a password, the path of a file that holds a URL, or `-` for standard input. */
export async function readDatabaseUrl(option: string, value: string): Promise<string> {
  const isUrl = value.includes('://');
  const url = isUrl ? value : value === '-' ? await readSecret('URL of the database') : await readUrlFile(value);
  const addresses = parsePostgresUrl(url)?.urls.map((each) => new URL(each));
  // The value is not printed, because it may hold a password.
  if (addresses === undefined) throw new UsageError(`${option} is no URL of a database; expected postgres://…`);
  if (isUrl && addresses.some(({ password, searchParams }) => password !== '' || searchParams.has('password'))) {
    throw new UsageError(
      `${option} holds a password, and the shell keeps each command line in its history: write the URL to a file and state its ` +
        'path, or state - and give it on standard input',
    );
  }
  return url;
}

async function readUrlFile(path: string): Promise<string> {
  return (await readFile(path, 'utf8')).trim();
}
