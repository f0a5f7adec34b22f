/** Defines `lending key`. */
import { type Command, Option } from 'commander';
import { addConfirmationOptions, describeCommand, durationParser, parseTenancyId } from '../command.ts';
import type { MintOptions, RevokeOptions, RotateOptions } from '../keys.ts';
import { type AdminOptions, acceptActorOption, addActorOption } from './admin-options.ts';

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('mint, list, rotate and revoke the keys of a Tenancy');
  addMintCommand(key);

  const list = key
    .command('list')
    .description('list the keys of a Tenancy, with the revoked ones')
    .argument('<tenancy>', 'its id', parseTenancyId);
  acceptActorOption(list).action(async (tenantId: string, options: AdminOptions) =>
    (await import('../keys.ts')).listKeys(tenantId, options),
  );
  describeCommand(list, { effect: 'reads', examples: ['key list demo', 'key list demo --json'] });

  addRotateCommand(key);
  addRevokeCommand(key);
}

function addMintCommand(key: Command): void {
  const mint = key
    .command('mint')
    .description('create a key pair, record its public half and print the secret, once')
    .argument('<tenancy>', 'its id', parseTenancyId)
    .addOption(new Option('--scope <scope>', 'what the key may do').choices(['read', 'write']).makeOptionMandatory())
    .addOption(new Option('--holder <holder>', 'who signs with it').choices(['service', 'agent']).default('service'))
    .option('--label <text>', 'a note in the list of keys (default: holder and scope)');
  addActorOption(mint).action(async (tenantId: string, options: MintOptions) =>
    (await import('../keys.ts')).mintForOperator(tenantId, options),
  );
  describeCommand(mint, {
    effect: 'reversible',
    examples: ["key mint demo --scope read --label 'reports'", 'key mint demo --scope write --json'],
  });
}

function addRotateCommand(key: Command): void {
  const rotate = key
    .command('rotate')
    .description('create the successor of a key and print its secret, once; the former key stays or is revoked')
    .argument('<tenancy>', 'its id', parseTenancyId)
    .argument('<fingerprint>', 'the fp of the former key, as key list prints it')
    .option(
      '--overlap <duration>',
      'revoke the former key after this time, such as 10m, or at once with 0s (default: it stays)',
      durationParser(7 * 86_400),
    );
  addConfirmationOptions(rotate, 'say what would be done');
  addActorOption(rotate).action(async (tenantId: string, fingerprint: string, options: RotateOptions) =>
    (await import('../keys.ts')).rotateKey(tenantId, fingerprint, options),
  );
  describeCommand(rotate, {
    effect: 'irreversible',
    examples: [
      'key rotate demo 29e0994ff8ff48a7c1c951f32be1b8f3',
      'key rotate demo 29e0994ff8ff48a7c1c951f32be1b8f3 --overlap 24h --yes',
    ],
    details: `
The successor has the scope, holder and label of the former key. With --overlap this command waits for that time and then
revokes the former key: no service revokes it later, so the command must keep running. Where it is ended before, both keys
work, and the printed lending key revoke ends the rotation.`,
  });
}

function addRevokeCommand(key: Command): void {
  const revoke = key
    .command('revoke')
    .description('revoke a key for good, or all keys of a Tenancy; all instances refuse it within a second')
    .argument('<tenancy>', 'its id', parseTenancyId)
    .argument('[fingerprint]', 'the fp of the key, as key list prints it')
    .option('--all', 'every key of the Tenancy: no request of it is accepted until a key is minted');
  addConfirmationOptions(revoke, 'list the keys that would be revoked');
  addActorOption(revoke).action(async (tenantId: string, fingerprint: string | undefined, options: RevokeOptions) =>
    (await import('../keys.ts')).revokeKeys(tenantId, fingerprint, options),
  );
  describeCommand(revoke, {
    effect: 'irreversible',
    examples: ['key revoke demo 29e0994ff8ff48a7c1c951f32be1b8f3', 'key revoke demo --all --dry-run'],
  });
}
