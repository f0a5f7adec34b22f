/** How commands are used: all of them, one, and the line or two for whoever typed something else. */
import type { Command } from './command.ts';
import { commands } from './commands.ts';
import { nearest } from './nearest.ts';

const names = Object.keys(commands);

export function allTold(): string {
  return `${Object.values(commands)
    .map(({ usage: how, what }) => `lending ${how}\n    ${what}`)
    .join('\n')}

Each says more under --help.
A caller's commands go to LENDING_URL as LENDING_KEY, for the Tenancy of --tenant or LENDING_TENANT.
The others go to the cell of KAFKA_BROKERS, SCHEMA_REGISTRY_URL, DATABASE_URL and REDIS_URL; --actor is the person who is
recorded as having done it, and whoever is logged in where it is left out.`;
}

export function commandTold({ usage: how, what, more }: Command): string {
  return `lending ${how}\n    ${what}${more === undefined ? '' : `\n\n${more}`}`;
}

/** Where to read on after what was wrong has been said. */
export function whereTold(command: Command | undefined): string {
  if (command === undefined) return 'lending help tells of all.';
  return `lending ${command.usage}; --help says more, lending help tells of all.`;
}

export function noSuchCommand(words: readonly string[]): string {
  const written = words.slice(0, 2).join(' ');
  const meant = meantBy(written, String(words[0]));
  const asked = new Intl.ListFormat('en', { type: 'disjunction' }).format(meant);
  return `${written}: no such command.${meant.length === 0 ? '' : ` Did you mean ${asked}?`}`;
}

/** The one it is almost, else those that begin with its first word, or almost. */
function meantBy(written: string, first: string): readonly string[] {
  const one = nearest(written, names);
  if (one !== undefined) return [one];
  const beginnings = names.map(firstWord);
  const begun = first.length < 3 ? undefined : beginnings.find((word) => word.startsWith(first));
  const beginning = begun ?? nearest(first, beginnings);
  return names.filter((name) => firstWord(name) === beginning);
}

function firstWord(name: string): string {
  return String(name.split(' ')[0]);
}
