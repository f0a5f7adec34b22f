/** One command, from what was typed to its exit. */
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { ConfigurationError } from '#libs/runtime/config.ts';
import { Refused } from './caller.ts';
import { type Command, type Needs, type Typed, UsageError } from './command.ts';
import { commands } from './commands.ts';
import { faultTold } from './fault-told.ts';
import { nearest } from './nearest.ts';
import { refusalTold } from './refusal-told.ts';
import { allTold, commandTold, noSuchCommand, whereTold } from './usage-told.ts';

/** Throws where it is known beforehand that nobody would answer. */
type MustBeThere = (needs: Needs) => Promise<void>;

export async function lending(typed: readonly string[], mustBeThere: MustBeThere = async () => {}): Promise<void> {
  const { command, rest } = commandOf(typed);
  try {
    if (command === undefined) tellAll(typed);
    else await run(command, rest, mustBeThere);
  } catch (cause) {
    const isTheirs = cause instanceof UsageError || cause instanceof ConfigurationError;
    if (cause instanceof Refused) console.error(refusalTold(cause));
    else console.error(faultTold(cause));
    if (cause instanceof UsageError) console.error(whereTold(command));
    process.exitCode = isTheirs ? 2 : 1;
  }
}

/** A command is named by one word or by two. */
function commandOf(args: readonly string[]): { readonly command: Command | undefined; readonly rest: string[] } {
  const words = [2, 1].find((many) => Object.hasOwn(commands, args.slice(0, many).join(' '))) ?? 0;
  return { command: commands[args.slice(0, words).join(' ')], rest: args.slice(words) };
}

async function run(chosen: Command, args: string[], mustBeThere: MustBeThere): Promise<void> {
  const { values, positionals } = parsed(chosen, args);
  if (values['help'] === true) {
    console.log(commandTold(chosen));
    return;
  }
  await mustBeThere(chosen.needs);
  await chosen.run({ positionals, options: values });
}

function parsed({ options = {} }: Command, args: string[]): { values: Typed['options']; positionals: string[] } {
  const known: ParseArgsOptionsConfig = { help: { type: 'boolean', short: 'h' } };
  for (const [name, kind] of Object.entries(options)) {
    known[name] = kind === 'flag' ? { type: 'boolean' } : { type: 'string', multiple: kind === 'texts' };
  }
  try {
    return parseArgs({ args: withDashedValues(args, known), allowPositionals: true, options: known });
  } catch (cause) {
    throw new UsageError(wrongOption(cause as NodeJS.ErrnoException, Object.keys(known)));
  }
}

/** A cursor may begin with a dash: what follows an option that takes a text is its text, unless it is an option itself. */
function withDashedValues(args: readonly string[], known: ParseArgsOptionsConfig): string[] {
  const all = Object.keys(known).map((name) => `--${name}`);
  const isOption = (word: string): boolean => word === '-h' || all.includes(word.split('=', 1)[0] ?? '');
  const takesText = (word = ''): boolean => word.startsWith('--') && known[word.slice(2)]?.type === 'string';
  const end = args.indexOf('--');
  const words: string[] = [];
  for (const [at, word] of args.entries()) {
    const isBeforeEnd = end < 0 || at < end;
    const isText = isBeforeEnd && word.startsWith('-') && takesText(args[at - 1]) && !isOption(word);
    words.push(isText ? `${words.pop()}=${word}` : word);
  }
  return words;
}

/** Node goes on with advice for whoever wrote the program. */
function wrongOption({ code, message }: NodeJS.ErrnoException, known: readonly string[]): string {
  const [said] = message.split(/\. |\n/);
  const written = /'--([^']+)'/.exec(message)?.[1];
  const meant = code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION' && written ? nearest(written, known) : undefined;
  return `${said?.replace(/\.$/, '')}.${meant === undefined ? '' : ` Did you mean --${meant}?`}`;
}

function tellAll(args: readonly string[]): void {
  const isAsked = args.length === 0 || args.some((word) => word === '--help' || word === '-h' || word === 'help');
  if (!isAsked) throw new UsageError(noSuchCommand(args));
  console.log(allTold());
}
