/** Options of the commands that change something on behalf of a person. */
import { type Command, Option } from 'commander';
import { type CommonOptions, parseActor } from '../command.ts';

export type AdminOptions = CommonOptions & { readonly actor?: string };

export function addActorOption(command: Command): Command {
  return command.addOption(actorOption());
}

/** A command that only reads accepts it, for scripts that state it with every command, and records no one. */
export function acceptActorOption(command: Command): Command {
  return command.addOption(actorOption().hideHelp());
}

function actorOption(): Option {
  return new Option(
    '--actor <name>',
    'the person who is recorded as the actor (default: LENDING_ACTOR, that of the profile, or the login of this machine)',
  ).argParser(parseActor);
}
