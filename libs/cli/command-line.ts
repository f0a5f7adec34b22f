/** Runs the `lending` command: usage errors, the values of a profile, and exit codes (exit-codes.ts). */
import { type Command, CommanderError } from 'commander';
import { type CommandTarget, type CommonOptions, UsageError } from './command.ts';
import { createProgram, usageHint } from './command-tree.ts';

/** `checkTarget` throws where the service or cell that the named command needs is known to be down. */
export async function runCommandLine(
  words: readonly string[],
  checkTarget: (target: CommandTarget, command: string) => Promise<void> = async () => {},
): Promise<void> {
  const args = helpByOption(words);
  let running: Command | undefined;
  let runningOn: CommandTarget | undefined;
  applyColorOption(args);
  const beforeRun = async (command: Command, target: CommandTarget): Promise<void> => {
    running = command;
    runningOn = target;
    rejectOptionsAsValues(command);
    if (target !== 'none') await useProfile(target, command.opts<CommonOptions>());
    await checkTarget(target, command.name());
  };
  const isJson = hasFlag(args, '--json');
  const program = await createProgram(beforeRun, { words: args, ...(isJson ? { writeErr: () => undefined } : {}) });
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
  } catch (cause) {
    if (cause instanceof CommanderError) {
      // Help that was asked for is not an error, and text was printed already.
      if (cause.exitCode === 0) return;
      process.exitCode = 2;
      if (!isJson) return;
    }
    await printFailure(cause, { running, target: runningOn, isJson });
  }
}

/** `help key rotate` as `key rotate --help`: commander takes one name after help, and shows the help of the group. */
function helpByOption(words: readonly string[]): readonly string[] {
  const [first, ...command] = words;
  return first === 'help' && command.length > 1 ? [...command, '--help'] : words;
}

interface FailedRun {
  readonly running: Command | undefined;
  readonly target: CommandTarget | undefined;
  readonly isJson: boolean;
}

async function printFailure(cause: unknown, { running, target, isJson }: FailedRun): Promise<void> {
  const { errorDocument, exitCodeOf, formatError } = await import('./format-error.ts');
  const { explainOutage } = await import('./explain-outage.ts');
  const explained = target === 'cell' ? explainOutage(cause, process.env) : cause;
  process.exitCode = exitCodeOf(cause);
  if (isJson) {
    console.error(JSON.stringify(errorDocument(explained)));
    return;
  }
  console.error(formatError(explained));
  if (cause instanceof UsageError && running !== undefined) console.error(usageHint(running));
}

/** Read by Node's own functions for colours, and by commander for its help. */
function applyColorOption(args: readonly string[]): void {
  if (!hasFlag(args, '--no-color')) return;
  process.env['NO_COLOR'] = '1';
  delete process.env['FORCE_COLOR'];
}

/** Before the command line is parsed: words behind -- are arguments. */
function hasFlag(args: readonly string[], flag: string): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).includes(flag);
}

async function useProfile(target: CommandTarget, { profile }: CommonOptions): Promise<void> {
  if (target === 'cell' && profile !== undefined) {
    throw new UsageError(
      `--profile ${profile} names a service, and this command acts on a cell by its addresses (DATABASE_URL, KAFKA_BROKERS); ` +
        'set these, and state --actor for the actor of the profile',
    );
  }
  const { actorOnly, applyProfile, readProfiles, selectProfileOf } = await import('./profiles.ts');
  const selected = selectProfileOf(readProfiles(process.env), process.env, profile);
  if (selected === undefined) return;
  const { variables, notices } = applyProfile(process.env, target === 'cell' ? actorOnly(selected) : selected);
  for (const notice of notices) console.error(notice);
  for (const [name, value] of Object.entries(variables)) {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  }
}

/** `--actor --json` lacks a value. A value may begin with a dash, as a cursor may, but not be an option itself. */
function rejectOptionsAsValues(command: Command): void {
  const flags = ['-h', '--help', ...command.options.map(({ long }) => long)];
  for (const option of command.options) {
    const value: unknown = command.opts()[option.attributeName()];
    if (typeof value === 'string' && flags.includes(value)) {
      throw new UsageError(`option ${option.long} needs a value, seen the option ${value}`);
    }
  }
}

/** Exits once the output is written: drivers may still hold connections open. */
export function exitAfterOutput(): void {
  // A reader that has closed the output does not change the exit code.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  process.stdout.write('', () => process.stderr.write('', () => process.exit()));
}
