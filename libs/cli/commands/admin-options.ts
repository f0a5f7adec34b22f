/** Options of the commands that change something on behalf of a person. */
import type { Command } from 'commander';
import { type CommonOptions, parseActor } from '../command.ts';

export type AdminOptions = CommonOptions & { readonly actor?: string };

export function addActorOption(command: Command): Command {
  return command.option(
    '--actor <name>',
    'the person who is recorded as the actor (default: LENDING_ACTOR, that of the profile, or the login of this machine)',
    parseActor,
  );
}
