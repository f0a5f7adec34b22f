/** Defines `lending console`. */
import { type Command, Option } from 'commander';
import { roles } from '#libs/people/roles.ts';
import { describeCommand, parseTenancyId } from '../command.ts';
import type { EncryptSecretsOptions, InviteOptions } from '../console.ts';
import { addActorOption } from './admin-options.ts';

export function addConsoleCommands(program: Command): void {
  const group = program
    .command('console')
    .description('invite people to the console, and encrypt the secrets of their authenticator apps');
  const invite = group
    .command('invite')
    .description('create a person, or add a role, and print a link that signs in once and sets a password')
    .argument('<email>', 'the e-mail address with which the person signs in')
    .option('--operator', 'an operator of the installation, who may do everything in every Tenancy')
    .addOption(new Option('--tenant <tenancy>', 'a Tenancy').argParser(parseTenancyId).conflicts('operator'))
    .addOption(new Option('--role <role>', 'the role in the Tenancy').choices(roles).conflicts('operator'));
  addActorOption(invite).action(async (email: string, options: InviteOptions) =>
    (await import('../console.ts')).runInvite(email, options),
  );
  describeCommand(invite, {
    effect: 'reversible',
    examples: [
      'console invite ana@example.com --operator',
      'console invite luis@example.com --tenant demo --role finance',
    ],
  });

  const encrypt = group
    .command('encrypt-secrets')
    .description('store the secrets of all authenticator apps encrypted with the first key of TOTP_KEY')
    .option('--plain', 'store them as they are instead, before a rollback to a release without TOTP_KEY')
    .option('--dry-run', 'only count them');
  addActorOption(encrypt).action(async (options: EncryptSecretsOptions) =>
    (await import('../console.ts')).runEncryptSecrets(options),
  );
  describeCommand(encrypt, {
    effect: 'reversible',
    examples: ['console encrypt-secrets --dry-run', 'console encrypt-secrets'],
    details: `Each secret is also encrypted when its person signs in with a code; this command does the rest, so that an old key can be
removed. Exit code 1 where a secret cannot be read with the keys of TOTP_KEY; its person is named.`,
  });
}
