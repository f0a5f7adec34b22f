import { backing, ownerUrl, readConfig } from '#libs/runtime/config.ts';
import { type Command, type Typed, text, wholeNumber } from './command.ts';

export const prepareCell: Command = {
  usage: 'prepare [--replicas 1]',
  what: 'migrates the database as DATABASE_OWNER_URL, lets in the login of DATABASE_URL, makes topics, registers schemas',
  needs: 'cell',
  options: { replicas: 'text' },
  run,
};

async function run({ options }: Typed): Promise<void> {
  const replicas = wholeNumber('--replicas', text(options['replicas']) ?? '1', { least: 1, most: 99 });
  const { databaseUrl, owner, ...rest } = readConfig(process.env, { ...backing, owner: ownerUrl });
  const cell = { ...rest, databaseUrl: owner ?? databaseUrl, servicesDatabaseUrl: databaseUrl };
  const { isOneLogin, oneLoginNotice } = await import('#libs/database/service-login.ts');
  const { prepare } = await import('./prepare.ts');
  const migrations = await prepare(cell, replicas);
  if (isOneLogin(cell.databaseUrl, databaseUrl)) console.error(`Mind: ${oneLoginNotice}.`);
  console.log(JSON.stringify({ migrations }, null, 2));
}
