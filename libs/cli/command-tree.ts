/**
 * The tree of all commands. It is built for every run, so the definitions import no driver and no implementation, and
 * only those that the command line names are loaded. The others are known by their summary, for the help.
 */
import { styleText } from 'node:util';
import { Command, Option } from 'commander';
import { describeBuild } from '#libs/runtime/build.ts';
import { type CommandTarget, helpWidth, parseProfileName } from './command.ts';
import { addCompletionCommands, addExitCodesCommand } from './commands/help-topics.ts';
import commandSummaries from './commands/summaries.json' with { type: 'json' };

type AddCommands = (program: Command) => void;

/** Each file of `commands/` that defines commands, by the name of the file. */
const definitions = {
  books: async () => (await import('./commands/books.ts')).addBookCommands,
  call: async () => (await import('./commands/call.ts')).addCallCommand,
  cell: async () => (await import('./commands/cell.ts')).addCellCommands,
  clients: async () => (await import('./commands/clients.ts')).addClientCommands,
  console: async () => (await import('./commands/console.ts')).addConsoleCommands,
  doctor: async () => (await import('./commands/doctor.ts')).addDoctorCommand,
  events: async () => (await import('./commands/events.ts')).addEventCommands,
  evidence: async () => (await import('./commands/evidence.ts')).addEvidenceCommand,
  keys: async () => (await import('./commands/keys.ts')).addKeyCommands,
  loans: async () => (await import('./commands/loans.ts')).addLoanCommands,
  logins: async () => (await import('./commands/logins.ts')).addLoginCommands,
  partitions: async () => (await import('./commands/partitions.ts')).addPartitionCommands,
  profiles: async () => (await import('./commands/profiles.ts')).addProfileCommands,
  receipts: async () => (await import('./commands/receipts.ts')).addReceiptCommands,
  repairs: async () => (await import('./commands/repairs.ts')).addRepairCommands,
  requests: async () => (await import('./commands/requests.ts')).addRequestCommands,
  tenancies: async () => (await import('./commands/tenancies.ts')).addTenancyCommands,
} as const satisfies { readonly [file: string]: () => Promise<AddCommands> };

type DefinitionFile = keyof typeof definitions;

/** What the help of the program shows of a command. */
export type CommandSummary = {
  readonly name: string;
  readonly arguments: string;
  readonly description: string;
  readonly isGroup: boolean;
};

/** The commands at the top that a file defines. command-reference.test.ts holds them to the definitions. */
const summaries: { readonly [file in DefinitionFile]: readonly CommandSummary[] } = commandSummaries;

export type CommandGroup = {
  readonly title: string;
  readonly target: CommandTarget;
  readonly files: readonly DefinitionFile[];
};

export const commandGroups: readonly CommandGroup[] = [
  {
    title: 'Commands of a caller (LENDING_URL, LENDING_KEY, LENDING_TENANT, or a profile):',
    target: 'service',
    files: ['call', 'clients', 'loans', 'receipts', 'events', 'requests', 'doctor'],
  },
  {
    title: 'Commands that need no service:',
    target: 'none',
    files: ['profiles', 'evidence'],
  },
  {
    title: 'Commands of an operator (DATABASE_URL, KAFKA_BROKERS and the others of a cell):',
    target: 'cell',
    files: ['tenancies', 'keys', 'console', 'books', 'cell', 'partitions', 'logins', 'repairs'],
  },
];

export async function addCommandsOf(file: DefinitionFile, program: Command): Promise<void> {
  (await definitions[file]())(program);
}

/** `call <method> <path> [body]`, with the other names of the command: `set-bounds|bounds <tenancy>`. */
function termOf(command: Command): string {
  const named = command.registeredArguments.map((argument) => {
    const name = `${argument.name()}${argument.variadic ? '...' : ''}`;
    return argument.required ? `<${name}>` : `[${name}]`;
  });
  return [[command.name(), ...command.aliases()].join('|'), ...named].join(' ');
}

