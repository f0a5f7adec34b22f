/** Who is recorded as the actor: `--actor`, LENDING_ACTOR (also from the profile), else the login of this machine. */
import { userInfo } from 'node:os';
import { callerSettings } from '#libs/runtime/settings.ts';
import { isIdentifier } from '#libs/schema/identifiers.ts';
import { UsageError } from './command.ts';
import type { AdminOptions } from './commands/admin-options.ts';

export function actorOf({ actor }: AdminOptions): string {
  const { variable } = callerSettings.actor;
  const name = actor ?? (process.env[variable] || systemLogin());
  if (isIdentifier(name)) return name;
  throw new UsageError(
    `the actor is ${JSON.stringify(name)}; set --actor or ${variable} to 1 to 64 letters, digits, - and _`,
  );
}

/** For commands on a whole cell, which also run where nobody has a name: in a job, or by a timer. */
export function actorOrLogin(): string {
  const name = process.env[callerSettings.actor.variable] || systemLogin();
  return isIdentifier(name) ? name : 'operator';
}

/** Empty where the user has no name, as in a container. */
function systemLogin(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}
