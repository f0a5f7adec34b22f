/** Defines `lending profile`. */
import { type Command, Option } from 'commander';
import {
  addConfirmationOptions,
  type CommonOptions,
  describeCommand,
  parseActor,
  parseProfileName,
  parseTenancyId,
} from '../command.ts';
import type { RemoveProfileOptions, SetProfileOptions } from '../profile-commands.ts';

const keyMeaning =
  "- reads a key's secret from standard input, or asks for it on a terminal; a secret on the command line is refused";

export function addProfileCommands(program: Command): void {
  const profile = program.command('profile').description('keep the address, Tenancy, key and actor of a caller');
  const list = profile
    .command('list')
    .description('list the profiles, without their secrets')
    .action(async (options: CommonOptions) => (await import('../profile-commands.ts')).listProfiles(options));
  describeCommand(list, { effect: 'reads', examples: ['profile list'] });

  const set = profile
    .command('set')
    .description('create a profile, or change the stated values of one')
    .argument('<name>', 'its name', parseProfileName)
    .option('--url <url>', 'the address of the service')
    .option('--tenant <id>', 'the Tenancy', parseTenancyId)
    .addOption(new Option('--key <source>', keyMeaning).conflicts('keyFile'))
    .option('--key-file <path>', "the file of a key's secret")
    .option('--actor <name>', 'who is recorded as the actor', parseActor);
  addConfirmationOptions(set, 'print the profile as it would be; write nothing').action(
    async (name: string, options: SetProfileOptions) =>
      (await import('../profile-commands.ts')).setProfile(name, options),
  );
  describeCommand(set, {
    effect: 'irreversible',
    examples: [
      'profile set acme --url https://lending.example --tenant acme --key-file ~/acme.key --actor maria',
      'profile set acme --key -',
      'profile set acme --key - < acme.key',
    ],
    details: 'Asks before it replaces the secret of another key, which nothing else may hold.',
  });

  const use = profile
    .command('use')
    .description('use a profile where neither --profile nor LENDING_PROFILE names another')
    .argument('<name>', 'its name; - uses none')
    .action(async (name: string, options: CommonOptions) =>
      (await import('../profile-commands.ts')).selectProfile(name, options),
    );
  describeCommand(use, { effect: 'reversible', examples: ['profile use acme', 'profile use -'] });

  const remove = profile
    .command('remove')
    .description('remove a profile; asks where it holds the secret of a key')
    .argument('<name>', 'its name');
  addConfirmationOptions(remove, 'print the profile that would be removed').action(
    async (name: string, options: RemoveProfileOptions) =>
      (await import('../profile-commands.ts')).removeProfile(name, options),
  );
  describeCommand(remove, {
    effect: 'irreversible',
    examples: ['profile remove acme', 'profile remove acme --yes'],
    details:
      'A secret that a profile holds itself is lost with it: the service does not have it. That of a key file stays.',
  });
}
