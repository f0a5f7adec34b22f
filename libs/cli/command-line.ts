/** The `lending` command: its table of commands, usage errors and exit codes (0 done, 1 failed, 2 wrong usage). */
import { Command, CommanderError } from 'commander';
import { ConfigurationError } from '#libs/runtime/config.ts';
import { addBookCommands } from './books.ts';
import { addCallCommand } from './call.ts';
import { addCellCommands } from './cell-commands.ts';
import { type CommandTarget, UsageError } from './command.ts';
import { addConsoleCommands } from './console.ts';
import { addEventCommands } from './events.ts';
import { formatError } from './format-error.ts';
import { addLoginCommands } from './logins.ts';
import { addReceiptCommands } from './receipts/post.ts';
import { addRepairCommands } from './repair-commands.ts';
import { addClientCommands } from './show-client.ts';
import { addLoanCommands } from './show-loan.ts';
import { addTenancyCommands } from './tenancies.ts';
import { addEvidenceCommand } from './verify-evidence.ts';

type CommandGroup = {
  readonly title: string;
  readonly target: CommandTarget;
  readonly commands: readonly ((program: Command) => void)[];
};

const groups: readonly CommandGroup[] = [
  {
    title: 'Commands of a caller (LENDING_URL, LENDING_KEY, LENDING_TENANT):',
    target: 'service',
    commands: [addCallCommand, addReceiptCommands, addLoanCommands, addClientCommands, addEventCommands],
  },
  { title: 'Commands that need no service:', target: 'none', commands: [addEvidenceCommand] },
  {
    title: 'Commands of an operator (KAFKA_BROKERS, SCHEMA_REGISTRY_URL, DATABASE_URL, REDIS_URL):',
    target: 'cell',
    commands: [
      addTenancyCommands,
      addConsoleCommands,
      addBookCommands,
      addCellCommands,
      addLoginCommands,
      addRepairCommands,
    ],
  },
];

/** Every command with its group: `lending book release`. */
export function commandNames(): string[] {
  return allCommands(createProgram(async () => undefined)).map(fullName);
}

/** `checkTarget` throws where the service or cell that a command needs is known to be down. */
export async function runCommandLine(
  args: readonly string[],
  checkTarget: (target: CommandTarget) => Promise<void> = async () => {},
): Promise<void> {
  let running: Command | undefined;
  const program = createProgram(async (command, target) => {
    running = command;
    rejectOptionsAsValues(command);
    await checkTarget(target);
  });
  try {
    if (args.length === 0) program.outputHelp();
    else await program.parseAsync(args, { from: 'user' });
  } catch (cause) {
    if (cause instanceof CommanderError) {
      // Printed already. Help that was asked for is not an error.
      if (cause.exitCode !== 0) process.exitCode = 2;
      return;
    }
    console.error(formatError(cause));
    if (cause instanceof UsageError && running !== undefined) console.error(usageHint(running));
    process.exitCode = cause instanceof UsageError || cause instanceof ConfigurationError ? 2 : 1;
  }
}

function createProgram(beforeRun: (command: Command, target: CommandTarget) => Promise<void>): Command {
  const program = new Command('lending')
    .description('Calls the service as a caller, and administers a cell.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => console.log(text.trimEnd()),
      writeErr: (text) => console.error(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, '')),
    })
    .configureHelp({ helpWidth: 100 });
  const targets = new Map<Command, CommandTarget>();
  for (const { title, target, commands } of groups) {
    program.commandsGroup(title);
    for (const add of commands) add(program);
    for (const command of program.commands) if (!targets.has(command)) targets.set(command, target);
  }
  program.commandsGroup('Help:');
  for (const command of allCommands(program)) command.showHelpAfterError(usageHint(command));
  program.hook('preAction', (_program, command) => beforeRun(command, targets.get(topLevel(command)) ?? 'none'));
  return program;
}

function allCommands(root: Command): Command[] {
  return [root, ...root.commands.flatMap(allCommands)];
}

function topLevel(command: Command): Command {
  return command.parent === null || command.parent.parent === null ? command : topLevel(command.parent);
}

function usageHint(command: Command): string {
  return `Usage: ${fullName(command)} ${command.usage()}; --help shows the details.`;
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
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
