import { describe, expect, test } from '@jest/globals';
import type { Command } from 'commander';
import { MARKETS } from '#libs/product/markets/registry.ts';
import { commandDescription } from './command.ts';
import { runCommandLine } from './command-line.ts';
import { allCommands, describedProgram, fullName } from './command-tree.ts';
import { inProcessCommands } from './testing/in-process-commands.ts';

const variables = ['LENDING_URL', 'LENDING_KEY', 'KAFKA_BROKERS', 'SCHEMA_REGISTRY_URL', 'DATABASE_URL', 'REDIS_URL'];

const { err, run } = inProcessCommands(() => {
  for (const name of variables) delete process.env[name];
});

const commands = allCommands(await describedProgram()).filter(
  (command) => command.commands.length === 0 && !['complete', 'help'].includes(command.name()),
);
const wordsOf = (command: Command): string[] => fullName(command).split(' ').slice(1);

describe.each(commands.map((command) => [fullName(command), command] as const))('%s', (name, command) => {
  test('shows its arguments, options and examples with --help', async () => {
    const help = await run([...wordsOf(command), '--help']);
    expect(help).toMatchObject({ code: undefined, err: '' });
    const { examples } = commandDescription(command);
    const shown = [
      `Usage: ${name}`,
      ` ${command.usage()}\n`,
      ...command.options.filter(({ hidden }) => !hidden).map(({ flags }) => flags),
      ...examples.map((example) => `  lending ${example}`),
    ];
    expect(shown.filter((text) => !help.out.includes(text))).toEqual([]);
  });

  test('refuses an unknown option, and more arguments than it has, with its usage', async () => {
    const surplus = Array.from({ length: command.registeredArguments.length + 1 }, () => 'x');
    for (const words of [['--no-such-option'], surplus]) {
      err.mockReset();
      const refused = await run([...wordsOf(command), ...words], (target) => {
        throw new Error(`it ran for the target ${target}`);
      });
      expect(refused).toEqual({ code: 2, out: '', err: expect.stringContaining(`Usage: ${name} `) });
    }
  });
});

/** The first example of each command that needs a service or a cell. */
async function examplesWithTarget(): Promise<string[][]> {
  const found: string[][] = [];
  for (const command of commands) {
    const [example = ''] = commandDescription(command).examples;
    const words = [...example.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, word]) => quoted ?? String(word));
    await runCommandLine(words, async (target) => {
      if (target !== 'none') found.push(words);
      throw new Error('only the target is looked at');
    });
  }
  return found;
}

test('every command without its environment does nothing and names the variables to set', async () => {
  const examples = await examplesWithTarget();
  expect(examples.length).toBeGreaterThan(25);
  const results = [];
  for (const words of examples) {
    err.mockReset();
    process.exitCode = undefined;
    const { code, err: text } = await run(words);
    results.push({ words, code, names: variables.filter((name) => text.includes(name)).length > 0 });
  }
  // The checks of doctor are its result.
  const expected = examples.map((words) => ({
    words,
    code: words[0] === 'doctor' ? 1 : 2,
    names: words[0] !== 'doctor',
  }));
  expect(results).toEqual(expected);
});

test('the markets that exist are in the help of tenancy open', async () => {
  const { out: help } = await run(['tenancy', 'open', '--help']);
  expect([...MARKETS.keys()].filter((market) => !help.includes(market))).toEqual([]);
});

test('only a command that cannot be undone asks, and each of them has a dry run', () => {
  const asking = commands.filter(({ options }) => options.some(({ long }) => long === '--yes'));
  const irreversible = commands.filter((command) => commandDescription(command).effect === 'irreversible');
  expect(asking.map(fullName)).toEqual(irreversible.map(fullName));
  const withoutDryRun = asking.filter(({ options }) => !options.some(({ long }) => long === '--dry-run'));
  expect(withoutDryRun.map(fullName)).toEqual([]);
});

test('a command that only reads does not show --actor, because it records no one', () => {
  const reading = commands.filter((command) => commandDescription(command).effect === 'reads');
  const showing = reading.filter(({ options }) => options.some(({ long, hidden }) => long === '--actor' && !hidden));
  expect(showing.map(fullName)).toEqual([]);
});

test('the help of a group shows the other names of its commands', async () => {
  const { out: help } = await run(['tenancy', '--help']);
  expect(help).toContain('set-bounds|bounds <tenancy>');
});
