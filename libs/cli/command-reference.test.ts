/** docs/guide/command-line.md lists the commands of the tree; run with UPDATE_DOCS=true to write it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { type Argument, Command, type Option } from 'commander';
import { commandDescription, isList, paragraphsOf } from './command.ts';
import {
  addCommandsOf,
  allCommands,
  type CommandGroup,
  type CommandSummary,
  commandGroups,
  createProgram,
  describedProgram,
  fullName,
} from './command-tree.ts';
import { addCallerOptions } from './commands/caller-options.ts';
import { exitCodes } from './exit-codes.ts';

const path = join(import.meta.dirname, '../../docs/guide/command-line.md');
const summariesPath = join(import.meta.dirname, 'commands', 'summaries.json');
const isWriting = process.env['UPDATE_DOCS'] === 'true';
const program = await describedProgram();
const commonOptions = new Set(program.options.map(({ long }) => long));
const callerOptions = addCallerOptions(new Command()).options;

const head = `# The command line

\`lending\` does what a caller or an operator does by hand. In the folder of the repository it is \`npm run -s lending -- COMMAND\`, or faster
\`deploy/dev/lending COMMAND\`; there, \`npm link\` installs it as \`lending\`. While \`npm start\` runs, it uses the addresses and the demo key
of that start [where you state none](#values-of-npm-start). Otherwise:

- The commands of a caller need the address of the service, a key and a Tenancy: in \`LENDING_URL\`, \`LENDING_KEY\` (or \`LENDING_KEY_FILE\`)
  and \`LENDING_TENANT\`, or in a profile.
- The commands of an operator need the addresses of a cell: [settings](../operations/settings.md).

<!-- Generated from libs/cli/commands by: UPDATE_DOCS=true npm run jest -- libs/cli/command-reference -->

## Output

Results go to standard output, everything else to standard error. With \`--json\` standard output holds one JSON document, or one JSON
line per item, and nothing else. Progress is shown on a terminal only. Colours follow \`NO_COLOR\`, \`FORCE_COLOR\` and \`--no-color\`.
Where the output is no terminal, commands of an operator that print one result, such as \`key list\`, print it as JSON without \`--json\`, too.
\`verify-evidence\` always prints JSON, and \`call\` the response; all other commands print text.

With \`--json\` an error is one line of JSON, the last line of standard error. That of a refusal has the members of the answer, with its
\`status\` and the \`remedy\`; \`lending call\` prints the answer itself on standard output. Every other error has these members:

| Member | Content |
| - | - |
| \`error\` | what failed, and what to do |
| \`code\` | \`wrong_use\` (the command line, the environment or the profile), \`not_confirmed\`, \`interrupted\` or \`failed\` |
| \`exit_code\` | the [exit code](#exit-codes) |

## What cannot be undone

These commands ask before they do what cannot be undone, some of them only with certain options. A script states \`--yes\`; without it and
without a terminal the command does nothing and ends with exit code 2. \`--dry-run\` shows what would be done.

IRREVERSIBLE

## Profiles

\`lending profile set\` writes a profile to \`~/.config/lending/config.json\` (\`LENDING_CONFIG\`). A command of a caller uses one profile:

| Named by | Against the environment |
| - | - |
| \`--profile NAME\` | The profile wins. The environment adds only what the profile does not state. |
| \`LENDING_PROFILE\` | They must agree. Where \`LENDING_URL\`, \`LENDING_TENANT\`, \`LENDING_KEY\` or \`LENDING_ACTOR\` says something else, the command does nothing, names both values and ends with exit code 2. |
| \`lending profile use\` | The environment wins, and the command says where they differ. Where \`LENDING_URL\` names another service, nothing of the profile is used. |

Options such as \`--tenant\` win over both.

\`\`\`json
{
  "use": "acme",
  "profiles": {
    "acme": { "url": "https://lending.example", "tenant": "acme", "key_file": "/home/maria/acme.key", "actor": "maria" }
  }
}
\`\`\`

A profile names no cell, so the commands of an operator refuse \`--profile\`, and take only the actor of a profile. They
record who did it: \`--actor\`, \`LENDING_ACTOR\`, the actor of the profile, or the login of the machine.

## Values of npm start

What neither an option, the environment nor a profile states comes from the last \`npm start\`, but its key is sent to no other service:

| Stated for a caller | From \`npm start\` |
| - | - |
| nothing | the address, the key and the Tenancy |
| \`LENDING_KEY\` | the address; state the Tenancy as well |
| \`LENDING_TENANT\` | the address and the key |
| \`LENDING_URL\` | nothing; state the key and the Tenancy as well |

The key is one of the Tenancy \`demo\`. Where \`LENDING_TENANT\`, \`--tenant\` or the path of \`call\` names another one, state its key as well, or the
service refuses the request with \`not_permitted_tenant\`.
The commands of an operator take all addresses of the cell from the environment, or all of them from the last start.

## Repeats

Reads, imports and \`receipts post\` send only requests that may be sent again, because references and paths keep them from being recorded
twice. So they repeat a request that was refused with \`retry: as_is\`; and, once the service has answered or with \`--patience\`, one that got no
response. \`lending call\` sends what you write, so with \`--patience\` it repeats only what was not sent, or was refused as busy (429).

## Contract version

Requests ask for the newest version of the contract that this release knows. \`--contract-version 2026-10-15\` asks for another one.`;

async function reference(): Promise<string> {
  const codes = exitCodes.map(({ code, meaning }) => `| ${code} | ${meaning.join(' ')} |`);
  const irreversible = visibleLeaves().filter((command) => commandDescription(command).effect === 'irreversible');
  const sections = [
    head.replace('IRREVERSIBLE', irreversible.map((command) => `- ${linkTo(command)}`).join('\n')),
    ['## Exit codes', '', '| Code | Meaning |', '| - | - |', ...codes].join('\n'),
    ['## Options of every command', '', ...optionTable(program.options)].join('\n'),
    ['## Options of the commands of a caller', '', ...optionTable(callerOptions)].join('\n'),
    ...(await Promise.all(commandGroups.map(groupSection))),
    helpSection(),
  ];
  return `${sections.join('\n\n')}\n`;
}

async function groupSection({ title, files }: CommandGroup): Promise<string> {
  const group = new Command('lending');
  for (const file of files) await addCommandsOf(file, group);
  return [`## ${title.replace(/( \(.*\))?:$/, '')}`, ...leaves(group).map(commandSection)].join('\n\n');
}

function helpSection(): string {
  const named = leaves(program).filter((command) => ['completion', 'exit-codes'].includes(command.name()));
  return ['## Help', ...named.map(commandSection)].join('\n\n');
}

function leaves(root: Command): Command[] {
  return allCommands(root).filter((command) => command !== root && command.commands.length === 0);
}

function commandSection(command: Command): string {
  const { examples, details } = commandDescription(command);
  const inputs = inputTable(command);
  return [
    `### ${fullName(command)}`,
    sentence(command.description()),
    ...(inputs.length === 0 ? [] : [inputs.join('\n')]),
    ['```sh', ...examples.map((example) => `lending ${example}`), '```'].join('\n'),
    ...(details === '' ? [] : [asMarkdown(details)]),
  ].join('\n\n');
}

function asMarkdown(details: string): string {
  return paragraphsOf(details)
    .map((paragraph) => (isList(paragraph) ? `\`\`\`text\n${paragraph}\n\`\`\`` : paragraph))
    .join('\n\n');
}

function linkTo(command: Command): string {
  const name = fullName(command);
  return `[\`${name}\`](#${name.replaceAll(' ', '-')})`;
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function inputTable(command: Command): string[] {
  const isListedBefore = ({ long, description }: Option): boolean =>
    commonOptions.has(long) || callerOptions.some((option) => option.description === description);
  const options = command.options.filter((option) => !option.hidden && !isListedBefore(option));
  const rows = [...command.registeredArguments.map(argumentRow), ...options.map(optionRow)];
  return rows.length === 0 ? [] : table('Argument or option', rows);
}

function optionTable(options: readonly Option[]): string[] {
  return table('Option', options.map(optionRow));
}

type InputRow = readonly [input: string, meaning: string, byDefault: string];

/** Without a default there is no column for it, which leaves more room on a phone. */
function table(title: string, rows: readonly InputRow[]): string[] {
  const width = rows.some(([, , byDefault]) => byDefault !== '') ? 3 : 2;
  const head = [title, 'Meaning', 'Default'];
  return [head, head.map(() => '-'), ...rows].map((cells) => `| ${cells.slice(0, width).join(' | ')} |`);
}