const helpTitle = 'Help:';

/** Runs after the command line was parsed and before the command. */
type BeforeRun = (command: Command, target: CommandTarget) => Promise<void>;

type ProgramOptions = {
  /** Commands that these words do not name are only summarised; all are defined where the words are left out. */
  readonly words?: readonly string[];
  readonly hasCompletion?: boolean;
  /** Takes the text of errors. Default: standard error. */
  readonly writeErr?: (text: string) => void;
};

export async function createProgram(
  beforeRun: BeforeRun,
  { words, hasCompletion = true, writeErr = console.error }: ProgramOptions = {},
): Promise<Command> {
  const program = new Command('lending')
    .description('Calls the service as a caller, and administers a cell.')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => console.log(text.trimEnd()),
      writeErr: (text) => writeErr(text.trimEnd()),
      outputError: (text, write) => write(text.replace(/^error: /, '')),
    })
    .configureHelp({
      helpWidth: helpWidth(),
      // All have options; without them a narrow terminal has room for what a command does.
      subcommandTerm: termOf,
      styleTitle: (title) => styleText('bold', title, { validateStream: false }),
      styleCommandText: (text) => styleText('cyan', text, { validateStream: false }),
      styleOptionText: (text) => styleText('cyan', text, { validateStream: false }),
    });
  const targets = new Map<Command, CommandTarget>();
  const summarisedGroups = new Set<Command>();
  for (const { title, target, files } of commandGroups) {
    program.commandsGroup(title);
    for (const file of files) {
      if (words === undefined || summaries[file].some(({ name }) => words.includes(name))) {
        await addCommandsOf(file, program);
        continue;
      }
      for (const summary of summaries[file]) {
        const command = program.command(`${summary.name} ${summary.arguments}`).description(summary.description);
        if (summary.isGroup) summarisedGroups.add(command);
      }
    }
    for (const command of program.commands) if (!targets.has(command)) targets.set(command, target);
  }
  program.commandsGroup(helpTitle);
  addExitCodesCommand(program);
  // The library for completion adds commands of its own to the tree that it completes.
  if (hasCompletion) addCompletionCommands(program, () => createProgram(beforeRun, { hasCompletion: false }));
  for (const command of allCommands(program)) {
    command.showHelpAfterError(usageHint(command));
    const takesProfile = command === program || targets.get(topLevel(command)) === 'service';
    const hasOptions = command === program || (command.commands.length === 0 && !summarisedGroups.has(command));
    command.optionsGroup('Options of every command:');
    if (hasOptions) addCommonOptions(command, { takesProfile, printsJson: command.name() !== 'completion' });
    command.helpOption('-h, --help', 'show this help');
  }
  program
    .version(describeBuild(), '-V, --version', 'print the version')
    .addHelpCommand(
      new Command('help').argument('[command...]').description('show the help of a command').helpGroup(helpTitle),
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

type OptionUse = { readonly takesProfile: boolean; readonly printsJson: boolean };

/** On the program, which accepts them anywhere, and on each command, whose help and completion list them. */
function addCommonOptions(command: Command, { takesProfile, printsJson }: OptionUse): void {
  const profile = new Option('--profile <name>', profileMeaning).argParser(parseProfileName);
  const json = new Option('--json', 'print one JSON document, or one JSON line per item, and nothing else');
  command
    // A command without a use for it knows it all the same, and says why where it refuses it.
    .addOption(takesProfile ? profile : profile.hideHelp())
    .addOption(printsJson ? json : json.hideHelp())
    .option('--no-color', 'print without colours, as with NO_COLOR or where the output is no terminal');
}

export function allCommands(root: Command): Command[] {
  return [root, ...root.commands.flatMap(allCommands)];
}

/** Of a tree that is not run, with all commands: for the reference and for tests. */
export function describedProgram(): Promise<Command> {
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
