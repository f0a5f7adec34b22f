/** `lending console`: invites people to the console by one-time sign-in links. */
import { type Command, InvalidArgumentError, Option } from 'commander';
import { parseEmail } from '#libs/people/persons.ts';
import { type Role, roles } from '#libs/people/roles.ts';
import { readConfig } from '#libs/runtime/config.ts';
import { backingSettings } from '#libs/runtime/connection-settings.ts';
import { consoleSettings } from '#libs/runtime/settings.ts';
import { type AdminOptions, addAdminOptions } from './admin-command.ts';
import { parseTenancyId, UsageError } from './command.ts';
import { formatValue } from './text-table.ts';

export function addConsoleCommands(program: Command): void {
  const group = program.command('console').description('invite people to the console');
  const command = group
    .command('invite')
    .description('create a person, or add a role, and print a link that signs in once and sets a password')
    .argument('<email>', 'the e-mail address with which the person signs in', parseAddress)
    .option('--operator', 'an operator of the installation, who may do everything in every Tenancy')
    .addOption(new Option('--tenant <tenancy>', 'a Tenancy').argParser(parseTenancyId).conflicts('operator'))
    .addOption(new Option('--role <role>', 'the role in the Tenancy').choices(roles).conflicts('operator'));
  addAdminOptions(command).action(runInvite);
}

type InviteOptions = AdminOptions & { readonly operator?: boolean; readonly tenant?: string; readonly role?: Role };

function parseAddress(value: string): string {
  const email = parseEmail(value);
  if (email === undefined) throw new InvalidArgumentError('Expected an e-mail address, such as ana@example.com.');
  return email;
}

async function runInvite(email: string, { operator, tenant, role, actor, json }: InviteOptions): Promise<void> {
  if (operator !== true && (tenant === undefined || role === undefined)) {
    throw new UsageError('no role is stated; set --operator, or --tenant and --role');
  }
  const as = tenant === undefined || role === undefined ? 'operator' : { tenantId: tenant, role };
  const { databaseUrl, url, port } = readConfig(process.env, {
    databaseUrl: backingSettings.databaseUrl,
    url: consoleSettings.url,
    port: consoleSettings.port,
  });
  const { openDatabase } = await import('#libs/database/pool.ts');
  const { invite } = await import('#libs/people/invitations.ts');
  const database = openDatabase({ url: databaseUrl, name: 'console-invite', connections: 1 });
  try {
    const path = await invite(database, { email, as, actor, origin: { channel: 'command_line' } });
    const result = { email, as, sign_in_url: new URL(path, url ?? `http://127.0.0.1:${port}`).href };
    const isForReader = process.stdout.isTTY && json !== true;
    console.log(isForReader ? formatValue(result).join('\n') : JSON.stringify(result, null, 2));
  } finally {
    await database.end();
  }
}
