/** Who is recorded as the actor: `--actor`, LENDING_ACTOR (also from the profile), else the login of this machine. */
import { userInfo } from 'node:os';
import { callerSettings } from '#libs/runtime/settings.ts';
import { isIdentifier } from '#libs/schema/identifiers.ts';
import { UsageError } from './command.ts';
import type { AdminOptions } from './commands/admin-options.ts';

export function actorOf({ actor }: AdminOptions): string {
  const name = actor ?? namedByEnvironment();
  if (isIdentifier(name)) return name;
  const { variable } = callerSettings.actor;
  throw new UsageError(
    `the actor is ${JSON.stringify(name)}; set --actor or ${variable} to 1 to 64 letters, digits, - and _`,
  );
}

/** For commands on a whole cell, which also run where neither is set: in a job, or by a timer. */
export function actorOrLogin(): string {
  const name = namedByEnvironment();
  return isIdentifier(name) ? name : 'operator';
}

function namedByEnvironment(): string {
  return process.env[callerSettings.actor.variable] || systemLogin();
}

/** Empty where the user has no name, as in a container. */
function systemLogin(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}
