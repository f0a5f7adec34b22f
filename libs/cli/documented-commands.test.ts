/** The documents name only commands and options that exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { allCommands, describedProgram, fullName } from './command-tree.ts';

const project = join(import.meta.dirname, '..', '..');
const commands = allCommands(await describedProgram());
// A document may name a value by a word, as in `--partition N`.
for (const option of commands.flatMap(({ options }) => options)) option.argParser((value: string) => value);

/** Research notes say what was tried, also with commands that are gone. */
function documents(): string[] {
  const docs = readdirSync(join(project, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`);
  const written = docs.filter((name) => name.endsWith('.md') && !/^docs\/(?:research|decisions)\//.test(name));
  return ['README.md', 'deploy/README.md', ...written];
}

/** As `npm run -s lending -- book release …` or `lending book release …` in a block, or as `lending book release` in a sentence. */
const invocations = /(?:npm run -s lending -- |`lending |^lending )(?=[a-z])/gm;
/** The next word of a command line; the line ends at a comment, a pipe, the end of its code, or an unescaped end of line. */
const nextWord = /(?:[ \t]|\\\n)*((?:'[^']*'|"[^"]*"|[^\s'"`|;#&>\\])+)/y;

function namedCommands(text: string): string[][] {
  return [...text.matchAll(invocations)].map(({ index, 0: { length } }) => {
    nextWord.lastIndex = index + length;
    const words: string[] = [];
    for (let found = nextWord.exec(text); found !== null; found = nextWord.exec(text)) words.push(found[1] ?? '');
    return words;
  });
}

/** Arguments of a job, as `{topic,check}`. */
function withJobArguments(text: string): string {
  return text.replaceAll(/`\{([a-z][^`}]*)\}`/g, (_all, words: string) => `\`lending ${words.replaceAll(',', ' ')}\``);
}

/** The longest command that the words begin with; undefined where they begin with none, or with a group alone. */
function findCommand([first, second]: readonly string[]): Command | undefined {
  const isGroup = commands.some((command) => fullName(command).startsWith(`lending ${first} `));
  const name = isGroup ? `lending ${first} ${second}` : `lending ${first}`;
  return commands.find((command) => namesOf(command).includes(name));
}

function namesOf(command: Command): string[] {
  const { parent } = command;
  return [
    fullName(command),
    ...command.aliases().map((alias) => `${parent === null ? '' : fullName(parent)} ${alias}`),
  ];
}

/** What is wrong with a command line: the command, or the options from the first one that does not exist. */
function mistakeOf(words: readonly string[]): string | undefined {
  const command = findCommand(words);
  if (command === undefined) return words.join(' ');
  const { unknown } = command.parseOptions(words.slice(fullName(command).split(' ').length - 1));
  return unknown.length === 0 ? undefined : `${fullName(command)}: ${unknown.join(' ')}`;
}

test.each(documents())('%s names commands and options that exist', (file) => {
  const text = readFileSync(join(project, file), 'utf8');
  const named = namedCommands(file.endsWith('/kubernetes.md') ? withJobArguments(text) : text);
  expect(named.map(mistakeOf).filter((mistake) => mistake !== undefined)).toEqual([]);
});

test('command lines end with their code, and continue on the next line', () => {
  const text = "run `lending topic polish` or\nlending call POST /v1/x '{\n}' \\\n  --json | jq # all";
  expect(namedCommands(text)).toEqual([
    ['topic', 'polish'],
    ['call', 'POST', '/v1/x', "'{\n}'", '--json'],
  ]);
  expect(namedCommands(withJobArguments('`{topic,repair,--partition,3}`'))).toEqual([
    ['topic', 'repair', '--partition', '3'],
  ]);
});

test('a command or an option that does not exist is found', () => {
  const lines = [
    'book polish',
    'polish',
    'book',
    'book release demo c/a --polish 3',
    'book release demo c/a --basis why',
  ];
  expect(lines.map((line) => mistakeOf(line.split(' ')))).toEqual([
    'book polish',
    'polish',
    'book',
    'lending book release: --polish 3',
    undefined,
  ]);
});