function argumentRow(argument: Argument): InputRow {
  const name = argument.required ? `<${argument.name()}>` : `[${argument.name()}]`;
  const meaning = [argument.description, ...choices(argument.argChoices)].join('; ');
  return [`\`${name}\``, meaning, argument.required ? '**required**' : ''];
}

function optionRow({ flags, description, defaultValue, mandatory, argChoices }: Option): InputRow {
  const isShown = defaultValue !== undefined && typeof defaultValue !== 'boolean' && String(defaultValue) !== '';
  const byDefault = mandatory ? '**required**' : isShown ? `\`${defaultValue}\`` : '';
  return [`\`${flags}\``, [description, ...choices(argChoices)].join('; '), byDefault];
}

function choices(of: readonly string[] | undefined): string[] {
  return of === undefined ? [] : [of.join(', ')];
}

test('docs/guide/command-line.md describes every command', async () => {
  const text = await reference();
  if (isWriting) writeFileSync(path, text);
  expect(readFileSync(path, 'utf8')).toBe(text);
});

async function summaries(): Promise<string> {
  const all: { [file: string]: readonly CommandSummary[] } = {};
  for (const file of commandGroups.flatMap(({ files }) => files)) {
    const root = new Command('lending');
    await addCommandsOf(file, root);
    all[file] = root.commands.map(summaryOf);
  }
  return `${JSON.stringify(all, null, 2)}\n`;
}

