import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { commands } from './commands.ts';

describe.each(Object.entries(commands))('lending %s', (name, { usage, more = '', options = {} }) => {
  test('is used under its own name, and says all of its options and no others', () => {
    expect(usage.startsWith(name)).toBe(true);
    const said = new Set([...`${usage}\n${more}`.matchAll(/--([a-z][a-z-]+)/g)].map(([, option]) => option));
    expect([...said].sort()).toEqual(Object.keys(options).sort());
  });
});

test('what the README does by hand are commands, with options they take', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const lines = [...readme.matchAll(/^npm run -s lending -- (.+?)(?: +#.*)?$/gm)].map(([, line]) => String(line));
  expect(lines.length).toBeGreaterThan(6);
  for (const line of lines) {
    const name = Object.keys(commands).find((each) => line === each || line.startsWith(`${each} `));
    const unquoted = line.replaceAll(/'[^']*'/g, '');
    const taken = [...unquoted.matchAll(/ --([a-z-]+)/g)].map(([, option]) => option);
    expect({
      line,
      name,
      unknown: taken.filter((option) => !Object.hasOwn(commands[name ?? '']?.options ?? {}, String(option))),
    }).toEqual({
      line,
      name: expect.any(String),
      unknown: [],
    });
  }
});
