/** Shared parts of the commands that administer a cell: who is recorded as the actor, and how results are printed. */
import { userInfo } from 'node:os';
import type { Command } from 'commander';
import { readConfig } from '#libs/runtime/config.ts';
import { backingSettings } from '#libs/runtime/connection-settings.ts';
import { silentLogger } from '#libs/runtime/logging.ts';
import { isRefusal, type Refusal } from '#libs/schema/refusals.ts';
import type { Administration } from '#libs/submission/administration.ts';
import { parseActor } from './command.ts';
import { formatValue } from './text-table.ts';

export type AdminOptions = { readonly actor: string; readonly json?: boolean };

export function addAdminOptions(command: Command): Command {
  return command
    .option('--actor <name>', 'the person who is recorded as the actor', parseActor, userInfo().username)
    .option('--json', 'print JSON, as when the output is piped');
}

/** Runs an administration command and prints its result: for a reader on a terminal, as JSON otherwise. */
export async function administer(
  { json = false }: AdminOptions,
  work: (administration: Administration) => Promise<unknown>,
): Promise<void> {
  // The drivers take a while to load, and the commands of a caller do not need them.
  const { openAdministration } = await import('#libs/submission/open-submission-client.ts');
  // Failures are thrown and printed; the drivers' log of retries is not shown.
  const { administration, close } = await openAdministration(readConfig(process.env, backingSettings), silentLogger);
  try {
    const result = await work(administration);
    const isForReader = process.stdout.isTTY && !json;
    console.log(isForReader ? formatValue(result).join('\n') : JSON.stringify(result, null, 2));
  } finally {
    await close();
  }
}

export function requireAdmitted<Result>(result: Result | Refusal): Result {
  if (isRefusal(result)) throw new Error(`refused: ${result.code} ${JSON.stringify(result.details ?? {})}`);
  return result;
}
