/** The tree of all commands. It is built for every run, so the definitions import no driver and no implementation. */
import { styleText } from 'node:util';
import { Command, Option } from 'commander';
import { type CommandTarget, parseProfileName } from './command.ts';
import { addBookCommands } from './commands/books.ts';
import { addCallCommand } from './commands/call.ts';
import { addCellCommands } from './commands/cell.ts';
import { addClientCommands } from './commands/clients.ts';
import { addConsoleCommands } from './commands/console.ts';
import { addDoctorCommand } from './commands/doctor.ts';
import { addEventCommands } from './commands/events.ts';
import { addEvidenceCommand } from './commands/evidence.ts';
import { addCompletionCommands, addExitCodesCommand } from './commands/help-topics.ts';
import { addKeyCommands } from './commands/keys.ts';
import { addLoanCommands } from './commands/loans.ts';
import { addLoginCommands } from './commands/logins.ts';
import { addProfileCommands } from './commands/profiles.ts';
import { addReceiptCommands } from './commands/receipts.ts';
import { addRepairCommands } from './commands/repairs.ts';
import { addRequestCommands } from './commands/requests.ts';
import { addTenancyCommands } from './commands/tenancies.ts';
import { readVersion } from './version.ts';

export type CommandGroup = {
  readonly title: string;
  readonly target: CommandTarget;
  readonly commands: readonly ((program: Command) => void)[];
};

export const commandGroups: readonly CommandGroup[] = [
  {
    title: 'Commands of a caller (LENDING_URL, LENDING_KEY, LENDING_TENANT, or a profile):',
    target: 'service',
    commands: [
      addCallCommand,
      addClientCommands,
      addLoanCommands,
      addReceiptCommands,
      addEventCommands,
      addRequestCommands,
      addDoctorCommand,
    ],
  },
  {
    title: 'Commands that need no service:',
    target: 'none',
    commands: [addProfileCommands, addEvidenceCommand],
  },
  {
    title: 'Commands of an operator (KAFKA_BROKERS, SCHEMA_REGISTRY_URL, DATABASE_URL, REDIS_URL):',
    target: 'cell',
    commands: [
      addTenancyCommands,
      addKeyCommands,
      addConsoleCommands,
      addBookCommands,
      addCellCommands,
      addLoginCommands,
      addRepairCommands,
    ],
  },
];

const helpTitle = 'Help:';

/** Runs after the command line was parsed and before the command. */
type BeforeRun = (command: Command, target: CommandTarget) => Promise<void>;

export function createProgram(beforeRun: BeforeRun, hasCompletion = true): Command {
  const program = new Command('lending')
    .description('Calls the service as a caller, and administers a cell.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => console.log(text.trimEnd()),
      writeErr: (text) => console.error(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, '')),
    })
    .configureHelp({
      helpWidth: 100,
      styleTitle: (title) => styleText('bold', title, { validateStream: false }),
      styleCommandText: (text) => styleText('cyan', text, { validateStream: false }),
      styleOptionText: (text) => styleText('cyan', text, { validateStream: false }),
    });
  const targets = new Map<Command, CommandTarget>();
  for (const { title, target, commands } of commandGroups) {
    program.commandsGroup(title);
    for (const add of commands) add(program);
    for (const command of program.commands) if (!targets.has(command)) targets.set(command, target);
  }
  program.commandsGroup(helpTitle);
  addExitCodesCommand(program);
  // The library for completion adds commands of its own to the tree that it completes.
  if (hasCompletion) addCompletionCommands(program, () => createProgram(beforeRun, false));
  for (const command of allCommands(program)) {
    command.showHelpAfterError(usageHint(command));
    const takesProfile = command === program || targets.get(topLevel(command)) === 'service';
    if (command === program || command.commands.length === 0) addCommonOptions(command, takesProfile);
  }
  program
    .version(readVersion(), '-V, --version', 'print the version')
    .addHelpCommand(
      new Command('help').argument('[command]').description('show the help of a command').helpGroup(helpTitle),
    );
  program.hook('preAction', (_program, command) => {
    // Options that were written before the command belong to the program.
    for (const [name, value] of Object.entries(program.opts())) command.setOptionValue(name, value);
    return beforeRun(command, targets.get(topLevel(command)) ?? 'none');
  });
  return program;
}

const profileMeaning =
  'the profile of a caller to use; it wins over the environment (default: LENDING_PROFILE, then that of profile use)';

/** On the program, which accepts them anywhere, and on each command, whose help and completion list them. */
function addCommonOptions(command: Command, takesProfile: boolean): void {
  const profile = new Option('--profile <name>', profileMeaning).argParser(parseProfileName);
  command
    .optionsGroup('Options of every command:')
    // A command without a use for it knows it all the same, and says why where it refuses it.
    .addOption(takesProfile ? profile : profile.hideHelp())
    .option('--json', 'print one JSON document, or one JSON line per item, and nothing else')
    .option('--no-color', 'print without colours, as with NO_COLOR or where the output is no terminal')
    .helpOption('-h, --help', 'show this help');
}

export function allCommands(root: Command): Command[] {
  return [root, ...root.commands.flatMap(allCommands)];
}

/** Of a tree that is not run: for the reference and for tests. */
export function describedProgram(): Command {
  return createProgram(async () => undefined);
}

function topLevel(command: Command): Command {
  return command.parent === null || command.parent.parent === null ? command : topLevel(command.parent);
}

export function usageHint(command: Command): string {
  return `Usage: ${fullName(command)} ${command.usage()}; --help shows the details.`;
}

/** `lending book release`. */
export function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`;
}
