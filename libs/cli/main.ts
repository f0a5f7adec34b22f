#!/usr/bin/env node
/** `npm run -s lending -- COMMAND`: what a caller asks of the service, and a person does to a cell, by hand. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { ConfigurationError } from '#libs/process/config.ts';
import { Refused } from './caller.ts';
import { type Command, type Typed, UsageError } from './command.ts';
import { commands } from './commands.ts';
import { faultTold } from './fault-told.ts';
import { refusalTold } from './refusal-told.ts';

const typed = process.argv.slice(2);
const { command, rest } = commandOf(typed);
try {
  if (command === undefined) tellAll(typed);
  else await run(command, rest);
} catch (cause) {
  const isTheirs = cause instanceof UsageError || cause instanceof ConfigurationError;
  if (cause instanceof Refused) console.error(refusalTold(cause));
  else console.error(faultTold(cause));
  if (cause instanceof UsageError) console.error(`\n${command === undefined ? usage() : helpOf(command)}`);
  process.exitCode = isTheirs ? 2 : 1;
}

/** A command is named by one word or by two. */
function commandOf(args: readonly string[]): { readonly command: Command | undefined; readonly rest: string[] } {
  const words = [2, 1].find((many) => Object.hasOwn(commands, args.slice(0, many).join(' '))) ?? 0;
  return { command: commands[args.slice(0, words).join(' ')], rest: args.slice(words) };
}

async function run(chosen: Command, args: string[]): Promise<void> {
  const { values, positionals } = parsed(chosen, args);
  if (values['help'] === true) console.log(helpOf(chosen));
  else await chosen.run({ positionals, options: values });
}

function parsed({ options = {} }: Command, args: string[]): { values: Typed['options']; positionals: string[] } {
  const known: ParseArgsOptionsConfig = { help: { type: 'boolean', short: 'h' } };
  for (const [name, kind] of Object.entries(options)) {
    known[name] = kind === 'flag' ? { type: 'boolean' } : { type: 'string', multiple: kind === 'texts' };
  }
  try {
    return parseArgs({ args, allowPositionals: true, options: known });
  } catch (cause) {
    throw new UsageError((cause as Error).message);
  }
}

function tellAll(args: readonly string[]): void {
  const isAsked = args.length === 0 || args.some((word) => word === '--help' || word === '-h' || word === 'help');
  if (!isAsked) throw new UsageError(`${args.slice(0, 2).join(' ')}: no such command`);
  console.log(usage());
}

function helpOf({ usage: how, what, more }: Command): string {
  return `lending ${how}\n    ${what}${more === undefined ? '' : `\n\n${more}`}`;
}

function usage(): string {
  return `${Object.values(commands)
    .map(({ usage: how, what }) => `lending ${how}\n    ${what}`)
    .join('\n')}

Each says more under --help.
A caller's commands go to LENDING_URL as LENDING_KEY, for the Tenancy of --tenant or LENDING_TENANT.
The others go to the cell of KAFKA_BROKERS, SCHEMA_REGISTRY_URL, DATABASE_URL and REDIS_URL; --actor is the person who is
recorded as having done it, and whoever is logged in where it is left out.`;
}
