/** Defines `lending login`. */
import type { Command } from 'commander';
import { addConfirmationOptions, describeCommand } from '../command.ts';
import type { RetireOptions, RotateLoginOptions } from '../logins.ts';

const databaseText = 'of this database of PARTITION_DATABASE_URLS, not of DATABASE_URL';

export function addLoginCommands(program: Command): void {
  const login = program.command('login').description('replace the logins of the database');
  const rotate = login
    .command('rotate')
    .description('create the next login of the services; the former one keeps working')
    .option('--owner', 'give the owner of the tables a new password instead')
    .option('--database <name>', databaseText);
  addConfirmationOptions(rotate, 'name the login that would be created or changed').action(
    async (options: RotateLoginOptions) => (await import('../logins.ts')).runRotate(options),
  );
  describeCommand(rotate, {
    effect: 'irreversible',
    examples: ['login rotate --dry-run', 'login rotate', 'login rotate --owner'],
    details: rotateDetails,
  });

  const retire = login
    .command('retire')
    .description('drop a former login of the services')
    .argument('<login>', 'its name')
    .option('--terminate', 'end its sessions; the services open others with their new login')
    .option('--database <name>', databaseText);
  addConfirmationOptions(retire, 'list the sessions of the login; drop nothing').action(
    async (name: string, options: RetireOptions) => (await import('../logins.ts')).runRetire(name, options),
  );
  describeCommand(retire, {
    effect: 'irreversible',
    examples: [
      'login retire lending_services --dry-run',
      'login retire lending_services',
      'login retire lending_services --terminate --yes',
    ],
  });
}

const rotateDetails = `
Logs in as DATABASE_OWNER_URL. Where DATABASE_URL_FILE (with --owner: DATABASE_OWNER_URL_FILE) names a file, the new URL is
written to it, and services that read the same file use it for new connections within a second. Otherwise the new URL is printed:
give it to all services, then run "lending login retire" with the former login.

With --owner the command asks first: the former password is not accepted any more.

With --database the URL is that of a further database: it is replaced in the file of PARTITION_DATABASE_URLS (with --owner:
PARTITION_DATABASE_OWNER_URLS), or printed.`;