function summaryOf(command: Command): CommandSummary {
  const shown = command.registeredArguments.map((argument) => argumentRow(argument)[0].replaceAll('`', ''));
  return {
    name: command.name(),
    arguments: shown.join(' '),
    description: command.description(),
    isGroup: command.commands.length > 0,
  };
}

test('the summaries of the commands are those of their definitions, so the help is the same before they are loaded', async () => {
  const text = await summaries();
  if (isWriting) writeFileSync(summariesPath, text);
  expect(readFileSync(summariesPath, 'utf8')).toBe(text);
  const summarised = await createProgram(async () => undefined, { words: [] });
  expect(summarised.helpInformation()).toBe(program.helpInformation());
  // A word on the command line is compared with the names alone.
  expect(program.commands.flatMap((command) => command.aliases())).toEqual([]);
});

test.each(visibleLeaves().map((command) => [fullName(command), command] as const))(
  '%s has a description and an example that it accepts, and its arguments and options have a meaning',
  async (name, command) => {
    const inputs = [...command.registeredArguments, ...command.options];
    expect(inputs.filter(({ description }) => description === '')).toEqual([]);
    expect(command.description()).not.toBe('');
    const { examples } = commandDescription(command);
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) expect([example, await acceptedAs(example)]).toEqual([example, accepted(example)]);
    expect(examples.some((example) => `lending ${example} `.startsWith(`${name} `))).toBe(true);
  },
);

function visibleLeaves(): Command[] {
  return leaves(program).filter((command) => command.name() !== 'complete');
}

/** The command that takes these words. */
async function acceptedAs(example: string): Promise<string | undefined> {
  const words = [...example.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? String(word));
  const end = words.findIndex((word) => ['<', '>', '|'].includes(word));
  let taken: string | undefined;
  const beforeRun = async (command: Command): Promise<void> => {
    taken = fullName(command);
    throw new Error('only the words are tried');
  };
  const tree = await createProgram(beforeRun, { words });
  await tree.parseAsync(end < 0 ? words : words.slice(0, end), { from: 'user' }).catch(() => undefined);
  return taken;
}

function accepted(example: string): string | undefined {
  const names = visibleLeaves().flatMap((command) => [fullName(command), ...aliases(command)]);
  const written = names.find((name) => `lending ${example} `.startsWith(`${name} `));
  return written === undefined ? undefined : written.replace('tenancy bounds', 'tenancy set-bounds');
}

function aliases(command: Command): string[] {
  return command.aliases().map((alias) => fullName(command).replace(/\S+$/, alias));
}
