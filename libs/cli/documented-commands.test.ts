/** The documents name only commands that exist. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { allCommands, describedProgram, fullName } from './command-tree.ts';

const project = join(import.meta.dirname, '..', '..');
const commands = allCommands(await describedProgram()).map(fullName);

/** Research notes say what was tried, also with commands that are gone. */
function documents(): string[] {
  const docs = readdirSync(join(project, 'docs'), { recursive: true, encoding: 'utf8' }).map((name) => `docs/${name}`);
  const written = docs.filter((name) => name.endsWith('.md') && !/^docs\/(?:research|decisions)\//.test(name));
  return ['README.md', 'deploy/README.md', ...written];
}

/** As `npm run -s lending -- book release …` in a block, or as `lending book release` in a sentence. */
function namedCommands(text: string): string[] {
  const invoked = [
    ...text.matchAll(/npm run -s lending -- ([a-z][a-z -]*)/g),
    ...text.matchAll(/`lending ([a-z][^`\n]*)`/g),
  ];
  return invoked.map(([, words]) => words ?? '');
}

/** The longest command that the words begin with; undefined where they begin with none, or with a group alone. */
function findCommand(words: string): string | undefined {
  const [first = '', second = ''] = words.split(' ');
  const name = `lending ${first}`;
  const isGroup = commands.some((command) => command.startsWith(`${name} `));
  return commands.find((command) => command === (isGroup ? `${name} ${second}` : name));
}

test.each(documents())('%s names commands that exist', (file) => {
  const named = namedCommands(readFileSync(join(project, file), 'utf8'));
  expect(named.filter((words) => findCommand(words) === undefined)).toEqual([]);
});

test('a command that does not exist is found', () => {
  expect(namedCommands('run `lending topic polish` or `lending audit`')).toEqual(['topic polish', 'audit']);
  expect([findCommand('book polish'), findCommand('polish'), findCommand('book')]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  expect(findCommand('book release demo')).toBe('lending book release');
});
